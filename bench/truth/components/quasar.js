import {createApp, ref} from "vue/dist/vue.esm-bundler.js";
import {Quasar} from "quasar";
import * as parts from "quasar";
import "quasar/dist/quasar.css";
const app = createApp({
  setup: () => ({t: ref(""), n: ref(1), c: ref(false), g: ref(false), r: ref("a"), s: ref(null), l: ref(3), tab: ref("x"), st: ref(1), d: ref("a")}),
  template: `<main><h1>Trip</h1><p>Where shall we go this summer?</p>
  <q-input v-model=t label=Title /><q-input v-model=n type=number label=People /><q-select v-model=s :options="['Sea','Hills']" label=Place />
  <q-checkbox v-model=c label=Dog /><q-toggle v-model=g label=Boat /><q-radio v-model=r val=a label=Car /><q-radio v-model=r val=b label=Train />
  <q-slider v-model=l :min=0 :max=10 /><q-rating v-model=st :max=3 /><q-btn-toggle v-model=d :options="[{label:'One',value:'a'},{label:'Two',value:'b'}]" />
  <q-tabs v-model=tab><q-tab name=x label=Plan /><q-tab name=y label=Cost /></q-tabs><q-expansion-item label=Packing>Take a hat with you</q-expansion-item>
  <q-btn-dropdown label=Share><q-item clickable><q-item-section>Mail</q-item-section></q-item></q-btn-dropdown><q-pagination :model-value=1 :max=3 /><q-btn label=Go /></main>`,
});
app.use(Quasar, {components: parts});
app.mount("#app");
