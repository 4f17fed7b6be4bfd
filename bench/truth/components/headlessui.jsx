import {createRoot} from "react-dom/client";
import {useState} from "react";
import {
  Checkbox, Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Disclosure, DisclosureButton, DisclosurePanel,
  Field, Input, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions, Menu, MenuButton, MenuItem, MenuItems,
  Popover, PopoverButton, PopoverPanel, Radio, RadioGroup, Switch, Tab, TabGroup, TabList, TabPanel, TabPanels, Textarea,
} from "@headlessui/react";
function Page() {
  const [on, setOn] = useState(false), [size, setSize] = useState("s"), [who, setWho] = useState("Ann");
  return <main><h1>Team</h1><p>People who work on this project.</p>
    <Field><Label>Title</Label><Input /></Field><Field><Label>About</Label><Textarea /></Field>
    <Field><Checkbox style={{display: "inline-block", width: 16, height: 16, border: "1px solid"}} /><Label>Active</Label></Field>
    <Field><Label>Alerts</Label><Switch checked={on} onChange={setOn}>switch</Switch></Field>
    <RadioGroup value={size} onChange={setSize} aria-label="Size"><Field><Radio value="s">o</Radio><Label>Small</Label></Field>
      <Field><Radio value="l">o</Radio><Label>Large</Label></Field></RadioGroup>
    <Listbox value={who} onChange={setWho}><ListboxButton>{who}</ListboxButton><ListboxOptions anchor="bottom">
      <ListboxOption value="Ann">Ann</ListboxOption><ListboxOption value="Bob">Bob</ListboxOption></ListboxOptions></Listbox>
    <Combobox value={who} onChange={setWho}><ComboboxInput aria-label="Person" /><ComboboxOptions>
      <ComboboxOption value="Ann">Ann</ComboboxOption></ComboboxOptions></Combobox>
    <Menu><MenuButton>Options</MenuButton><MenuItems anchor="bottom"><MenuItem><button>Edit</button></MenuItem></MenuItems></Menu>
    <Disclosure><DisclosureButton>Is it free?</DisclosureButton><DisclosurePanel>Yes it is</DisclosurePanel></Disclosure>
    <Popover><PopoverButton>Help</PopoverButton><PopoverPanel anchor="bottom">Some help text</PopoverPanel></Popover>
    <TabGroup><TabList><Tab>First</Tab><Tab>Second</Tab></TabList><TabPanels><TabPanel>One</TabPanel><TabPanel>Two</TabPanel></TabPanels></TabGroup>
  </main>;
}
createRoot(document.getElementById("app")).render(<Page />);
