import "@shoelace-style/shoelace/dist/themes/light.css";
import "@shoelace-style/shoelace/dist/shoelace.js";
document.getElementById("app").innerHTML = `<main><h1>Account</h1><p>Settings of your account are here.</p>
<sl-input label="Nick name"></sl-input><sl-input type="password" label="Secret" password-toggle></sl-input><sl-textarea label="About"></sl-textarea>
<sl-select label="Language" value="en"><sl-option value="en">English</sl-option><sl-option value="de">German</sl-option></sl-select>
<sl-checkbox>Public</sl-checkbox> <sl-switch>Mail me</sl-switch><sl-radio-group label="Theme" value="l"><sl-radio value="l">Light</sl-radio><sl-radio value="d">Dark</sl-radio></sl-radio-group>
<sl-range label="Size" min="0" max="10"></sl-range><sl-rating label="Stars"></sl-rating><sl-color-picker label="Tint"></sl-color-picker>
<sl-tab-group><sl-tab slot="nav" panel="a">General</sl-tab><sl-tab slot="nav" panel="b">Keys</sl-tab><sl-tab-panel name="a">General text</sl-tab-panel><sl-tab-panel name="b">Keys text</sl-tab-panel></sl-tab-group>
<sl-details summary="Danger">Think twice before</sl-details><sl-dropdown><sl-button slot="trigger" caret>More</sl-button><sl-menu><sl-menu-item>Export</sl-menu-item></sl-menu></sl-dropdown>
<sl-tree><sl-tree-item>Root<sl-tree-item>Leaf</sl-tree-item></sl-tree-item></sl-tree><sl-tag removable>Friend</sl-tag><sl-button variant="primary">Save</sl-button> <sl-button href="#x">Link</sl-button></main>`;
