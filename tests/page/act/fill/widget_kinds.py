"""Kinds of widgets: a small page for each kind that the web has, without any library."""

from __future__ import annotations

from bench.truth.widget_tasks import WidgetPage, WidgetTask

T = WidgetTask

# Pages share the state that a task is judged by.
STATE = "<script>const S = window.S = {}; const $ = (q) => document.querySelector(q), $$ = (q) => [...document.querySelectorAll(q)];</script>"


def page(name: str, html: str, *tasks: WidgetTask) -> WidgetPage:
    """A page of plain HTML."""
    return WidgetPage(
        name, {}, f"<!doctype html><meta charset=utf-8><body>{STATE}{html}", "", list(tasks)
    )


PAGES = [
    page(
        "masked-on-input",
        """<label>Phone <input id=f placeholder="(___) ___-____"></label><script>
        f.oninput = () => { const d = f.value.replace(/\\D/g, "").slice(0, 10);
          f.value = d.length > 6 ? `(${d.slice(0,3)}) ${d.slice(3,6)}-${d.slice(6)}` : d.length > 3 ? `(${d.slice(0,3)}) ${d.slice(3)}` : d; S.v = f.value }</script>""",
        T('textbox "Phone"', "5551234567", "f.value === '(555) 123-4567'"),
        T('textbox "Phone"', "(555) 123-4567", "f.value === '(555) 123-4567'"),
    ),
    page(
        "masked-by-keys",
        # Old masks hold keys back and write themselves.
        """<label>Day <input id=f></label><script>
        const mask = "__/__/____"; let d = "";
        const draw = () => { let n = 0; f.value = mask.replace(/_/g, () => d[n++] ?? "_"); const at = f.value.indexOf("_"); f.setSelectionRange(at < 0 ? 10 : at, at < 0 ? 10 : at) };
        f.onfocus = () => setTimeout(draw);
        f.onkeydown = (e) => { if (e.ctrlKey || e.key === "Tab") return; const all = f.selectionEnd - f.selectionStart === f.value.length;
          if (e.key === "Backspace" || e.key === "Delete") { d = all ? "" : d.slice(0, -1); e.preventDefault(); draw() } };
        f.onkeypress = (e) => { e.preventDefault(); if (!/\\d/.test(e.key)) return; if (f.selectionEnd - f.selectionStart === f.value.length) d = ""; if (d.length < 8) d += e.key; draw() };
        f.addEventListener("beforeinput", (e) => e.preventDefault());</script>""",
        T('textbox "Day"', "12/24/2026", "f.value === '12/24/2026'"),
        T('textbox "Day"', "12242026", "f.value === '12/24/2026'"),
    ),
    page(
        "money",
        # Shows a value with separators when it is left.
        """<label>Price <input id=f value="1,000.00"></label><script>
        f.onfocus = () => { f.value = f.value.replace(/,/g, "") };
        f.onblur = () => { S.v = Number(f.value.replace(/,/g, "")); f.value = S.v.toLocaleString("en", {minimumFractionDigits: 2}) }</script>""",
        T('textbox "Price"', "2500.5", "S.v === 2500.5 || f.value === '2500.5'"),
    ),
    page(
        "cents",
        # Digits come in from the right.
        """<label>Amount <input id=f value="0.00"></label><script>
        f.oninput = () => { const d = f.value.replace(/\\D/g, "").replace(/^0+/, "").padStart(3, "0"); f.value = `${d.slice(0, -2)}.${d.slice(-2)}` }</script>""",
        T('textbox "Amount"', "12.34", "f.value === '12.34'"),
    ),
    page(
        "phone-with-countries",
        """<div class=tel><button id=c type=button aria-haspopup=listbox aria-expanded=false aria-label="Country: United States +1"><span class=flag>US</span></button><input type=tel id=f aria-label=Number></div>
        <ul id=l role=listbox hidden style="height:80px;overflow:auto"></ul><script>
        const all = [["Germany (Deutschland)", "+49"], ["Guernsey", "+44"], ["Switzerland (Schweiz)", "+41"], ["United States", "+1"]];
        l.innerHTML = all.map(([n, p]) => `<li role=option><span class=flag></span><span class=name>${n}</span><span class=code>${p}</span></li>`).join("");
        c.onclick = () => { l.hidden = !l.hidden; c.ariaExpanded = String(!l.hidden) };
        l.onclick = (e) => { const o = e.target.closest("li"), [n, p] = all[[...l.children].indexOf(o)]; S.c = p; c.ariaLabel = `Country: ${n} ${p}`; l.hidden = true; c.ariaExpanded = "false"; f.value = p + " "; f.focus() }</script>""",
        T('button "Country"', "Guernsey", "S.c === '+44'"),
        T('button "Country"', "+49", "S.c === '+49'"),
        T('button "Country"', "Switzerland", "S.c === '+41'"),
    ),
    page(
        "tags-by-enter",
        """<label>Tags <span class=tags-input><span id=t></span><input id=f placeholder="Add tag"></span></label><script>
        S.tags = ["old"]; const draw = () => t.innerHTML = S.tags.map((x) => `<span class=tag>${x}<button aria-label="Remove ${x}">x</button></span>`).join("");
        draw(); f.onkeydown = (e) => { if ((e.key === "Enter" || e.key === ",") && f.value) { e.preventDefault(); S.tags.push(f.value.trim()); f.value = ""; draw() } };
        t.onclick = (e) => { const b = e.target.closest("button"); if (b) { S.tags.splice([...t.querySelectorAll("button")].indexOf(b), 1); draw() } }</script>""",
        T("css=#f", '["red", "blue"]', "S.tags.includes('red') && S.tags.includes('blue')"),
    ),
    page(
        "tags-by-comma",
        """<div class=chips><ul id=t></ul><input id=f aria-label="Keywords"></div><script>
        S.tags = []; f.oninput = () => { const parts = f.value.split(","); if (parts.length > 1) { S.tags.push(...parts.slice(0, -1).map((x) => x.trim()).filter(Boolean)); f.value = parts.at(-1).trim(); t.innerHTML = S.tags.map((x) => `<li>${x}</li>`).join("") } };
        f.onblur = () => { if (f.value) { S.tags.push(f.value); f.value = ""; t.innerHTML = S.tags.map((x) => `<li>${x}</li>`).join("") } }</script>""",
        T("css=#f", '["red", "blue"]', "S.tags.join() === 'red,blue'"),
    ),
    page(
        "code-without-lengths",
        """<div id=c></div><script>c.innerHTML = Array.from({length: 6}, (_, n) => `<input inputmode=numeric autocomplete=${n ? "off" : "one-time-code"} aria-label="Digit ${n + 1}" style="width:20px">`).join("");
        const all = [...c.children], code = () => all.map((x) => x.value).join("");
        all.forEach((x, n) => { x.oninput = () => { x.value = x.value.slice(-1); if (x.value) all[n + 1]?.focus() };
          x.onkeydown = (e) => { if (e.key === "Backspace" && !x.value) all[n - 1]?.focus() } })</script>""",
        T('textbox "Digit 1"', "123456", "code() === '123456'"),
    ),
    page(
        "code-by-paste",
        """<div id=c></div><script>c.innerHTML = Array.from({length: 4}, (_, n) => `<input maxlength=1 aria-label="Digit ${n + 1}" style="width:20px">`).join("");
        const all = [...c.children], code = () => all.map((x) => x.value).join("");
        all.forEach((x, n) => { x.onkeyup = (e) => { if (x.value.length === 1 && /^\\d$/.test(e.key)) all[n + 1]?.select() } })</script>""",
        T('textbox "Digit 1"', "1234", "code() === '1234'"),
    ),
    page(
        "stars-as-buttons",
        """<div id=r role=group aria-label=Rating></div><script>r.innerHTML = [1,2,3,4,5].map((n) => `<button aria-pressed=false aria-label="${n} star${n > 1 ? "s" : ""}">★</button>`).join("");
        r.onclick = (e) => { const n = [...r.children].indexOf(e.target.closest("button")) + 1; if (!n) return; S.stars = n; [...r.children].forEach((b, i) => b.ariaPressed = String(i + 1 === n)) }</script>""",
        T('group "Rating"', "4", "S.stars === 4"),
        T('button "3 stars"', "true", "S.stars === 3"),
    ),
    page(
        "stars-as-radios",
        """<div id=r role=radiogroup aria-label=Rating></div><script>r.innerHTML = [1,2,3,4,5].map((n) => `<span role=radio tabindex=0 aria-checked=false aria-label="${n} of 5 stars">★</span>`).join("");
        r.onclick = (e) => { const n = [...r.children].indexOf(e.target) + 1; if (!n) return; S.stars = n; [...r.children].forEach((b, i) => b.ariaChecked = String(i + 1 === n)) }</script>""",
        T('radiogroup "Rating"', "4", "S.stars === 4"),
    ),
    page(
        "stars-as-slider",
        """<div id=r role=slider tabindex=0 aria-label=Rating aria-valuemin=0 aria-valuemax=5 aria-valuenow=0>☆☆☆☆☆</div><script>
        const put = (n) => { S.stars = n; r.ariaValueNow = n; r.textContent = "★".repeat(n) + "☆".repeat(5 - n) };
        r.style = "display:inline-block;font-size:20px"; r.onclick = (e) => put(Math.ceil(5 * (e.clientX - r.getBoundingClientRect().left) / r.offsetWidth))</script>""",
        T('slider "Rating"', "4", "S.stars === 4"),
    ),
    page(
        "colour-in-popup",
        """<button id=b aria-haspopup=dialog aria-label=Colour style="background:#ff0000">&nbsp;</button><div id=d role=dialog hidden><div style="width:100px;height:60px;background:red"></div><label>Hex <input id=h value="#ff0000"></label></div><script>
        S.c = "#ff0000"; b.onclick = () => d.hidden = !d.hidden; h.onchange = () => { if (/^#[0-9a-f]{6}$/i.test(h.value)) { S.c = h.value; b.style.background = h.value } }</script>""",
        T('button "Colour"', "#336699", "S.c === '#336699'"),
    ),
    page(
        "colour-swatches",
        """<div role=listbox aria-label=Colour id=l></div><script>l.innerHTML = ["red", "green", "blue"].map((c) => `<span role=option tabindex=0 aria-selected=false title=${c} style="display:inline-block;width:20px;height:20px;background:${c}"></span>`).join("");
        l.onclick = (e) => { if (e.target.title) { S.c = e.target.title; [...l.children].forEach((o) => o.ariaSelected = String(o === e.target)) } }</script>""",
        T('listbox "Colour"', "blue", "S.c === 'blue'"),
    ),
    page(
        "dual-list",
        """<div style="display:flex"><select id=a multiple aria-label=Available><option>Ann<option>Bob<option>Cleo</select><button id=m>Add</button><select id=b multiple aria-label=Chosen></select></div><script>
        m.onclick = () => [...a.selectedOptions].forEach((o) => b.append(o))</script>""",
        T(
            'listbox "Available"',
            '["Ann", "Cleo"]',
            "[...a.selectedOptions].map((o) => o.text).join() === 'Ann,Cleo'",
        ),
    ),
    page(
        "tree-select",
        """<div id=b role=combobox tabindex=0 aria-label=Place aria-haspopup=tree aria-expanded=false aria-controls=t style="border:1px solid;width:200px">Choose</div><div id=t role=tree hidden></div><script>
        const all = {Europe: {Germany: ["Berlin", "Bonn"], France: ["Paris"]}, Asia: {Japan: ["Kyoto"]}};
        const node = (name, kids) => { const n = document.createElement("div"); n.role = "treeitem"; n.ariaLabel = name; if (kids) n.ariaExpanded = "false";
          n.innerHTML = `<span class=switch>${kids ? "▸" : ""}</span><span class=name>${name}</span>`; n.style.paddingLeft = "12px";
          n.onclick = (e) => { e.stopPropagation(); if (kids) { const open = n.ariaExpanded !== "true"; n.ariaExpanded = String(open);
            if (open) { const g = document.createElement("div"); g.role = "group"; for (const [k, v] of Array.isArray(kids) ? kids.map((k) => [k]) : Object.entries(kids)) g.append(node(k, v)); n.append(g) } else n.lastChild.remove() }
            else { S.place = name; b.textContent = name; t.hidden = true; b.ariaExpanded = "false" } };
          return n };
        for (const [k, v] of Object.entries(all)) t.append(node(k, v));
        b.onclick = () => { t.hidden = !t.hidden; b.ariaExpanded = String(!t.hidden) }</script>""",
        T('combobox "Place"', "Europe / Germany / Bonn", "S.place === 'Bonn'"),
    ),
    page(
        "cascader",
        """<input id=b readonly placeholder=Place style="cursor:pointer"><div id=p hidden style="display:none"></div><script>
        const all = {Europe: {Germany: {Berlin: 0, Bonn: 0}, France: {Paris: 0}}, Asia: {Japan: {Kyoto: 0}}};
        p.style.cssText = "display:flex;position:absolute";
        const column = (level, path) => { while (p.children.length > level) p.lastChild.remove(); const ul = document.createElement("ul"); ul.className = "menu";
          for (const [k, v] of Object.entries(path.reduce((o, x) => o[x], all))) { const li = document.createElement("li"); li.textContent = k; li.style.cursor = "pointer";
            li.onclick = () => { if (v) column(level + 1, [...path, k]); else { S.place = [...path, k].join("/"); b.value = [...path, k].join(" / "); p.style.display = "none"; p.hidden = true } }; ul.append(li) }
          p.append(ul) };
        p.style.display = "none"; b.onclick = () => { p.hidden = false; p.style.display = "flex"; column(0, []) }</script>""",
        T("css=#b", "Europe / Germany / Bonn", "S.place === 'Europe/Germany/Bonn'"),
        T("css=#b", "Asia > Japan > Kyoto", "S.place === 'Asia/Japan/Kyoto'"),
    ),
    page(
        "time-columns",
        """<input id=f readonly placeholder="Select time" style="cursor:pointer"><div id=p hidden style="position:absolute;background:#fff;border:1px solid"><div style="display:flex;height:120px"><ul id=h></ul><ul id=m></ul></div><button id=ok>OK</button></div><style>ul{overflow:auto;margin:0;padding:0;width:50px}li{list-style:none;height:20px;cursor:pointer}</style><script>
        const two = (n) => String(n).padStart(2, "0"); let H = "00", M = "00";
        h.innerHTML = Array.from({length: 24}, (_, n) => `<li>${two(n)}</li>`).join(""); m.innerHTML = Array.from({length: 60}, (_, n) => `<li>${two(n)}</li>`).join("");
        h.onclick = (e) => { H = e.target.textContent }; m.onclick = (e) => { M = e.target.textContent }; f.onclick = () => p.hidden = false; ok.onclick = () => { S.t = f.value = `${H}:${M}`; p.hidden = true }</script>""",
        T("css=#f", "13:45", "S.t === '13:45'"),
    ),
    page(
        "time-columns-am-pm",
        """<button id=f aria-haspopup=dialog aria-label=Time>09:00 AM</button><div id=p role=dialog hidden><div style="display:flex;height:120px"><div class=c id=h role=listbox aria-label=Hours></div><div class=c id=m role=listbox aria-label=Minutes></div><div class=c id=a role=listbox aria-label=Half></div></div></div><style>.c{overflow:auto;width:50px}.c div{height:20px}</style><script>
        const two = (n) => String(n).padStart(2, "0"), now = {h: "09", m: "00", a: "AM"};
        const draw = (e, all, k) => { e.innerHTML = all.map((x) => `<div role=option aria-selected=${x === now[k]}>${x}</div>`).join(""); e.onclick = (v) => { if (v.target.role !== "option") return; now[k] = v.target.textContent; [...e.children].forEach((o) => o.ariaSelected = String(o === v.target)); f.textContent = S.t = `${now.h}:${now.m} ${now.a}` } };
        draw(h, Array.from({length: 12}, (_, n) => two(n + 1)), "h"); draw(m, [0, 15, 30, 45].map(two), "m"); draw(a, ["AM", "PM"], "a"); f.onclick = () => p.hidden = !p.hidden</script>""",
        T('button "Time"', "01:45 PM", "S.t === '01:45 PM'"),
        T('button "Time"', "13:45", "S.t === '01:45 PM'"),
    ),
    page(
        "range-of-days",
        """<input id=f readonly placeholder="Dates" style="cursor:pointer;width:220px"><div id=p hidden style="position:absolute;background:#fff;width:260px"><button id=x aria-label="Previous month">‹</button><b id=t></b><button id=n aria-label="Next month">›</button><table id=g></table></div><script>
        let at = new Date(2026, 11, 1), from = null; const iso = (d) => `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
        const draw = () => { t.textContent = at.toLocaleDateString("en", {month: "long", year: "numeric"}); const first = (at.getDay() + 6) % 7, days = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
          let rows = "", c = 0; for (let w = 0; w < 6; w++) { rows += "<tr>"; for (let d = 0; d < 7; d++, c++) { const k = c - first + 1; rows += k > 0 && k <= days ? `<td style="cursor:pointer">${k}</td>` : "<td></td>" } rows += "</tr>" } g.innerHTML = rows };
        f.onclick = () => { p.hidden = false; draw() }; n.onclick = () => { at = new Date(at.getFullYear(), at.getMonth() + 1, 1); draw() }; x.onclick = () => { at = new Date(at.getFullYear(), at.getMonth() - 1, 1); draw() };
        g.onclick = (e) => { if (!e.target.textContent || e.target.localName !== "td") return; const day = new Date(at.getFullYear(), at.getMonth(), Number(e.target.textContent)); if (!from) { from = day; return } S.r = [iso(from), iso(day)].join(); f.value = [iso(from), iso(day)].join(" – "); from = null; p.hidden = true }</script>""",
        T("css=#f", '["2027-01-20", "2027-02-03"]', "S.r === '2027-01-20,2027-02-03'"),
        T("css=#f", "2027-01-20 – 2027-01-25", "S.r === '2027-01-20,2027-01-25'"),
        T("css=#f", "2027-01-20 / 2027-01-25", "S.r === '2027-01-20,2027-01-25'"),
    ),
    page(
        "month-picker",
        """<input id=f readonly placeholder="Month" style="cursor:pointer"><div id=p hidden style="position:absolute;background:#fff;width:260px"><button id=x aria-label="Previous year">‹</button><b id=t></b><button id=n aria-label="Next year">›</button><div id=g></div></div><script>
        let y = 2026; const names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
        const draw = () => { t.textContent = y; g.innerHTML = names.map((m) => `<button style="width:60px">${m}</button>`).join("") };
        f.onclick = () => { p.hidden = false; draw() }; x.onclick = () => { y--; draw() }; n.onclick = () => { y++; draw() };
        g.onclick = (e) => { const k = names.indexOf(e.target.textContent); if (k < 0) return; S.m = `${y}-${String(k + 1).padStart(2, "0")}`; f.value = `${names[k]} ${y}`; p.hidden = true }</script>""",
        T("css=#f", "2027-03", "S.m === '2027-03'"),
        T("css=#f", "March 2025", "S.m === '2025-03'"),
    ),
    page(
        "year-picker",
        """<input id=f readonly placeholder="Year" style="cursor:pointer"><div id=p hidden style="position:absolute;background:#fff;width:260px"><button id=x aria-label="Previous decade">‹</button><b id=t></b><button id=n aria-label="Next decade">›</button><div id=g></div></div><script>
        let y = 2020; const draw = () => { t.textContent = `${y}-${y + 9}`; g.innerHTML = Array.from({length: 10}, (_, n) => `<button style="width:60px">${y + n}</button>`).join("") };
        f.onclick = () => { p.hidden = false; draw() }; x.onclick = () => { y -= 10; draw() }; n.onclick = () => { y += 10; draw() };
        g.onclick = (e) => { if (!/^\\d{4}$/.test(e.target.textContent)) return; S.y = f.value = e.target.textContent; p.hidden = true }</script>""",
        T("css=#f", "2024", "S.y === '2024'"),
        T("css=#f", "2041", "S.y === '2041'"),
    ),
    page(
        "two-thumbs",
        """<div id=s role=group aria-label=Price style="position:relative;width:220px;height:20px;background:#ddd"><span role=slider tabindex=0 aria-label=From aria-valuemin=0 aria-valuemax=100 aria-valuenow=20></span><span role=slider tabindex=0 aria-label=To aria-valuemin=0 aria-valuemax=100 aria-valuenow=60></span></div><script>
        const thumbs = $$("[role=slider]"), now = () => thumbs.map((t) => Number(t.ariaValueNow)); S.r = now();
        const put = (n, v) => { const all = now(); v = n ? Math.max(all[0], v) : Math.min(all[1], v); thumbs[n].ariaValueNow = Math.max(0, Math.min(100, v)); S.r = now(); draw() };
        const draw = () => thumbs.forEach((t, n) => t.style = `position:absolute;width:14px;height:14px;background:blue;left:${now()[n] * 2}px`); draw();
        thumbs.forEach((t, n) => t.onkeydown = (e) => { const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[e.key]; if (by) put(n, now()[n] + by) })</script>""",
        T('slider "From"', "35", "S.r.join() === '35,60'"),
        T('slider "To"', "80", "S.r.join() === '20,80'"),
        T('group "Price"', "[70, 90]", "S.r.join() === '70,90'"),
        T('group "Price"', "[5, 10]", "S.r.join() === '5,10'"),
    ),
    page(
        "bare-slider",
        """<div class=slider id=s style="position:relative;width:200px;height:20px;background:#ddd"><div id=k class=thumb tabindex=0 style="position:absolute;left:60px;width:14px;height:20px;background:blue;cursor:pointer"></div></div><span id=v>30</span><script>
        const put = (n) => { S.n = Math.round(Math.max(0, Math.min(100, n))); k.style.left = S.n * 2 + "px"; v.textContent = S.n };
        k.onmousedown = (e) => { const x = e.clientX, from = S.n ?? 30; const move = (m) => put(from + (m.clientX - x) / 2); addEventListener("mousemove", move); addEventListener("mouseup", () => removeEventListener("mousemove", move), {once: true}) }</script>""",
        T("css=#k", "77", "S.n === 77"),
    ),
    page(
        "stepper",
        """<div id=s class=stepper><button aria-label="Decrease guests">−</button><span id=v>1</span><button aria-label="Increase guests">+</button></div><script>
        S.n = 1; s.onclick = (e) => { const by = {"−": -1, "+": 1}[e.target.textContent]; if (by) v.textContent = S.n = Math.max(0, S.n + by) }</script>""",
        T("css=#s", "4", "S.n === 4"),
        T("css=#v", "3", "S.n === 3"),
    ),
    page(
        "segmented",
        """<div id=s role=group aria-label=View><button aria-pressed=true>Day</button><button aria-pressed=false>Week</button><button aria-pressed=false>Month</button></div><div id=t role=tablist aria-label=Plan><button role=tab aria-selected=true>Free</button><button role=tab aria-selected=false>Pro</button></div><script>
        s.onclick = (e) => { if (e.target === s) return; S.v = e.target.textContent; [...s.children].forEach((b) => b.ariaPressed = String(b === e.target)) };
        t.onclick = (e) => { if (e.target === t) return; S.p = e.target.textContent; [...t.children].forEach((b) => b.ariaSelected = String(b === e.target)) }</script>""",
        T('group "View"', "Week", "S.v === 'Week'"),
        T('tablist "Plan"', "Pro", "S.p === 'Pro'"),
    ),
    page(
        "group-of-boxes",
        """<fieldset><legend>Days</legend><label><input type=checkbox>Mon</label><label><input type=checkbox checked>Tue</label><label><input type=checkbox>Wed</label></fieldset><div role=group aria-label=Size><label><input type=radio name=z>Small</label><label><input type=radio name=z>Large</label></div><script>
        const on = () => $$("input:checked").map((x) => x.parentElement.textContent).join()</script>""",
        T('group "Days"', '["Mon", "Wed"]', "on() === 'Mon,Wed'"),
        T('group "Size"', "Large", "on() === 'Tue,Large'"),
    ),
    page(
        "editable-cells",
        """<table role=grid aria-label=People><tr role=row><td role=gridcell tabindex=0 id=c>Ann</td><td role=gridcell tabindex=-1 id=d>30</td></tr></table><script>
        for (const cell of $$("td")) cell.ondblclick = () => { if (cell.querySelector("input")) return; const old = cell.textContent; cell.innerHTML = "<input>"; const i = cell.firstChild; i.value = old; i.focus(); i.select();
          const done = (take) => { i.onblur = null; cell.textContent = take ? i.value : old; S[cell.id] = cell.textContent }; i.onkeydown = (e) => { if (e.key === "Enter") done(true); if (e.key === "Escape") done(false) }; i.onblur = () => done(false) }</script>""",
        T('gridcell "Ann"', "Bob", "S.c === 'Bob'"),
    ),
    page(
        "editor-with-placeholder",
        """<div id=e contenteditable role=textbox aria-label=Post style="min-height:40px"><p class=empty data-placeholder="Write here"><br></p></div><style>.empty::before{content:attr(data-placeholder);color:#999}</style>
        <div id=f contenteditable role=textbox aria-label=Note style="min-height:40px">old</div><div id=ph style="display:none">Add a note</div><script>
        e.oninput = () => { $("#e p")?.classList.toggle("empty", !e.textContent) }; f.oninput = () => { if (!f.textContent) f.innerHTML = '<span contenteditable=false class=ph>Add a note</span>'; else f.querySelector(".ph")?.remove() }</script>""",
        T('textbox "Post"', "Hello", "e.innerText.trim() === 'Hello'"),
        T('textbox "Note"', "", "f.innerText.trim() === 'Add a note'"),
        T('textbox "Note"', "New text", "f.innerText.trim() === 'New text'"),
    ),
    page(
        "code-area",
        # Draws what is typed into a hidden text area, and closes brackets and quotes.
        """<div id=w style="position:relative;width:300px;height:80px;border:1px solid" onclick="t.focus()"><textarea id=t aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0"></textarea><pre id=p style="margin:0">old</pre></div><script>
        S.v = "old"; let all = false; const draw = () => { p.textContent = S.v; t.value = "" };
        t.onkeydown = (e) => { if (e.ctrlKey && e.key === "a") { all = true; e.preventDefault() } else if (/^(Delete|Backspace)$/.test(e.key)) { S.v = all ? "" : S.v.slice(0, -1); all = false; draw(); e.preventDefault() } };
        t.oninput = (e) => { if (all) { S.v = ""; all = false } S.v += t.value; draw() }</script>""",
        T('textbox "Code"', "let a = (1);", "S.v === 'let a = (1);'"),
    ),
    page(
        "suggestions-without-roles",
        """<label>City <input id=f autocomplete=off></label><div id=l class=suggest hidden style="position:absolute;background:#fff;border:1px solid"></div><script>
        const all = ["Berlin, Germany", "Bern, Switzerland", "Bonn, Germany"]; let timer;
        f.oninput = () => { S.city = undefined; clearTimeout(timer); timer = setTimeout(() => { const found = all.filter((x) => x.toLowerCase().startsWith(f.value.toLowerCase()) && f.value); l.hidden = !found.length; l.innerHTML = found.map((x) => `<div class=item>${x}</div>`).join("") }, 150) };
        l.onmousedown = (e) => { e.preventDefault(); f.value = S.city = e.target.textContent; l.hidden = true };
        f.onblur = () => { l.hidden = true; if (!S.city) f.value = "" }</script>""",
        T('textbox "City"', "Bern, Switzerland", "S.city === 'Bern, Switzerland'"),
    ),
    page(
        "suggestions-at-once",
        """<label>City <input id=f autocomplete=off></label><ul id=l hidden style="position:absolute;background:#fff;border:1px solid;margin:0"></ul><script>
        const all = ["Berlin", "Bern", "Bonn"]; f.oninput = () => { S.city = undefined; const found = all.filter((x) => x.toLowerCase().startsWith(f.value.toLowerCase()) && f.value); l.hidden = !found.length; l.innerHTML = found.map((x) => `<li><a href="#">${x}</a></li>`).join("") };
        l.onmousedown = (e) => { e.preventDefault(); f.value = S.city = e.target.textContent; l.hidden = true };
        f.onblur = () => { l.hidden = true; if (!S.city) f.value = "" }</script>""",
        T('textbox "City"', "Bern", "S.city === 'Bern'"),
    ),
    page(
        "must-choose",
        """<label>Owner <input id=f role=combobox aria-expanded=false aria-autocomplete=list aria-controls=l></label><ul id=l role=listbox hidden></ul><script>
        const all = ["Ann Lee", "Ann Marsh", "Bob Stone"]; let timer;
        f.oninput = () => { S.who = undefined; clearTimeout(timer); timer = setTimeout(() => { const found = all.filter((x) => x.toLowerCase().includes(f.value.toLowerCase())); l.hidden = !found.length; f.ariaExpanded = String(!l.hidden); l.innerHTML = found.map((x) => `<li role=option><b>${x}</b><small>${x.replace(" ", ".").toLowerCase()}@example.org</small></li>`).join("") }, 300) };
        l.onmousedown = (e) => { e.preventDefault(); f.value = S.who = e.target.closest("li").firstChild.textContent; l.hidden = true; f.ariaExpanded = "false" };
        f.onblur = () => { l.hidden = true; f.ariaExpanded = "false"; if (!S.who) f.value = "" }</script>""",
        T('combobox "Owner"', "Ann Marsh", "S.who === 'Ann Marsh'"),
        T('combobox "Owner"', "bob stone", "S.who === 'Bob Stone'"),
    ),
    page(
        "mentions",
        """<div id=e contenteditable role=textbox aria-label=Message aria-multiline=true style="min-height:30px;border:1px solid"></div><ul id=l role=listbox hidden style="position:absolute"><li role=option>Ann Lee</li></ul><script>
        e.oninput = () => { l.hidden = !/@\\w*$/.test(e.textContent) }; l.onmousedown = (v) => { v.preventDefault(); e.textContent = e.textContent.replace(/@\\w*$/, "@Ann Lee"); l.hidden = true }</script>""",
        T('textbox "Message"', "Hi @Ann", "/^Hi @Ann/.test(e.textContent)"),
    ),
    page(
        "mute-switches",
        """<div id=a class=toggle role=switch tabindex=0 aria-label=Light style="width:40px;height:20px;background:#ccc"><span class=knob></span></div><div id=b class="sw sw-off" tabindex=0 title=Sound style="width:40px;height:20px;background:#ccc;cursor:pointer"><input type=hidden name=sound value=false></div><button id=c role=switch data-state=unchecked aria-label=Wifi>&nbsp;</button><script>
        a.onclick = () => { S.a = a.classList.toggle("toggle-on") }; b.onclick = () => { S.b = b.firstChild.value === "false"; b.firstChild.value = String(S.b); b.className = `sw ${S.b ? "sw-on" : "sw-off"}` }; c.onclick = () => { S.c = c.dataset.state === "unchecked"; c.dataset.state = S.c ? "checked" : "unchecked" }</script>""",
        T("css=#a", "true", "S.a === true"),
        T("css=#b", "true", "S.b === true"),
        T("css=#c", "true", "S.c === true"),
    ),
    page(
        "multi-behind-select",
        # A component draws chips for a hidden select, and keeps a list of its own.
        """<select id=s multiple style="display:none" aria-label=Fruits><option>Apple<option>Pear<option>Plum</select><div id=w tabindex=0 role=combobox aria-label=Fruits aria-expanded=false style="border:1px solid;min-height:20px"><span id=t></span></div><div id=l role=listbox hidden aria-multiselectable=true></div><script>
        const draw = () => { t.innerHTML = [...s.selectedOptions].map((o) => `<i class=chip>${o.text}</i>`).join(""); l.innerHTML = [...s.options].map((o) => `<div role=option aria-selected=${o.selected}>${o.text}</div>`).join("") };
        draw(); w.onclick = () => { l.hidden = !l.hidden; w.ariaExpanded = String(!l.hidden) }; l.onclick = (e) => { const o = [...s.options].find((o) => o.text === e.target.textContent); o.selected = !o.selected; draw() }</script>""",
        T(
            'combobox "Fruits"',
            '["Apple", "Plum"]',
            "[...s.selectedOptions].map((o) => o.text).join() === 'Apple,Plum'",
        ),
    ),
    page(
        "picker-by-buttons",
        # A field that shows, and a button beside it that opens.
        """<input id=f readonly aria-label="Start" value=""><button id=b aria-label="Open calendar">📅</button><div id=p hidden style="width:260px"><select id=mo></select><select id=ye></select><div id=g></div></div><script>
        mo.innerHTML = Array.from({length: 12}, (_, n) => `<option value=${n}>${new Date(2026, n, 1).toLocaleDateString("en", {month: "long"})}`).join(""); ye.innerHTML = [2025, 2026, 2027].map((y) => `<option>${y}`).join(""); ye.value = 2026;
        const draw = () => { const days = new Date(Number(ye.value), Number(mo.value) + 1, 0).getDate(); g.innerHTML = Array.from({length: days}, (_, n) => `<button style="width:34px">${n + 1}</button>`).join("") };
        mo.onchange = ye.onchange = draw; b.onclick = () => { p.hidden = false; draw() }; g.onclick = (e) => { if (e.target === g) return; S.d = f.value = `${e.target.textContent}.${Number(mo.value) + 1}.${ye.value}`; p.hidden = true }</script>""",
        T('textbox "Start"', "2027-05-09", "S.d === '9.5.2027'"),
    ),
    page(
        "select-drawn-by-divs",
        """<div class=select id=b tabindex=0 style="border:1px solid;width:150px;cursor:pointer"><span id=v>Choose fruit</span></div><div id=l hidden style="position:absolute;background:#fff;border:1px solid;width:150px"><div class=o>Apple</div><div class=o>Pear</div><div class=o>Plum</div></div><script>
        b.onclick = () => l.hidden = !l.hidden; l.onclick = (e) => { if (e.target === l) return; S.f = v.textContent = e.target.textContent; l.hidden = true }</script>""",
        T("css=#b", "Pear", "S.f === 'Pear'"),
    ),
    page(
        "menu-button",
        """<button id=b aria-haspopup=menu aria-expanded=false>Sort: Name</button><div id=m role=menu hidden><div role=menuitemradio aria-checked=true tabindex=-1>Name</div><div role=menuitemradio aria-checked=false tabindex=-1>Date</div></div><script>
        b.onclick = () => { m.hidden = !m.hidden; b.ariaExpanded = String(!m.hidden) }; m.onclick = (e) => { if (e.target === m) return; S.s = e.target.textContent; b.textContent = `Sort: ${S.s}`; m.hidden = true; b.ariaExpanded = "false"; [...m.children].forEach((x) => x.ariaChecked = String(x === e.target)) }</script>""",
        T('button "Sort: Name"', "Date", "S.s === 'Date'"),
    ),
    page(
        "long-virtual",
        # Draws what is in view a while after it was scrolled to, and sorts by name.
        """<div id=b role=combobox tabindex=0 aria-label=Item aria-expanded=false aria-controls=l style="border:1px solid">Choose</div><div id=l role=listbox hidden style="height:160px;overflow:auto;position:relative"><div id=t style="height:60000px"></div></div><script>
        let timer; const draw = () => { const first = Math.max(0, Math.floor(l.scrollTop / 30) - 2); t.innerHTML = Array.from({length: 12}, (_, n) => first + n < 2000 ? `<div role=option style="position:absolute;top:${(first + n) * 30}px;height:30px">Item ${first + n}</div>` : "").join("") };
        b.onclick = () => { l.hidden = false; b.ariaExpanded = "true"; draw() }; l.onscroll = () => { clearTimeout(timer); timer = setTimeout(draw, 60) };
        l.onclick = (e) => { if (e.target.role === "option") { S.i = b.textContent = e.target.textContent; l.hidden = true; b.ariaExpanded = "false" } }</script>""",
        T('combobox "Item"', "Item 1037", "S.i === 'Item 1037'"),
        T('combobox "Item"', "Item 1999", "S.i === 'Item 1999'"),
    ),
    page(
        "calendar-beside-another",
        # One stands in the page and is drawn anew whenever another one opens.
        """<div id=inline style="width:240px"></div><input id=f readonly style="cursor:pointer" aria-label=Day><div id=p hidden style="position:absolute;width:240px;background:#fff"></div><script>
        const draw = (box, at, take) => { box.innerHTML = `<button aria-label="Previous month">‹</button><b>${at.toLocaleDateString("en", {month: "long", year: "numeric"})}</b><button aria-label="Next month">›</button><div>${Array.from({length: new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate()}, (_, n) => `<span style="display:inline-block;width:30px;cursor:pointer">${n + 1}</span>`).join("")}</div>`;
          box.onclick = (e) => { const by = {"‹": -1, "›": 1}[e.target.textContent]; if (by) draw(box, new Date(at.getFullYear(), at.getMonth() + by, 1), take); else if (e.target.localName === "span") take(`${at.getFullYear()}-${at.getMonth() + 1}-${e.target.textContent}`) } };
        const own = () => draw(inline, new Date(2027, 4, 1), (day) => { S.inline = day }); own();
        f.onclick = () => { p.hidden = false; own(); draw(p, new Date(2026, 10, 1), (day) => { S.day = f.value = day; p.hidden = true }) }</script>""",
        T('textbox "Day"', "2027-01-09", "S.day === '2027-1-9' && !S.inline"),
    ),
    page(
        "calendar-that-slides-in",
        """<style>@keyframes up{from{transform:translateY(300px)}}#p{animation:up .4s linear;position:fixed;inset:150px 0 0 0;background:#fff;z-index:2}#back{position:fixed;inset:0;background:#0003}</style>
        <input id=f aria-label=Day><div id=all hidden><div id=back></div><div id=p><b>January 2027</b><div id=g></div></div></div><script>
        g.innerHTML = Array.from({length: 31}, (_, n) => `<button style="width:40px">${n + 1}</button>`).join(""); f.oninput = () => { all.hidden = false; S.day = "" };
        back.onclick = () => { all.hidden = true; f.value = "" }; g.onclick = (e) => { S.day = e.target.textContent; all.hidden = true; f.value = `2027-01-${S.day}` }</script>""",
        T('textbox "Day"', "2027-01-20", "S.day === '20' && f.value === '2027-01-20'"),
    ),
    page(
        "calendar-in-components",
        """<x-field><input id=f slot=input role=combobox aria-haspopup=dialog aria-expanded=false aria-label=Day></x-field><x-over hidden></x-over><script>
        customElements.define("x-field", class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = "<slot name=input></slot>" } });
        customElements.define("x-month", class extends HTMLElement { connectedCallback() { this.attachShadow({mode: "open"}).innerHTML = `<div>${this.title}</div><table><tr>${Array.from({length: 28}, (_, n) => `<td style="cursor:pointer">${n + 1}</td>${n % 7 === 6 ? "</tr><tr>" : ""}`).join("")}</tr></table>`; this.shadowRoot.addEventListener("click", (e) => { if (e.target.localName === "td") take(this.title, e.target.textContent) }) } });
        customElements.define("x-over", class extends HTMLElement { fill() { this.attachShadow({mode: "open"}).innerHTML = "<div style='position:absolute;background:#fff'><x-month title='January 2027'></x-month><x-month title='February 2027'></x-month></div>" } });
        const over = $("x-over"); f.oninput = () => { S.day = ""; setTimeout(() => { over.hidden = false; over.shadowRoot ?? over.fill(); f.ariaExpanded = "true" }, 60) };
        const take = (month, day) => { S.day = `${month} ${day}`; f.value = `2027-${month.startsWith("J") ? "01" : "02"}-${day.padStart(2, "0")}`; over.hidden = true; f.ariaExpanded = "false" }; f.onblur = () => { if (!S.day) f.value = "" }</script>""",
        T('combobox "Day"', "2027-02-20", "S.day === 'February 2027 20'"),
        T('combobox "Day"', "2/20/2027", "S.day === 'February 2027 20'"),
    ),
    page(
        "day-and-time",
        """<input id=f readonly aria-label=Call style="cursor:pointer;width:200px"><div id=p hidden style="position:absolute;width:260px;background:#fff"><b>April 2027</b><div id=g></div><input id=h class=clock-hour value=00 style="width:30px">:<input id=m class=clock-minute value=00 style="width:30px"></div><script>
        let day = ""; g.innerHTML = Array.from({length: 30}, (_, n) => `<button style="width:34px">${n + 1}</button>`).join(""); const show = () => { if (day) S.t = f.value = `2027-04-${day} ${h.value}:${m.value}` };
        f.onclick = () => p.hidden = false; g.onclick = (e) => { day = e.target.textContent.padStart(2, "0"); show() }; h.onchange = m.onchange = show; document.onkeydown = (e) => { if (e.key === "Escape") p.hidden = true }</script>""",
        T('textbox "Call"', "2027-04-06 14:30", "S.t === '2027-04-06 14:30'"),
    ),
    page(
        "days-in-the-page",
        """<div id=c role=group aria-label="Days off" style="width:260px"><button aria-label="Previous month">‹</button><b id=t></b><button aria-label="Next month">›</button><div id=g></div></div><script>
        let at = new Date(2027, 0, 1); const on = new Set(), iso = (n) => `${at.getFullYear()}-${at.getMonth() + 1}-${n}`;
        const draw = () => { t.textContent = at.toLocaleDateString("en", {month: "long", year: "numeric"}); g.innerHTML = Array.from({length: new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate()}, (_, n) => `<button style="width:34px" class="day ${on.has(iso(n + 1)) ? "day-selected" : ""}">${n + 1}</button>`).join("") }; draw();
        c.onclick = (e) => { const by = {"‹": -1, "›": 1}[e.target.textContent]; if (by) at = new Date(at.getFullYear(), at.getMonth() + by, 1); else if (e.target.localName === "button") { const day = iso(e.target.textContent); if (!on.delete(day)) on.add(day) } draw() }</script>""",
        T(
            'group "Days off"',
            '["2027-03-08", "2027-03-10"]',
            "[...on].join() === '2027-3-8,2027-3-10'",
        ),
    ),
    page(
        "list-with-search",
        # Shows a few options, finds more, and makes what there is not.
        """<div id=b role=combobox tabindex=0 aria-label=Code aria-expanded=false aria-controls=l style="border:1px solid">Choose</div><div id=p hidden style="position:absolute;background:#fff"><input id=q placeholder=Search><div id=l role=listbox></div></div><script>
        const all = Array.from({length: 40}, (_, n) => `Place ${n}`); const draw = () => { const found = all.filter((x) => x.includes(q.value)).slice(0, 3); if (q.value && !all.includes(q.value)) found.push(q.value); l.innerHTML = found.map((x) => `<div role=option>${x}</div>`).join("") };
        b.onclick = () => { p.hidden = !p.hidden; b.ariaExpanded = String(!p.hidden); draw() }; q.oninput = () => setTimeout(draw, 80); l.onclick = (e) => { S.v = b.textContent = e.target.textContent; p.hidden = true; b.ariaExpanded = "false" }</script>""",
        T('combobox "Code"', "Place 31", "S.v === 'Place 31'"),
        T('combobox "Code"', "SPRING26", "S.v === 'SPRING26'"),
    ),
    page(
        "slider-with-scale",
        """<div class="slider" id=s tabindex=0 style="position:relative;width:200px;height:40px"><div class=track style="height:6px;background:#ccc"></div><div class=thumb id=k style="position:absolute;top:0;width:14px;height:14px;margin-left:-7px;background:blue"></div><ul id=u style="position:absolute;inset:18px 0 0 0;margin:0;padding:0;list-style:none"></ul></div><script>
        u.innerHTML = [0, 10, 20, 30, 40, 50].map((n) => `<li style="position:absolute;left:${n * 4}px;transform:translateX(-50%)">${n}</li>`).join(""); const put = (n) => { S.n = Math.max(0, Math.min(50, n)); k.style.left = S.n * 4 + "px" }; put(10);
        s.onkeydown = (e) => { const by = {ArrowRight: 5, ArrowLeft: -5}[e.key]; if (by) put(S.n + by) }</script>""",
        T("css=#s", "35", "S.n === 35"),
    ),
    page(
        "stars-without-roles",
        """<div id=r class=rating></div><script>const draw = () => r.innerHTML = [1,2,3,4,5].map((n) => `<i class="star ${n <= S.stars ? "active" : ""}" style="display:inline-block;width:16px;height:16px;background:#ccc;cursor:pointer"></i>`).join(""); S.stars = 2; draw();
        r.onclick = (e) => { S.stars = [...r.children].indexOf(e.target) + 1; draw() }</script>""",
        T("css=#r", "4", "S.stars === 4"),
    ),
    page(
        "cells-that-open",
        # Become fields that are set by what comes with them alone.
        """<table><tr><td id=a style="width:120px">VW</td><td id=d style="width:120px">2019-02-12</td></tr></table><script>
        a.ondblclick = () => { if (a.querySelector("div")) return; a.innerHTML = "<div><input readonly></div><div id=l style='position:absolute;background:#fff'>" + ["Audi", "Skoda", "VW"].map((x) => `<div class=item>${x}</div>`).join("") + "</div>"; l.onclick = (e) => { e.stopPropagation(); S.a = a.textContent = e.target.textContent } };
        d.ondblclick = () => { if (d.querySelector("input")) return; d.innerHTML = "<input readonly><div id=g style='position:absolute;width:240px;background:#fff'><b>March 2019</b><br></div>"; g.innerHTML += Array.from({length: 31}, (_, n) => `<button style="width:34px">${n + 1}</button>`).join(""); g.onclick = (e) => { e.stopPropagation(); if (e.target.localName === "button") S.d = d.textContent = `2019-03-${e.target.textContent}` } }</script>""",
        T("css=#a", "Skoda", "S.a === 'Skoda'"),
        T("css=#d", "2019-03-14", "S.d === '2019-03-14'"),
    ),
    page(
        "values-with-others",
        """<div class=multi-select><span id=t></span><input id=f aria-label=Languages></div><script>
        S.v = ["English"]; const draw = () => t.innerHTML = S.v.map((x) => `<span class=chip>${x}<a href="#" class=remove>×</a></span>`).join(""); draw();
        t.onclick = (e) => { if (e.target.localName === "a") { e.preventDefault(); S.v = S.v.filter((x) => x !== e.target.parentElement.firstChild.data); draw() } }; f.onkeydown = (e) => { if (e.key === "Enter" && f.value) { S.v.push(f.value); f.value = ""; draw() } }</script>""",
        T('textbox "Languages"', '["French", "Polish"]', "S.v.join() === 'French,Polish'"),
    ),
    page(
        "suggestions-that-unfold",
        """<style>@keyframes down{from{transform:scaleY(0);opacity:0}}#l{animation:down .3s;transform-origin:top;position:absolute;background:#fff;z-index:1}</style><div class="search dropdown"><input id=f aria-label=State><div id=l hidden></div></div><script>
        f.oninput = () => { S.v = ""; setTimeout(() => { l.hidden = false; l.innerHTML = ["Colorado", "California"].filter((x) => x.startsWith(f.value)).map((x) => `<div class=item>${x}</div>`).join("") }, 60) };
        l.onmousedown = (e) => { e.preventDefault(); S.v = f.value = e.target.textContent; l.hidden = true }; f.onblur = () => { l.hidden = true; if (!S.v) f.value = "" }</script>""",
        T('textbox "State"', "Colorado", "S.v === 'Colorado'"),
    ),
    page(
        "field-that-takes-no-typing",
        """<div class="select"><input id=f aria-label=Fruit><svg width=16 height=16></svg></div><ul id=l hidden style="position:absolute;background:#fff"><li>Apple<li>Pear</ul><script>
        f.oninput = () => { f.value = S.v ?? "" }; f.onclick = () => l.hidden = false; document.onkeydown = (e) => { if (e.key === "Escape") l.hidden = true }; l.onclick = (e) => { S.v = f.value = e.target.textContent.trim(); l.hidden = true }</script>""",
        T('textbox "Fruit"', "Pear", "S.v === 'Pear'"),
    ),
    page(
        "list-that-closes-slowly",
        # Closes after each choice, and is in sight while it fades.
        """<div id=b role=combobox tabindex=0 aria-label=Fruits aria-expanded=false aria-haspopup=listbox style="border:1px solid;min-height:20px">Choose</div><div id=l role=listbox aria-multiselectable=true style="display:none"></div><script>
        const on = new Set(["Pear"]); const draw = () => { b.textContent = [...on].join(", "); l.innerHTML = ["Apple", "Pear", "Plum"].map((x) => `<div role=option aria-selected=${on.has(x)}>${x}</div>`).join("") }; draw();
        b.onclick = () => { l.style.display = ""; b.ariaExpanded = "true" }; l.onclick = (e) => { const x = e.target.textContent; if (!on.delete(x)) on.add(x); draw(); b.ariaExpanded = "false"; setTimeout(() => { if (b.ariaExpanded === "false") l.style.display = "none" }, 150) }</script>""",
        T('combobox "Fruits"', '["Apple", "Plum"]', "[...on].sort().join() === 'Apple,Plum'"),
    ),
    page(
        "parts-of-a-date",
        """<div role=group aria-label=Start><div id=g></div><input aria-hidden=true tabindex=-1 value="MM/DD/YYYY" style="opacity:0;width:90px"></div><script>
        const parts = [["Month", "mm", 1, 12], ["Day", "dd", 1, 31], ["Year", "yyyy", 1, 9999]], now = {}; g.innerHTML = parts.map(([n, p]) => `<span role=spinbutton tabindex=0 aria-label="${n}" aria-valuetext=Empty>${p}</span>/`).join("");
        $$("[role=spinbutton]").forEach((s, i) => { const [n, p, low, high] = parts[i]; s.setAttribute("aria-valuemin", low); s.setAttribute("aria-valuemax", high); const put = (v) => { now[n] = v; s.textContent = v; s.setAttribute("aria-valuenow", v); S.d = `${now.Year}-${now.Month}-${now.Day}` };
          s.onkeydown = (e) => { const v = now[n] ?? {Year: 2026}[n] ?? 0; if (e.key === "ArrowUp") put(v >= high ? low : v + 1); if (e.key === "ArrowDown") put(v <= low ? high : v - 1); e.preventDefault() } })</script>""",
        T('group "Start"', "2027-01-20", "S.d === '2027-1-20'"),
    ),
    page(
        "clock-face",
        """<input id=f readonly aria-label=Time style="cursor:pointer"><div id=p hidden style="position:absolute;background:#fff;width:200px;height:220px"><div id=c style="position:relative;height:180px"></div><button id=ok>OK</button></div><script>
        let H, M, minutes = false; const draw = () => { c.innerHTML = Array.from({length: 12}, (_, n) => { const a = n / 6 * Math.PI, x = 90 + 70 * Math.sin(a), y = 80 - 70 * Math.cos(a); return `<span style="position:absolute;left:${x}px;top:${y}px;width:20px">${minutes ? String(n * 5).padStart(2, "0") : n || 12}</span>` }).join("") + (minutes ? "" : "<span style='position:absolute;left:0;top:150px' id=am>AM</span><span style='position:absolute;left:160px;top:150px' id=pm>PM</span>") };
        let half = 0; f.onclick = () => { p.hidden = false; draw() }; c.onclick = (e) => { const t = e.target.textContent; if (t === "PM") { half = 12; return } if (t === "AM") { half = 0; return } if (minutes) M = Number(t); else { H = Number(t) % 12; minutes = true; draw() } };
        ok.onclick = () => { S.t = f.value = `${String(H + half).padStart(2, "0")}:${String(M).padStart(2, "0")}`; p.hidden = true }</script>""",
        T('textbox "Time"', "09:45", "S.t === '09:45'"),
        T('textbox "Time"', "21:15", "S.t === '21:15'"),
    ),
    page(
        "parts-of-a-time",
        """<div role=group aria-label=Time id=g></div><script>
        const now = {}; g.innerHTML = `<span role=spinbutton tabindex=0 contenteditable aria-label=Hours>hh</span>:<span role=spinbutton tabindex=0 contenteditable aria-label=Minutes>mm</span> <span role=spinbutton tabindex=0 contenteditable aria-label=Meridiem>aa</span>`;
        $$("[role=spinbutton]").forEach((s, i) => { const put = (v, shown = v) => { now[i] = v; s.textContent = shown; s.setAttribute("aria-valuenow", v); S.t = `${now[0]}:${now[1]} ${now[2]}` }; let typed = "";
          s.onfocus = () => { typed = "" }; s.onkeydown = (e) => { e.preventDefault(); if (i < 2 && /^\\d$/.test(e.key)) { typed += e.key; put(Number(typed)) } if (i === 2 && /^[ap]$/i.test(e.key)) put(e.key === "p" ? 1 : 0, e.key === "p" ? "PM" : "AM") } })</script>""",
        T('group "Time"', "14:35", "S.t === '2:35 1'"),
    ),
]
