import {createRoot} from "react-dom/client";
import {
  Button, Cascader, Checkbox, Collapse, DatePicker, Input, InputNumber, Pagination, Radio, Rate, Segmented, Select,
  Slider, Switch, Tabs, Tree, Upload,
} from "antd";
const cities = [{value: "o", label: "Oslo"}, {value: "r", label: "Rome"}];
createRoot(document.getElementById("app")).render(<main>
  <h1>Profile</h1><p>Everything about the person in one place.</p>
  <label htmlFor="n">Nick name</label><Input id="n" /> <Input.Password placeholder="Secret" />
  <InputNumber aria-label="Age" defaultValue={30} min={0} max={120} />
  <Select aria-label="City" options={cities} style={{width: 120}} />
  <Cascader aria-label="Place" options={[{value: "n", label: "North", children: cities}]} />
  <DatePicker /> <Checkbox>Newsletter</Checkbox> <Switch aria-label="Public" />
  <Radio.Group options={["Tea", "Coffee"]} /> <Rate /> <Slider defaultValue={20} />
  <Segmented options={["Day", "Week"]} /> <Tabs items={[{key: "1", label: "One"}, {key: "2", label: "Two"}]} />
  <Collapse items={[{key: "1", label: "Further", children: <p>Hidden words come out</p>}]} />
  <Tree treeData={[{key: "a", title: "Root", children: [{key: "b", title: "Leaf"}]}]} checkable />
  <Upload><Button>Choose file</Button></Upload> <Pagination total={50} /> <Button type="primary">Save</Button>
</main>);
