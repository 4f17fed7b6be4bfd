"""Further widgets: tasks on libraries that neither filling nor its first judgement knew, in halves."""

from __future__ import annotations

from bench.truth.saved_page import Half, half_of
from bench.truth.widget_tasks import REACT, WidgetPage, WidgetTask
from bench.truth.widgets_unseen import REACT_STATE, VUE, VUE_STATE

T = WidgetTask
SYNCFUSION = (
    *("base", "buttons", "calendars", "data", "dropdowns", "inputs", "lists", "navigations"),
    *("notifications", "popups", "splitbuttons"),
)


def half(part: Half) -> list[WidgetPage]:
    """The pages of a half, which the hash of their names chooses."""
    return [page for page in PAGES if half_of(page.name) == part]


PAGES = [
    WidgetPage(
        "arco",
        {**REACT, "@arco-design/web-react": "2.66.16"},
        "<div id=root></div>",
        REACT_STATE
        + """import {AutoComplete, Checkbox, DatePicker, Input, InputNumber, InputTag, Radio, Select, Slider, Switch, TimePicker} from "@arco-design/web-react"; import "@arco-design/web-react/dist/css/arco.css";
        const fruits = ["Apple", "Pear", "Plum"], many = Array.from({length: 300}, (_, n) => "Item " + n);
        createRoot(root).render(<div style={{width: 400, padding: 20}}>
          <Select placeholder="Fruit" options={fruits} onChange={put("fruit")} /><Select placeholder="Many" options={many} showSearch onChange={put("many")} /><Select mode="multiple" placeholder="Fruits" options={fruits} onChange={put("fruits")} />
          <AutoComplete placeholder="Town" data={["Bern", "Bonn"]} onChange={put("town")} /><InputNumber aria-label="Count" min={0} max={99} defaultValue={1} onChange={put("count")} /><InputTag placeholder="Tags" onChange={put("tags")} />
          <DatePicker placeholder="Day" onChange={put("day")} /><TimePicker placeholder="Hour" onChange={put("hour")} /><Slider defaultValue={20} onChange={put("level")} /><Switch aria-label="Power" onChange={put("on")} /><Checkbox onChange={put("box")}>Box</Checkbox>
          <Radio.Group options={["Small", "Large"]} onChange={put("size")} /><Input.TextArea placeholder="Note" onChange={put("note")} />
        </div>);""",
        [
            T('css=[placeholder="Fruit"]', "Plum", "S.fruit === 'Plum'"),
            T('css=[placeholder="Many"]', "Item 212", "S.many === 'Item 212'"),
            T(
                'css=[placeholder="Fruits"]',
                '["Apple", "Plum"]',
                "S.fruits.join() === 'Apple,Plum'",
            ),
            T('css=[placeholder="Town"]', "Bonn", "S.town === 'Bonn'"),
            T('css=[aria-label="Count"]', "12", "S.count === 12"),
            T('css=[placeholder="Day"]', "2027-01-20", "S.day === '2027-01-20'"),
            T('css=[placeholder="Hour"]', "13:45:00", "S.hour === '13:45:00'"),
            T("css=[role=slider]", "77", "S.level === 77"),
            T('switch "Power"', "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'Large'"),
            T('css=[placeholder="Note"]', "a\nb", "S.note === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "vaadin",
        {"@vaadin/vaadin": "25.3.0"},
        """<vaadin-select id=a label=Fruit></vaadin-select><vaadin-combo-box id=b label=Many></vaadin-combo-box><vaadin-multi-select-combo-box id=c label=Fruits></vaadin-multi-select-combo-box><vaadin-date-picker id=d label=Day></vaadin-date-picker><vaadin-time-picker id=e label=Hour></vaadin-time-picker>
        <vaadin-integer-field id=f label=Count value=1 step-buttons-visible></vaadin-integer-field><vaadin-checkbox id=g label=Box></vaadin-checkbox><vaadin-radio-group id=h label=Size><vaadin-radio-button value=s label=Small></vaadin-radio-button><vaadin-radio-button value=l label=Large></vaadin-radio-button></vaadin-radio-group><vaadin-text-area id=i label=Note></vaadin-text-area>""",
        """import "@vaadin/checkbox"; import "@vaadin/combo-box"; import "@vaadin/date-picker"; import "@vaadin/integer-field"; import "@vaadin/multi-select-combo-box"; import "@vaadin/radio-group"; import "@vaadin/select"; import "@vaadin/text-area"; import "@vaadin/time-picker";
        const fruits = ["Apple", "Pear", "Plum"]; window.of = (id) => document.getElementById(id);
        of("a").items = fruits.map((label) => ({label, value: label})); of("b").items = Array.from({length: 400}, (_, n) => "Item " + n); of("c").items = fruits;""",
        [
            T('button "Fruit"', "Plum", "of('a').value === 'Plum'"),
            T('combobox "Many"', "Item 212", "of('b').value === 'Item 212'"),
            T(
                'combobox "Fruits"',
                '["Apple", "Plum"]',
                "of('c').selectedItems.join() === 'Apple,Plum'",
            ),
            T('combobox "Day"', "1/20/2027", "of('d').value === '2027-01-20'"),
            T('combobox "Hour"', "13:45", "of('e').value === '13:45'"),
            T('spinbutton "Count"', "12", "of('f').value === '12'"),
            T('checkbox "Box"', "true", "of('g').checked"),
            T('radio "Large"', "true", "of('h').value === 'l'"),
            T('textbox "Note"', "a\nb", "of('i').value === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "devextreme",
        {"devextreme": "26.1.5", "jquery": "3.7.1"},
        "<div id=form style='width: 400px'></div>",
        """import $ from "jquery"; import "devextreme/dist/css/dx.light.css"; import "devextreme/integration/jquery";
        import "devextreme/ui/check_box"; import "devextreme/ui/date_box"; import "devextreme/ui/number_box"; import "devextreme/ui/radio_group"; import "devextreme/ui/select_box"; import "devextreme/ui/slider"; import "devextreme/ui/switch"; import "devextreme/ui/tag_box"; import "devextreme/ui/text_area";
        const S = window.S = {}, add = (kind, key, options) => $("<div>").appendTo("#form")[kind]({...options, onValueChanged: (e) => { S[key] = e.value; }});
        const fruits = ["Apple", "Pear", "Plum"];
        add("dxSelectBox", "fruit", {items: fruits, inputAttr: {"aria-label": "Fruit"}}); add("dxSelectBox", "many", {items: Array.from({length: 300}, (_, n) => "Item " + n), searchEnabled: true, inputAttr: {"aria-label": "Many"}}); add("dxTagBox", "fruits", {items: fruits, inputAttr: {"aria-label": "Fruits"}});
        add("dxNumberBox", "count", {value: 1, inputAttr: {"aria-label": "Count"}}); add("dxDateBox", "day", {inputAttr: {"aria-label": "Day"}}); add("dxSlider", "level", {value: 30, min: 0, max: 100}); add("dxSwitch", "on", {elementAttr: {"aria-label": "Power"}}); add("dxCheckBox", "box", {text: "Box"}); add("dxRadioGroup", "size", {items: ["Small", "Large"]}); add("dxTextArea", "note", {inputAttr: {"aria-label": "Note"}});""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'Plum'"),
            T('combobox "Many"', "Item 212", "S.many === 'Item 212'"),
            T('combobox "Fruits"', '["Apple", "Plum"]', "S.fruits.join() === 'Apple,Plum'"),
            T('css=[aria-label="Count"]', "12", "S.count === 12"),
            T(
                'css=[aria-label="Day"]',
                "1/20/2027",
                "S.day && new Date(S.day).toDateString() === 'Wed Jan 20 2027'",
            ),
            T("css=[role=slider]", "77", "S.level === 77"),
            T("css=.dx-switch", "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'Large'"),
            T('textbox "Note"', "a\nb", "S.note === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "vant",
        {**VUE, "vant": "4.10.2"},
        "<div id=app></div>",
        VUE_STATE
        + """import Vant from "vant"; import "vant/lib/index.css";
        createApp({setup: () => ({S}), template: `<van-field v-model="S.note" label="Note" type="textarea" /><van-checkbox v-model="S.box">Box</van-checkbox>
          <van-radio-group v-model="S.size"><van-radio name="s">Small</van-radio><van-radio name="l">Large</van-radio></van-radio-group><van-switch v-model="S.on" aria-label="Power" /><van-stepper v-model="S.count" /><div style="margin:20px"><van-slider v-model="S.vol" /></div><van-rate v-model="S.stars" />`}).use(Vant).mount("#app");""",
        [
            T('textbox "Note"', "a\nb", "S.note === 'a\\nb'"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'l'"),
            T("css=[role=switch]", "true", "S.on === true"),
            T("css=[role=spinbutton]", "12", "Number(S.count) === 12"),
            T("css=[role=slider]", "77", "S.vol === 77"),
            T("css=.van-rate [role=radio]:nth-of-type(3)", "true", "S.stars === 3"),
        ],
    ),
    WidgetPage(
        "editors",
        {"froala-editor": "5.4.0", "jodit": "4.15.13", "@toast-ui/editor": "3.2.2"},
        "<div id=a><p>old</p></div><textarea id=b>old <b>text</b></textarea><div id=c></div>",
        """import Froala from "froala-editor"; import {Jodit} from "jodit/es2021/jodit.min.js"; import "jodit/es2021/jodit.min.css"; import Toast from "@toast-ui/editor"; import "@toast-ui/editor/dist/toastui-editor.css";
        const plain = (html) => new DOMParser().parseFromString(html.replace(/<\\/(p|h2)>|<br>/g, "\\n"), "text/html").body.textContent.trim().replace(/\\u00a0/g, " ");
        const froala = new Froala("#a"), jodit = Jodit.make("#b"), toast = new Toast({el: document.getElementById("c"), initialEditType: "wysiwyg", initialValue: "old **text**", usageStatistics: false});
        window.text = {froala: () => plain(froala.html.get()), jodit: () => plain(jodit.value), toast: () => toast.getMarkdown().replace(/\\n+/g, "\\n").trim()};""",
        [
            T("css=.fr-element", "A new text (1", "text.froala() === 'A new text (1'"),
            T(
                "css=.fr-element",
                "One\nTwo",
                "text.froala().replace(/\\n+/g, '\\n') === 'One\\nTwo'",
            ),
            T("css=.jodit-wysiwyg", "A new text (1", "text.jodit() === 'A new text (1'"),
            T(
                "css=.jodit-wysiwyg",
                "One\nTwo",
                "text.jodit().replace(/\\n+/g, '\\n') === 'One\\nTwo'",
            ),
            T(
                "css=.toastui-editor-ww-container [contenteditable]",
                "A new text 1",
                "text.toast() === 'A new text 1'",
            ),
            T(
                "css=.toastui-editor-ww-container [contenteditable]",
                "One\nTwo",
                "text.toast() === 'One\\nTwo'",
            ),
        ],
    ),
    WidgetPage(
        "tdesign",
        {**REACT, "tdesign-react": "1.18.2"},
        "<div id=root></div>",
        REACT_STATE
        + """import {AutoComplete, Checkbox, DatePicker, InputNumber, Radio, Select, Slider, Switch, TagInput, Textarea, TimePicker} from "tdesign-react"; import "tdesign-react/dist/tdesign.css";
        const options = ["Apple", "Pear", "Plum"].map((value) => ({label: value, value}));
        createRoot(root).render(<div style={{width: 400, padding: 20}}>
          <Select placeholder="Fruit" options={options} onChange={put("fruit")} /><Select filterable placeholder="Found" options={options} onChange={put("found")} /><Select multiple placeholder="Fruits" options={options} onChange={put("fruits")} /><AutoComplete placeholder="Town" options={["Bern", "Bonn"]} onChange={put("town")} />
          <InputNumber defaultValue={1} onChange={put("count")} /><DatePicker placeholder="Day" onChange={put("day")} /><TimePicker placeholder="Hour" onChange={put("hour")} /><Slider defaultValue={20} onChange={put("level")} /><Switch onChange={put("on")} /><Checkbox onChange={put("box")}>Box</Checkbox>
          <Radio.Group onChange={put("size")}><Radio value="s">Small</Radio><Radio value="l">Large</Radio></Radio.Group><Textarea placeholder="Note" onChange={put("note")} />
        </div>);""",
        [
            T('css=[placeholder="Fruit"]', "Plum", "S.fruit === 'Plum'"),
            T('css=[placeholder="Found"]', "Pear", "S.found === 'Pear'"),
            T(
                'css=[placeholder="Fruits"]',
                '["Apple", "Plum"]',
                "S.fruits.join() === 'Apple,Plum'",
            ),
            T('css=[placeholder="Town"]', "Bonn", "S.town === 'Bonn'"),
            T("css=.t-input-number input", "12", "Number(S.count) === 12"),
            T('css=[placeholder="Day"]', "2027-01-20", "S.day === '2027-01-20'"),
            T("css=.t-slider__button", "77", "S.level === 77"),
            T("css=.t-switch", "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'l'"),
            T('css=[placeholder="Note"]', "a\nb", "S.note === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "syncfusion",
        {f"@syncfusion/ej2-{part}": "34.2.8" for part in SYNCFUSION},
        "<input id=a><input id=b><input id=c><input id=d><input id=e><div id=f></div><input id=g type=checkbox><input id=h type=checkbox><input id=i type=radio><input id=j type=radio><textarea id=k></textarea>",
        """import {ComboBox, DropDownList, MultiSelect} from "@syncfusion/ej2-dropdowns"; import {CheckBox, RadioButton, Switch} from "@syncfusion/ej2-buttons"; import {NumericTextBox, Slider, TextArea} from "@syncfusion/ej2-inputs"; import {DatePicker} from "@syncfusion/ej2-calendars";
        import "@syncfusion/ej2-base/styles/material.css"; import "@syncfusion/ej2-buttons/styles/material.css"; import "@syncfusion/ej2-popups/styles/material.css"; import "@syncfusion/ej2-inputs/styles/material.css"; import "@syncfusion/ej2-lists/styles/material.css"; import "@syncfusion/ej2-dropdowns/styles/material.css"; import "@syncfusion/ej2-calendars/styles/material.css";
        const fruits = ["Apple", "Pear", "Plum"], own = window.own = {};
        const add = (id, widget) => { widget.appendTo("#" + id); own[id] = widget; };
        add("a", new DropDownList({dataSource: fruits, placeholder: "Fruit"})); add("b", new ComboBox({dataSource: fruits, placeholder: "Found"})); add("c", new MultiSelect({dataSource: fruits, placeholder: "Fruits"})); add("d", new NumericTextBox({value: 1, placeholder: "Count"})); add("e", new DatePicker({placeholder: "Day"}));
        add("f", new Slider({value: 30})); add("g", new CheckBox({label: "Box"})); add("h", new Switch({})); add("i", new RadioButton({label: "Small", name: "s"})); add("j", new RadioButton({label: "Large", name: "s"})); add("k", new TextArea({placeholder: "Note"}));""",
        [
            T(
                "css=#a",
                "Plum",
                "own.a.value === 'Plum'",
            ),
            T("css=#b", "Pear", "own.b.value === 'Pear'"),
            T(
                'combobox "multiselect"',
                '["Apple", "Plum"]',
                "own.c.value?.join() === 'Apple,Plum'",
            ),
            T("css=#d", "12", "own.d.value === 12"),
            T("css=#e", "1/20/2027", "own.e.value?.toDateString() === 'Wed Jan 20 2027'"),
            T("css=#f [role=slider]", "77", "own.f.value === 77"),
            T("css=#g", "true", "own.g.checked"),
            T("css=#h", "true", "own.h.checked"),
            T("css=#j", "true", "own.j.checked"),
            T("css=#k", "a\nb", "own.k.value === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "ark-ui",
        {"react": "19.3.1", "react-dom": "19.3.1", "@ark-ui/react": "5.39.2"},
        "<div id=root></div>",
        REACT_STATE
        + """import {Checkbox, Combobox, NumberInput, Portal, RadioGroup, Select, Slider, Switch, createListCollection} from "@ark-ui/react";
        const list = createListCollection({items: ["Apple", "Pear", "Plum"]}), square = {display: "inline-block", width: 20, height: 20, background: "#ccc"};
        createRoot(root).render(<main>
          <Select.Root collection={list} onValueChange={(e) => put("fruit")(e.value[0])}><Select.Label>Fruit</Select.Label><Select.Control><Select.Trigger><Select.ValueText placeholder="Choose" /></Select.Trigger></Select.Control><Portal><Select.Positioner><Select.Content>{list.items.map((item) => <Select.Item key={item} item={item}><Select.ItemText>{item}</Select.ItemText></Select.Item>)}</Select.Content></Select.Positioner></Portal><Select.HiddenSelect /></Select.Root>
          <Combobox.Root collection={list} onValueChange={(e) => put("found")(e.value[0])}><Combobox.Label>Found</Combobox.Label><Combobox.Control><Combobox.Input /></Combobox.Control><Portal><Combobox.Positioner><Combobox.Content>{list.items.map((item) => <Combobox.Item key={item} item={item}><Combobox.ItemText>{item}</Combobox.ItemText></Combobox.Item>)}</Combobox.Content></Combobox.Positioner></Portal></Combobox.Root>
          <NumberInput.Root defaultValue="1" onValueChange={(e) => put("count")(e.valueAsNumber)}><NumberInput.Label>Count</NumberInput.Label><NumberInput.Input /></NumberInput.Root><Checkbox.Root onCheckedChange={(e) => put("box")(e.checked)}><Checkbox.Label>Box</Checkbox.Label><Checkbox.Control style={square} /><Checkbox.HiddenInput /></Checkbox.Root><Switch.Root onCheckedChange={(e) => put("on")(e.checked)}><Switch.Control style={square}><Switch.Thumb /></Switch.Control><Switch.Label>Power</Switch.Label><Switch.HiddenInput /></Switch.Root>
          <RadioGroup.Root onValueChange={(e) => put("size")(e.value)}>{["Small", "Large"].map((item) => <RadioGroup.Item key={item} value={item}><RadioGroup.ItemText>{item}</RadioGroup.ItemText><RadioGroup.ItemControl style={square} /><RadioGroup.ItemHiddenInput /></RadioGroup.Item>)}</RadioGroup.Root>
          <Slider.Root defaultValue={[30]} onValueChange={(e) => put("level")(e.value[0])}><Slider.Label>Volume</Slider.Label><Slider.Control style={{width: 200, height: 20, position: "relative"}}><Slider.Track><Slider.Range /></Slider.Track><Slider.Thumb index={0} style={square}><Slider.HiddenInput /></Slider.Thumb></Slider.Control></Slider.Root></main>);""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'Plum'"),
            T('combobox "Found"', "Pear", "S.found === 'Pear'"),
            T('spinbutton "Count"', "12", "S.count === 12"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('checkbox "Power"', "true", "S.on === true"),
            T('radio "Large"', "true", "S.size === 'Large'"),
            T("css=[role=slider]", "77", "S.level === 77"),
        ],
    ),
]
