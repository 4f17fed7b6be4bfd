import "zone.js";
import "@angular/compiler";
import {Component} from "@angular/core";
import {bootstrapApplication} from "@angular/platform-browser";
import {provideNoopAnimations} from "@angular/platform-browser/animations";
import {MatAutocompleteModule} from "@angular/material/autocomplete";
import {MatButtonModule} from "@angular/material/button";
import {MatButtonToggleModule} from "@angular/material/button-toggle";
import {MatCheckboxModule} from "@angular/material/checkbox";
import {MatChipsModule} from "@angular/material/chips";
import {provideNativeDateAdapter} from "@angular/material/core";
import {MatDatepickerModule} from "@angular/material/datepicker";
import {MatExpansionModule} from "@angular/material/expansion";
import {MatInputModule} from "@angular/material/input";
import {MatMenuModule} from "@angular/material/menu";
import {MatPaginatorModule} from "@angular/material/paginator";
import {MatRadioModule} from "@angular/material/radio";
import {MatSelectModule} from "@angular/material/select";
import {MatSlideToggleModule} from "@angular/material/slide-toggle";
import {MatSliderModule} from "@angular/material/slider";
import {MatTabsModule} from "@angular/material/tabs";
import "./node_modules/@angular/material/prebuilt-themes/azure-blue.css";
@Component({
  selector: "x-page",
  imports: [MatAutocompleteModule, MatButtonModule, MatButtonToggleModule, MatCheckboxModule, MatChipsModule, MatDatepickerModule, MatExpansionModule, MatInputModule, MatMenuModule, MatPaginatorModule, MatRadioModule, MatSelectModule, MatSlideToggleModule, MatSliderModule, MatTabsModule],
  template: `<main><h1>Flight</h1><p>Find a flight and book it here.</p>
  <mat-form-field><mat-label>From</mat-label><input matInput></mat-form-field><mat-form-field><mat-label>Remarks</mat-label><textarea matInput></textarea></mat-form-field>
  <mat-form-field><mat-label>Class</mat-label><mat-select><mat-option value="1">First</mat-option><mat-option value="2">Second</mat-option></mat-select></mat-form-field>
  <mat-form-field><mat-label>To</mat-label><input matInput [matAutocomplete]="auto"><mat-autocomplete #auto="matAutocomplete"><mat-option value="Oslo">Oslo</mat-option></mat-autocomplete></mat-form-field>
  <mat-form-field><mat-label>Day</mat-label><input matInput [matDatepicker]="p"><mat-datepicker-toggle matIconSuffix [for]="p"></mat-datepicker-toggle><mat-datepicker #p></mat-datepicker></mat-form-field>
  <mat-checkbox>Meal</mat-checkbox><mat-slide-toggle>Window</mat-slide-toggle><mat-radio-group><mat-radio-button value="a">One way</mat-radio-button><mat-radio-button value="b">Return</mat-radio-button></mat-radio-group>
  <mat-slider><input matSliderThumb value="30" aria-label="Price"></mat-slider><mat-button-toggle-group><mat-button-toggle value="a">Cheap</mat-button-toggle><mat-button-toggle value="b">Fast</mat-button-toggle></mat-button-toggle-group>
  <mat-chip-listbox><mat-chip-option>Direct</mat-chip-option></mat-chip-listbox><mat-tab-group><mat-tab label="Out">Out text</mat-tab><mat-tab label="Back">Back text</mat-tab></mat-tab-group>
  <mat-accordion><mat-expansion-panel><mat-expansion-panel-header>Bags</mat-expansion-panel-header>Two bags are free</mat-expansion-panel></mat-accordion>
  <button mat-button [matMenuTriggerFor]="m">More</button><mat-menu #m="matMenu"><button mat-menu-item>Print</button></mat-menu><mat-paginator [length]="30" [pageSize]="10"></mat-paginator><button mat-flat-button>Search</button></main>`,
})
class Page {}
document.getElementById("app")!.innerHTML = "<x-page></x-page>";
bootstrapApplication(Page, {providers: [provideNativeDateAdapter(), provideNoopAnimations()]});
