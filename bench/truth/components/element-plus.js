import {createApp, ref} from "vue/dist/vue.esm-bundler.js";
import ElementPlus from "element-plus";
import "element-plus/dist/index.css";
const app = createApp({
  setup: () => ({t: ref(""), n: ref(1), c: ref(false), s: ref(false), r: ref("a"), v: ref(""), l: ref(10), d: ref(""), tab: ref("a"), k: ref([]), st: ref(0)}),
  template: `<main><h1>Stock</h1><p>Goods that are on the shelves now.</p>
  <el-form><el-form-item label=Article><el-input v-model=t /></el-form-item><el-form-item label=Pieces><el-input-number v-model=n /></el-form-item></el-form>
  <el-select v-model=v placeholder=Shelf style="width:120px"><el-option label=Top value=t /><el-option label=Low value=l /></el-select><el-cascader :options="[{value:'a',label:'A',children:[{value:'b',label:'B'}]}]" />
  <el-date-picker v-model=d placeholder=Day /><el-time-picker placeholder=Time /><el-checkbox v-model=c label=Sale /><el-switch v-model=s aria-label=Online />
  <el-radio-group v-model=r><el-radio value=a>New</el-radio><el-radio value=b>Used</el-radio></el-radio-group><el-slider v-model=l /><el-rate v-model=st />
  <el-tabs v-model=tab><el-tab-pane label=Data name=a>Data text</el-tab-pane><el-tab-pane label=Photos name=b>No photos</el-tab-pane></el-tabs>
  <el-collapse><el-collapse-item title=Supplier name=1>From the north</el-collapse-item></el-collapse><el-tree :data="[{label:'All',children:[{label:'Some'}]}]" show-checkbox />
  <el-dropdown><el-button>Actions</el-button><template #dropdown><el-dropdown-menu><el-dropdown-item>Print</el-dropdown-item></el-dropdown-menu></template></el-dropdown><el-pagination layout="prev, pager, next" :total=30 /><el-button type=primary>Store</el-button></main>`,
});
app.use(ElementPlus);
app.mount("#app");
