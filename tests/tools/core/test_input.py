from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

from tests.agent import Agent

# The peer tries for five seconds.
QUICKLY = 4.0


async def test_click_is_trusted_and_its_effect_is_awaited(agent: Agent) -> None:
    await agent.open(
        "<button onclick=\"setTimeout(() => document.title = 'done ' + event.isTrusted, 60)\">Go</button>"
    )
    await agent("click", uid=agent.uid('button "Go"'))
    assert await agent.value("document.title") == '"done true"'


async def test_click_waits_for_the_request_it_causes(agent: Agent) -> None:
    slow = agent.site.slow(0.3, "answer")
    await agent.open(
        f"<button onclick=\"fetch('{slow}').then(r => r.text()).then(t => document.title = t)\">Go</button>"
    )
    await agent("click", uid=agent.uid("button"))
    assert await agent.value("document.title") == '"answer"'


async def test_click_that_navigates_reports_where_it_went(agent: Agent) -> None:
    there = agent.site.page("<title>There</title>arrived")
    await agent.open(f"<a href='{there}'>Next</a>")
    text = await agent("click", uid=agent.uid("link"), includeSnapshot=True)
    assert f"Page navigated to {there}." in text
    assert '"arrived"' in text


async def test_click_waits_for_what_covers_the_element_to_go(agent: Agent) -> None:
    await agent.open("""<button onclick="document.title = 'clicked'">Under</button>
      <div id=cover style='position:fixed;inset:0'></div>
      <script>
        function fade() { setTimeout(() => cover.remove(), 300) }</script>""")
    await agent("evaluate_script", function="() => fade()", waitForStableDom=False)
    await agent("click", uid='button "Under"')
    assert await agent.value("document.title") == '"clicked"'


async def test_click_waits_for_a_button_to_be_enabled(agent: Agent) -> None:
    await agent.open("""<label>Name <input
        oninput="setTimeout(() => { save.disabled = false }, 300)"></label>
      <button id=save disabled onclick="document.title = 'saved'">Save</button>""")
    await agent("fill", uid='textbox "Name"', value="Ada")
    await agent("click", uid='button "Save"')
    assert await agent.value("document.title") == '"saved"'


async def test_what_a_click_brings_and_only_listens_has_a_uid_in_the_reply(agent: Agent) -> None:
    await agent.open("""<button onclick="show()">Menu</button><div id=menu></div><script>
      function show() {
        menu.innerHTML = '<div>Rename</div>';
        menu.firstChild.addEventListener('click', () => { document.title = 'renamed' });
      }</script>""")
    await agent("take_snapshot")
    reply = await agent("click", uid=agent.uid('button "Menu"'))
    (uid,) = re.findall(r'uid=(\S+) clickable "Rename"', reply)
    await agent("click", uid=uid)
    assert await agent.value("document.title") == '"renamed"'


async def test_click_on_a_covered_element_names_what_covers_it(agent: Agent) -> None:
    await agent.open(
        "<button onclick='window.hit = 1'>Under</button>"
        "<div role=dialog aria-label=Cookies style='position:fixed;inset:0'></div>"
    )
    started = time.monotonic()
    code, text = await agent.fails("click", uid=agent.uid("button"))
    assert code == "element_covered"
    assert 'dialog "Cookies"' in text
    assert time.monotonic() - started < QUICKLY
    assert await agent.value("window.hit === undefined") == "true"


@pytest.mark.parametrize(
    ("html", "line", "code"),
    [
        ("<button disabled>Go</button>", "button", "element_disabled"),
        ("<fieldset disabled><button>Go</button></fieldset>", "button", "element_disabled"),
        ("<button aria-disabled=true>Go</button>", "button", "element_disabled"),
    ],
)
async def test_click_on_a_disabled_element_fails_at_once(
    agent: Agent, html: str, line: str, code: str
) -> None:
    await agent.open(html)
    started = time.monotonic()
    assert (await agent.fails("click", uid=agent.uid(line)))[0] == code
    assert time.monotonic() - started < QUICKLY


async def test_click_on_a_removed_element_says_that_it_is_gone(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    await agent("evaluate_script", function="() => document.querySelector('button').remove()")
    code, text = await agent.fails("click", uid=agent.uid("button"))
    assert code == "stale_uid"
    assert "take_snapshot" in text


async def test_click_scrolls_to_an_element_far_below(agent: Agent) -> None:
    await agent.open(
        "<div style='height:5000px'></div><button onclick='document.title = 1'>Low</button>"
    )
    await agent("click", uid=agent.uid("button"))
    assert await agent.value("document.title") == '"1"'


async def test_click_waits_for_a_moving_element(agent: Agent) -> None:
    await agent.open(
        "<style>@keyframes in { from { transform: translateX(600px) } }"
        "button { animation: in .4s linear }</style>"
        "<button onclick='document.title = 1'>Go</button>"
    )
    await agent("click", uid=agent.uid("button"))
    assert await agent.value("document.title") == '"1"'


async def test_double_click_is_one_gesture(agent: Agent) -> None:
    await agent.open("<button ondblclick='document.title = event.detail'>Go</button>")
    await agent("click", uid=agent.uid("button"), dblClick=True)
    assert await agent.value("document.title") == '"2"'


async def test_click_on_an_option_chooses_it(agent: Agent) -> None:
    await agent.open(
        "<select aria-label=Colour onchange='document.title = value'>"
        "<option value=r>Red<optgroup label=More><option value=b>Blue</select>"
    )
    await agent("click", uid=agent.uid('option "Blue"'))
    assert await agent.value("document.title") == '"b"'


async def test_click_on_a_hidden_checkbox_goes_through_its_label(agent: Agent) -> None:
    await agent.open(
        "<label><input type=checkbox style='position:absolute;opacity:0;width:0;height:0'>Agree</label>"
    )
    await agent("click", uid=agent.uid("checkbox"))
    assert await agent.value("document.querySelector('input').checked") == "true"


@pytest.mark.parametrize("other", [False, True], ids=["same site", "other site"])
async def test_click_reaches_into_a_frame(agent: Agent, other: bool) -> None:
    inner = agent.site.page(
        "<div style='height:800px'></div>"
        "<button onclick='this.textContent = `hit ${event.isTrusted}`'>Inside</button>",
        other=other,
    )
    await agent.open(f"<div style='height:900px'></div><iframe src='{inner}' title=Child></iframe>")
    await agent("click", uid=agent.uid('button "Inside"'))
    assert 'button "hit true"' in await agent("take_snapshot")


async def test_click_in_a_covered_frame_is_refused(agent: Agent) -> None:
    inner = agent.site.page("<button>Inside</button>", other=True)
    await agent.open(
        f"<iframe src='{inner}'></iframe><div role=alert style='position:fixed;inset:0'>Stop</div>"
    )
    assert (await agent.fails("click", uid=agent.uid('button "Inside"')))[0] == "element_covered"


async def test_popup_is_reported_and_belongs_to_the_session(agent: Agent) -> None:
    there = agent.site.page("<title>Popup</title>new")
    await agent.open(f"<a href='{there}' target=_blank>Open</a>")
    text = await agent("click", uid=agent.uid("link"))
    assert "## Opened pages" in text
    assert there in text
    page_id = int(text.split("## Opened pages\n")[1].split(":")[0])
    assert '"new"' in await agent("wait_for", pageId=page_id, text=["new"])


async def test_hover_shows_what_only_hovering_shows(agent: Agent) -> None:
    await agent.open(
        "<style>p { display: none } button:hover + p { display: block }</style>"
        "<button>Menu</button><p>Shown</p>"
    )
    text = await agent("hover", uid=agent.uid("button"), includeSnapshot=True)
    assert '"Shown"' in text


FILLS = [
    ("<input aria-label=F>", "textbox", "Bob", "Bob"),
    ("<input aria-label=F value=old>", "textbox", "", ""),
    ("<textarea aria-label=F></textarea>", "textbox", "two\nlines", "two\\nlines"),
    ("<input type=number aria-label=F>", "spinbutton", "42.5", "42.5"),
    ("<input type=email aria-label=F>", "textbox", "a@b.example", "a@b.example"),
    ("<input type=password aria-label=F>", "textbox", "s3cret", "s3cret"),
    ("<input type=search aria-label=F>", "searchbox", "naïve ☃", "naïve ☃"),
    ("<input type=date aria-label=F>", "Date", "2026-11-15", "2026-11-15"),
    ("<input type=time aria-label=F>", "InputTime", "13:45", "13:45"),
    ("<input type=color aria-label=F>", "ColorWell", "#FF8800", "#ff8800"),
    ("<input type=range aria-label=F max=10>", "slider", "7", "7"),
    (
        "<select aria-label=F><option value=1>One<option value=2>Two</select>",
        "combobox",
        "Two",
        "2",
    ),
    ("<select aria-label=F><option value=1>One<option value=2>Two</select>", "combobox", "2", "2"),
]


@pytest.mark.parametrize(("html", "role", "value", "held"), FILLS)
async def test_fill_gives_a_control_its_value(
    agent: Agent, html: str, role: str, value: str, held: str
) -> None:
    await agent.open(
        f"{html}<script>document.forms; const f = document.querySelector('[aria-label=F]');"
        "window.seen = []; for (const t of ['input', 'change']) f.addEventListener(t, () => seen.push(t))"
        "</script>"
    )
    await agent("fill", uid=agent.uid(f'{role} "F"'), value=value)
    assert await agent.value("f.value") == f'"{held}"'
    assert "input" in await agent.value("seen")


async def test_fill_chooses_several_options(agent: Agent) -> None:
    await agent.open(
        "<select multiple aria-label=F><option selected>One<option>Two<option>Three</select>"
    )
    await agent("fill", uid=agent.uid("listbox"), value='["Two", "Three"]')
    got = await agent.value(
        "[...document.querySelector('select').selectedOptions].map(o => o.text)"
    )
    assert got == '["Two","Three"]'


@pytest.mark.parametrize(
    "html",
    [
        "<input type=checkbox aria-label=F>",
        "<input type=radio aria-label=F>",
        "<button role=switch aria-checked=false aria-label=F "
        "onclick='this.ariaChecked = this.ariaChecked != `true`'></button>",
    ],
)
async def test_fill_turns_a_toggle_on_and_leaves_it_on(agent: Agent, html: str) -> None:
    await agent.open(html)
    uid = agent.seen.split("uid=")[2].split()[0]
    await agent("fill", uid=uid, value="true")
    await agent("fill", uid=uid, value="true")
    assert "checked" in await agent("take_snapshot")


async def test_fill_replaces_the_text_of_an_editable_element(agent: Agent) -> None:
    await agent.open("<div contenteditable role=textbox aria-label=F>old <b>text</b></div>")
    await agent("fill", uid=agent.uid("textbox"), value="new text")
    assert await agent.value("document.querySelector('div').innerText") == '"new text"'


async def test_fill_sends_key_events_for_pages_that_listen_to_them(agent: Agent) -> None:
    await agent.open("<input aria-label=F onkeyup='document.title = value'>")
    await agent("fill", uid=agent.uid("textbox"), value="query")
    assert await agent.value("document.title") == '"query"'


async def test_fill_says_what_a_masked_field_made_of_the_value(agent: Agent) -> None:
    await agent.open(
        "<input aria-label=F oninput=\"value = value.replace(/\\D/g, '').replace(/(\\d{3})(?=\\d)/, '$1-')\">"
    )
    text = await agent("fill", uid=agent.uid("textbox"), value="123456")
    assert '"123-456"' in text


REFUSED = [
    ("<h1>Title</h1>", "heading", "x", "element_not_fillable"),
    ("<input aria-label=F readonly>", "textbox", "x", "element_readonly"),
    ("<input aria-label=F disabled>", "textbox", "x", "element_disabled"),
    ("<input type=number aria-label=F>", "spinbutton", "many", "element_not_fillable"),
    ("<input type=date aria-label=F>", "Date", "15.11.2026", "element_not_fillable"),
    ("<input type=checkbox aria-label=F>", "checkbox", "yes", "element_not_fillable"),
    ("<select aria-label=F><option>Red</select>", "combobox", "Purple", "element_no_such_option"),
    ("<input type=file aria-label=F>", "button", "x", "element_not_fillable"),
]


@pytest.mark.parametrize(("html", "line", "value", "code"), REFUSED)
async def test_fill_refuses_at_once_what_cannot_be(
    agent: Agent, html: str, line: str, value: str, code: str
) -> None:
    await agent.open(html)
    started = time.monotonic()
    assert (await agent.fails("fill", uid=agent.uid(line), value=value))[0] == code
    assert time.monotonic() - started < QUICKLY


async def test_fill_form_says_how_far_it_came(agent: Agent) -> None:
    await agent.open("<input aria-label=A><input aria-label=B disabled>")
    fields = [
        {"uid": agent.uid('textbox "A"'), "value": "1"},
        {"uid": agent.uid('textbox "B"'), "value": "2"},
    ]
    code, text = await agent.fails("fill_form", elements=fields)
    assert code == "element_disabled"
    assert "1 filled, 1 not." in text
    assert await agent.value("document.querySelector('input').value") == '"1"'


async def test_type_text_types_into_the_focus_and_submits(agent: Agent) -> None:
    await agent.open(
        "<form onsubmit='document.title = q.value; return false'><input id=q autofocus></form>"
    )
    await agent("click", uid=agent.uid("textbox"))
    await agent("type_text", text="hello Wörld", submitKey="Enter")
    assert await agent.value("document.title") == '"hello Wörld"'


async def test_press_key_combination_reaches_the_page(agent: Agent) -> None:
    await agent.open(
        "<input value=abc><script>onkeydown = e => document.title += e.key + e.ctrlKey</script>"
    )
    await agent("click", uid=agent.uid("textbox"))
    await agent("press_key", key="Control+A")
    await agent("press_key", key="Delete")
    assert await agent.value("document.querySelector('input').value") == '""'
    assert await agent.value("document.title") == '"ControltrueAtrueDeletefalse"'.replace("A", "a")


async def test_unknown_key_is_refused_before_anything_is_typed(agent: Agent) -> None:
    await agent.open("<input autofocus>")
    code, text = await agent.fails("type_text", text="x", submitKey="Entr")
    assert code == "bad_request"
    assert "Enter" in text
    assert await agent.value("document.querySelector('input').value") == '""'


async def test_drag_drops_by_the_pages_own_drag_and_drop(agent: Agent) -> None:
    await agent.open(
        "<div draggable=true role=button tabindex=0 aria-label=Card "
        "ondragstart=\"event.dataTransfer.setData('text', 'card')\">Card</div>"
        "<div role=region aria-label=Zone style='height:200px' ondragover='event.preventDefault()' "
        "ondrop=\"document.title = event.dataTransfer.getData('text')\">Zone</div>"
    )
    await agent("drag", from_uid=agent.uid('button "Card"'), to_uid=agent.uid('region "Zone"'))
    assert await agent.value("document.title") == '"card"'


async def test_drag_works_by_the_mouse_alone(agent: Agent) -> None:
    await agent.open(
        "<button style='position:absolute;left:10px;top:10px'>Knob</button>"
        "<div role=region aria-label=End style='position:absolute;left:300px;top:300px;width:50px;height:50px'></div>"
        "<script>onpointermove = e => { if (e.buttons) document.title = e.clientX }</script>"
    )
    await agent("drag", from_uid=agent.uid("button"), to_uid=agent.uid("region"))
    assert await agent.value("document.title") == '"325"'


async def test_upload_file_gives_the_file_to_an_input(agent: Agent, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("content")
    await agent.open("<input type=file aria-label=F onchange='document.title = files[0].name'>")
    await agent("upload_file", uid=agent.uid('button "F'), filePaths=[str(file)])
    assert await agent.value("document.title") == '"note.txt"'


async def test_upload_file_works_through_a_chooser(agent: Agent, tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("content")
    await agent.open(
        "<input type=file hidden onchange='document.title = files[0].name'>"
        "<button onclick='document.querySelector(`input`).click()'>Choose</button>"
    )
    await agent("upload_file", uid=agent.uid('button "Choose"'), filePaths=[str(file)])
    assert await agent.value("document.title") == '"note.txt"'


async def test_upload_outside_the_allowed_folders_is_refused(agent: Agent) -> None:
    await agent.open("<input type=file aria-label=F>")
    code, _ = await agent.fails("upload_file", uid=agent.uid("button"), filePaths=["/etc/passwd"])
    assert code == "refused_by_policy"


async def test_click_at_clicks_the_point(agent: Agent) -> None:
    await agent.open("<body onclick='document.title = `${event.clientX},${event.clientY}`'>page")
    await agent("click_at", x=30, y=40)
    assert await agent.value("document.title") == '"30,40"'


async def test_calls_on_one_page_keep_their_order(agent: Agent) -> None:
    await agent.open("<input aria-label=F>")
    await agent("click", uid=agent.uid("textbox"))
    await asyncio.gather(*(agent("type_text", text=char) for char in "abcdefgh"))
    assert await agent.value("document.querySelector('input').value") == '"abcdefgh"'


@pytest.mark.parametrize(
    "html",
    [
        "<input id=box type=checkbox style='position: absolute; width: 1px; height: 1px; opacity: 0'>"
        "<label for=box onclick='clicked = 1'>All</label>",
        "<input id=box type=checkbox style='position: absolute; width: 1px; height: 1px'>"
        "<label for=gone onclick='clicked = 1; box.click()'>All</label>",
        "<div style='position: relative; height: 40px'><input id=box type=checkbox>"
        "<div style='position: absolute; inset: 0; background: white'>Cover</div></div>"
        "<label for=box onclick='clicked = 1'>All</label>",
    ],
)
async def test_a_box_that_cannot_be_clicked_is_ticked_by_its_label(agent: Agent, html: str) -> None:
    await agent.open(html)
    await agent("click", uid=agent.uid("checkbox"))
    assert await agent.value("box.checked && clicked === 1") == "true"
