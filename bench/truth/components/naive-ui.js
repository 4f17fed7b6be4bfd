import {createApp, ref} from "vue/dist/vue.esm-bundler.js";
import naive from "naive-ui";
const app = createApp({
  setup: () => ({v: ref(null), o: [{label: "Low", value: 1}, {label: "High", value: 2}]}),
  template: `<main><h1>Sensor</h1><p>Values of the last hours and limits.</p>
  <n-input placeholder=Name /><n-input type=textarea placeholder=Notes /><n-input-number :default-value=5 /><n-select v-model:value=v :options=o placeholder=Level /><n-auto-complete :options="['a','b']" placeholder=Unit />
  <n-checkbox>Alarm</n-checkbox><n-switch /><n-radio-group name=g><n-radio value=a>Mean</n-radio><n-radio value=b>Peak</n-radio></n-radio-group><n-slider :default-value=20 /><n-rate /><n-date-picker type=date />
  <n-tabs><n-tab-pane name=a tab=Chart>Chart text</n-tab-pane><n-tab-pane name=b tab=Table>Table text</n-tab-pane></n-tabs><n-collapse><n-collapse-item title=Wiring name=1>Two wires only</n-collapse-item></n-collapse>
  <n-tree :data="[{label:'Site',key:1,children:[{label:'Room',key:2}]}]" /><n-dropdown :options="[{label:'Reset',key:'r'}]" trigger=click><n-button>More</n-button></n-dropdown><n-button type=primary>Apply</n-button></main>`,
});
app.use(naive);
app.mount("#app");
