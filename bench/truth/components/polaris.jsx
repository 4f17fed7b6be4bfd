import React, {useState} from "react";
import {createRoot} from "react-dom/client";
import {AppProvider, Autocomplete, Button, Checkbox, ChoiceList, DatePicker, FormLayout, LegacyStack, Listbox, Combobox, Page, RangeSlider, Select, Tag, TextField} from "@shopify/polaris";
import en from "@shopify/polaris/locales/en.json";
import "@shopify/polaris/build/esm/styles.css";
const S = window.S = {};
const useKept = (key, initial) => { const [value, setValue] = useState(initial); return [value, (next) => { S[key] = next; setValue(next); }]; };
const tags = ["Rustic", "Antique", "Vinyl", "Vintage", "Refurbished"].map((label) => ({value: label.toLowerCase(), label}));
function Tags() {
  const [chosen, setChosen] = useKept("tags", []), [text, setText] = useState("");
  return <Autocomplete allowMultiple options={tags.filter((each) => each.label.toLowerCase().includes(text.toLowerCase()))} selected={chosen} onSelect={setChosen} textField={<Autocomplete.TextField label="Tags" autoComplete="off" value={text} onChange={setText} placeholder="Vintage, cotton, summer" verticalContent={<LegacyStack spacing="extraTight">{chosen.map((each) => <Tag key={each} onRemove={() => setChosen(chosen.filter((other) => other !== each))}>{each}</Tag>)}</LegacyStack>} />} />;
}
function Vendor() {
  const [chosen, setChosen] = useKept("vendor", ""), [text, setText] = useState(""), words = ["Acme Goods", "Blue Barn", "Cotton Mill"];
  const found = words.filter((each) => each.toLowerCase().includes(text.toLowerCase()));
  return <Combobox activator={<Combobox.TextField label="Vendor" autoComplete="off" value={text} onChange={setText} />}>{found.length ? <Listbox onSelect={(value) => { setChosen(value); setText(value); }}>{found.map((each) => <Listbox.Option key={each} value={each} selected={each === chosen}>{each}</Listbox.Option>)}</Listbox> : null}</Combobox>;
}
function Day() {
  const [{month, year}, setShown] = useState({month: 2, year: 2027}), [day, setDay] = useState();
  return <DatePicker month={month} year={year} selected={day} onMonthChange={(next, at) => setShown({month: next, year: at})} onChange={({start}) => { setDay(start); S.day = start.toDateString(); }} />;
}
function Product() {
  const [title, setTitle] = useKept("title", ""), [price, setPrice] = useKept("price", ""), [status, setStatus] = useKept("status", "draft"), [gift, setGift] = useKept("gift", false), [stock, setStock] = useKept("stock", 32), [cost, setCost] = useKept("cost", [100, 400]), [where, setWhere] = useKept("where", ["online"]), [ship, setShip] = useKept("ship", ["post"]), [note, setNote] = useKept("note", "");
  return <Page title="Add product"><FormLayout><TextField label="Title" value={title} onChange={setTitle} autoComplete="off" /><TextField label="Price" type="number" prefix="$" value={price} onChange={setPrice} autoComplete="off" />
    <Select label="Status" options={[{label: "Active", value: "active"}, {label: "Draft", value: "draft"}, {label: "Archived", value: "archived"}]} value={status} onChange={setStatus} /><Vendor /><Tags /><Day />
    <RangeSlider label="Stock alert" min={0} max={100} value={stock} onChange={setStock} output /><RangeSlider label="Cost" min={0} max={1000} step={50} value={cost} onChange={setCost} output />
    <ChoiceList title="Sales channels" allowMultiple choices={[{label: "Online store", value: "online"}, {label: "Point of sale", value: "pos"}]} selected={where} onChange={setWhere} /><ChoiceList title="Shipping" choices={[{label: "By post", value: "post"}, {label: "By courier", value: "courier"}]} selected={ship} onChange={setShip} />
    <Checkbox label="Gift card" checked={gift} onChange={setGift} /><TextField label="Note" multiline={3} value={note} onChange={setNote} autoComplete="off" /><Button variant="primary">Save product</Button></FormLayout></Page>;
}
createRoot(document.getElementById("app")).render(<AppProvider i18n={en}><Product /></AppProvider>);
