import {initialize} from "@ionic/core/components";
import "@ionic/core/css/ionic.bundle.css";
import {defineCustomElement as defineApp} from "@ionic/core/components/ion-app.js";
import {defineCustomElement as defineContent} from "@ionic/core/components/ion-content.js";
import {defineCustomElement as defineInput} from "@ionic/core/components/ion-input.js";
import {defineCustomElement as defineTextarea} from "@ionic/core/components/ion-textarea.js";
import {defineCustomElement as defineCheckbox} from "@ionic/core/components/ion-checkbox.js";
import {defineCustomElement as defineToggle} from "@ionic/core/components/ion-toggle.js";
import {defineCustomElement as defineRadioGroup} from "@ionic/core/components/ion-radio-group.js";
import {defineCustomElement as defineRadio} from "@ionic/core/components/ion-radio.js";
import {defineCustomElement as defineRange} from "@ionic/core/components/ion-range.js";
import {defineCustomElement as defineSelect} from "@ionic/core/components/ion-select.js";
import {defineCustomElement as defineSelectOption} from "@ionic/core/components/ion-select-option.js";
import {defineCustomElement as defineSegment} from "@ionic/core/components/ion-segment.js";
import {defineCustomElement as defineSegmentButton} from "@ionic/core/components/ion-segment-button.js";
import {defineCustomElement as defineAccordionGroup} from "@ionic/core/components/ion-accordion-group.js";
import {defineCustomElement as defineAccordion} from "@ionic/core/components/ion-accordion.js";
import {defineCustomElement as defineItem} from "@ionic/core/components/ion-item.js";
import {defineCustomElement as defineLabel} from "@ionic/core/components/ion-label.js";
import {defineCustomElement as defineButton} from "@ionic/core/components/ion-button.js";
import {defineCustomElement as defineSearchbar} from "@ionic/core/components/ion-searchbar.js";
initialize();
for (const define of [defineApp, defineContent, defineInput, defineTextarea, defineCheckbox, defineToggle, defineRadioGroup, defineRadio, defineRange, defineSelect, defineSelectOption, defineSegment, defineSegmentButton, defineAccordionGroup, defineAccordion, defineItem, defineLabel, defineButton, defineSearchbar]) define();
document.getElementById("app").innerHTML = `<ion-app><ion-content><h1>Run</h1><p>How far did you run this week?</p>
<ion-input label="Route"></ion-input><ion-textarea label="Remarks"></ion-textarea><ion-searchbar></ion-searchbar><ion-checkbox>Rain</ion-checkbox><ion-toggle>Public</ion-toggle>
<ion-radio-group value="a"><ion-radio value="a">Road</ion-radio><ion-radio value="b">Wood</ion-radio></ion-radio-group><ion-range aria-label="Effort"></ion-range><ion-select label="Shoes"><ion-select-option>Red</ion-select-option></ion-select>
<ion-segment value="d"><ion-segment-button value="d"><ion-label>Day</ion-label></ion-segment-button><ion-segment-button value="w"><ion-label>Week</ion-label></ion-segment-button></ion-segment>
<ion-accordion-group><ion-accordion><ion-item slot="header"><ion-label>Weather</ion-label></ion-item><div slot="content">Sunny all day</div></ion-accordion></ion-accordion-group><ion-button>Save</ion-button></ion-content></ion-app>`;
