import {useState} from "react";
import {createRoot} from "react-dom/client";
import {
  Autocomplete, Button, Checkbox, Combobox, FilePicker, FormField, Group, IconButton, Menu, Pagination, Popover, RadioGroup, SearchInput, SelectField, SelectMenu, Switch, Tab, Tablist, TagInput, Textarea, TextInput, TextInputField, TrashIcon,
} from "evergreen-ui";
const towns = ["Bern", "Bonn", "Brno"];
function App() {
  const [tags, setTags] = useState(["red"]), [on, setOn] = useState(false), [box, setBox] = useState(false), [town, setTown] = useState(null), [way, setWay] = useState("a"), [span, setSpan] = useState("d"), [tab, setTab] = useState(0), [page, setPage] = useState(1);
  return <main style={{width: 500}}><h1>Library</h1><p>Books which readers want to borrow.</p>
    <TextInputField label="Reader" /><TextInput placeholder="Title" /><SearchInput placeholder="Look for books" /><Textarea placeholder="Review" /><SelectField label="Shelf"><option value="a">Novels</option><option value="b">Poems</option></SelectField>
    <Combobox items={towns} placeholder="Town" onChange={setTown} openOnFocus /><Autocomplete items={towns} title="Branches">{({getInputProps, getRef, inputValue}) => <TextInput placeholder="Branch" ref={getRef} {...getInputProps({value: inputValue})} />}</Autocomplete><SelectMenu title="Language" options={towns.map((label) => ({label, value: label}))} selected={town} onSelect={(item) => setTown(item.value)}><Button>{town || "Choose language"}</Button></SelectMenu>
    <TagInput inputProps={{placeholder: "Add words"}} values={tags} onChange={setTags} /><Checkbox label="Reserve" checked={box} onChange={(e) => setBox(e.target.checked)} /><Switch aria-label="Mail me" checked={on} onChange={(e) => setOn(e.target.checked)} /><RadioGroup label="Pick up" value={way} options={[{label: "Here", value: "a"}, {label: "There", value: "b"}]} onChange={(e) => setWay(e.target.value)} />
    <Group>{["Day", "Week"].map((name) => <Button key={name} isActive={span === name} onClick={() => setSpan(name)}>{name}</Button>)}</Group><Tablist>{["Lent", "Late"].map((name, at) => <Tab key={name} isSelected={tab === at} onSelect={() => setTab(at)}>{name}</Tab>)}</Tablist>
    <Popover content={<Menu><Menu.Item>Print list</Menu.Item><Menu.Item intent="danger">Delete list</Menu.Item></Menu>}><Button>More</Button></Popover><FilePicker placeholder="Cover" /><IconButton icon={TrashIcon} aria-label="Throw away" /><Pagination page={page} totalPages={5} onPageChange={setPage} /><Button appearance="primary">Borrow</Button></main>;
}
createRoot(document.getElementById("app")).render(<App />);
