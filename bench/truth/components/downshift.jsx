import React, {useState} from "react";
import {createRoot} from "react-dom/client";
import Downshift, {useCombobox, useMultipleSelection, useSelect} from "downshift";
const S = window.S = {};
const books = [["Harper Lee", "To Kill a Mockingbird"], ["Lev Tolstoy", "War and Peace"], ["Fyodor Dostoyevsky", "The Idiot"], ["Oscar Wilde", "A Picture of Dorian Gray"], ["George Orwell", "1984"], ["Jane Austen", "Pride and Prejudice"]].map(([author, title]) => ({author, title}));
const list = {listStyle: "none", margin: 0, padding: 0, border: "1px solid #ccc", width: 300};
function Book() {
  const {isOpen, selectedItem, getToggleButtonProps, getLabelProps, getMenuProps, highlightedIndex, getItemProps} = useSelect({items: books, itemToString: (item) => item?.title ?? "", onSelectedItemChange: ({selectedItem: item}) => { S.book = item?.title; }});
  return <div><label {...getLabelProps()}>Choose your favorite book:</label><div {...getToggleButtonProps()} style={{border: "1px solid", width: 300}}><span>{selectedItem ? selectedItem.title : "Elements"}</span> <span>{isOpen ? "\u2191" : "\u2193"}</span></div>
    <ul {...getMenuProps()} style={isOpen ? list : {display: "none"}}>{isOpen && books.map((item, index) => <li key={item.title} {...getItemProps({item, index})} style={{background: highlightedIndex === index ? "#bde" : "white"}}><span>{item.title}</span> <small>{item.author}</small></li>)}</ul></div>;
}
function Search({id, label, words}) {
  const [items, setItems] = useState(words);
  const {isOpen, getToggleButtonProps, getLabelProps, getMenuProps, getInputProps, highlightedIndex, getItemProps} = useCombobox({items, onInputValueChange: ({inputValue}) => setItems(words.filter((each) => each.toLowerCase().includes((inputValue ?? "").toLowerCase()))), onSelectedItemChange: ({selectedItem}) => { S[id] = selectedItem; }});
  return <div><label {...getLabelProps()}>{label}</label><div><input placeholder="Best choice ever" {...getInputProps()} /><button aria-label="toggle menu" type="button" {...getToggleButtonProps()}>{"\u2193"}</button></div>
    <ul {...getMenuProps()} style={isOpen ? list : {display: "none"}}>{isOpen && items.map((item, index) => <li key={item} {...getItemProps({item, index})} style={{background: highlightedIndex === index ? "#bde" : "white"}}>{item}</li>)}</ul></div>;
}
function Readers() {
  const people = ["Ann", "Ben", "Cleo", "Dan"], [input, setInput] = useState("");
  const {getSelectedItemProps, getDropdownProps, removeSelectedItem, addSelectedItem, selectedItems} = useMultipleSelection({onSelectedItemsChange: (change) => { S.readers = change.selectedItems; }});
  const items = people.filter((each) => !selectedItems.includes(each) && each.toLowerCase().startsWith(input.toLowerCase()));
  const {isOpen, getLabelProps, getMenuProps, getInputProps, getToggleButtonProps, getItemProps, highlightedIndex} = useCombobox({items, inputValue: input, selectedItem: null, defaultHighlightedIndex: 0,
    stateReducer: (state, {type, changes}) => type === useCombobox.stateChangeTypes.InputKeyDownEnter || type === useCombobox.stateChangeTypes.ItemClick ? {...changes, isOpen: true, highlightedIndex: 0, inputValue: ""} : changes,
    onStateChange: ({inputValue, type, selectedItem}) => { if (type === useCombobox.stateChangeTypes.InputChange) setInput(inputValue ?? ""); else if (selectedItem) { addSelectedItem(selectedItem); setInput(""); } }});
  return <div><label {...getLabelProps()}>Pick some readers:</label><div>{selectedItems.map((selectedItem, index) => <span key={selectedItem} {...getSelectedItemProps({selectedItem, index})} style={{background: "#ddd", margin: 2}}>{selectedItem} <span onClick={(event) => { event.stopPropagation(); removeSelectedItem(selectedItem); }}>&#10005;</span></span>)}<input placeholder="Best readers" {...getInputProps(getDropdownProps({preventKeyAction: isOpen}))} /><button aria-label="toggle readers" type="button" {...getToggleButtonProps()}>{"\u2193"}</button></div>
    <ul {...getMenuProps()} style={isOpen ? list : {display: "none"}}>{isOpen && items.map((item, index) => <li key={item} {...getItemProps({item, index})} style={{background: highlightedIndex === index ? "#bde" : "white"}}>{item}</li>)}</ul></div>;
}
createRoot(document.getElementById("app")).render(<main style={{padding: 20}}><h1>Reading club</h1><p>What is read next, and by whom.</p><Book /><Search id="author" label="Find an author:" words={books.map((each) => each.author)} /><Search id="room" label="Room:" words={Array.from({length: 60}, (_, n) => `Room ${n + 100}`)} /><Readers />
  <Downshift onChange={(item) => { S.drink = item; }}>{({getInputProps, getItemProps, getLabelProps, getMenuProps, isOpen, inputValue, getRootProps}) => <div><label {...getLabelProps()}>Enter a drink</label><div {...getRootProps({}, {suppressRefError: true})} style={{display: "inline-block"}}><input {...getInputProps()} /></div><ul {...getMenuProps()}>{isOpen ? ["Tea", "Coffee", "Juice"].filter((each) => !inputValue || each.toLowerCase().includes(inputValue.toLowerCase())).map((item, index) => <li {...getItemProps({key: item, index, item})} key={item}>{item}</li>) : null}</ul></div>}</Downshift>
  <label>Remarks <textarea /></label><button>Propose</button></main>);
