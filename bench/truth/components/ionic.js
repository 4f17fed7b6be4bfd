import {defineCustomElement as _} from "@ionic/core/components/ion-app.js";
import {initialize} from "@ionic/core/components";
import "@ionic/core/css/ionic.bundle.css";
import * as parts from "@ionic/core/components";
initialize();
for (const name of ["app", "content", "input", "textarea", "checkbox", "toggle", "radio-group", "radio", "range", "select", "select-option", "segment", "segment-button", "accordion-group", "accordion", "item", "label", "button", "searchbar", "chip"]) {
  const part = parts[`Ion${name.split("-").map((word) => word[0].toUpperCase() + word.slice(1)).join("")}`];
  if (part && !customElements.get(`ion-${name}`)) customElements.define(`ion-${name}`, part);
}
document.getElementById("app").innerHTML = `<ion-app><ion-content><h1>Run</h1><p>How far did you run this week?</p>
<ion-input label="Route"></ion-input><ion-textarea label="Remarks"></ion-textarea><ion-searchbar></ion-searchbar><ion-checkbox>Rain</ion-checkbox><ion-toggle>Public</ion-toggle>
<ion-radio-group value="a"><ion-radio value="a">Road</ion-radio><ion-radio value="b">Wood</ion-radio></ion-radio-group><ion-range aria-label="Effort"></ion-range><ion-select label="Shoes"><ion-select-option>Red</ion-select-option></ion-select>
<ion-segment value="d"><ion-segment-button value="d"><ion-label>Day</ion-label></ion-segment-button><ion-segment-button value="w"><ion-label>Week</ion-label></ion-segment-button></ion-segment>
<ion-accordion-group><ion-accordion><ion-item slot="header"><ion-label>Weather</ion-label></ion-item><div slot="content">Sunny all day</div></ion-accordion></ion-accordion-group><ion-button>Save</ion-button></ion-content></ion-app>`;
