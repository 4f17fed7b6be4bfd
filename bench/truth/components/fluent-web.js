import {allComponents, provideFluentDesignSystem} from "@fluentui/web-components";
provideFluentDesignSystem().register(allComponents);
document.getElementById("app").innerHTML = `<main><h1>Backup</h1><p>The last one was made yesterday.</p>
<fluent-text-field>Name</fluent-text-field><fluent-text-area>Note</fluent-text-area><fluent-number-field value="3">Copies</fluent-number-field><fluent-search>Search</fluent-search><fluent-checkbox>Encrypt</fluent-checkbox><fluent-switch>Daily</fluent-switch>
<fluent-radio-group name="k"><label slot="label">Kind</label><fluent-radio value="f">Full</fluent-radio><fluent-radio value="p">Part</fluent-radio></fluent-radio-group><fluent-slider min="0" max="10" value="4" title="Speed"></fluent-slider>
<fluent-select title="Disk"><fluent-option>One</fluent-option><fluent-option>Two</fluent-option></fluent-select><fluent-combobox placeholder="Host"><fluent-option>Red</fluent-option></fluent-combobox>
<fluent-tabs><fluent-tab id="a">Plan</fluent-tab><fluent-tab id="b">Log</fluent-tab><fluent-tab-panel>Plan text</fluent-tab-panel><fluent-tab-panel>Log text</fluent-tab-panel></fluent-tabs>
<fluent-accordion><fluent-accordion-item><span slot="heading">Details</span>Four files so far</fluent-accordion-item></fluent-accordion><fluent-tree-view><fluent-tree-item>Root<fluent-tree-item>Leaf</fluent-tree-item></fluent-tree-item></fluent-tree-view><fluent-anchor href="#h">Help</fluent-anchor><fluent-button>Start</fluent-button></main>`;
