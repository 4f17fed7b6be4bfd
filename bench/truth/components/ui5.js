import "@ui5/webcomponents/dist/Assets.js";
import "@ui5/webcomponents/dist/Button.js";
import "@ui5/webcomponents/dist/CheckBox.js";
import "@ui5/webcomponents/dist/ComboBox.js";
import "@ui5/webcomponents/dist/ComboBoxItem.js";
import "@ui5/webcomponents/dist/DatePicker.js";
import "@ui5/webcomponents/dist/Input.js";
import "@ui5/webcomponents/dist/Label.js";
import "@ui5/webcomponents/dist/Link.js";
import "@ui5/webcomponents/dist/Option.js";
import "@ui5/webcomponents/dist/Panel.js";
import "@ui5/webcomponents/dist/RadioButton.js";
import "@ui5/webcomponents/dist/RatingIndicator.js";
import "@ui5/webcomponents/dist/SegmentedButton.js";
import "@ui5/webcomponents/dist/SegmentedButtonItem.js";
import "@ui5/webcomponents/dist/Select.js";
import "@ui5/webcomponents/dist/Slider.js";
import "@ui5/webcomponents/dist/StepInput.js";
import "@ui5/webcomponents/dist/Switch.js";
import "@ui5/webcomponents/dist/Tab.js";
import "@ui5/webcomponents/dist/TabContainer.js";
import "@ui5/webcomponents/dist/TextArea.js";
import "@ui5/webcomponents/dist/ToggleButton.js";
document.getElementById("app").innerHTML = `<main><h1>Invoice</h1><p>An invoice that was not paid yet.</p>
<ui5-label for="n" show-colon>Customer</ui5-label><ui5-input id="n"></ui5-input><ui5-textarea accessible-name="Text"></ui5-textarea><ui5-step-input value="3" accessible-name="Count"></ui5-step-input><ui5-date-picker accessible-name="Due"></ui5-date-picker>
<ui5-select accessible-name="State"><ui5-option>Open</ui5-option><ui5-option>Paid</ui5-option></ui5-select><ui5-combobox accessible-name="Bank"><ui5-cb-item text="North"></ui5-cb-item></ui5-combobox>
<ui5-checkbox text="Reminder"></ui5-checkbox><ui5-switch accessible-name="Automatic"></ui5-switch><ui5-radio-button name="r" text="Mail"></ui5-radio-button><ui5-radio-button name="r" text="Post"></ui5-radio-button><ui5-slider value="3"></ui5-slider><ui5-rating-indicator></ui5-rating-indicator>
<ui5-segmented-button><ui5-segmented-button-item>Net</ui5-segmented-button-item><ui5-segmented-button-item>Gross</ui5-segmented-button-item></ui5-segmented-button><ui5-tabcontainer><ui5-tab text="Items">Two items</ui5-tab><ui5-tab text="Log">Empty log</ui5-tab></ui5-tabcontainer>
<ui5-panel header-text="Address">Some street here</ui5-panel><ui5-toggle-button>Lock</ui5-toggle-button><ui5-link href="#x">Terms</ui5-link><ui5-button design="Emphasized">Pay</ui5-button></main>`;
