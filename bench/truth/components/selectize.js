import "@selectize/selectize/dist/css/selectize.default.css";
const $ = globalThis.jQuery = globalThis.$ = require("jquery");
require("@selectize/selectize");
const S = window.S = {};
const people = [["Brian Reavis", "brian@thirdroute.example"], ["Nikola Tesla", "nikola@tesla.example"], ["Ada Lovelace", "ada@engine.example"], ["Grace Hopper", "grace@navy.example"]].map(([name, email]) => ({name, email}));
document.getElementById("app").innerHTML = `<h1>New ticket</h1><p>Tell us what is wrong and who should hear of it.</p>
<p><label for=department>Department</label><select id=department placeholder="Select a department..."><option value=""></option><option value=1>Sales</option><option value=2>Support</option><option value=3>Accounting</option><option value=4>Shipping</option></select></p>
<p><label for=tags>Tags</label><input id=tags></p>
<p><label for=cc>Email to</label><select id=cc multiple placeholder="Pick some people..."></select></p>
<p><label for=product>Product</label><select id=product placeholder="Type to search a product..."><option value=""></option>${Array.from({length: 120}, (_, n) => `<option value=p${n}>Product ${n + 1}</option>`).join("")}</select></p>
<p><label for=priority>Priority</label><select id=priority><option value=low>Low</option><option value=normal selected>Normal</option><option value=high>High</option></select></p>
<p><label for=languages>Languages</label><select id=languages multiple><option selected>English</option><option>French</option><option>German</option><option>Polish</option></select></p>
<p><label>Subject <input id=subject></label></p><button>Create ticket</button>`;
const make = (id, settings) => { const own = $("#" + id).selectize({...settings, onChange: (value) => { S[id] = value; }})[0].selectize; return own; };
window.own = {
  department: make("department", {}),
  tags: make("tags", {delimiter: ",", persist: false, create: (input) => ({value: input, text: input})}),
  cc: make("cc", {options: people, valueField: "email", labelField: "name", searchField: ["name", "email"], createFilter: /@/, create: (email) => ({email, name: email}), render: {option: (each, escape) => `<div>${escape(each.name)} <small>${escape(each.email)}</small></div>`}}),
  product: make("product", {maxOptions: 200}),
  priority: make("priority", {allowEmptyOption: false}),
  languages: make("languages", {plugins: ["remove_button", "clear_button"]}),
};
