import {createRoot} from "react-dom/client";
import {
  Accordion, Button, ChakraProvider, Checkbox, Field, Input, Menu, NumberInput, PinInput, Portal, RadioGroup, RatingGroup,
  SegmentGroup, Slider, Switch, Tabs, Textarea, defaultSystem,
} from "@chakra-ui/react";
createRoot(document.getElementById("app")).render(<ChakraProvider value={defaultSystem}><main>
  <h1>Survey</h1><p>Three minutes of your time are enough.</p>
  <Field.Root required><Field.Label>Email</Field.Label><Input type="email" /></Field.Root>
  <Field.Root><Field.Label>Comment</Field.Label><Textarea /></Field.Root>
  <Checkbox.Root><Checkbox.HiddenInput /><Checkbox.Control /><Checkbox.Label>Agree</Checkbox.Label></Checkbox.Root>
  <Switch.Root><Switch.HiddenInput /><Switch.Control /><Switch.Label>Follow</Switch.Label></Switch.Root>
  <RadioGroup.Root defaultValue="1">{["1", "2"].map((v) => <RadioGroup.Item key={v} value={v}><RadioGroup.ItemHiddenInput />
    <RadioGroup.ItemIndicator /><RadioGroup.ItemText>Choice {v}</RadioGroup.ItemText></RadioGroup.Item>)}</RadioGroup.Root>
  <NumberInput.Root defaultValue="5"><NumberInput.Label>Count</NumberInput.Label><NumberInput.Control /><NumberInput.Input /></NumberInput.Root>
  <Slider.Root defaultValue={[40]} width="200px"><Slider.Label>Level</Slider.Label><Slider.Control><Slider.Track><Slider.Range /></Slider.Track><Slider.Thumbs /></Slider.Control></Slider.Root>
  <PinInput.Root><PinInput.HiddenInput /><PinInput.Control><PinInput.Input index={0} /><PinInput.Input index={1} /></PinInput.Control></PinInput.Root>
  <SegmentGroup.Root defaultValue="a"><SegmentGroup.Indicator /><SegmentGroup.Items items={["a", "b"]} /></SegmentGroup.Root>
  <RatingGroup.Root count={3}><RatingGroup.HiddenInput /><RatingGroup.Control /></RatingGroup.Root>
  <Tabs.Root defaultValue="x"><Tabs.List><Tabs.Trigger value="x">Left</Tabs.Trigger><Tabs.Trigger value="y">Right</Tabs.Trigger></Tabs.List></Tabs.Root>
  <Accordion.Root collapsible><Accordion.Item value="i"><Accordion.ItemTrigger>Terms</Accordion.ItemTrigger><Accordion.ItemContent>All of the terms</Accordion.ItemContent></Accordion.Item></Accordion.Root>
  <Menu.Root><Menu.Trigger asChild><Button>File</Button></Menu.Trigger><Portal><Menu.Positioner><Menu.Content><Menu.Item value="n">New</Menu.Item></Menu.Content></Menu.Positioner></Portal></Menu.Root>
</main></ChakraProvider>);
