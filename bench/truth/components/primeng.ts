import "zone.js";
import "@angular/compiler";
import {Component} from "@angular/core";
import {FormsModule} from "@angular/forms";
import {bootstrapApplication} from "@angular/platform-browser";
import {provideNoopAnimations} from "@angular/platform-browser/animations";
import Aura from "@primeuix/themes/aura";
import {providePrimeNG} from "primeng/config";
import {AccordionModule} from "primeng/accordion";
import {ButtonModule} from "primeng/button";
import {CheckboxModule} from "primeng/checkbox";
import {DatePickerModule} from "primeng/datepicker";
import {InputNumberModule} from "primeng/inputnumber";
import {InputTextModule} from "primeng/inputtext";
import {MultiSelectModule} from "primeng/multiselect";
import {RadioButtonModule} from "primeng/radiobutton";
import {RatingModule} from "primeng/rating";
import {SelectModule} from "primeng/select";
import {SelectButtonModule} from "primeng/selectbutton";
import {SliderModule} from "primeng/slider";
import {TabsModule} from "primeng/tabs";
import {ToggleSwitchModule} from "primeng/toggleswitch";
@Component({
  selector: "x-page",
  imports: [FormsModule, AccordionModule, ButtonModule, CheckboxModule, DatePickerModule, InputNumberModule, InputTextModule, MultiSelectModule, RadioButtonModule, RatingModule, SelectModule, SelectButtonModule, SliderModule, TabsModule, ToggleSwitchModule],
  template: `<main><h1>Fleet</h1><p>Cars which can be rented today.</p>
  <label for="n">Driver</label><input pInputText id="n"><p-inputnumber inputId="k" ariaLabel="Days" [(ngModel)]="n" [showButtons]="true" /><p-select [options]="o" [(ngModel)]="s" ariaLabel="Model" placeholder="Pick" />
  <p-multiselect [options]="o" [(ngModel)]="m" ariaLabel="Extras" /><p-datepicker [(ngModel)]="d" inputId="d" /><p-checkbox [(ngModel)]="c" [binary]="true" inputId="c" /><label for="c">Seat</label><p-toggleswitch [(ngModel)]="t" ariaLabel="Insured" />
  <p-radiobutton name="r" value="a" [(ngModel)]="r" inputId="ra" /><label for="ra">Petrol</label><p-radiobutton name="r" value="b" [(ngModel)]="r" inputId="rb" /><label for="rb">Electric</label>
  <p-slider [(ngModel)]="l" [style]="{width: '200px'}" /><p-rating [(ngModel)]="st" /><p-selectbutton [options]="o" [(ngModel)]="b" /><p-tabs value="0"><p-tablist><p-tab value="0">Price</p-tab><p-tab value="1">Terms</p-tab></p-tablist><p-tabpanels><p-tabpanel value="0">Price text</p-tabpanel><p-tabpanel value="1">Terms text</p-tabpanel></p-tabpanels></p-tabs>
  <p-accordion><p-accordion-panel value="0"><p-accordion-header>Damage</p-accordion-header><p-accordion-content>None so far</p-accordion-content></p-accordion-panel></p-accordion><p-button label="Rent" /></main>`,
})
class Page { n = 2; o = ["Small", "Large"]; s: unknown; m: unknown; d: unknown; c = false; t = false; r = "a"; l = 30; st = 1; b: unknown; }
document.getElementById("app")!.innerHTML = "<x-page></x-page>";
bootstrapApplication(Page, {providers: [provideNoopAnimations(), providePrimeNG({theme: {preset: Aura}})]});
