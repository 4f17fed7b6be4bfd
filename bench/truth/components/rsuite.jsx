import {createRoot} from "react-dom/client";
import "rsuite/dist/rsuite.css";
import {AutoComplete, Button, CheckPicker, Checkbox, DatePicker, Dropdown, Input, InputNumber, Nav, Panel, Radio, RadioGroup, Rate, SelectPicker, Slider, TagPicker, Toggle, Tree} from "rsuite";
const data = ["Ann", "Bob"].map((each) => ({label: each, value: each}));
createRoot(document.getElementById("app")).render(<main>
  <h1>Staff</h1><p>Who is on duty during the week?</p>
  <Input placeholder="Name" /><InputNumber defaultValue={2} /><AutoComplete data={["Oslo", "Rome"]} placeholder="Town" /><SelectPicker data={data} label="Lead" /><CheckPicker data={data} /><TagPicker data={data} />
  <DatePicker placeholder="Day" /><Checkbox>On call</Checkbox><Toggle>Night</Toggle><RadioGroup name="s"><Radio value="a">Early</Radio><Radio value="b">Late</Radio></RadioGroup>
  <Slider defaultValue={30} /><Rate /><Nav appearance="tabs" activeKey="a"><Nav.Item eventKey="a">Plan</Nav.Item><Nav.Item eventKey="b">Past</Nav.Item></Nav>
  <Panel header="Notes" collapsible bordered>Nothing noted</Panel><Dropdown title="Export"><Dropdown.Item>As a sheet</Dropdown.Item></Dropdown><Tree data={[{value: "r", label: "Root", children: data}]} /><Button appearance="primary">Save</Button>
</main>);
