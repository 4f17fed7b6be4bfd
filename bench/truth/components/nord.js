import "@nordhealth/css";
import "@nordhealth/components";
const S = window.S = {};
document.getElementById("app").innerHTML = `<main style="width:420px;padding:20px"><h1>Patient</h1><p>Everything here is kept for ten years.</p>
<nord-stack><nord-input label="Name" name=name expand></nord-input><nord-input type=number label="Weight" name=weight hint="In kilograms"></nord-input>
<nord-select label="Species" name=species placeholder="Choose one" expand><option value=cat>Cat</option><option value=dog>Dog</option><option value=hare>Hare</option></nord-select>
<nord-date-picker label="Date of birth" name=birth></nord-date-picker><nord-date-picker label="Next visit" name=visit hint="Format: DD.MM.YYYY" id=visit></nord-date-picker>
<nord-checkbox label="Vaccinated" name=vaccinated></nord-checkbox><nord-toggle label="Send reminders" name=reminders></nord-toggle>
<nord-fieldset label="Sex"><nord-radio name=sex value=f label="Female"></nord-radio><nord-radio name=sex value=m label="Male"></nord-radio></nord-fieldset>
<nord-range label="Pain" name=pain min=0 max=10 value=2></nord-range><nord-textarea label="History" name=history expand></nord-textarea>
<nord-segmented-control label="Urgency" name=urgency><nord-segmented-control-item value=low name=urgency label="Low" checked></nord-segmented-control-item><nord-segmented-control-item value=high name=urgency label="High"></nord-segmented-control-item></nord-segmented-control>
<nord-tag-group><nord-tag variant=selectable name=tags value=diet>Diet</nord-tag><nord-tag variant=selectable name=tags value=shy>Shy</nord-tag></nord-tag-group><nord-button variant=primary>Save patient</nord-button></nord-stack></main>`;
document.getElementById("visit").dateAdapter = {parse: (value = "", create) => { const found = value.match(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/); return found ? create(found[3], found[2], found[1]) : undefined; }, format: (date) => `${String(date.getDate()).padStart(2, "0")}.${String(date.getMonth() + 1).padStart(2, "0")}.${date.getFullYear()}`};
for (const kind of ["change", "input"]) document.getElementById("app").addEventListener(kind, ({target}) => { const key = target.getAttribute("name"); if (key) S[key] = "checked" in target && typeof target.checked === "boolean" && target.localName !== "nord-input" ? (target.localName === "nord-radio" || target.localName === "nord-segmented-control-item" ? target.value : target.checked) : target.value; });
