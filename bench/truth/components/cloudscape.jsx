import {useState} from "react";
import {createRoot} from "react-dom/client";
import "@cloudscape-design/global-styles/index.css";
import {
  Autosuggest, Button, ButtonDropdown, Checkbox, DateInput, DatePicker, ExpandableSection, FormField, Input, Multiselect, Pagination, RadioGroup, SegmentedControl, Select, Slider, Table, Tabs, Textarea, TextFilter, Tiles, TimeInput, Toggle, TokenGroup,
} from "@cloudscape-design/components";
const sizes = [{value: "s", label: "Small"}, {value: "l", label: "Large"}];
function App() {
  const [s, set] = useState({size: sizes[0], many: [], open: false, tab: "a", page: 1, level: 4, on: false, way: "a", tile: "x", seg: "d", tokens: [{label: "blue"}], day: "", name: "", picked: []});
  const put = (key, from = "value") => ({detail}) => set((old) => ({...old, [key]: detail[from]}));
  return <main><h1>Cluster</h1><p>Machines that calculate over night.</p>
    <FormField label="Label"><Input value={s.name} onChange={put("name")} /></FormField><FormField label="Cores"><Input type="number" value={s.cores ?? "2"} onChange={put("cores")} /></FormField><FormField label="Script"><Textarea value={s.script ?? ""} onChange={put("script")} /></FormField>
    <FormField label="Size"><Select options={sizes} selectedOption={s.size} onChange={put("size", "selectedOption")} /></FormField><FormField label="Zones"><Multiselect options={sizes} selectedOptions={s.many} onChange={put("many", "selectedOptions")} placeholder="Choose zones" /></FormField><FormField label="Image"><Autosuggest options={[{value: "plain"}, {value: "science"}]} value={s.image ?? ""} onChange={put("image")} enteredTextLabel={(v) => "Use " + v} /></FormField>
    <FormField label="Until"><DatePicker value={s.day} onChange={put("day")} openCalendarAriaLabel={() => "Open calendar"} /></FormField><FormField label="Since"><DateInput value={s.since ?? ""} onChange={put("since")} /></FormField><FormField label="At"><TimeInput value={s.at ?? ""} onChange={put("at")} /></FormField>
    <Checkbox checked={s.box} onChange={put("box", "checked")}>Keep logs</Checkbox><Toggle checked={s.on} onChange={put("on", "checked")}>Public</Toggle><RadioGroup value={s.way} onChange={put("way")} items={[{value: "a", label: "Cheap"}, {value: "b", label: "Quick"}]} /><Tiles value={s.tile} onChange={put("tile")} items={[{value: "x", label: "One machine"}, {value: "y", label: "Many machines"}]} />
    <FormField label="Limit"><Slider min={0} max={10} value={s.level} onChange={put("level")} /></FormField><SegmentedControl selectedId={s.seg} onChange={put("seg", "selectedId")} options={[{id: "d", text: "Day"}, {id: "w", text: "Week"}]} label="Span" /><TokenGroup items={s.tokens} onDismiss={() => set({...s, tokens: []})} />
    <Tabs activeTabId={s.tab} onChange={put("tab", "activeTabId")} tabs={[{id: "a", label: "Details", content: "Details text"}, {id: "b", label: "Events", content: "Events text"}]} /><ExpandableSection headerText="Network">Nothing is open</ExpandableSection><ButtonDropdown items={[{id: "r", text: "Restart"}, {id: "t", text: "Terminate"}]}>Actions</ButtonDropdown>
    <Table selectionType="multi" selectedItems={s.picked} onSelectionChange={put("picked", "selectedItems")} ariaLabels={{itemSelectionLabel: (_, item) => item.name, allItemsSelectionLabel: () => "all"}} columnDefinitions={[{id: "n", header: "Name", cell: (e) => e.name, sortingField: "name"}, {id: "z", header: "Zone", cell: (e) => e.zone}]} items={[{name: "alpha", zone: 1}, {name: "beta", zone: 2}]} trackBy="name" />
    <TextFilter filteringText={s.find ?? ""} onChange={put("find", "filteringText")} filteringPlaceholder="Find machines" /><Pagination currentPageIndex={s.page} pagesCount={5} onChange={put("page", "currentPageIndex")} /><Button variant="primary">Launch</Button></main>;
}
createRoot(document.getElementById("app")).render(<App />);
