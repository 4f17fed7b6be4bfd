import "@vaadin/vaadin-web-components";
document.getElementById("app").innerHTML = `<main><h1>Contract</h1><p>Data of the contract and its parties.</p>
<vaadin-text-field label="Party"></vaadin-text-field><vaadin-text-area label="Terms"></vaadin-text-area><vaadin-integer-field label="Months" value="12" step-buttons-visible></vaadin-integer-field><vaadin-password-field label="Code"></vaadin-password-field>
<vaadin-select label="Kind"></vaadin-select><vaadin-combo-box label="Country"></vaadin-combo-box><vaadin-date-picker label="Start"></vaadin-date-picker><vaadin-time-picker label="Hour"></vaadin-time-picker>
<vaadin-checkbox label="Signed"></vaadin-checkbox><vaadin-radio-group label="Pay"><vaadin-radio-button label="Yearly"></vaadin-radio-button><vaadin-radio-button label="Monthly"></vaadin-radio-button></vaadin-radio-group>
<vaadin-tabs><vaadin-tab>Data</vaadin-tab><vaadin-tab>Files</vaadin-tab></vaadin-tabs><vaadin-details summary="History">Nothing happened yet</vaadin-details><vaadin-menu-bar></vaadin-menu-bar><vaadin-button theme="primary">Sign</vaadin-button></main>`;
const find = (name) => document.querySelector(name);
find("vaadin-select").items = [{label: "Rent", value: "r"}, {label: "Sale", value: "s"}];
find("vaadin-combo-box").items = ["Norway", "Italy"];
find("vaadin-menu-bar").items = [{text: "File", children: [{text: "Print"}]}];
