import {useState} from "react";
import {createRoot} from "react-dom/client";
import {
  Accordion, AccordionPanel, Anchor, Box, Button, CheckBox, CheckBoxGroup, DateInput, FileInput, FormField, Grommet, Heading, MaskedInput, Menu, Pagination, Paragraph, RadioButtonGroup, RangeInput, Select, SelectMultiple, StarRating, Tab, Tabs, TextArea, TextInput, ToggleGroup, Select as Chooser,
} from "grommet";
function App() {
  const [city, setCity] = useState(""), [many, setMany] = useState([]), [day, setDay] = useState("2027-03-10T00:00:00.000Z"), [range, setRange] = useState(3), [phone, setPhone] = useState("");
  return <Grommet><Box pad="medium" as="main"><Heading>Clinic</Heading><Paragraph>Patients register themselves here.</Paragraph>
    <FormField label="Name" htmlFor="n"><TextInput id="n" /></FormField><TextInput placeholder="Doctor" suggestions={["Adams", "Baker"]} /><MaskedInput aria-label="Phone" value={phone} onChange={(e) => setPhone(e.target.value)} mask={[{length: 3, regexp: /^[0-9]{1,3}$/, placeholder: "xxx"}, {fixed: "-"}, {length: 4, regexp: /^[0-9]{1,4}$/, placeholder: "xxxx"}]} />
    <Select aria-label="City" options={["Oslo", "Rome", "Lima"]} value={city} onChange={({option}) => setCity(option)} placeholder="Where" /><Chooser aria-label="Ward" options={["North", "South"]} onSearch={() => {}} placeholder="Which ward" /><SelectMultiple aria-label="Pains" options={["Head", "Back"]} value={many} onChange={({value}) => setMany(value)} placeholder="Where it hurts" />
    <DateInput format="mm/dd/yyyy" value={day} onChange={({value}) => setDay(value)} /><TextArea placeholder="Story" /><CheckBox label="Insured" /><CheckBox toggle label="Remind me" /><CheckBoxGroup options={["Morning", "Evening"]} /><RadioButtonGroup name="sex" options={["first", "again"]} />
    <RangeInput aria-label="Pain" min={0} max={10} value={range} onChange={(e) => setRange(e.target.value)} /><StarRating name="stars" /><ToggleGroup options={["List", "Map"]} /><FileInput name="file" />
    <Tabs><Tab title="Visits">Visits text</Tab><Tab title="Pills">Pills text</Tab></Tabs><Accordion><AccordionPanel label="Privacy">Kept for ten years</AccordionPanel></Accordion><Menu label="More" items={[{label: "Print"}, {label: "Leave"}]} /><Pagination numberItems={40} /><Anchor href="#x" label="Contact" /><Button primary label="Register" /></Box></Grommet>;
}
createRoot(document.getElementById("app")).render(<App />);
