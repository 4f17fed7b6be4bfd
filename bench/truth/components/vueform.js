import {createApp, h, reactive} from "vue";
import Multiselect from "@vueform/multiselect";
import Slider from "@vueform/slider";
import Toggle from "@vueform/toggle";
import "@vueform/multiselect/themes/default.css";
import "@vueform/slider/themes/default.css";
import "@vueform/toggle/themes/default.css";
const S = window.S = reactive({country: null, genres: [], labels: [], customer: null, budget: 30, age: [18, 65], live: false});
const model = (key) => ({modelValue: S[key], "onUpdate:modelValue": (value) => { S[key] = value; }, value: S[key], onInput: (value) => { S[key] = value; }});
const customers = ["Acme", "Globex", "Initech", "Umbrella", "Wayne"];
const field = (id, label, control) => h("div", {style: "margin: 14px 0"}, [h("label", {for: id, id: id + "-label"}, label), control]);
createApp({
  render: () => h("main", {style: "width: 420px; padding: 20px"}, [
    h("h1", "Campaign"), h("p", "Who sees the advertisement, and for how long."),
    field("title", "Title", h("input", {id: "title"})),
    field("country", "Country", h(Multiselect, {...model("country"), id: "country", options: {de: "Germany", fr: "France", it: "Italy", pl: "Poland", se: "Sweden"}, placeholder: "Select country"})),
    field("customer", "Customer", h(Multiselect, {...model("customer"), id: "customer", searchable: true, delay: 100, minChars: 1, filterResults: false, options: async (query) => customers.filter((each) => query && each.toLowerCase().includes(query.toLowerCase())), placeholder: "Type to search"})),
    field("genres", "Genres", h(Multiselect, {...model("genres"), id: "genres", mode: "tags", searchable: true, closeOnSelect: false, options: ["Action", "Comedy", "Drama", "Horror"]})),
    field("labels", "Labels", h(Multiselect, {...model("labels"), id: "labels", mode: "tags", searchable: true, createOption: true, options: ["summer"], placeholder: "Add labels"})),
    field("budget", "Budget", h("div", {style: "padding: 40px 10px 0"}, h(Slider, {...model("budget"), id: "budget", min: 0, max: 100, ariaLabelledby: "budget-label"}))),
    field("age", "Age", h("div", {style: "padding: 40px 10px 0"}, h(Slider, {...model("age"), id: "age", min: 13, max: 99, ariaLabelledby: "age-label"}))),
    field("live", "Live", h(Toggle, {...model("live"), id: "live", onLabel: "On", offLabel: "Off"})),
    h("button", "Start campaign"),
  ]),
}).mount("#app");
