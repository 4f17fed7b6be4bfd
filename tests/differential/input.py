"""Mouse and keyboard: what the page notices."""

from __future__ import annotations

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side

COUNTS = "<title>t</title><script>clicks = doubles = 0</script><button onclick='clicks++' ondblclick='doubles++'>Go</button>"
EVENTS = (
    "<script>seen = []; for (const name of ['keydown', 'input', 'change', 'click'])"
    " document.addEventListener(name, e => seen.push(name), true)</script>"
)


def field(kind: str, value: str = "") -> str:
    """A page with one field."""
    return f"<title>t</title>{EVENTS}<input aria-label=Field type={kind} value='{value}'>"


@behaviour(42)
async def a_click_clicks_once(side: Side) -> Facts:
    await side.open(COUNTS)
    answer = await side.act("click", 'button "Go"')
    return {
        "failed": answer.failed,
        "clicks": await side.value("clicks"),
        **answer.says("clicked (on )?the element"),
    }


@behaviour(42)
async def a_double_click_is_one(side: Side) -> Facts:
    await side.open(COUNTS)
    answer = await side.act("click", 'button "Go"', dblClick=True)
    return {
        "clicks": await side.value("[clicks, doubles]"),
        **answer.says("double clicked (on )?the element"),
    }


@behaviour(42, quick="permanent-failures-at-once")
async def a_disabled_button_is_not_clicked(side: Side) -> Facts:
    await side.open("<button disabled>Off</button>")
    answer = await side.act("click", 'button "Off"')
    return {"failed": answer.failed, "quick": answer.seconds < 4}


@behaviour(42, quick="permanent-failures-at-once")
async def an_element_that_is_gone_is_not_clicked(side: Side) -> Facts:
    await side.open("<button id=b>Gone</button>")
    await side.value("(kept = document.getElementById('b'), kept.remove(), 1)")
    answer = await side.act("click", 'button "Gone"')
    return {"failed": answer.failed, "quick": answer.seconds < 4}


@behaviour(42, failed="covered-elements")
async def an_element_that_is_covered_is_not_reached(side: Side) -> Facts:
    await side.open(
        "<script>clicks = 0</script><button onclick='clicks++'>Under</button>"
        "<div style='position:fixed;inset:0;background:#fff8' id=veil></div>"
    )
    answer = await side.act("click", 'button "Under"')
    return {"failed": answer.failed, "clicks": await side.value("clicks")}


@behaviour(42)
async def an_element_below_the_fold_is_scrolled_to(side: Side) -> Facts:
    await side.open(
        "<script>clicks = 0</script><div style='height:5000px'></div><button onclick='clicks++'>Far</button>"
    )
    answer = await side.act("click", 'button "Far"')
    return {"failed": answer.failed, "clicks": await side.value("clicks")}


@behaviour(43)
async def a_click_waits_for_what_it_changes(side: Side) -> Facts:
    await side.open(
        "<button onclick=\"setTimeout(() => document.body.append('changed'), 50)\">Later</button>"
    )
    answer = await side.act("click", 'button "Later"', includeSnapshot=True)
    return {"failed": answer.failed, **answer.says("changed", "## Latest page snapshot")}


@behaviour(43)
async def a_click_that_navigates_says_where(side: Side) -> Facts:
    target = side.site.page("<title>Arrived</title><p>Hello")
    await side.open(f"<a href='{target}'>Leave</a>")
    answer = await side.act("click", 'link "Leave"')
    return {
        "said": f"Page navigated to {target}." in answer.text,
        "title": await side.value("document.title"),
    }


@behaviour(44)
async def a_step_inside_the_document_is_said(side: Side) -> Facts:
    await side.open("<button onclick=\"history.pushState({}, '', '?step=2')\">Step</button>")
    answer = await side.act("click", 'button "Step"')
    return answer.says(r"Page navigated to \S+\?step=2\.")


@behaviour(45)
async def an_option_is_chosen_by_a_click(side: Side) -> Facts:
    await side.open(
        f"<title>t</title>{EVENTS}<select aria-label=Colour><option value=r>Red<option value=b>Blue"
        "<optgroup label=More><option value=g>Green</optgroup></select>"
    )
    blue = await side.act("click", 'option "Blue"')
    first = await side.value("document.querySelector('select').value")
    await side.call("take_snapshot")
    green = await side.act("click", 'option "Green"')
    return {
        "first": first,
        "then": await side.value("document.querySelector('select').value"),
        "changes": await side.value("seen.filter(x => x == 'change').length"),
        "failed": [blue.failed, green.failed],
    }


@behaviour(46)
async def every_kind_of_field_is_filled(side: Side) -> Facts:
    values = {
        "text": "Ada Lovelace",
        "email": "ada@example.org",
        "number": "42",
        "date": "2026-02-03",
        "time": "12:34",
        "color": "#ff8800",
        "range": "7",
        "password": "geheim",
        "search": "words",
        "tel": "123",
        "url": "http://x.test/",
    }
    await side.open(
        "<title>t</title>"
        + "".join(f"<label>The {k} <input type={k} min=0 max=100></label>" for k in values)
    )
    facts: dict[str, object] = {}
    for kind, value in values.items():
        uid = next(
            line.split("uid=")[1].split()[0]
            for line in side.seen.splitlines()
            if f'"The {kind}"' in line and "uid=" in line and f' "The {kind}"' in line[12:]
        )
        facts[f"{kind} failed"] = (await side.call("fill", uid=uid, value=value)).failed
    facts["values"] = await side.value("[...document.querySelectorAll('input')].map(x => x.value)")
    return facts


@behaviour(46)
async def texts_go_into_areas_and_editors(side: Side) -> Facts:
    await side.open(
        "<title>t</title><textarea aria-label=Area>old</textarea>"
        "<div contenteditable role=textbox aria-label=Editor>old</div>"
    )
    area = await side.act("fill", 'textbox "Area"', value="word " * 50)
    editor = await side.act("fill", 'textbox "Editor"', value="edited")
    return {
        "failed": [area.failed, editor.failed],
        "area": await side.value("document.querySelector('textarea').value"),
        "editor": await side.value("document.querySelector('[contenteditable]').innerText"),
    }


@behaviour(46)
async def the_page_hears_what_is_typed(side: Side) -> Facts:
    await side.open(field("text"))
    await side.act("fill", 'textbox "Field"', value="ab")
    return {
        "input": await side.value("seen.includes('input')"),
        "change": await side.value("(document.activeElement.blur(), seen.includes('change'))"),
    }


@behaviour(47)
async def filling_replaces_extends_and_keeps(side: Side) -> Facts:
    await side.open(field("text", "before"))
    facts: dict[str, object] = {}
    for value in ("after", "after all", "after all", ""):
        answer = await side.act("fill", 'textbox "Field"', value=value)
        now = await side.value("document.querySelector('input').value")
        facts[f"{value!r} {len(facts)}"] = (answer.failed, now)
    return facts


@behaviour(48, "said")
async def an_option_is_chosen_by_its_text(side: Side) -> Facts:
    await side.open("<select aria-label=Colour><option value=r>Red<option value=b>Blue</select>")
    chosen = await side.act("fill", 'combobox "Colour"', value="Blue")
    value = await side.value("document.querySelector('select').value")
    unknown = await side.act("fill", 'combobox "Colour"', value="Purple")
    return {
        "failed": chosen.failed,
        "value": value,
        "after": await side.value("document.querySelector('select').value"),
        "said": unknown.failed and "Purple" in unknown.text,
    }


@behaviour(49)
async def toggles_become_what_is_asked(side: Side) -> Facts:
    await side.open(
        f"<title>t</title>{EVENTS}<label><input type=checkbox> Agree</label>"
        "<label><input type=radio name=r> Red</label>"
        "<button role=switch aria-checked=false aria-label=Light onclick=\"this.ariaChecked = this.ariaChecked == 'true' ? 'false' : 'true'\">x</button>"
    )
    steps = [
        await side.act("fill", line, value=value)
        for line, value in (
            ('checkbox "Agree"', "true"),
            ('checkbox "Agree"', "true"),
            ('radio "Red"', "true"),
            ('switch "Light"', "true"),
            ('switch "Light"', "true"),
        )
    ]
    state = "[...document.querySelectorAll('input')].map(x => x.checked).concat(document.querySelector('[role=switch]').ariaChecked)"
    on = await side.value(state)
    steps.append(await side.act("fill", 'checkbox "Agree"', value="false"))
    return {"failed": [each.failed for each in steps], "on": on, "off": await side.value(state)}


@behaviour(49, "said")
async def a_toggle_takes_only_true_and_false(side: Side) -> Facts:
    await side.open("<label><input type=checkbox> Agree</label>")
    answer = await side.act("fill", 'checkbox "Agree"', value="yes")
    return {
        "said": answer.failed and all(answer.says("true", "false", "yes").values()),
        "checked": await side.value("document.querySelector('input').checked"),
    }


@behaviour(50)
async def a_form_is_filled_in_order_up_to_the_first_failure(side: Side) -> Facts:
    await side.open(
        "<title>t</title><input aria-label=A><select aria-label=B><option>x</select><input aria-label=C>"
    )
    uids = [side.uid(line) for line in ('textbox "A"', 'combobox "B"', 'textbox "C"')]
    good = await side.call("fill_form", elements=[{"uid": uids[0], "value": "1"}])
    values = ("2", "no such option", "3")
    bad = await side.call(
        "fill_form", elements=[{"uid": u, "value": v} for u, v in zip(uids, values, strict=True)]
    )
    empty = await side.call("fill_form", elements=[])
    return {
        "failed": [good.failed, bad.failed, empty.failed],
        "values": await side.value("[...document.querySelectorAll('input')].map(x => x.value)"),
    }


@behaviour(51)
async def text_is_typed_where_the_focus_is(side: Side) -> Facts:
    await side.open(
        "<title>t</title><form onsubmit='document.title = sent.value; return false'><input id=sent autofocus></form>"
    )
    await side.value("document.getElementById('sent').focus()")
    answer = await side.call("type_text", text="Grüße zz", submitKey="Enter")
    return {
        "failed": answer.failed,
        "title": await side.value("document.title"),
        **answer.says("enter"),
    }


@behaviour(52, select="keys-as-on-a-keyboard")
async def keys_are_pressed_with_their_modifiers(side: Side) -> Facts:
    await side.open(
        "<title>t</title><script>keys = []; onkeydown = e => keys.push([e.key, e.ctrlKey, e.shiftKey, e.altKey])</script>"
        "<textarea>some text</textarea>"
    )
    await side.value("document.querySelector('textarea').focus()")
    failed = [
        (await side.call("press_key", key=key)).failed
        for key in ("a", "Control++", "Shift+Tab", "ArrowDown", "Control+Shift+K", "Control+A")
    ]
    *keys, select = await side.value("keys")
    return {"failed": failed, "keys": keys, "select": select}


@behaviour(52)
async def wrong_keys_are_refused_and_nothing_stays_down(side: Side) -> Facts:
    await side.open(
        "<script>keys = []; onkeydown = e => keys.push([e.key, e.ctrlKey])</script><input autofocus>"
    )
    failed = [
        (await side.call("press_key", key=key)).failed
        for key in ("Nope", "Control+Control+A", "", "Control+Nope")
    ]
    await side.call("press_key", key="x")
    return {"failed": failed, "last": await side.value("keys.at(-1)")}


@behaviour(53)
async def an_element_is_dragged_onto_another(side: Side) -> Facts:
    await side.open(
        "<title>t</title><div draggable=true role=button aria-label=Thing style='width:50px;height:50px;background:red'"
        " ondragstart=\"event.dataTransfer.setData('text', 'carried')\"></div>"
        "<div role=button aria-label=Place style='width:90px;height:90px;background:blue' ondragover='event.preventDefault()'"
        " ondrop=\"document.title = event.dataTransfer.getData('text')\"></div>"
    )
    answer = await side.call(
        "drag", from_uid=side.uid('button "Thing"'), to_uid=side.uid('button "Place"')
    )
    return {"failed": answer.failed, "title": await side.value("document.title")}


@behaviour(54, absent="missing-files")
async def files_are_uploaded_directly_and_through_a_chooser(side: Side) -> Facts:
    file = side.folder / "upload.txt"
    file.write_text("content")
    await side.open(
        "<title>t</title><input type=file aria-label=Direct id=d>"
        "<button onclick='picker.click()'>Choose</button><input type=file id=picker hidden>"
        "<button>Nothing</button>"
    )
    direct = await side.act("upload_file", 'button "Direct"', filePaths=[str(file)])
    chooser = await side.act("upload_file", 'button "Choose"', filePaths=[str(file)])
    neither = await side.act("upload_file", 'button "Nothing"', filePaths=[str(file)])
    many = await side.act("upload_file", 'button "Direct"', filePaths=[str(file), str(file)])
    missing = await side.act(
        "upload_file", 'button "Direct"', filePaths=[str(side.folder / "missing.txt")]
    )
    return {
        "failed": [each.failed for each in (direct, chooser, neither, many)],
        "absent": missing.failed,
        "files": await side.value("[!!d.files.length, picker.files[0]?.name]"),
        **direct.says("upload.txt"),
    }


@behaviour(55)
async def hovering_is_noticed(side: Side) -> Facts:
    await side.open(
        "<title>t</title><style>button:hover { color: rgb(1, 2, 3) }</style>"
        "<button onmouseenter='document.title = 1'>Over</button>"
    )
    answer = await side.act("hover", 'button "Over"')
    return {
        "failed": answer.failed,
        "title": await side.value("document.title"),
        "style": await side.value("getComputedStyle(document.querySelector('button')).color"),
        **answer.says("hovered over the element"),
    }


@behaviour(56)
async def a_point_is_clicked(side: Side) -> Facts:
    await side.open("<body onclick='at = [event.clientX, event.clientY]'><p style='height:300px'>x")
    answer = await side.call("click_at", x=40, y=60)
    return {"failed": answer.failed, "at": await side.value("at")}


@behaviour(42)
async def an_unknown_uid_is_refused(side: Side) -> Facts:
    await side.open("<button>x</button>")
    failed = [
        (await side.call("click", uid="9999_99")).failed,
        (await side.call("hover", uid="nonsense")).failed,
        (await side.call("fill", uid="", value="x")).failed,
    ]
    return {"failed": failed}
