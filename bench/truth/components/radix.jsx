import {createRoot} from "react-dom/client";
import {Accordion, Checkbox, Dialog, DropdownMenu, RadioGroup, Select, Slider, Switch, Tabs, Toggle, ToggleGroup} from "radix-ui";
createRoot(document.getElementById("app")).render(<main>
  <h1>Preferences</h1><p>Changes take effect at once here.</p>
  <label><Checkbox.Root><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Root> Accept</label>
  <label htmlFor="s">Quiet</label><Switch.Root id="s"><Switch.Thumb /></Switch.Root>
  <RadioGroup.Root aria-label="Size"><RadioGroup.Item value="s" aria-label="Small">S</RadioGroup.Item>
    <RadioGroup.Item value="l" aria-label="Large">L</RadioGroup.Item></RadioGroup.Root>
  <Slider.Root defaultValue={[40]} style={{position: "relative", display: "flex", width: 200, height: 20}}>
    <Slider.Track style={{flexGrow: 1, background: "#ccc", height: 4}}><Slider.Range /></Slider.Track>
    <Slider.Thumb aria-label="Volume" style={{display: "block", width: 16, height: 16, background: "navy"}} /></Slider.Root>
  <Toggle.Root aria-label="Italic">I</Toggle.Root>
  <ToggleGroup.Root type="single"><ToggleGroup.Item value="a">Left</ToggleGroup.Item><ToggleGroup.Item value="b">Right</ToggleGroup.Item></ToggleGroup.Root>
  <Tabs.Root defaultValue="a"><Tabs.List><Tabs.Trigger value="a">Account</Tabs.Trigger><Tabs.Trigger value="b">Billing</Tabs.Trigger></Tabs.List>
    <Tabs.Content value="a">Account words</Tabs.Content><Tabs.Content value="b">Billing words</Tabs.Content></Tabs.Root>
  <Accordion.Root type="single" collapsible><Accordion.Item value="x"><Accordion.Header><Accordion.Trigger>Why</Accordion.Trigger></Accordion.Header>
    <Accordion.Content>Because of that</Accordion.Content></Accordion.Item></Accordion.Root>
  <Select.Root><Select.Trigger aria-label="Fruit"><Select.Value placeholder="Pick" /></Select.Trigger><Select.Portal><Select.Content>
    <Select.Viewport><Select.Item value="p"><Select.ItemText>Pear</Select.ItemText></Select.Item></Select.Viewport></Select.Content></Select.Portal></Select.Root>
  <DropdownMenu.Root><DropdownMenu.Trigger>Actions</DropdownMenu.Trigger><DropdownMenu.Portal><DropdownMenu.Content>
    <DropdownMenu.Item>Rename</DropdownMenu.Item></DropdownMenu.Content></DropdownMenu.Portal></DropdownMenu.Root>
  <Dialog.Root><Dialog.Trigger>Open dialog</Dialog.Trigger><Dialog.Portal><Dialog.Content><Dialog.Title>Sure</Dialog.Title>
    <Dialog.Close>Close</Dialog.Close></Dialog.Content></Dialog.Portal></Dialog.Root>
</main>);
