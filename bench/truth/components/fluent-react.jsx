import {createRoot} from "react-dom/client";
import {
  Accordion, AccordionHeader, AccordionItem, AccordionPanel, Button, Checkbox, Combobox, Dropdown, Field, FluentProvider, Input, Link,
  Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Option, Radio, RadioGroup, Select, Slider, SpinButton, Switch, Tab, TabList, Textarea,
  ToggleButton, webLightTheme,
} from "@fluentui/react-components";
createRoot(document.getElementById("app")).render(<FluentProvider theme={webLightTheme}><main>
  <h1>Meeting</h1><p>Plan a meeting with your colleagues.</p>
  <Field label="Subject" required><Input /></Field><Field label="Agenda"><Textarea /></Field>
  <Field label="Room"><Combobox><Option>Blue</Option><Option>Green</Option></Combobox></Field>
  <Field label="Length"><Dropdown><Option>Short</Option><Option>Long</Option></Dropdown></Field>
  <Field label="Floor"><Select><option>One</option><option>Two</option></Select></Field>
  <Field label="Seats"><SpinButton defaultValue={4} /></Field><Checkbox label="Private" /><Switch label="Record" />
  <RadioGroup><Radio value="a" label="Online" /><Radio value="b" label="On site" /></RadioGroup><Field label="Volume"><Slider defaultValue={20} /></Field>
  <TabList defaultSelectedValue="a"><Tab value="a">Day</Tab><Tab value="b">Week</Tab></TabList>
  <Accordion collapsible><AccordionItem value="1"><AccordionHeader>Guests</AccordionHeader><AccordionPanel>Nobody yet</AccordionPanel></AccordionItem></Accordion>
  <Menu><MenuTrigger><Button>Export</Button></MenuTrigger><MenuPopover><MenuList><MenuItem>As text</MenuItem></MenuList></MenuPopover></Menu>
  <ToggleButton>Pin</ToggleButton><Link href="#help">Help</Link><Button appearance="primary">Invite</Button>
</main></FluentProvider>);
