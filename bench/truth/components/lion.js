import "@lion/ui/define/lion-button.js";
import "@lion/ui/define/lion-checkbox-group.js";
import "@lion/ui/define/lion-checkbox.js";
import "@lion/ui/define/lion-combobox.js";
import "@lion/ui/define/lion-input-amount.js";
import "@lion/ui/define/lion-input-date.js";
import "@lion/ui/define/lion-input-stepper.js";
import "@lion/ui/define/lion-input.js";
import "@lion/ui/define/lion-option.js";
import "@lion/ui/define/lion-radio-group.js";
import "@lion/ui/define/lion-radio.js";
import "@lion/ui/define/lion-select-rich.js";
import "@lion/ui/define/lion-switch.js";
import "@lion/ui/define/lion-tabs.js";
import "@lion/ui/define/lion-textarea.js";
document.getElementById("app").innerHTML = `<main><h1>Loan</h1><p>Tell us how much money you need.</p>
<lion-input label="Name" name="n"></lion-input><lion-textarea label="Purpose" name="p"></lion-textarea><lion-input-amount label="Amount" name="a"></lion-input-amount><lion-input-date label="Date" name="d"></lion-input-date><lion-input-stepper label="Years" name="y"></lion-input-stepper>
<lion-checkbox-group name="c[]" label="Extras"><lion-checkbox label="Insurance" .choiceValue="i"></lion-checkbox></lion-checkbox-group><lion-switch name="s" label="Fast"></lion-switch>
<lion-radio-group name="r" label="Rate"><lion-radio label="Fixed"></lion-radio><lion-radio label="Free"></lion-radio></lion-radio-group><lion-select-rich name="b" label="Bank"><lion-option>North</lion-option><lion-option>South</lion-option></lion-select-rich>
<lion-combobox name="t" label="Town"><lion-option>Oslo</lion-option></lion-combobox><lion-tabs><button slot="tab">Terms</button><p slot="panel">Terms text</p><button slot="tab">Costs</button><p slot="panel">Costs text</p></lion-tabs><lion-button>Ask</lion-button></main>`;
