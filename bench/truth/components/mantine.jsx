import {createRoot} from "react-dom/client";
import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";
import {
  Accordion, Autocomplete, Button, Checkbox, Chip, ColorInput, MantineProvider, Menu, MultiSelect, NumberInput, PasswordInput,
  PinInput, Radio, Rating, SegmentedControl, Select, Slider, Switch, Tabs, TextInput, Textarea,
} from "@mantine/core";
import {DateInput} from "@mantine/dates";
createRoot(document.getElementById("app")).render(<MantineProvider><main>
  <h1>Order</h1><p>Tell us what we should send you.</p>
  <TextInput label="Name" required /><Textarea label="Message" /><NumberInput label="Amount" defaultValue={2} />
  <PasswordInput label="Password" /><Select label="Colour" data={["Red", "Blue"]} /><MultiSelect label="Extras" data={["Lid", "Bag"]} />
  <Autocomplete label="Town" data={["Oslo", "Rome"]} /><DateInput label="When" /><ColorInput label="Tint" /><PinInput length={4} />
  <Checkbox label="Gift" /><Switch label="Express" /><Radio.Group label="Pay"><Radio value="a" label="Card" /><Radio value="b" label="Bill" /></Radio.Group>
  <Chip>Fragile</Chip><SegmentedControl data={["Home", "Work"]} /><Slider defaultValue={30} thumbLabel="Speed" /><Rating />
  <Tabs defaultValue="a"><Tabs.List><Tabs.Tab value="a">Now</Tabs.Tab><Tabs.Tab value="b">Later</Tabs.Tab></Tabs.List></Tabs>
  <Accordion><Accordion.Item value="q"><Accordion.Control>Returns</Accordion.Control><Accordion.Panel>Within a month</Accordion.Panel></Accordion.Item></Accordion>
  <Menu><Menu.Target><Button>More</Button></Menu.Target><Menu.Dropdown><Menu.Item>Copy</Menu.Item></Menu.Dropdown></Menu><Button>Send</Button>
</main></MantineProvider>);
