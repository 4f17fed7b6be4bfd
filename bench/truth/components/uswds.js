import "@uswds/uswds/css/uswds.min.css";
import "@uswds/uswds";
const S = window.S = {};
const fruits = ["Apple", "Apricot", "Banana", "Cherry", "Fig", "Grape", "Lemon", "Mango", "Orange", "Papaya", "Peach", "Pear", "Plum"];
document.getElementById("app").innerHTML = `<form class="usa-form" style="padding:20px" onsubmit="return false"><h1>Farm report</h1><p>Reports are due once a season.</p>
<label class="usa-label" for=farm>Name of the farm</label><input class="usa-input" id=farm>
<label class="usa-label" for=fruit>Select a fruit</label><div class="usa-combo-box"><select class="usa-select" id=fruit><option value=""></option>${fruits.map((each) => `<option value="${each.toLowerCase()}">${each}</option>`).join("")}</select></div>
<label class="usa-label" for=planted id=planted-label>Planting date</label><div class="usa-hint" id=planted-hint>mm/dd/yyyy</div><div class="usa-date-picker"><input class="usa-input" id=planted aria-labelledby=planted-label aria-describedby=planted-hint></div>
<div class="usa-date-range-picker"><div class="usa-form-group"><label class="usa-label" for=first>Harvest start date</label><div class="usa-date-picker"><input class="usa-input" id=first></div></div><div class="usa-form-group"><label class="usa-label" for=last>Harvest end date</label><div class="usa-date-picker"><input class="usa-input" id=last></div></div></div>
<label class="usa-label" for=visit id=visit-label>Inspection time</label><div class="usa-time-picker"><input class="usa-input" id=visit aria-labelledby=visit-label></div>
<label class="usa-label" for=phone>Phone</label><input class="usa-input usa-masked" id=phone placeholder="___-___-____" pattern="\\d{3}-\\d{3}-\\d{4}" inputmode=numeric>
<label class="usa-label" for=acres>Acres in use</label><input class="usa-range" id=acres type=range min=0 max=100 step=10 value=20>
<div class="usa-checkbox"><input class="usa-checkbox__input" id=organic type=checkbox><label class="usa-checkbox__label" for=organic>Organic</label></div>
<div class="usa-radio"><input class="usa-radio__input usa-radio__input--tile" id=own type=radio name=land><label class="usa-radio__label" for=own>Own land</label></div><div class="usa-radio"><input class="usa-radio__input usa-radio__input--tile" id=rented type=radio name=land><label class="usa-radio__label" for=rented>Rented land</label></div>
<div class="usa-character-count"><div class="usa-form-group"><label class="usa-label" for=note>Remarks</label><textarea class="usa-textarea usa-character-count__field" id=note maxlength=50></textarea></div><span class="usa-character-count__message">You can enter up to 50 characters</span></div>
<button class="usa-button">Send report</button></form>`;
document.getElementById("app").addEventListener("change", ({target}) => { if (target.id || target.name) S[target.id || target.name] = target.type === "checkbox" || target.type === "radio" ? target.checked : target.value; });
window.dated = (id) => document.getElementById(id).closest(".usa-date-picker").querySelector(".usa-date-picker__internal-input").value;
window.chosen = (id) => document.getElementById(id).closest(".usa-combo-box").querySelector("select").value;
