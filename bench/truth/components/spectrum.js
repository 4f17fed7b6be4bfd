import "@spectrum-web-components/bundle/elements.js";
import "@spectrum-web-components/theme/src/themes.js";
document.getElementById("app").innerHTML = `<sp-theme system="spectrum" color="light" scale="medium"><main><h1>Image</h1><p>Change how the picture looks.</p>
<sp-field-label for="n">Title</sp-field-label><sp-textfield id="n"></sp-textfield><sp-textfield multiline label="Caption"></sp-textfield><sp-search label="Search"></sp-search><sp-number-field label="Width" value="20"></sp-number-field>
<sp-field-label for="p">Format</sp-field-label><sp-picker id="p"><sp-menu-item value="a">Square</sp-menu-item><sp-menu-item value="b">Wide</sp-menu-item></sp-picker><sp-combobox label="Font"><sp-menu-item value="x">Serif</sp-menu-item></sp-combobox>
<sp-checkbox>Border</sp-checkbox><sp-switch>Shadow</sp-switch><sp-radio-group label="Edge"><sp-radio value="a">Round</sp-radio><sp-radio value="b">Sharp</sp-radio></sp-radio-group><sp-slider label="Light" value="30"></sp-slider>
<sp-tabs selected="1"><sp-tab label="Crop" value="1"></sp-tab><sp-tab label="Tone" value="2"></sp-tab><sp-tab-panel value="1">Crop text</sp-tab-panel><sp-tab-panel value="2">Tone text</sp-tab-panel></sp-tabs>
<sp-accordion><sp-accordion-item label="Metadata">No metadata at all</sp-accordion-item></sp-accordion><sp-action-menu label="More"><sp-menu-item>Copy</sp-menu-item></sp-action-menu><sp-link href="#h">Help</sp-link><sp-button>Apply</sp-button></main></sp-theme>`;
