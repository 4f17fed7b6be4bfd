import {createApp, h, reactive} from "vue";
import {VueDatePicker} from "@vuepic/vue-datepicker";
import "@vuepic/vue-datepicker/dist/main.css";
const S = window.S = reactive({day: null, meeting: null, trip: null, alarm: null, month: null, typed: null, year: null});
const pick = (key, label, options) => h("p", [h("span", label), h(VueDatePicker, {modelValue: S[key], "onUpdate:modelValue": (value) => { S[key] = value; }, ariaLabels: {input: label}, inputAttrs: {name: key}, ...options})]);
createApp({
  render: () => h("main", {style: "width: 360px; padding: 20px"}, [
    h("h1", "Planner"), h("p", "Everything that happens next year."),
    h("p", h("label", ["What ", h("input")])),
    pick("day", "Day", {timeConfig: {enableTimePicker: false}, autoApply: true, startDate: new Date(2027, 2, 1)}),
    pick("meeting", "Meeting", {placeholder: "Select date and time"}),
    pick("trip", "Trip", {range: true, timeConfig: {enableTimePicker: false}, placeholder: "From - to"}),
    pick("alarm", "Alarm", {timePicker: true}),
    pick("month", "Billing month", {monthPicker: true}),
    pick("typed", "Deadline", {textInput: true, timeConfig: {enableTimePicker: false}, formats: {input: "yyyy-MM-dd"}, placeholder: "YYYY-MM-DD"}),
    pick("year", "Vintage", {yearPicker: true}),
    h("button", "Plan it"),
  ]),
}).mount("#app");
