"""Unseen widgets: tasks on libraries that were looked at once, when filling was done."""

from __future__ import annotations

from bench.truth.widget_tasks import REACT, WidgetPage, WidgetTask
from bench.truth.widgets_known import CODE, CODE_JS, MANY, MANY_JS

T = WidgetTask
VUE = {"vue": "3.5.45"}
REACT_STATE = """import React, {useState} from "react"; import {createRoot} from "react-dom/client";
const S = window.S = {}; const put = (key) => (value) => { S[key] = value; };
"""
VUE_STATE = """import {createApp, reactive} from "vue";
const S = window.S = reactive({fruit: null, fruits: [], vol: 30, range: [20, 60], on: false, box: false, count: 1, day: null, size: null, note: ""});
const fruits = ["Apple", "Pear", "Plum", "Quince"], many = Array.from({length: 400}, (_, n) => "Item " + n);
"""

PAGES = [
    WidgetPage(
        "antd",
        {**REACT, "antd": "5.29.3", "dayjs": "1.11.23"},
        "<div id=root></div>",
        REACT_STATE
        + """import {Select, Slider, Switch, Checkbox, Radio, InputNumber, DatePicker, AutoComplete, Input, TimePicker} from "antd";
        const opts = ["Apple", "Pear", "Plum"].map((v) => ({value: v.toLowerCase(), label: v}));
        const many = Array.from({length: 300}, (_, n) => ({value: n, label: "Item " + n}));
        createRoot(root).render(<div style={{width: 400, padding: 20}}>
          <Select aria-label="Fruit" style={{width: 200}} options={opts} onChange={put("fruit")} />
          <Select aria-label="Found" showSearch optionFilterProp="label" style={{width: 200}} options={opts} onChange={put("found")} />
          <Select aria-label="Many" style={{width: 200}} options={many} onChange={put("many")} />
          <Select aria-label="Fruits" mode="multiple" style={{width: 300}} options={opts} onChange={put("fruits")} />
          <Select aria-label="Tags" mode="tags" style={{width: 300}} onChange={put("tags")} />
          <Slider ariaLabelForHandle="Volume" defaultValue={30} onChange={put("vol")} />
          <Slider range ariaLabelForHandle={["Low", "High"]} defaultValue={[20, 50]} onChange={put("range")} />
          <Switch aria-label="Power" onChange={put("power")} /> <Checkbox onChange={(e) => put("box")(e.target.checked)}>Box</Checkbox>
          <Radio.Group onChange={(e) => put("size")(e.target.value)}><Radio value="s">Small</Radio><Radio value="l">Large</Radio></Radio.Group>
          <InputNumber aria-label="Count" min={0} max={99} defaultValue={1} onChange={put("count")} />
          <DatePicker aria-label="Day" onChange={(_, text) => put("day")(text)} />
          <DatePicker aria-label="Locked" inputReadOnly onChange={(_, text) => put("locked")(text)} />
          <Input.TextArea aria-label="Note" onChange={(e) => put("note")(e.target.value)} />
          <AutoComplete aria-label="Town" style={{width: 200}} options={[{value: "Bern"}, {value: "Bonn"}]} onChange={put("town")} />
        </div>);""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'plum'"),
            T('combobox "Found"', "Pear", "S.found === 'pear'"),
            T('combobox "Many"', "Item 212", "S.many === 212"),
            T('combobox "Fruits"', '["Apple", "Plum"]', "S.fruits.join() === 'apple,plum'"),
            T('combobox "Tags"', '["one", "two"]', "S.tags.join() === 'one,two'"),
            T('slider "Volume"', "77", "S.vol === 77"),
            T('slider "High"', "85", "S.range.join() === '20,85'"),
            T('switch "Power"', "true", "S.power === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'l'"),
            T('spinbutton "Count"', "12", "S.count === 12"),
            T('textbox "Locked"', "2027-01-20", "S.locked === '2027-01-20'"),
            T('textbox "Note"', "a\nb", "S.note === 'a\\nb'"),
            T('combobox "Town"', "Bonn", "S.town === 'Bonn'"),
        ],
    ),
    WidgetPage(
        "primevue",
        {**VUE, "primevue": "4.5.5", "@primeuix/themes": "3.0.1"},
        "<div id=app></div>",
        VUE_STATE
        + """import PrimeVue from "primevue/config"; import Aura from "@primeuix/themes/aura";
        import Select from "primevue/select"; import MultiSelect from "primevue/multiselect"; import Slider from "primevue/slider";
        import ToggleSwitch from "primevue/toggleswitch"; import Checkbox from "primevue/checkbox"; import InputNumber from "primevue/inputnumber";
        import DatePicker from "primevue/datepicker"; import Listbox from "primevue/listbox"; import AutoComplete from "primevue/autocomplete";
        createApp({components: {Select, MultiSelect, Slider, ToggleSwitch, Checkbox, InputNumber, DatePicker, Listbox, AutoComplete},
          setup: () => ({S, fruits, many, found: reactive({list: []}), search(e) { this.found.list = fruits.filter((f) => f.toLowerCase().startsWith(e.query.toLowerCase())); }}),
          template: `<div style="padding:30px;width:400px">
            <Select v-model="S.fruit" :options="fruits" ariaLabel="Fruit" placeholder="Choose" />
            <Select v-model="S.many" :options="many" ariaLabel="Many" :virtualScrollerOptions="{itemSize: 38}" placeholder="Choose" />
            <MultiSelect v-model="S.fruits" :options="fruits" ariaLabel="Fruits" placeholder="Choose" />
            <Slider v-model="S.vol" ariaLabel="Volume" style="margin:20px" />
            <ToggleSwitch v-model="S.on" ariaLabel="Power" /> <Checkbox v-model="S.box" binary ariaLabel="Box" />
            <InputNumber v-model="S.count" ariaLabel="Count" showButtons />
            <DatePicker v-model="S.day" ariaLabel="Day" :manualInput="false" />
            <Listbox v-model="S.size" :options="['Small', 'Large']" ariaLabel="Size" />
            <AutoComplete v-model="S.auto" :suggestions="found.list" @complete="search" ariaLabel="Auto" />
          </div>`}).use(PrimeVue, {theme: {preset: Aura}}).mount("#app");""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'Plum'"),
            T('combobox "Many"', "Item 250", "S.many === 'Item 250'"),
            T('combobox "Fruits"', '["Apple", "Plum"]', "S.fruits.join() === 'Apple,Plum'"),
            T('slider "Volume"', "66", "S.vol === 66"),
            T('switch "Power"', "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T(
                'spinbutton "Count"',
                "9",
                "S.count === 9 || document.querySelector('.p-inputnumber input').value === '9'",
            ),
            T(
                "css=.p-datepicker input",
                "2027-02-11",
                "S.day?.toDateString() === 'Thu Feb 11 2027'",
            ),
            T('listbox "Size"', "Large", "S.size === 'Large'"),
            T('combobox "Auto"', "Pear", "S.auto === 'Pear'"),
        ],
    ),
    WidgetPage(
        "quasar",
        {**VUE, "quasar": "2.27.0"},
        "<div id=app></div>",
        VUE_STATE
        + """import {Quasar, QSelect, QSlider, QToggle, QCheckbox, QInput, QRange, QOptionGroup} from "quasar"; import "quasar/dist/quasar.css";
        createApp({components: {QSelect, QSlider, QToggle, QCheckbox, QInput, QRange, QOptionGroup}, setup: () => ({S, fruits, many}),
          template: `<div style="padding:30px;width:400px">
            <q-select v-model="S.fruit" :options="fruits" label="Fruit" />
            <q-select v-model="S.many" :options="many" label="Many" />
            <q-select v-model="S.fruits" multiple :options="fruits" label="Fruits" />
            <q-slider v-model="S.vol" :min="0" :max="100" aria-label="Volume" />
            <q-toggle v-model="S.on" label="Power" /> <q-checkbox v-model="S.box" label="Box" />
            <q-option-group v-model="S.size" :options="[{label: 'Small', value: 's'}, {label: 'Large', value: 'l'}]" />
            <q-input v-model="S.note" type="textarea" label="Note" />
          </div>`}).use(Quasar).mount("#app");""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'Plum'"),
            T('combobox "Many"', "Item 250", "S.many === 'Item 250'"),
            T('combobox "Fruits"', '["Apple", "Plum"]', "S.fruits.join() === 'Apple,Plum'"),
            T("css=.q-slider [role=slider]", "66", "S.vol === 66"),
            T('switch "Power"', "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'l'"),
            T('textbox "Note"', "a\nb", "S.note === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "shoelace",
        {"@shoelace-style/shoelace": "2.20.1"},
        """<sl-select id=a label=Fruit><sl-option value=apple>Apple</sl-option><sl-option value=pear>Pear</sl-option></sl-select>
        <sl-select id=b label=Fruits multiple><sl-option value=apple>Apple</sl-option><sl-option value=pear>Pear</sl-option><sl-option value=plum>Plum</sl-option></sl-select>
        <sl-range id=c label=Volume></sl-range><sl-switch id=d>Power</sl-switch><sl-checkbox id=e>Box</sl-checkbox>
        <sl-radio-group id=f label=Size><sl-radio value=s>Small</sl-radio><sl-radio value=l>Large</sl-radio></sl-radio-group>
        <sl-textarea id=g label=Note></sl-textarea><sl-input id=h label=Name></sl-input><sl-rating id=i label=Stars></sl-rating>""",
        """import "@shoelace-style/shoelace/dist/themes/light.css"; import "@shoelace-style/shoelace/dist/shoelace.js";""",
        [
            T('combobox "Fruit"', "Pear", "document.getElementById('a').value === 'pear'"),
            T(
                'combobox "Fruits"',
                '["Apple", "Plum"]',
                "document.getElementById('b').value.join() === 'apple,plum'",
            ),
            T('slider "Volume"', "35", "+document.getElementById('c').value === 35"),
            T('switch "Power"', "true", "document.getElementById('d').checked"),
            T('checkbox "Box"', "true", "document.getElementById('e').checked"),
            T('radio "Large"', "true", "document.getElementById('f').value === 'l'"),
            T('textbox "Note"', "a\nb", "document.getElementById('g').value === 'a\\nb'"),
            T('textbox "Name"', "Ada", "document.getElementById('h').value === 'Ada'"),
            T('slider "Stars"', "4", "document.getElementById('i').value === 4"),
        ],
    ),
    WidgetPage(
        "carbon",
        {"@carbon/web-components": "2.63.0"},
        """<cds-dropdown id=a title-text=Fruit label=Choose><cds-dropdown-item value=apple>Apple</cds-dropdown-item><cds-dropdown-item value=pear>Pear</cds-dropdown-item></cds-dropdown>
        <cds-slider id=b label-text=Volume value=30 min=0 max=100></cds-slider>
        <cds-toggle id=c label-text=Power></cds-toggle><cds-checkbox id=d>Box</cds-checkbox>
        <cds-number-input id=e label=Count value=1></cds-number-input><cds-text-input id=f label=Name></cds-text-input>
        <cds-combo-box id=g title-text=Town><cds-combo-box-item value=bern>Bern</cds-combo-box-item><cds-combo-box-item value=bonn>Bonn</cds-combo-box-item></cds-combo-box>""",
        """import "@carbon/web-components/es/components/dropdown/index.js"; import "@carbon/web-components/es/components/slider/index.js";
        import "@carbon/web-components/es/components/toggle/index.js"; import "@carbon/web-components/es/components/checkbox/index.js";
        import "@carbon/web-components/es/components/number-input/index.js"; import "@carbon/web-components/es/components/text-input/index.js";
        import "@carbon/web-components/es/components/combo-box/index.js";
        window.of = (id) => document.getElementById(id);""",
        [
            T("css=#a", "Pear", "of('a').value === 'pear'"),
            T("css=#b", "45", "+of('b').value === 45"),
            T('switch "Power"', "true", "of('c').checked === true || of('c').toggled === true"),
            T('checkbox "Box"', "true", "of('d').checked === true"),
            T("css=#e", "8", "+of('e').value === 8"),
            T('textbox "Name"', "Ada", "of('f').value === 'Ada'"),
            T("css=#g", "Bonn", "of('g').value === 'bonn'"),
        ],
    ),
    WidgetPage(
        "fluent",
        {"@fluentui/web-components": "2.6.1"},
        """<fluent-select id=a aria-label=Fruit><fluent-option value=apple>Apple</fluent-option><fluent-option value=pear>Pear</fluent-option></fluent-select>
        <fluent-slider id=b aria-label=Volume min=0 max=100 value=30 step=5 style="width:300px"></fluent-slider><fluent-switch id=c>Power</fluent-switch>
        <fluent-checkbox id=d>Box</fluent-checkbox><fluent-radio-group id=e aria-label=Size><fluent-radio value=s>Small</fluent-radio><fluent-radio value=l>Large</fluent-radio></fluent-radio-group>
        <fluent-text-field id=f>Name</fluent-text-field><fluent-number-field id=g value=1>Count</fluent-number-field>
        <fluent-listbox id=h aria-label=Pick><fluent-option value=x>Ex</fluent-option><fluent-option value=y>Why</fluent-option></fluent-listbox>
        <fluent-combobox id=i aria-label=Town><fluent-option>Bern</fluent-option><fluent-option>Bonn</fluent-option></fluent-combobox>""",
        """import {provideFluentDesignSystem, allComponents} from "@fluentui/web-components";
        provideFluentDesignSystem().register(allComponents); window.of = (id) => document.getElementById(id);""",
        [
            T("css=#a", "Pear", "of('a').value === 'pear'"),
            T('slider "Volume"', "65", "+of('b').value === 65"),
            T('switch "Power"', "true", "of('c').checked"),
            T('checkbox "Box"', "true", "of('d').checked"),
            T('radio "Large"', "true", "of('e').value === 'l'"),
            T('radiogroup "Size"', "Small", "of('e').value === 's'"),
            T("css=#f", "Ada", "of('f').value === 'Ada'"),
            T("css=#g", "8", "of('g').value === '8'"),
            T("css=#h", "Why", "of('h').selectedOptions[0]?.value === 'y'"),
            T("css=#i", "Bonn", "of('i').value === 'Bonn'"),
        ],
    ),
    WidgetPage(
        "tinymce",
        {"tinymce": "7.9.3"},
        "<textarea id=a><p>old <b>bold</b></p><ul><li>item</li></ul></textarea>",
        """import tinymce from "tinymce"; import "tinymce/models/dom"; import "tinymce/themes/silver"; import "tinymce/icons/default";
        import "tinymce/skins/ui/oxide/skin.css"; import "tinymce/skins/ui/oxide/content.css";
        await tinymce.init({selector: "#a", license_key: "gpl", skin: false, content_css: false, height: 300});
        window.text = () => tinymce.activeEditor.getContent({format: "text"}).trim().replace(/\\n+/g, "\\n");""",
        [
            T("css=#tinymce", "A new text (1", "text() === 'A new text (1'"),
            T("css=#tinymce", "One\nTwo", "text() === 'One\\nTwo'"),
        ],
    ),
    WidgetPage(
        "lexical",
        {"lexical": "0.30.0", "@lexical/rich-text": "0.30.0", "@lexical/history": "0.30.0"},
        "<div id=a contenteditable aria-label=Note></div>",
        """import {createEditor, $getRoot, $createParagraphNode, $createTextNode} from "lexical"; import {registerRichText} from "@lexical/rich-text";
        const editor = createEditor({namespace: "x", onError: console.error}); editor.setRootElement(a); registerRichText(editor);
        editor.update(() => $getRoot().clear().append(...["old text", "second"].map((t) => $createParagraphNode().append($createTextNode(t)))));
        window.text = () => editor.read(() => $getRoot().getChildren().map((n) => n.getTextContent()).join("\\n"));""",
        [
            T('textbox "Note"', "A new text (1", "text() === 'A new text (1'"),
            T('textbox "Note"', "One\nTwo", "text().replace(/\\n+/g, '\\n') === 'One\\nTwo'"),
            T('textbox "Note"', "", "text() === ''"),
        ],
    ),
    WidgetPage(
        "monaco",
        {"monaco-editor": "0.57.0"},
        "<div id=a style='width:600px;height:300px'></div>",
        """import * as monaco from "monaco-editor";
        self.MonacoEnvironment = {getWorker: () => new Worker(URL.createObjectURL(new Blob([""])))};
        window.a_ = monaco.editor.create(a, {value: "old text\\nsecond", language: "javascript"});""",
        [
            T("css=#a [role=textbox]", "var x = (1", "a_.getValue() === 'var x = (1'"),
            T("css=#a [role=textbox]", CODE, f"a_.getValue() === `{CODE_JS}`"),
            T("css=#a [role=textbox]", MANY, f"a_.getValue() === {MANY_JS}"),
            T("css=#a [role=textbox]", "", "a_.getValue() === ''"),
        ],
    ),
    WidgetPage(
        "draft",
        {**REACT, "draft-js": "0.11.7"},
        "<div id=root></div>",
        REACT_STATE
        + """import {Editor, EditorState, ContentState} from "draft-js"; import "draft-js/dist/Draft.css";
        function App() {
          const [state, set] = useState(() => EditorState.createWithContent(ContentState.createFromText("old text\\nsecond")));
          window.text = () => state.getCurrentContent().getPlainText("\\n");
          return <Editor ariaLabel="Note" editorState={state} onChange={set} />;
        }
        createRoot(root).render(<App />);""",
        [
            T('textbox "Note"', "A new text (1", "text() === 'A new text (1'"),
            T('textbox "Note"', "One\nTwo", "text() === 'One\\nTwo'"),
        ],
    ),
    WidgetPage(
        "ckeditor",
        {"@ckeditor/ckeditor5-build-classic": "44.3.0"},
        "<div id=a><h2>Old</h2><p>text</p></div>",
        """import Classic from "@ckeditor/ckeditor5-build-classic";
        window.a_ = await Classic.create(document.getElementById("a"), {licenseKey: "GPL"});
        window.text = () => new DOMParser().parseFromString(a_.getData().replace(/<\\/(p|h2)>|<br>/g, "\\n"), "text/html").body.textContent.trim().replace(/\\u00a0/g, " ");""",
        [
            T("css=.ck-content", "A new text (1", "text() === 'A new text (1'"),
            T("css=.ck-content", "One\nTwo", "text() === 'One\\nTwo'"),
        ],
    ),
    WidgetPage(
        "pickers",
        {
            **REACT,
            "react-datepicker": "9.1.0",
            "air-datepicker": "3.6.0",
            "react-select": "5.10.2",
            "@yaireo/tagify": "4.36.0",
        },
        """<div id=root></div><label>Air <input id=air readonly></label> <input id=tags>""",
        REACT_STATE
        + """import DatePicker from "react-datepicker"; import "react-datepicker/dist/react-datepicker.css";
        import Air from "air-datepicker"; import "air-datepicker/air-datepicker.css"; import en from "air-datepicker/locale/en";
        import Select from "react-select"; import Tagify from "@yaireo/tagify"; import "@yaireo/tagify/dist/tagify.css";
        const options = ["Apple", "Pear", "Plum"].map((label) => ({label, value: label.toLowerCase()}));
        function App() {
          const [a, setA] = useState(null), [b, setB] = useState(null);
          S.a = a && a.toDateString(); S.b = b && b.toDateString();
          return <div style={{width: 300}}>
            <DatePicker ariaLabelledBy="x" selected={a} onChange={setA} placeholderText="Typed day" />
            <DatePicker selected={b} onChange={setB} placeholderText="Locked day" onKeyDown={(e) => e.preventDefault()} customInput={<input readOnly />} />
            <Select aria-label="Fruit" options={options} onChange={(o) => put("fruit")(o && o.value)} />
            <Select aria-label="Fruits" isMulti options={options} onChange={(o) => put("fruits")(o.map((e) => e.value))} />
            <Select aria-label="Fixed" isSearchable={false} options={options} onChange={(o) => put("fixed")(o.value)} />
          </div>;
        }
        createRoot(root).render(<App />);
        window.air_ = new Air("#air", {locale: en, autoClose: true}); window.tags_ = new Tagify(document.getElementById("tags"));""",
        [
            T('css=[placeholder="Typed day"]', "12/24/2026", "S.a === 'Thu Dec 24 2026'"),
            T('css=[placeholder="Locked day"]', "2027-01-09", "S.b === 'Sat Jan 09 2027'"),
            T(
                "css=#air",
                "2026-09-03",
                "air_.selectedDates[0]?.toDateString() === 'Thu Sep 03 2026'",
            ),
            T('combobox "Fruit"', "Plum", "S.fruit === 'plum'"),
            T('combobox "Fruits"', '["Apple", "Plum"]', "S.fruits.join() === 'apple,plum'"),
            T('combobox "Fixed"', "Pear", "S.fixed === 'pear'"),
        ],
    ),
]
