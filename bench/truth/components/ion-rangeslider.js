import "ion-rangeslider/css/ion.rangeSlider.css";
const $ = globalThis.jQuery = globalThis.$ = require("jquery");
require("ion-rangeslider");
const S = window.S = {};
document.getElementById("app").innerHTML = `<div style="width:600px"><h1>Find a car</h1><p>Prices include the taxes.</p>
<p><label for=distance>Distance</label><input id=distance></p>
<p><label for=price>Price</label><input id=price></p>
<p><label for=month>Delivery month</label><input id=month></p>
<p><label for=seats>Seats</label><input id=seats></p>
<p><label for=power>Power</label><input id=power> <label>Power in kW <input id=kilowatts type=number value=90></label></p>
<p><label><input type=checkbox> Only new cars</label></p><button>Show cars</button></div>`;
const keep = (id) => (data) => { S[id] = data.input.prop("value"); };
const make = (id, options) => $("#" + id).ionRangeSlider({skin: "round", ...options, onChange: keep(id), onUpdate: keep(id)}).data("ionRangeSlider");
make("distance", {min: 0, max: 200, from: 50, postfix: " km"});
make("price", {type: "double", grid: true, min: 0, max: 50000, from: 5000, to: 20000, step: 500, prefix: "$"});
make("month", {values: ["January", "February", "March", "April", "May", "June"], from: 1, grid: true});
make("seats", {skin: "big", min: 2, max: 9, from: 4, grid: true, grid_snap: true});
const power = make("power", {skin: "flat", min: 40, max: 300, from: 90, onChange: undefined});
power.update({onChange: (data) => { S.power = String(data.from); $("#kilowatts").val(data.from); }});
$("#kilowatts").on("input", (event) => power.update({from: Number(event.target.value)}));
