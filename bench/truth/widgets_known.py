"""Known widgets: tasks on libraries that filling was developed with."""

from __future__ import annotations

from bench.truth.widget_tasks import REACT, WidgetPage, WidgetTask

T = WidgetTask

JQUERY = {"jquery": "3.7.1"}
COLOURS = "<option value=r>Red<option value=g>Green<option value=b>Blue<option value=y>Yellow"
CODE = "function f(a) {\n  if (a) {\n    return [1, 2];\n  }\n}"
CODE_JS = CODE.replace("\n", "\\n")
MANY = "\n".join(f"line {number} of the text" for number in range(200))
MANY_JS = "Array.from({length: 200}, (_, n) => `line ${n} of the text`).join('\\n')"

PAGES = [
    WidgetPage(
        "jquery-ui",
        {**JQUERY, "jquery-ui": "1.14.2"},
        f"""<label>Count <input id=spin value=1></label>
        <label for=menu>Colour</label><select id=menu>{COLOURS}</select>
        <label>Day <input id=day></label> <label>Fixed day <input id=fixed readonly></label>
        <label>Town <input id=town></label>
        <label for=check>Fast</label><input type=checkbox id=check>""",
        """import $ from "jquery"; window.jQuery = window.$ = $;
        await import("jquery-ui/dist/jquery-ui.js");
        import "jquery-ui/dist/themes/base/jquery-ui.css";
        $("#spin").spinner({min: 0, max: 50}); $("#menu").selectmenu();
        $("#day, #fixed").datepicker(); $("#check").checkboxradio();
        $("#town").autocomplete({source: ["Berlin", "Bern", "Bonn"]});""",
        [
            T('spinbutton "Count"', "7", "$('#spin').spinner('value') === 7"),
            T(
                "css=#menu-button",
                "Blue",
                "$('#menu').val() === 'b' && $('#menu-button').text().includes('Blue')",
            ),
            T(
                'textbox "Day"',
                "11/20/2026",
                "+$('#day').datepicker('getDate') === +new Date(2026, 10, 20)",
            ),
            T(
                'textbox "Fixed day"',
                "2027-02-03",
                "+$('#fixed').datepicker('getDate') === +new Date(2027, 1, 3)",
            ),
            T('textbox "Town"', "Bern", "$('#town').val() === 'Bern'"),
            T('checkbox "Fast"', "true", "$('#check').prop('checked')"),
        ],
    ),
    WidgetPage(
        "nouislider",
        {"nouislider": "15.8.1"},
        """<style>body{padding:40px}.h{width:300px;margin:30px}.v{height:200px}</style>
        <div id=a class=h></div><div id=b class=h></div><div id=c class=v></div><div id=d class=h></div>
        <div id=e class=h></div>""",
        """import slider from "nouislider"; import "nouislider/dist/nouislider.css";
        const make = (id, o) => window[id + "_"] = slider.create(document.getElementById(id), o);
        make("a", {start: 20, step: 1, range: {min: 0, max: 100}, handleAttributes: [{"aria-label": "Volume"}]});
        make("b", {start: [20, 80], step: 5, connect: true, range: {min: 0, max: 100},
          handleAttributes: [{"aria-label": "From"}, {"aria-label": "To"}]});
        make("c", {start: 3, step: .5, orientation: "vertical", range: {min: 0, max: 10}, handleAttributes: [{"aria-label": "Height"}]});
        make("d", {start: 500, step: 10, range: {min: 0, max: 100000}, handleAttributes: [{"aria-label": "Price"}]});
        make("e", {start: 10, range: {min: [0, 1], "50%": [100, 10], max: 1000}, handleAttributes: [{"aria-label": "Uneven"}]});""",
        [
            T('slider "Volume"', "63", "+a_.get() === 63"),
            T('slider "Volume"', "0", "+a_.get() === 0"),
            T('slider "From"', "45", "b_.get().map(Number).join() === '45,80'"),
            T('slider "To"', "30", "b_.get().map(Number).join() === '20,30'"),
            T('slider "Height"', "7.5", "+c_.get() === 7.5"),
            T('slider "Price"', "54320", "+d_.get() === 54320"),
            T('slider "Uneven"', "250", "+e_.get() === 250"),
        ],
    ),
    WidgetPage(
        "flatpickr",
        {"flatpickr": "4.6.13"},
        """<label>Day <input id=a></label> <label>Moment <input id=b></label>
        <label>Typed <input id=c></label> <label>Pretty <input id=d></label>""",
        """import flatpickr from "flatpickr"; import "flatpickr/dist/flatpickr.css";
        window.a_ = flatpickr("#a"); window.b_ = flatpickr("#b", {enableTime: true, time_24hr: true});
        window.c_ = flatpickr("#c", {allowInput: true}); window.d_ = flatpickr("#d", {altInput: true, altFormat: "F j, Y"});
        window.day = (p) => p.selectedDates[0] && flatpickr.formatDate(p.selectedDates[0], "Y-m-d");
        addEventListener("message", () => document.activeElement.blur());""",
        [
            T('textbox "Day"', "2026-12-24", "day(a_) === '2026-12-24'"),
            T('textbox "Day"', "2028-02-29", "day(a_) === '2028-02-29'"),
            T('textbox "Moment"', "2026-11-05", "day(b_) === '2026-11-05'"),
            T(
                'textbox "Typed"',
                "2026-12-24",
                "document.getElementById('c').value === '2026-12-24'",
            ),
            T("css=.input:not(#d)", "2027-01-15", "day(d_) === '2027-01-15'"),
        ],
    ),
    WidgetPage(
        "choices",
        {"choices.js": "11.2.4"},
        f"""<label for=a>Colour</label><select id=a>{COLOURS}</select>
        <label for=b>Colours</label><select id=b multiple>{COLOURS}</select>""",
        """import Choices from "choices.js"; import "choices.js/public/assets/styles/choices.css";
        window.a_ = new Choices("#a", {searchEnabled: false, labelId: "x", shouldSort: false});
        window.b_ = new Choices("#b", {removeItemButton: true});
        window.shown = (id) => [...document.getElementById(id).closest(".choices").querySelectorAll(".choices__list--single .choices__item, .choices__list--multiple .choices__item")].map((e) => e.firstChild.textContent.trim()).join();""",
        [
            T("css=#a", "Blue", "a_.getValue(true) === 'b' && shown('a') === 'Blue'"),
            T(
                "css=.choices[data-type=select-one]",
                "Yellow",
                "a_.getValue(true) === 'y' && shown('a') === 'Yellow'",
            ),
            T(
                "css=#b",
                '["Red", "Yellow"]',
                "b_.getValue(true).join() === 'r,y' && shown('b') === 'Red,Yellow'",
            ),
            T(
                "css=.choices[data-type=select-multiple] input",
                "Green",
                "b_.getValue(true).join() === 'g'",
            ),
        ],
    ),
    WidgetPage(
        "select2",
        {**JQUERY, "select2": "4.0.13"},
        f"""<label for=a>Colour</label><select id=a style="width:200px">{COLOURS}</select>
        <label for=b>Colours</label><select id=b multiple style="width:200px">{COLOURS}</select>
        <label for=c>Plain</label><select id=c style="width:200px">{COLOURS}</select>""",
        """import $ from "jquery"; window.jQuery = window.$ = $;
        import factory from "select2"; import "select2/dist/css/select2.css";
        if (!$.fn.select2) factory(window, $);
        $("#a").select2(); $("#b").select2(); $("#c").select2({minimumResultsForSearch: Infinity});
        window.shown = (id) => $("#" + id).next().find(".select2-selection__rendered").text();""",
        [
            T("css=#a", "Blue", "$('#a').val() === 'b' && shown('a').includes('Blue')"),
            T(
                "css=[aria-labelledby=select2-a-container]",
                "Green",
                "$('#a').val() === 'g' && shown('a').includes('Green')",
            ),
            T("css=[aria-labelledby=select2-c-container]", "Yellow", "$('#c').val() === 'y'"),
            T(
                "css=#b",
                '["Red", "Blue"]',
                "$('#b').val().join() === 'r,b' && /Red.*Blue/.test(shown('b'))",
            ),
            T("css=#b + span [role=combobox]", "Green", "$('#b').val().join() === 'g'"),
        ],
    ),
    WidgetPage(
        "tom-select",
        {"tom-select": "2.6.2"},
        f"""<label for=a>Colour</label><select id=a>{COLOURS}</select>
        <label for=b>Colours</label><select id=b multiple>{COLOURS}</select>
        <label for=c>Tags</label><input id=c>
        <label for=d>Late</label><select id=d></select>""",
        """import TomSelect from "tom-select"; import "tom-select/dist/css/tom-select.css";
        window.a_ = new TomSelect("#a"); window.b_ = new TomSelect("#b");
        window.c_ = new TomSelect("#c", {create: true});
        window.d_ = new TomSelect("#d", {valueField: "v", labelField: "v", searchField: "v",
          load: (query, done) => setTimeout(() => done(["Ada", "Adam", "Eve"].map((v) => ({v}))), 250)});""",
        [
            T("css=#a", "Blue", "a_.getValue() === 'b' && a_.control.textContent.includes('Blue')"),
            T("css=#a-ts-control", "Green", "a_.getValue() === 'g'"),
            T(
                "css=#b",
                '["Red", "Blue"]',
                "b_.getValue().join() === 'r,b' && /Red.*Blue/.test(b_.control.textContent)",
            ),
            T("css=#b-ts-control", '["Red", "Yellow"]', "b_.getValue().join() === 'r,y'"),
            T("css=#d-ts-control", "Adam", "d_.getValue() === 'Adam'"),
        ],
    ),
    WidgetPage(
        "codemirror5",
        {"codemirror5": "npm:codemirror@5.65.21"},
        """<div id=a></div><div id=b></div>""",
        """import CM from "codemirror5"; import "codemirror5/lib/codemirror.css";
        import "codemirror5/mode/javascript/javascript.js"; import "codemirror5/addon/edit/closebrackets.js";
        window.a_ = CM(a, {value: "old text\\nsecond", lineNumbers: true, mode: "javascript", autoCloseBrackets: true});
        window.b_ = CM(b, {value: "x = 1", lineWrapping: true});""",
        [
            T("css=#a textarea", "var x = (1", "a_.getValue() === 'var x = (1'"),
            T("css=#a textarea", CODE, f"a_.getValue() === `{CODE_JS}`"),
            T("css=#b textarea", MANY, f"b_.getValue() === {MANY_JS}"),
            T("css=#b textarea", "", "b_.getValue() === ''"),
        ],
    ),
    WidgetPage(
        "codemirror6",
        {"codemirror": "6.0.1", "@codemirror/lang-javascript": "6.2.2"},
        """<div id=a></div>""",
        """import {EditorView, basicSetup} from "codemirror"; import {javascript} from "@codemirror/lang-javascript";
        window.a_ = new EditorView({doc: Array.from({length: 300}, (_, n) => "old " + n).join("\\n"),
          extensions: [basicSetup, javascript(), EditorView.theme({"&": {height: "200px"}, ".cm-scroller": {overflow: "auto"}})], parent: a});
        window.text = () => a_.state.doc.toString();""",
        [
            T("css=.cm-content", "var x = (1", "text() === 'var x = (1'"),
            T("css=.cm-content", CODE, f"text() === `{CODE_JS}`"),
            T("css=.cm-content", MANY, f"text() === {MANY_JS}"),
            T("css=.cm-content", "", "text() === ''"),
        ],
    ),
    WidgetPage(
        "ace",
        {"ace-builds": "1.45.2"},
        """<div id=a style="height:200px;width:500px">old text\nsecond line</div>""",
        """import ace from "ace-builds"; import "ace-builds/src-noconflict/mode-javascript";
        window.a_ = ace.edit("a", {mode: "ace/mode/javascript", useWorker: false});""",
        [
            T("css=#a textarea", "var x = (1", "a_.getValue() === 'var x = (1'"),
            T("css=#a textarea", CODE, f"a_.getValue() === `{CODE_JS}`"),
            T("css=#a textarea", MANY, f"a_.getValue() === {MANY_JS}"),
            T("css=#a textarea", "", "a_.getValue() === ''"),
        ],
    ),
    WidgetPage(
        "quill",
        {"quill": "2.0.3"},
        """<div id=a><p>old <b>bold</b> text</p><ul><li>item</li></ul></div>""",
        """import Quill from "quill"; import "quill/dist/quill.snow.css";
        window.a_ = new Quill("#a", {theme: "snow"}); window.text = () => a_.getText().trimEnd();""",
        [
            T("css=.ql-editor", "A new text (1", "text() === 'A new text (1'"),
            T("css=.ql-editor", "One\nTwo\nThree", "text() === 'One\\nTwo\\nThree'"),
        ],
    ),
    WidgetPage(
        "tiptap",
        {"@tiptap/core": "3.33.1", "@tiptap/starter-kit": "3.33.1", "@tiptap/pm": "3.33.1"},
        """<div id=a></div>""",
        """import {Editor} from "@tiptap/core"; import Kit from "@tiptap/starter-kit";
        window.a_ = new Editor({element: a, extensions: [Kit], content: "<h1>Old</h1><p>text</p><ul><li>item</li></ul>"});
        window.text = () => a_.getText({blockSeparator: "\\n"}).trimEnd();""",
        [
            T("css=.tiptap", "A new text (1", "text() === 'A new text (1'"),
            T("css=.tiptap", "One\nTwo\nThree", "text() === 'One\\nTwo\\nThree'"),
            T("css=.tiptap", "", "text().trim() === ''"),
        ],
    ),
    WidgetPage(
        "slate",
        {**REACT, "slate": "0.146.0", "slate-react": "0.146.1"},
        """<div id=root></div>""",
        """import React, {useState} from "react"; import {createRoot} from "react-dom/client";
        import {createEditor, Node} from "slate"; import {Slate, Editable, withReact} from "slate-react";
        function App() {
          const [editor] = useState(() => withReact(createEditor()));
          window.text = () => editor.children.map((n) => Node.string(n)).join("\\n");
          return <Slate editor={editor} initialValue={[{type: "p", children: [{text: "old text"}]}, {type: "p", children: [{text: "second"}]}]}>
            <Editable aria-label="Note" /></Slate>;
        }
        createRoot(root).render(<App />);""",
        [
            T('textbox "Note"', "A new text (1", "text() === 'A new text (1'"),
            T('textbox "Note"', "One\nTwo\nThree", "text() === 'One\\nTwo\\nThree'"),
        ],
    ),
    WidgetPage(
        "trix",
        {"trix": "2.1.19"},
        """<input id=x type=hidden value="<div>old <b>text</b></div>"><trix-editor input=x></trix-editor>""",
        """import "trix"; import "trix/dist/trix.css";
        window.text = () => document.querySelector("trix-editor").editor.getDocument().toString().trimEnd();""",
        [
            T("css=trix-editor", "A new text (1", "text() === 'A new text (1'"),
            T("css=trix-editor", "One\nTwo", "text() === 'One\\nTwo'"),
        ],
    ),
    WidgetPage(
        "mui",
        {
            **REACT,
            "@mui/material": "6.4.0",
            "@emotion/react": "11.14.0",
            "@emotion/styled": "11.14.0",
        },
        """<div id=root></div>""",
        """import React, {useState} from "react"; import {createRoot} from "react-dom/client";
        import {Select, MenuItem, InputLabel, FormControl, Autocomplete, TextField, Slider, Switch, Checkbox,
          FormControlLabel, Radio, RadioGroup, Rating} from "@mui/material";
        const S = window.S = {age: "", ages: [], town: null, towns: [], free: null, vol: 30, range: [20, 60], on: false, many: null};
        const towns = ["Berlin", "Bern", "Bonn", "Basel"];
        const many = Array.from({length: 500}, (_, n) => "Item " + n);
        function App() {
          const [, draw] = useState(0);
          const set = (key) => (value) => { S[key] = value; draw((n) => n + 1); };
          return <div style={{width: 400, padding: 30}}>
            <FormControl fullWidth><InputLabel id="l1">Age</InputLabel>
              <Select labelId="l1" label="Age" value={S.age} onChange={(e) => set("age")(e.target.value)}>
                {["Ten", "Twenty", "Thirty"].map((v) => <MenuItem key={v} value={v}>{v}</MenuItem>)}</Select></FormControl>
            <FormControl fullWidth><InputLabel id="l2">Ages</InputLabel>
              <Select multiple labelId="l2" label="Ages" value={S.ages} onChange={(e) => set("ages")(e.target.value)}>
                {["Ten", "Twenty", "Thirty"].map((v) => <MenuItem key={v} value={v}>{v}</MenuItem>)}</Select></FormControl>
            <Autocomplete options={towns} value={S.town} onChange={(_, v) => set("town")(v)} renderInput={(p) => <TextField {...p} label="Town" />} />
            <Autocomplete multiple options={towns} value={S.towns} onChange={(_, v) => set("towns")(v)} renderInput={(p) => <TextField {...p} label="Towns" />} />
            <Autocomplete freeSolo options={towns} onInputChange={(_, v) => set("free")(v)} renderInput={(p) => <TextField {...p} label="Free" />} />
            <Autocomplete options={many} value={S.many} onChange={(_, v) => set("many")(v)} renderInput={(p) => <TextField {...p} label="Many" />} />
            <Slider aria-label="Volume" value={S.vol} onChange={(_, v) => set("vol")(v)} />
            <Slider getAriaLabel={(i) => ["Low", "High"][i]} value={S.range} step={10} onChange={(_, v) => set("range")(v)} />
            <FormControlLabel control={<Switch checked={S.on} onChange={(e, v) => setTimeout(() => set("on")(v), 80)} />} label="Late" />
            <FormControlLabel control={<Checkbox onChange={(_, v) => set("box")(v)} />} label="Box" />
            <RadioGroup aria-label="Size" onChange={(_, v) => set("size")(v)}>
              <FormControlLabel value="s" control={<Radio />} label="Small" /><FormControlLabel value="l" control={<Radio />} label="Large" /></RadioGroup>
            <TextField label="Note" multiline rows={3} onChange={(e) => set("note")(e.target.value)} />
          </div>;
        }
        createRoot(root).render(<App />);""",
        [
            T('combobox "Age"', "Twenty", "S.age === 'Twenty'"),
            T('combobox "Ages"', '["Ten", "Thirty"]', "S.ages.join() === 'Ten,Thirty'"),
            T('combobox "Town"', "Bern", "S.town === 'Bern'"),
            T('combobox "Towns"', '["Bonn", "Basel"]', "S.towns.join() === 'Bonn,Basel'"),
            T('combobox "Free"', "Hamburg", "S.free === 'Hamburg'"),
            T('combobox "Many"', "Item 417", "S.many === 'Item 417'"),
            T('slider "Volume"', "71", "S.vol === 71"),
            T('slider "High"', "90", "S.range.join() === '20,90'"),
            T('checkbox "Late"', "true", "S.on === true"),
            T('checkbox "Box"', "true", "S.box === true"),
            T('radio "Large"', "true", "S.size === 'l'"),
            T('radiogroup "Size"', "Small", "S.size === 's'"),
            T('textbox "Note"', "a\nb", "S.note === 'a\\nb'"),
        ],
    ),
    WidgetPage(
        "mui-dates",
        {
            **REACT,
            "@mui/material": "9.5.0",
            "@emotion/react": "11.14.0",
            "@emotion/styled": "11.14.1",
            "@mui/x-date-pickers": "9.17.0",
            "dayjs": "1.11.23",
        },
        """<div id=root></div>""",
        """import React from "react"; import {createRoot} from "react-dom/client"; import dayjs from "dayjs";
        import {AdapterDayjs} from "@mui/x-date-pickers/AdapterDayjs";
        import {LocalizationProvider, DatePicker, MobileDatePicker, TimeField, DateCalendar} from "@mui/x-date-pickers";
        const S = window.S = {}; const put = (k, f) => (v) => { S[k] = v && v.format(f); };
        createRoot(root).render(<LocalizationProvider dateAdapter={AdapterDayjs}><div style={{padding: 30}}>
          <DatePicker label="Start" onChange={put("start", "YYYY-MM-DD")} />
          <MobileDatePicker label="End" defaultValue={dayjs("2026-11-16")} onChange={put("end", "YYYY-MM-DD")} slotProps={{actionBar: {actions: []}}} />
          <TimeField label="Time" ampm={false} onChange={put("time", "HH:mm")} />
          </div></LocalizationProvider>);""",
        [
            T('textbox "Start"', "12/24/2026", "S.start === '2026-12-24'"),
            T('textbox "End"', "2027-01-09", "S.end === '2027-01-09'"),
            T('textbox "Time"', "14:35", "S.time === '14:35'"),
        ],
    ),
    WidgetPage(
        "radix",
        {**REACT, "radix-ui": "1.8.1"},
        """<div id=root></div>""",
        """import React from "react"; import {createRoot} from "react-dom/client";
        import {Select, Slider, Switch, Checkbox, RadioGroup, ToggleGroup, Toggle} from "radix-ui";
        const S = window.S = {}; const put = (k) => (v) => { S[k] = v; };
        const Item = (v) => <Select.Item key={v} value={v.toLowerCase()}><Select.ItemText>{v}</Select.ItemText></Select.Item>;
        const box = {display: "flex", alignItems: "center", position: "relative", width: 200, height: 20, margin: 20};
        const Drag = ({label, ...p}) => <Slider.Root style={box} {...p}><Slider.Track style={{background: "#ccc", height: 4, flexGrow: 1}}><Slider.Range /></Slider.Track>
          {(p.defaultValue).map((_, i) => <Slider.Thumb key={i} aria-label={label + i} style={{display: "block", width: 16, height: 16, background: "#333"}} />)}</Slider.Root>;
        createRoot(root).render(<div style={{padding: 30}}>
          <Select.Root onValueChange={put("fruit")}><Select.Trigger aria-label="Fruit"><Select.Value placeholder="Choose" /></Select.Trigger>
            <Select.Portal><Select.Content><Select.Viewport>{["Apple", "Pear", "Plum"].map(Item)}</Select.Viewport></Select.Content></Select.Portal></Select.Root>
          <Select.Root onValueChange={put("long")}><Select.Trigger aria-label="Long"><Select.Value placeholder="Choose" /></Select.Trigger>
            <Select.Portal><Select.Content position="popper"><Select.Viewport style={{maxHeight: 150}}>{Array.from({length: 120}, (_, n) => "Entry " + n).map(Item)}</Select.Viewport></Select.Content></Select.Portal></Select.Root>
          <Drag label="v" defaultValue={[30]} onValueChange={put("vol")} />
          <Drag label="r" defaultValue={[20, 60]} step={10} onValueChange={put("range")} />
          <Switch.Root aria-label="Power" onCheckedChange={put("power")} style={{width: 40, height: 20}}><Switch.Thumb /></Switch.Root>
          <Checkbox.Root aria-label="Terms" onCheckedChange={put("terms")} style={{width: 20, height: 20}}><Checkbox.Indicator>x</Checkbox.Indicator></Checkbox.Root>
          <RadioGroup.Root aria-label="Size" onValueChange={put("size")}>{["S", "M"].map((v) => <RadioGroup.Item key={v} value={v} aria-label={v} style={{width: 20, height: 20}} />)}</RadioGroup.Root>
          <Toggle.Root aria-label="Bold" onPressedChange={put("bold")}>B</Toggle.Root>
        </div>);""",
        [
            T('combobox "Fruit"', "Plum", "S.fruit === 'plum'"),
            T('combobox "Long"', "Entry 97", "S.long === 'entry 97'"),
            T('slider "v0"', "85", "S.vol.join() === '85'"),
            T('slider "r1"', "40", "S.range.join() === '20,40'"),
            T('switch "Power"', "true", "S.power === true"),
            T('checkbox "Terms"', "true", "S.terms === true"),
            T('radio "M"', "true", "S.size === 'M'"),
            T('radiogroup "Size"', "M", "S.size === 'M'"),
            T('button "Bold"', "true", "S.bold === true"),
        ],
    ),
    WidgetPage(
        "others",
        {
            **JQUERY,
            "slim-select": "3.6.1",
            "pikaday": "1.8.2",
            "bootstrap-datepicker": "1.10.1",
            "inputmask": "5.0.10",
        },
        f"""<select id=a>{COLOURS}</select> <label>Day <input id=b readonly></label> <label>Date <input id=c readonly></label>
        <label>Phone <input id=d></label>""",
        """import $ from "jquery"; window.jQuery = window.$ = $;
        import Slim from "slim-select"; import "slim-select/styles"; import Pikaday from "pikaday"; import "pikaday/css/pikaday.css";
        await import("bootstrap-datepicker"); import "bootstrap-datepicker/dist/css/bootstrap-datepicker3.standalone.css";
        import Inputmask from "inputmask";
        window.a_ = new Slim({select: "#a"}); window.b_ = new Pikaday({field: document.getElementById("b")});
        $("#c").datepicker({autoclose: true}); Inputmask("(999) 999-9999").mask("#d");""",
        [
            T(
                "css=#a",
                "Blue",
                "a_.getSelected().join() === 'b' && document.querySelector('.ss-main').textContent.includes('Blue')",
            ),
            T("css=.ss-main", "Green", "a_.getSelected().join() === 'g'"),
            T(
                'textbox "Day"',
                "2027-03-08",
                "b_.toString('YYYY-MM-DD') && b_.getDate().toDateString() === 'Mon Mar 08 2027'",
            ),
            T(
                'textbox "Date"',
                "2026-09-30",
                "$('#c').datepicker('getDate').toDateString() === 'Wed Sep 30 2026'",
            ),
            T(
                'textbox "Phone"',
                "5551234567",
                "document.getElementById('d').value === '(555) 123-4567'",
            ),
        ],
    ),
    WidgetPage(
        "native",
        {},
        f"""<input type=range id=r aria-label=Range min=0 max=10 step=0.5><input type=color id=c aria-label=Colour>
        <input type=date id=d aria-label=Date><input type=time id=t aria-label=Time><input type=month id=m aria-label=Month>
        <input type=week id=w aria-label=Week><input type=datetime-local id=l aria-label=Local>
        <select multiple id=s aria-label=Several>{COLOURS}</select><input list=x id=i aria-label=Town><datalist id=x><option>Bern</datalist>
        <div contenteditable id=e aria-label=Text role=textbox>old<br>text</div>""",
        "",
        [
            T('slider "Range"', "7.5", "r.value === '7.5'"),
            T('ColorWell "Colour"', "#FF8800", "c.value === '#ff8800'"),
            T('Date "Date"', "2026-12-24", "d.value === '2026-12-24'"),
            T('InputTime "Time"', "14:35", "t.value === '14:35'"),
            T('DateTime "Month"', "2026-12", "m.value === '2026-12'"),
            T('DateTime "Week"', "2026-W51", "w.value === '2026-W51'"),
            T('DateTime "Local"', "2026-12-24T18:30", "l.value === '2026-12-24T18:30'"),
            T(
                'listbox "Several"',
                '["Red", "Blue"]',
                "[...s.selectedOptions].map((o) => o.text).join() === 'Red,Blue'",
            ),
            T('combobox "Town"', "Bern", "i.value === 'Bern'"),
            T('textbox "Text"', "One\nTwo", "e.innerText.trim() === 'One\\nTwo'"),
        ],
    ),
]
