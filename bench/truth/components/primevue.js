import {createApp, ref} from "vue/dist/vue.esm-bundler.js";
import PrimeVue from "primevue/config";
import Aura from "@primevue/themes/aura";
import {Accordion, AccordionContent, AccordionHeader, AccordionPanel, AutoComplete, Button, Checkbox, DatePicker, InputNumber, InputText, Listbox, MultiSelect, Password, RadioButton, Rating, Select, SelectButton, Slider, Tab, TabList, TabPanel, TabPanels, Tabs, Textarea, ToggleSwitch} from "primevue";
const app = createApp({
  setup: () => ({name: ref(""), n: ref(2), s: ref(null), m: ref(null), on: ref(false), c: ref(false), r: ref("a"), l: ref(30), st: ref(2), d: ref(null), b: ref("S"), a: ref(""), p: ref(""), o: ["North", "South"]}),
  template: `<main><h1>Garden</h1><p>Plants that should be ordered soon.</p>
  <label for=n>Plant</label><InputText id=n v-model=name /><label for=t>Care</label><Textarea id=t /><InputNumber v-model=n inputId=c aria-label=Count />
  <Password v-model=p inputId=pw /><Select v-model=s :options=o aria-label=Bed /><MultiSelect v-model=m :options=o aria-label=Beds /><AutoComplete v-model=a :suggestions=o aria-label=Kind />
  <DatePicker v-model=d inputId=d aria-label=Day /><Checkbox v-model=c binary inputId=ch /><label for=ch>Shade</label><ToggleSwitch v-model=on aria-label=Water />
  <RadioButton v-model=r inputId=r1 value=a /><label for=r1>Tree</label><RadioButton v-model=r inputId=r2 value=b /><label for=r2>Bush</label>
  <Rating v-model=st /><Slider v-model=l style="width:200px" /><SelectButton v-model=b :options="['S','L']" /><Listbox :options=o />
  <Tabs value=0><TabList><Tab value=0>Now</Tab><Tab value=1>Later</Tab></TabList><TabPanels><TabPanel value=0>Now text</TabPanel><TabPanel value=1>Later text</TabPanel></TabPanels></Tabs>
  <Accordion><AccordionPanel value=0><AccordionHeader>Soil</AccordionHeader><AccordionContent>Any soil will do</AccordionContent></AccordionPanel></Accordion><Button label=Order /></main>`,
});
app.use(PrimeVue, {theme: {preset: Aura}});
Object.entries({Accordion, AccordionContent, AccordionHeader, AccordionPanel, AutoComplete, Button, Checkbox, DatePicker, InputNumber, InputText, Listbox, MultiSelect, Password, RadioButton, Rating, Select, SelectButton, Slider, Tab, TabList, TabPanel, TabPanels, Tabs, Textarea, ToggleSwitch}).forEach(([name, part]) => app.component(name, part));
app.mount("#app");
