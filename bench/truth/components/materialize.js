import "@materializecss/materialize/dist/css/materialize.min.css";
import * as M from "@materializecss/materialize";
const S = window.S = {};
document.getElementById("app").innerHTML = `<div class=container style="width:500px"><h4>Book a table</h4><p>The kitchen closes at ten.</p>
<div class="input-field outlined"><input id=name type=text placeholder=" "><label for=name>Name</label></div>
<div class="input-field outlined"><select id=area><option value="" disabled selected>Choose your option</option><option value=1>Garden</option><option value=2>Hall</option><option value=3>Window</option></select><label>Area</label></div>
<div class="input-field outlined"><select id=diets multiple><option value=vegan>Vegan</option><option value=halal>Halal</option><option value=nuts>No nuts</option></select><label>Diets</label></div>
<div class="input-field outlined"><input id=day type=text class=datepicker placeholder=" "><label for=day>Day</label></div>
<div class="input-field outlined"><input id=hour type=text class=timepicker placeholder=" "><label for=hour>Hour</label></div>
<div class="input-field outlined"><input id=town type=text class=autocomplete placeholder=" " autocomplete=off><label for=town>Town</label></div>
<div id=guests class="chips input-field outlined"></div>
<p class=range-field><label for=heat>How hot</label><input id=heat type=range min=0 max=10 value=2></p>
<div class=switch><label>Inside <input id=outside type=checkbox><span class=lever></span> Outside</label></div>
<p><label><input name=smoke type=radio value=no checked><span>No smoking</span></label></p><p><label><input name=smoke type=radio value=yes><span>Smoking</span></label></p>
<p><label><input id=news type=checkbox class=filled-in><span>Send me news</span></label></p>
<button class="btn filled">Book</button></div>`;
const by = (id) => document.getElementById(id);
M.FormSelect.init(document.querySelectorAll("select"), {});
M.Datepicker.init(by("day"), {displayPlugin: "docked", format: "yyyy-mm-dd", yearRange: 10, onSelect: (date) => { S.picked = date; }});
M.Timepicker.init(by("hour"), {displayPlugin: "docked", twelveHour: false});
M.Autocomplete.init(by("town"), {minLength: 1, data: ["Bergen", "Berlin", "Bern", "Bonn"].map((id) => ({id, text: id})), onAutocomplete: (entries) => { S.town = entries.map((each) => each.text ?? each.id).join(); }});
window.guests = M.Chips.init(by("guests"), {allowUserInput: true, placeholder: "Guests", secondaryPlaceholder: "+Guest"});
M.Range.init(document.querySelectorAll("input[type=range]"), {});
for (const id of ["area", "diets", "day", "hour", "heat", "outside"]) by(id).addEventListener("change", () => { S[id] = by(id).multiple ? [...by(id).selectedOptions].map((each) => each.value) : by(id).type === "checkbox" ? by(id).checked : by(id).value; });
