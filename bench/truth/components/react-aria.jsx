import {createRoot} from "react-dom/client";
import {
  Button, Checkbox, ComboBox, DateField, DateInput, DateSegment, Disclosure, DisclosurePanel, Heading, Input, Label, Link, ListBox, ListBoxItem, Menu,
  MenuItem, MenuTrigger, NumberField, Group, Popover, Radio, RadioGroup, SearchField, Select, SelectValue, Slider, SliderOutput, SliderThumb,
  SliderTrack, Switch, Tab, TabList, TabPanel, Tabs, TextField, ToggleButton,
} from "react-aria-components";
createRoot(document.getElementById("app")).render(<main>
  <h1>Library</h1><p>Look for books and borrow them.</p>
  <TextField><Label>Author</Label><Input /></TextField><SearchField><Label>Search</Label><Input /><Button>Clear</Button></SearchField>
  <NumberField defaultValue={3}><Label>Copies</Label><Group><Button slot="decrement">-</Button><Input /><Button slot="increment">+</Button></Group></NumberField>
  <Checkbox>In stock</Checkbox><Switch>Audio</Switch><RadioGroup><Label>Kind</Label><Radio value="a">Novel</Radio><Radio value="b">Essay</Radio></RadioGroup>
  <Select><Label>Branch</Label><Button><SelectValue /></Button><Popover><ListBox><ListBoxItem>North</ListBoxItem></ListBox></Popover></Select>
  <ComboBox><Label>Subject</Label><Input /><Button>v</Button><Popover><ListBox><ListBoxItem>Art</ListBoxItem><ListBoxItem>Law</ListBoxItem></ListBox></Popover></ComboBox>
  <DateField><Label>Due</Label><DateInput>{(segment) => <DateSegment segment={segment} />}</DateInput></DateField>
  <Slider defaultValue={30} style={{width: 200}}><Label>Years</Label><SliderOutput /><SliderTrack style={{height: 20, background: "#ddd"}}><SliderThumb style={{width: 16, height: 16, background: "navy", top: "50%"}} /></SliderTrack></Slider>
  <Tabs><TabList aria-label="Views"><Tab id="l">List</Tab><Tab id="g">Grid</Tab></TabList><TabPanel id="l">As a list</TabPanel><TabPanel id="g">As a grid</TabPanel></Tabs>
  <Disclosure><Heading><Button slot="trigger">Rules</Button></Heading><DisclosurePanel>Be quiet please</DisclosurePanel></Disclosure>
  <MenuTrigger><Button>Sort</Button><Popover><Menu><MenuItem>By year</MenuItem></Menu></Popover></MenuTrigger><ToggleButton>Star</ToggleButton><Link href="#x">Contact</Link>
</main>);
