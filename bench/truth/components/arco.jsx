import {createRoot} from "react-dom/client";
import {
  AutoComplete, Button, Cascader, Checkbox, Collapse, DatePicker, Dropdown, Input, InputNumber, InputTag, Menu, Mentions, Pagination, Radio, Rate, Select, Slider, Switch, Table, Tabs, TimePicker, Tree, TreeSelect, Upload,
} from "@arco-design/web-react";
import "@arco-design/web-react/dist/css/arco.css";
const cities = [{value: "o", label: "Oslo"}, {value: "r", label: "Rome"}], nodes = [{key: "a", title: "Board", children: [{key: "b", title: "Sales"}]}];
createRoot(document.getElementById("app")).render(<main style={{width: 500}}>
  <h1>Travel</h1><p>Journeys for which money is paid back.</p>
  <Input placeholder="Purpose" allowClear /><Input.Password placeholder="Pin" /><Input.TextArea placeholder="Reasons" /><Input.Search placeholder="Earlier journeys" searchButton />
  <InputNumber aria-label="Nights" defaultValue={2} min={0} max={60} /><InputTag placeholder="Companions" /><Select placeholder="City" options={cities} /><Select mode="multiple" placeholder="Stops" options={cities} allowClear />
  <AutoComplete placeholder="Hotel" data={["Grand", "Garden"]} /><Cascader placeholder="Region" options={[{value: "n", label: "North", children: cities}]} /><TreeSelect placeholder="Department" treeData={nodes} />
  <DatePicker placeholder="Begins" /><DatePicker.RangePicker /><TimePicker placeholder="Departs" /><Checkbox>By train</Checkbox><Checkbox.Group options={["Meals", "Taxi"]} /><Switch aria-label="Paid already" />
  <Radio.Group options={["First", "Second"]} defaultValue="First" /><Radio.Group type="button" options={["Euro", "Pound"]} /><Rate /><Slider defaultValue={20} />
  <Tabs><Tabs.TabPane key="1" title="Costs">Costs text</Tabs.TabPane><Tabs.TabPane key="2" title="Slips">Slips text</Tabs.TabPane></Tabs><Collapse><Collapse.Item header="Rules" name="1">Second class only</Collapse.Item></Collapse>
  <Tree treeData={nodes} checkable /><Table rowSelection={{}} columns={[{title: "Day", dataIndex: "day", sorter: (a, b) => a.day - b.day}, {title: "Sum", dataIndex: "sum"}]} data={[{key: 1, day: 1, sum: 20}, {key: 2, day: 2, sum: 35}]} pagination={false} />
  <Dropdown trigger="click" droplist={<Menu><Menu.Item key="1">Copy it</Menu.Item><Menu.Item key="2">Drop it</Menu.Item></Menu>}><Button>More</Button></Dropdown><Upload action="/" /><Pagination total={50} /><Button type="primary">Hand in</Button>
</main>);
