import {createApp, reactive} from "vue/dist/vue.esm-bundler.js";
import Buefy from "buefy";
import "buefy/dist/css/buefy.css";
const app = createApp({
  setup: () => ({s: reactive({name: "", auto: "", on: false, box: false, way: "a", level: 30, stars: 0, count: 2, day: null, time: null, tags: [], kind: null, page: 1, tab: 0, side: "l", open: false}), names: ["Maple", "Birch", "Larch"], rows: [{id: 1, tree: "Oak"}, {id: 2, tree: "Ash"}]}),
  template: `<main class="section"><h1 class="title">Garden</h1><p>Trees that are looked after by members.</p>
  <b-field label="Member"><b-input v-model="s.name" /></b-field><b-field label="Word"><b-input type="password" password-reveal /></b-field><b-field label="Remarks"><b-input type="textarea" maxlength="80" /></b-field><b-field label="Tree"><b-autocomplete v-model="s.auto" :data="names" open-on-focus clearable /></b-field>
  <b-field label="Kind"><b-select v-model="s.kind" placeholder="Choose"><option value="a">Fruit</option><option value="b">Nut</option></b-select></b-field><b-field label="Labels"><b-taginput v-model="s.tags" /></b-field><b-field label="Number"><b-numberinput v-model="s.count" :min="0" :max="20" /></b-field>
  <b-field label="Planted"><b-datepicker v-model="s.day" placeholder="Choose a day" /></b-field><b-field label="Watered at"><b-timepicker v-model="s.time" placeholder="Choose a time" /></b-field><b-checkbox v-model="s.box">Old</b-checkbox><b-switch v-model="s.on">Watered</b-switch>
  <b-radio v-model="s.way" native-value="a">Sun</b-radio><b-radio v-model="s.way" native-value="b">Shade</b-radio><b-field><b-radio-button v-model="s.side" native-value="l">Left</b-radio-button><b-radio-button v-model="s.side" native-value="r">Right</b-radio-button></b-field><b-slider v-model="s.level" aria-label="Height" /><b-rate v-model="s.stars" />
  <b-tabs v-model="s.tab" :animated="false"><b-tab-item label="Photos">Photos text</b-tab-item><b-tab-item label="History">History text</b-tab-item></b-tabs><b-collapse v-model="s.open"><template #trigger><b-button>Show soil</b-button></template>Clay and sand</b-collapse>
  <b-dropdown><template #trigger><b-button>More</b-button></template><b-dropdown-item>Print</b-dropdown-item><b-dropdown-item>Send</b-dropdown-item></b-dropdown><b-table :data="rows" checkable><b-table-column field="id" label="Number" sortable v-slot="props">{{props.row.id}}</b-table-column><b-table-column field="tree" label="Tree" v-slot="props">{{props.row.tree}}</b-table-column></b-table>
  <b-pagination :total="30" v-model="s.page" :per-page="10" /><b-button type="is-primary">Adopt</b-button></main>`,
});
app.use(Buefy, {defaultIconPack: "fas"});
app.mount("#app");
