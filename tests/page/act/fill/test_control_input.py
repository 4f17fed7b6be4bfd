from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tabmux.errors import ScriptFailed
from tabmux.page.frame_tree import Frame
from tests.agent import Agent
from tests.page.act.test_input_events import CALL, round_trips
from tests.site import Site

SWITCH = (
    '<button role=switch aria-checked=false aria-label=F onclick="setTimeout(() => '
    "this.setAttribute('aria-checked', this.ariaChecked !== 'true'), {0})\"></button>"
)


@pytest.mark.parametrize("late", [0, 20, 150])
async def test_a_toggle_that_changes_late_is_filled(agent: Agent, late: int) -> None:
    await agent.open(SWITCH.replace("{0}", str(late)))
    await agent("fill", uid=agent.uid("switch"), value="true")
    assert await agent.value("document.querySelector('button').ariaChecked") == '"true"'


async def test_a_checkbox_that_a_page_ticks_by_itself_later_is_filled(agent: Agent) -> None:
    await agent.open(
        "<input type=checkbox aria-label=F onclick='event.preventDefault();"
        "setTimeout(() => checked = true, 60)'>"
    )
    await agent("fill", uid=agent.uid("checkbox"), value="true")
    assert await agent.value("document.querySelector('input').checked") == "true"


async def test_a_toggle_that_never_changes_is_told(agent: Agent) -> None:
    await agent.open("<button role=switch aria-checked=false aria-label=F></button>")
    code, text = await agent.fails("fill", uid=agent.uid("switch"), value="true")
    assert code == "element_not_changed"
    assert "still false" in text


async def test_a_toggle_that_says_nowhere_whether_it_is_on_is_not_called_off(agent: Agent) -> None:
    await agent.open("<button role=switch onclick='this.classList.toggle(`lit`)'>Light</button>")
    code, text = await agent.fails("fill", uid=agent.uid("switch"), value="true")
    assert code == "element_not_changed"
    assert "was clicked, but does not say whether it is on" in text


async def test_a_button_that_stays_pressed_is_a_toggle(agent: Agent) -> None:
    await agent.open(
        "<button aria-pressed=false onclick=\"ariaPressed = ariaPressed !== 'true'\">Bold</button>"
    )
    await agent("fill", uid=agent.uid("button"), value="true")
    assert await agent.value("document.querySelector('button').ariaPressed") == '"true"'


async def test_a_component_is_filled_by_the_only_field_in_it(agent: Agent) -> None:
    await agent.open(
        "<x-field tabindex=0>x</x-field><script>document.querySelector('x-field')"
        ".attachShadow({mode: 'open'}).innerHTML = '<label>Name <input></label>'</script>"
    )
    await agent("fill", uid="css=x-field", value="Ada")
    value = "document.querySelector('x-field').shadowRoot.querySelector('input').value"
    assert await agent.value(value) == '"Ada"'


async def test_a_form_is_not_filled_by_the_only_field_in_it(agent: Agent) -> None:
    await agent.open("<form aria-label=Login><input aria-label=F></form>")
    code, _ = await agent.fails("fill", uid=agent.uid("form"), value="Ada")
    assert code == "element_not_fillable"


async def test_a_range_says_where_it_stands_if_not_at_the_value(agent: Agent) -> None:
    await agent.open("<input type=range aria-label=F step=5>")
    text = await agent("fill", uid=agent.uid("slider"), value="52")
    assert "stands at 50" in text


async def test_fill_of_a_text_field_takes_three_round_trips_and_the_diff(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<input aria-label=F>")
    (page,) = agent.session.pages.values()
    channel = page.attached_page.channel
    with round_trips(channel, monkeypatch, beside="Runtime.evaluate") as trips:
        await agent("fill", uid=agent.uid("textbox"), value="text")
    typing = ["Input.insertText", "Input.dispatchKeyEvent", "Input.dispatchKeyEvent"]
    assert trips == [CALL, typing, CALL, CALL]


@pytest.mark.parametrize("value", ["Ada", "7"])
async def test_a_field_whose_page_holds_keys_back_takes_the_text_without_them(
    agent: Agent, value: str
) -> None:
    await agent.open("<input aria-label=F value=0 onkeydown='event.preventDefault()'>")
    assert (await agent("fill", uid=agent.uid("textbox"), value=value)).startswith(
        "Filled the element.\n"
    )
    assert await agent.value("document.querySelector('input').value") == f'"{value}"'


BACK = {
    "a field": "<input id=f aria-label=F value=old oninput='later(() => f.value = `old`)'>",
    "an editor": "<div id=f contenteditable aria-label=F role=textbox"
    " oninput='later(() => f.textContent = `old`)'>old</div>",
    "a list": "<select id=f aria-label=F onchange='later(() => f.value = `old`)'>"
    "<option>old<option>new</select>",
}


# It works on the value for a while, and then takes it away.
LATER = """<p id=p></p><script>
  const later = (back) => {
    const end = performance.now() + 150, turns = new MessageChannel();
    turns.port1.onmessage = () => {
      p.textContent = performance.now();
      if (performance.now() < end) turns.port2.postMessage(0); else back();
    };
    p.textContent = "busy";
    turns.port2.postMessage(0);
  };
</script>"""


@pytest.mark.parametrize("kind", BACK)
async def test_a_page_that_puts_the_old_value_back_is_told(agent: Agent, kind: str) -> None:
    await agent.open(LATER + BACK[kind])
    put_back = "Filled the element. But the page has put back what it held before."
    assert put_back in await agent("fill", uid="css=#f", value="new")


async def test_an_old_value_that_comes_back_with_an_answer_is_told(
    agent: Agent, site: Site
) -> None:
    await agent.open(f"""<input id=f aria-label=F value=old oninput="
      fetch('{site.slow(0.1)}').then((answer) => answer.text()).then(() => {{ f.value = 'old' }})">""")
    told = await agent("fill", uid=agent.uid("textbox"), value="new")
    assert "Filled the element. But the page has put back what it held before." in told


async def test_another_value_that_comes_with_an_answer_is_told(agent: Agent, site: Site) -> None:
    await agent.open(f"""<input id=f aria-label=F value=5 oninput="
      fetch('{site.slow(0.1)}').then((answer) => answer.text()).then(() => {{ f.value = '100' }})">""")
    told = await agent("fill", uid=agent.uid("textbox"), value="500")
    assert 'Filled the element. But the page has changed it to "100".' in told


async def test_of_a_form_the_field_is_named_that_got_its_old_value_back(agent: Agent) -> None:
    await agent.open(f"{LATER}<input aria-label=G>{BACK['a field']}")
    first, second = agent.uid('textbox "G"'), agent.uid('textbox "F"')
    values = [{"uid": first, "value": "other"}, {"uid": second, "value": "new"}]
    told = await agent("fill_form", elements=values)
    assert f"\n{second}: But the page has put back" in told
    assert f"\n{first}:" not in told


async def test_a_value_that_stays_is_not_called_put_back(agent: Agent) -> None:
    await agent.open(
        "<input aria-label=F value=old><select aria-label=L><option value=n>New</select>"
    )
    assert "put back" not in await agent("fill", uid=agent.uid("textbox"), value="new")
    assert "put back" not in await agent("fill", uid=agent.uid("textbox"), value="new")
    assert "put back" not in await agent("fill", uid="css=select", value="n")


CODE = """<div id=code></div><script>
  code.innerHTML = Array.from({length: 6}, (_, n) => `<input maxlength=1 aria-label="Digit ${n + 1}">`).join("");
  const fields = [...code.children];
  fields.forEach((field, n) => field.oninput = () => { if (field.value) fields[n + 1]?.focus() });
  const held = () => fields.map((field) => field.value).join("");
</script>"""


async def test_a_code_is_typed_on_where_the_page_moves_the_focus(agent: Agent) -> None:
    await agent.open(CODE)
    reply = await agent("fill", uid='textbox "Digit 1"', value="123456")
    assert await agent.value("held()") == '"123456"'
    assert 'The field now holds "1". The rest was typed' in reply


async def test_a_text_that_is_too_long_is_told(agent: Agent) -> None:
    await agent.open("<input maxlength=3 aria-label=F>")
    reply = await agent("fill", uid="textbox", value="12345")
    assert 'The field now holds "123".' in reply
    assert "The rest" not in reply


async def test_a_toggle_without_room_is_switched_by_what_is_drawn_for_it(agent: Agent) -> None:
    # What is done to the field itself, Chrome undoes after the page has prevented it.
    await agent.open("""<div id=drawn style="position:relative;width:40px;height:20px">
      <input type=checkbox role=switch aria-label=Online
        style="position:absolute;width:0;height:0;opacity:0;margin:0">
      <span style="display:block;height:20px;cursor:pointer"></span></div><script>
      const field = document.querySelector("input");
      let on = false;
      drawn.onclick = (event) => {
        event.preventDefault();
        on = !on;
        Promise.resolve().then(() => { field.checked = on });
      };</script>""")
    await agent("fill", uid=agent.uid("switch"), value="true")
    assert await agent.value("on && field.checked") == "true"


async def test_a_toggle_in_a_wrapper_without_room_is_switched_by_what_is_drawn_for_it(
    agent: Agent,
) -> None:
    option = """<div class=star><span class=away><input type=radio name=s aria-label="{0} stars">
      </span><svg width=14 height=14 aria-hidden=true><path d="M0 0H14V14H0Z"/></svg></div>"""
    await agent.open(f"""<style>.star {{ display: inline-flex; align-items: center; cursor: pointer }}
      .away {{ position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
        clip: rect(0, 0, 0, 0) }} .away input {{ pointer-events: none }}</style>
      <div>{"".join(option.format(number) for number in range(1, 4))}</div><script>
      for (const star of document.querySelectorAll(".star")) star.onclick = () => {{
        star.querySelector("input").checked = true; }};</script>""")
    reply = await agent("fill", uid=agent.uid('radio "2 stars"'), value="true")
    assert "div lies over it and took the click." in reply
    checked = "document.querySelector('input:checked').ariaLabel"
    assert await agent.value(checked) == '"2 stars"'


@pytest.mark.parametrize("value", ["true", "false"])
async def test_a_checkbox_that_is_half_on_is_filled(agent: Agent, value: str) -> None:
    await agent.open(
        "<input type=checkbox aria-label=All><script>"
        "document.querySelector('input').indeterminate = true</script>"
    )
    await agent("fill", uid="checkbox", value=value)
    held = (
        "[document.querySelector('input').checked, document.querySelector('input').indeterminate]"
    )
    assert json.loads(await agent.value(held)) == [value == "true", False]


async def test_a_file_is_given_to_the_input_over_a_button(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "photo.txt").write_text("x")
    await agent.open("""<div style="position:relative;width:200px;height:60px"><button>Browse</button>
      <input type=file style="position:absolute;inset:0;opacity:0" aria-label=Drop></div>""")
    path = str(tmp_path / "photo.txt")
    await agent("upload_file", uid='button "Browse"', filePaths=[path])
    assert await agent.value("document.querySelector('input').files[0].name") == '"photo.txt"'


async def test_a_list_that_another_one_fills_is_waited_for(agent: Agent) -> None:
    await agent.open("""<select aria-label=Country onchange="town.disabled = true; setTimeout(() => {
      town.innerHTML = '<option>Paris<option>Lyon';
      setTimeout(() => town.disabled = false, 60) }, 60)"><option>-<option>France</select>
      <select id=town aria-label=Town><option>-</select>""")
    country, town = agent.uid('combobox "Country"'), agent.uid('combobox "Town"')
    await agent(
        "fill_form",
        elements=[{"uid": country, "value": "France"}, {"uid": town, "value": "Lyon"}],
    )
    assert await agent.value("town.value") == '"Lyon"'


async def test_an_option_that_there_is_not_is_told(agent: Agent) -> None:
    await agent.open("<select aria-label=Town><option>Paris</select>")
    code, text = await agent.fails("fill", uid="combobox", value="Rome")
    assert code == "element_no_such_option"
    assert 'Use one of "Paris"' in text


async def refuse_to_leave(agent: Agent, html: str) -> None:
    """Open a page that is still loading, and has asked for another one that there is not."""

    def nothing(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(204)
        handler.end_headers()

    # Chrome says that a navigation has ended once nothing more is loading.
    await agent.open(f"{html}<img src='{agent.site.silent()}'>")
    leave = f"() => {{ location = '{agent.site.route(nothing)}' }}"
    await agent("evaluate_script", function=leave, waitForStableDom=False)
    (handle,) = agent.session.pages.values()
    page = handle.attached_page
    assert await page.signal.until(lambda: page.activity.navigating, 5)


async def test_values_and_presses_are_checked_where_a_navigation_came_to_nothing(
    agent: Agent,
) -> None:
    await refuse_to_leave(
        agent,
        "<style>b { display: none; position: absolute; inset: 0 } div:hover b { display: block }"
        "</style><div style='position:relative;width:90px'><button>Go</button><b>wall</b></div>"
        "<input aria-label=T oninput='this.value = ``'>",
    )
    pressed, filled = agent.uid("button"), agent.uid("textbox")
    assert (await agent.fails("fill", uid=filled, value="x"))[0] == "element_not_changed"
    assert (await agent.fails("click", uid=pressed))[0] == "element_covered"


async def test_a_value_that_the_page_does_not_let_be_read_is_said_to_be_unseen(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<input aria-label=T>")
    call = Frame.call

    async def refused(frame: Frame, name: str, *args: Any, **options: Any) -> Any:
        if name == "held":
            raise ScriptFailed("no")
        return await call(frame, name, *args, **options)

    monkeypatch.setattr(Frame, "call", refused)
    assert "did not answer" in await agent("fill", uid=agent.uid("textbox"), value="x")


SWITCHES = """<label>Wifi <x-switch></x-switch></label><script>
  customElements.define("x-switch", class extends HTMLElement {
    static formAssociated = true;
    internals = this.attachInternals();
    connectedCallback() {
      this.tabIndex = 0;
      this.style = "display:inline-block;width:40px;height:20px";
      this.internals.role = "switch";
      this.internals.ariaChecked = "false";
      this.onclick = () => setTimeout(() => {
        this.internals.ariaChecked = String(this.internals.ariaChecked !== "true");
      }, 30);
    }
  })</script>"""


async def test_a_component_that_only_chrome_can_read_is_switched(agent: Agent) -> None:
    await agent.open(SWITCHES)
    switch = agent.uid("switch")
    state = "document.querySelector('x-switch').internals.ariaChecked"
    for value in ("true", "true", "false", "false"):
        assert "Filled" in await agent("fill", uid=switch, value=value)
        assert await agent.value(state) == f'"{value}"'
    await agent.value(f"{state} = 'true'")
    await agent("fill", uid=switch, value="true")
    assert await agent.value(state) == '"true"'
