import {createRoot} from "react-dom/client";
import {useState} from "react";
import "primereact/resources/themes/lara-light-blue/theme.css";
import {Accordion, AccordionTab} from "primereact/accordion";
import {AutoComplete} from "primereact/autocomplete";
import {Button} from "primereact/button";
import {Calendar} from "primereact/calendar";
import {Checkbox} from "primereact/checkbox";
import {Chips} from "primereact/chips";
import {Dropdown} from "primereact/dropdown";
import {InputNumber} from "primereact/inputnumber";
import {InputSwitch} from "primereact/inputswitch";
import {InputText} from "primereact/inputtext";
import {MultiSelect} from "primereact/multiselect";
import {RadioButton} from "primereact/radiobutton";
import {Rating} from "primereact/rating";
import {SelectButton} from "primereact/selectbutton";
import {Slider} from "primereact/slider";
import {TabPanel, TabView} from "primereact/tabview";
function Page() {
  const [s, set] = useState({rate: 2, level: 20, on: false, gift: false, size: "S", name: ""});
  const bind = (key) => ({value: s[key], onChange: (e) => set({...s, [key]: e.value ?? e.target?.value})});
  return <main><h1>Ticket</h1><p>Describe the trouble in a few words.</p>
    <label htmlFor="t">Title</label><InputText id="t" {...bind("name")} /><label htmlFor="p">Points</label><InputNumber inputId="p" {...bind("points")} onValueChange={bind("points").onChange} />
    <Dropdown aria-label="State" options={["Open", "Done"]} {...bind("state")} /><MultiSelect aria-label="Labels" options={["Bug", "Idea"].map((v) => ({label: v, value: v}))} {...bind("labels")} />
    <AutoComplete aria-label="Owner" {...bind("owner")} suggestions={[]} /><Calendar aria-label="Due" {...bind("due")} /><Chips {...bind("chips")} />
    <Checkbox inputId="g" checked={s.gift} onChange={(e) => set({...s, gift: e.checked})} /><label htmlFor="g">Urgent</label>
    <InputSwitch aria-label="Watch" checked={s.on} onChange={(e) => set({...s, on: e.value})} />
    <RadioButton inputId="a" name="k" value="a" checked={s.k === "a"} onChange={(e) => set({...s, k: e.value})} /><label htmlFor="a">Small</label>
    <Rating {...bind("rate")} /><Slider style={{width: 200}} {...bind("level")} /><SelectButton options={["S", "L"]} {...bind("size")} />
    <TabView><TabPanel header="Text">Text here</TabPanel><TabPanel header="Files">No files</TabPanel></TabView>
    <Accordion><AccordionTab header="History">Nothing yet</AccordionTab></Accordion><Button label="Create" /></main>;
}
createRoot(document.getElementById("app")).render(<Page />);
