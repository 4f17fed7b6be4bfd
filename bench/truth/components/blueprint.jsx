import {createRoot} from "react-dom/client";
import "@blueprintjs/core/lib/css/blueprint.css";
import {Button, Checkbox, Collapse, FileInput, FormGroup, HTMLSelect, InputGroup, MenuItem, Menu, NumericInput, Popover, Radio, RadioGroup, Slider, Switch, Tab, Tabs, TagInput, TextArea, Tree} from "@blueprintjs/core";
createRoot(document.getElementById("app")).render(<main>
  <h1>Job</h1><p>Parameters of the next run below.</p>
  <FormGroup label="Name" labelFor="n"><InputGroup id="n" /></FormGroup><TextArea placeholder="Log" /><NumericInput defaultValue={4} />
  <Checkbox label="Retry" /><Switch label="Verbose" /><RadioGroup selectedValue="a" onChange={() => {}} label="Queue"><Radio label="Fast" value="a" /><Radio label="Slow" value="b" /></RadioGroup>
  <HTMLSelect options={["North", "South"]} /><Slider value={3} max={10} /><TagInput values={["one", "two"]} /><FileInput text="Choose" />
  <Tabs id="t"><Tab id="1" title="Input" panel={<p>In</p>} /><Tab id="2" title="Output" panel={<p>Out</p>} /></Tabs>
  <Tree contents={[{id: 1, label: "Folder", hasCaret: true, childNodes: [{id: 2, label: "File"}]}]} />
  <Popover content={<Menu><MenuItem text="Stop" /></Menu>}><Button text="Control" /></Popover><Button intent="primary" text="Run" /><Collapse isOpen>Open text</Collapse>
</main>);
