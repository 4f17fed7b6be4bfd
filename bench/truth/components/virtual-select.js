import "virtual-select-plugin/dist/virtual-select.min.css";
import "virtual-select-plugin/dist/virtual-select.min.js";
const S = window.S = {};
const of = (words) => words.map((label) => ({label, value: label.toLowerCase().replaceAll(" ", "-")}));
document.getElementById("app").innerHTML = `<h1>Find a flight</h1><p>All fares include one small bag.</p>
<p><label for=from>From</label><div id=from></div></p><p><label for=airlines>Airlines</label><div id=airlines></div></p>
<p><label for=row>Row</label><div id=row></div></p><p><label for=meals>Meals</label><div id=meals></div></p>
<p><label for=cabin>Cabin</label><div id=cabin></div></p><p><label for=code>Discount code</label><div id=code></div></p>
<p><label>Travellers <input type=number value=1></label></p><button>Search flights</button>`;
const make = (id, settings) => {
  globalThis.VirtualSelect.init({ele: "#" + id, ariaLabelText: settings.name, ...settings});
  document.getElementById(id).addEventListener("change", (event) => { S[id] = event.currentTarget.value; });
};
make("from", {name: "From", placeholder: "Departure city", search: true, options: of(["Amsterdam", "Barcelona", "Copenhagen", "Dublin", "Helsinki", "Lisbon", "Oslo", "Paris", "Rome", "Vienna"])});
make("airlines", {name: "Airlines", multiple: true, search: true, options: of(["Blue Wings", "Sky High", "Northern Air", "Sun Jet"])});
make("row", {name: "Row", placeholder: "Any row", search: false, options: Array.from({length: 400}, (_, n) => ({label: `Row ${n + 1}`, value: String(n + 1)}))});
make("meals", {name: "Meals", multiple: true, showValueAsTags: true, options: [{label: "Meat", options: of(["Beef", "Chicken"])}, {label: "Without meat", options: of(["Vegetarian", "Vegan", "Fruit plate"])}]});
make("cabin", {name: "Cabin", hideClearButton: true, options: of(["Economy", "Premium", "Business"]), selectedValue: "economy"});
make("code", {name: "Discount code", placeholder: "Select or type", search: true, allowNewOption: true, options: of(["Summer", "Student"])});
