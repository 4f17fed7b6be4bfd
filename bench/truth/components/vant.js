import {createApp, reactive} from "vue/dist/vue.esm-bundler.js";
import Vant from "vant";
import "vant/lib/index.css";
const app = createApp({
  setup: () => ({s: reactive({name: "", note: "", on: false, box: false, many: [], way: "a", stars: 2, level: 30, count: 1, page: 1, find: "", tab: 0, open: [], pick: false, kind: "", day: false, chosen: "", sheet: false, menu: 0}), columns: [{text: "Plumber", value: 1}, {text: "Painter", value: 2}, {text: "Roofer", value: 3}], menu: [{text: "All", value: 0}, {text: "Near", value: 1}]}),
  template: `<main><h1>Craft</h1><p>Order a craftsman to your home.</p><van-search v-model="s.find" placeholder="Find a trade" />
  <van-cell-group inset><van-field v-model="s.name" label="Name" placeholder="Your name" clearable /><van-field v-model="s.note" label="Task" type="textarea" placeholder="What is broken" /><van-field v-model="s.kind" is-link readonly label="Trade" placeholder="Choose a trade" @click="s.pick = true" /></van-cell-group>
  <van-popup v-model:show="s.pick" position="bottom"><van-picker :columns="columns" @confirm="({selectedOptions}) => {s.kind = selectedOptions[0].text; s.pick = false}" @cancel="s.pick = false" /></van-popup>
  <van-checkbox v-model="s.box">Urgent</van-checkbox><van-checkbox-group v-model="s.many"><van-checkbox name="a">Kitchen</van-checkbox><van-checkbox name="b">Bath</van-checkbox></van-checkbox-group><van-radio-group v-model="s.way"><van-radio name="a">Call me</van-radio><van-radio name="b">Write me</van-radio></van-radio-group>
  <van-switch v-model="s.on" aria-label="Weekend" /><van-stepper v-model="s.count" /><van-rate v-model="s.stars" /><div style="margin: 20px"><van-slider v-model="s.level" /></div>
  <van-cell title="Day" is-link :value="s.chosen" @click="s.day = true" /><van-calendar v-model:show="s.day" @confirm="(d) => {s.chosen = d.toDateString(); s.day = false}" />
  <van-tabs v-model:active="s.tab"><van-tab title="Offers">No offers so far</van-tab><van-tab title="Bills">No bills so far</van-tab></van-tabs><van-collapse v-model="s.open"><van-collapse-item title="How it works" name="1">Somebody comes around</van-collapse-item></van-collapse>
  <van-dropdown-menu><van-dropdown-item v-model="s.menu" :options="menu" /></van-dropdown-menu><van-cell title="Share" clickable @click="s.sheet = true" /><van-action-sheet v-model:show="s.sheet" :actions="[{name: 'By mail'}, {name: 'By post'}]" cancel-text="Close" close-on-click-action />
  <van-pagination :total-items="30" v-model="s.page" prev-text="Back" next-text="On" /><van-button type="primary">Order</van-button></main>`,
});
app.use(Vant);
app.mount("#app");
