import "@material/web/all.js";
document.getElementById("app").innerHTML = `<main><h1>Alarm</h1><p>Wake up at the right moment.</p>
<md-outlined-text-field label="Name"></md-outlined-text-field><md-filled-text-field label="Hour" type="number"></md-filled-text-field>
<md-outlined-select label="Sound"><md-select-option value="a"><div slot="headline">Bell</div></md-select-option><md-select-option value="b"><div slot="headline">Bird</div></md-select-option></md-outlined-select>
<label><md-checkbox></md-checkbox> Repeat</label><label>Vibrate <md-switch></md-switch></label><label><md-radio name="d" value="1"></md-radio> Weekdays</label><label><md-radio name="d" value="2"></md-radio> Weekend</label>
<md-slider min="0" max="10" value="4" aria-label="Volume"></md-slider><md-tabs><md-primary-tab>Clock</md-primary-tab><md-primary-tab>Timer</md-primary-tab></md-tabs>
<md-chip-set><md-filter-chip label="Soft"></md-filter-chip><md-assist-chip label="Add"></md-assist-chip></md-chip-set><md-list><md-list-item type="button">First item</md-list-item></md-list>
<md-icon-button aria-label="Delete">x</md-icon-button><md-fab label="New"></md-fab><md-filled-button>Set</md-filled-button><md-text-button href="#h">Help</md-text-button></main>`;
