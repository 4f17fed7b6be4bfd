import {DuetDatePicker} from "@duetds/date-picker/custom-element";
import "@duetds/date-picker/dist/duet/themes/default.css";
customElements.define("duet-date-picker", DuetDatePicker);
const S = window.S = {};
document.getElementById("app").innerHTML = `<main style="width:340px;padding:20px"><h1>Insurance</h1><p>The contract runs for one year.</p>
<p><label>Number plate <input></label></p>
<label for=begin>Choose a date</label><duet-date-picker identifier=begin></duet-date-picker>
<label for=birth>Date of birth</label><duet-date-picker identifier=birth min="1930-01-01" max="2015-12-31" value="1990-01-15"></duet-date-picker>
<label for=damage>Day of the damage</label><duet-date-picker identifier=damage direction=left></duet-date-picker>
<fieldset><legend>Cover</legend><label><input type=radio name=cover value=part checked> Partial</label><label><input type=radio name=cover value=full> Full</label></fieldset>
<label><input type=checkbox> Paperless</label><button>Get an offer</button></main>`;
const pickers = [...document.querySelectorAll("duet-date-picker")];
for (const picker of pickers) picker.addEventListener("duetChange", (event) => { S[picker.getAttribute("identifier")] = event.detail.value; });
// German dates, as on the documentation's page "Localization".
pickers[2].dateAdapter = {parse: (value = "", create) => { const found = value.match(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/); return found ? create(found[3], found[2], found[1]) : undefined; }, format: (date) => `${date.getDate()}.${date.getMonth() + 1}.${date.getFullYear()}`};
