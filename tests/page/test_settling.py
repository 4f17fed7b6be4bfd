"""When an action is done: effects that come late are in its reply, and nothing else is waited for."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

DELAYS = (0, 16, 50, 90, 150, 250)
# How a page comes to show something after `wait` milliseconds; `show` shows it.
WAYS = {
    "timer": "setTimeout(show, wait)",
    "promise": "new Promise((done) => setTimeout(done, wait)).then(show)",
    "fetch": "fetch('SLOW' + wait).then(show)",
    "animation": "document.body.animate({opacity: [1, 1]}, wait).finished.then(show)",
    "frames": "{ const end = performance.now() + wait;"
    " const look = () => performance.now() < end ? requestAnimationFrame(look) : show(); look() }",
    "observer": "{ new MutationObserver(show).observe(document.head, {attributes: true});"
    " setTimeout(() => document.head.lang = wait, wait) }",
    "worker": "{ const code = `setTimeout(() => postMessage(1), ${wait})`;"
    " new Worker(URL.createObjectURL(new Blob([code]))).onmessage = show }",
}
# Long enough to tell what is waited for from what is not, on the busiest machine.
PATIENT = 20.0


@pytest.fixture
async def patient(site: Site) -> AsyncIterator[Agent]:
    """An agent that would wait for a first sign until the test fails."""
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, timings={"first_effect": PATIENT}) as app:
        async with Agent.joined(app, site) as agent:
            yield agent


async def seconds(agent: Agent, tool: str, line: str) -> float:
    """Do something with an element; returns how long that took."""
    began = time.monotonic()
    await agent(tool, uid=agent.uid(line))
    return time.monotonic() - began


@pytest.mark.parametrize("way", WAYS)
async def test_effect_that_comes_late_is_in_the_reply(patient: Agent, site: Site, way: str) -> None:
    places = {wait: site.slow(wait / 1000) for wait in DELAYS}
    script = WAYS[way].replace("'SLOW' + wait", "places[wait]")
    buttons = "".join(f"<button onclick='act({wait})'>After {wait}</button>" for wait in DELAYS)
    await patient.open(f"""{buttons}<p id=out></p><script>
      const places = {places};
      function act(wait) {{
        const show = () => {{ out.textContent = `seen after ${{wait}}` }};
        {script};
      }}</script>""")
    for wait in DELAYS:
        reply = await patient("click", uid=f'button "After {wait}"')
        assert f"seen after {wait}" in reply


@pytest.mark.parametrize(
    "mark",
    [
        "this.className = 'pressed'",
        "this.dataset.state = 'active'; this.parentNode.className = 'around'",
        "this.append(document.createElement('span'))",
        "this.setAttribute('aria-busy', 'true')",
    ],
)
async def test_mark_on_the_element_itself_is_not_taken_for_the_effect(
    patient: Agent, mark: str
) -> None:
    await patient.open(f"""<div><button onclick="{mark};
      setTimeout(() => out.textContent = 'the effect', 150)">Go</button></div><p id=out></p>""")
    assert "the effect" in await patient("click", uid=patient.uid('button "Go"'))


@pytest.mark.parametrize("act", ["fill", "click"])
async def test_field_that_loses_the_focus_is_not_taken_for_the_effect(
    patient: Agent, act: str
) -> None:
    await patient.open("""<label>Name <input></label><label>Yes <input type=checkbox></label>
      <button onclick="setTimeout(() => out.textContent = 'the effect', 150)">Go</button>
      <p id=out></p>""")
    if act == "fill":
        await patient("fill", uid='textbox "Name"', value="Ada")
    else:
        await patient("click", uid='textbox "Name"')
        await patient("type_text", text="Ada")
    assert "the effect" in await patient("click", uid='button "Go"')


async def test_menu_that_opens_late_under_the_mouse_is_in_the_reply(patient: Agent) -> None:
    await patient.open("""<div role=button tabindex=0 onmouseenter="
      setTimeout(() => out.textContent = 'a menu', 200)">Menu</div><p id=out></p>""")
    assert "a menu" in await patient("hover", uid=patient.uid('button "Menu"'))


@pytest.mark.parametrize(
    ("html", "line", "tool"),
    [
        ("<button>Nothing</button>", 'button "Nothing"', "click"),
        ("<button>Nothing</button>", 'button "Nothing"', "hover"),
        ("<label>Name <input></label>", "textbox", "click"),
        ("<input onclick='0' onfocus='0' aria-label=Name autofocus>", "textbox", "click"),
        ("<textarea onkeydown='0' onclick='0' aria-label=Text></textarea>", "textbox", "click"),
        ("<p contenteditable role=textbox onclick='0' aria-label=Text>x", "textbox", "click"),
        ("<button onclick=\"this.setAttribute('aria-pressed', 'true')\">Bold</button>",
         'button "Bold"', "click"),
        ("<input type=checkbox onclick='0' aria-label=Yes>", "checkbox", "click"),
    ],
)  # fmt: skip
async def test_nothing_is_waited_for_where_nothing_is_to_come(
    patient: Agent, html: str, line: str, tool: str
) -> None:
    await patient.open(html)
    assert await seconds(patient, tool, line) < PATIENT / 2


async def test_script_that_listens_on_the_way_is_waited_for(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    listening = (
        "<button onclick='0'>Go</button>",
        "<div onmousedown='0'><button>Go</button></div>",
        "<button>Go</button><script>addEventListener('pointerup', () => 0)</script>",
        """<x-b></x-b><script>customElements.define('x-b', class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({mode: 'open'}).innerHTML = '<button>Go</button>';
            this.addEventListener('click', () => 0);
          } })</script>""",
    )
    async with running(settings, timings={"first_effect": 1.0}) as app:
        async with Agent.joined(app, site) as agent:
            for html in listening:
                await agent.open(html)
                assert await seconds(agent, "click", 'button "Go"') >= 1.0


async def test_what_goes_on_at_the_end_is_said(agent: Agent, site: Site) -> None:
    await agent.open(f"""<style>@keyframes grow {{ from {{ height: 0 }} }}</style>
      <button onclick="out.textContent = 'asking'; fetch('{site.silent()}')">Ask</button>
      <button onclick="out.textContent = 'opening'; out.style.animation = 'grow 60s'">Open</button>
      <button onclick="out.textContent = 'quick'">Quick</button>
      <p id=out></p>""")
    for name, said in (
        ("Quick", None),
        ("Ask", "Still changing: 1 request."),
        ("Open", "Still changing: 1 animation."),
    ):
        reply = await agent("click", uid=f'button "{name}"')
        assert (said or "") in reply
        assert ("Still changing" in reply) == (said is not None)


async def test_content_that_changes_without_a_pause_is_said(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, timings={"quiet": 0.15}) as app:
        async with Agent.joined(app, site) as agent:
            await agent.open("""<button onclick="count()">Count</button><p id=out></p><script>
              function count() { out.textContent = performance.now(); setTimeout(count) }
            </script>""")
            assert "Still changing: its content." in await agent("click", uid="css=button")


async def test_script_of_a_shared_worker_is_not_waited_for(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    started = """new Promise((done) => {
      const code = "onconnect = (event) => event.ports[0].postMessage('up')";
      const worker = new SharedWorker(URL.createObjectURL(new Blob([code])));
      worker.port.onmessage = (event) => done(event.data);
    })"""
    async with running(settings, timings={"requests": PATIENT}) as app:
        async with Agent.joined(app, site) as agent:
            await agent.open("<h1>Page</h1>")
            began = time.monotonic()
            assert await agent.value(started) == '"up"'
            assert time.monotonic() - began < PATIENT / 2


async def test_colours_that_fade_are_not_told(agent: Agent) -> None:
    await agent.open("""<style>button, p { transition: all 30s; color: black }
      button:focus { color: red } .on { color: blue }</style>
      <button onclick="out.textContent = 'done'; out.className = 'on'">Go</button><p id=out></p>""")
    reply = await agent("click", uid=agent.uid('button "Go"'))
    assert "done" in reply
    assert "Still changing" not in reply


@pytest.mark.parametrize(
    "first",
    [
        "this.disabled = true; this.innerHTML = '<i></i>'",
        "other.className = 'marked'",
        "out.textContent = 'Loading…'",
        "out.innerHTML = '<div role=progressbar></div>'",
        "other.setAttribute('aria-busy', 'true')",
    ],
)
async def test_what_only_promises_an_effect_is_not_taken_for_it(patient: Agent, first: str) -> None:
    await patient.open(f"""<button onclick="{first};
      setTimeout(() => {{ other.ariaBusy = false; out.textContent = 'the effect' }}, 150)">Go</button>
      <section id=other aria-label=Other><button>Leave</button></section><p id=out></p>""")
    reply = await patient("click", uid=patient.uid('button "Go"'))
    assert "the effect" in reply
    assert "Still changing" not in reply


async def test_what_is_still_being_loaded_at_the_end_is_said(agent: Agent) -> None:
    await agent.open("""<button onclick="out.innerHTML = '<progress></progress>'">Go</button>
      <button onclick="other.textContent = 'Read more…'">Tell</button>
      <p id=out></p><p id=other></p>""")
    reply = await agent("click", uid='button "Go"')
    assert "Still changing: what it is loading." in reply
    reply = await agent("click", uid='button "Tell"')
    assert "Read more…" in reply
    assert "Still changing" not in reply


@pytest.mark.parametrize(
    "field",
    [
        "<input autocomplete=off aria-label=Town>",
        "<input type=search aria-label=Town>",
        "<input role=combobox aria-expanded=false aria-label=Town>",
    ],
)
@pytest.mark.parametrize("tool", ["fill", "type_text"])
async def test_what_a_page_suggests_is_in_the_reply(patient: Agent, field: str, tool: str) -> None:
    await patient.open(f"""<div>{field}</div><ul id=out></ul><script>
      const field = document.querySelector("input");
      let timer;
      field.oninput = () => {{
        clearTimeout(timer);
        field.parentNode.className = "typing";
        timer = setTimeout(() => {{ out.innerHTML = "<li>Berlin" }}, 150);
      }};</script>""")
    if tool == "type_text":
        await patient("click", uid="css=input")
        reply = await patient("type_text", text="Ber")
    else:
        reply = await patient("fill", uid="css=input", value="Ber")
    assert "Berlin" in reply


async def test_what_a_page_makes_of_a_file_is_in_the_reply(patient: Agent, tmp_path: Path) -> None:
    (tmp_path / "photo.txt").write_text("x")
    await patient.open("""<input type=file aria-label=Photo onchange="
      setTimeout(() => out.textContent = 'taken: ' + this.files[0].name, 150)"><p id=out></p>""")
    path = str(tmp_path / "photo.txt")
    assert "taken: photo.txt" in await patient("upload_file", uid="css=input", filePaths=[path])


async def test_field_without_scripts_is_not_waited_for(patient: Agent) -> None:
    await patient.open("<input autocomplete=off aria-label=Town>")
    began = time.monotonic()
    await patient("fill", uid="css=input", value="Ber")
    await patient("type_text", text="lin")
    assert time.monotonic() - began < PATIENT / 2


async def test_what_goes_when_the_mouse_leaves_is_in_the_reply(patient: Agent) -> None:
    await patient.open(
        """<div id=top style="width:200px">Products<ul id=menu hidden><li><a href=#phones>Phones</a></ul></div>
      <button onclick="out.textContent = 'clicked'">Other</button><p id=out></p><script>
      top.onmouseenter = () => { menu.hidden = false };
      top.onmouseleave = () => setTimeout(() => { menu.hidden = true }, 150);</script>""".replace(
            "top", "place"
        )
    )
    assert "Phones" in await patient("hover", uid="css=#place")
    reply = await patient("click", uid='button "Other"')
    assert "clicked" in reply
    assert re.search(r"- .*Phones", reply)


async def test_what_the_mouse_stays_over_is_not_expected_to_go(patient: Agent) -> None:
    await patient.open("""<div id=place>Products<p id=menu hidden>
      <button onclick="out.textContent = 'clicked'">Phones</button></p></div><p id=out></p><script>
      place.onmouseenter = () => { menu.hidden = false };</script>""")
    await patient("hover", uid="css=#place")
    assert await seconds(patient, "click", 'button "Phones"') < PATIENT / 2


async def test_list_that_a_field_opens_late_is_in_the_reply(patient: Agent) -> None:
    await patient.open("""<input role=combobox aria-expanded=false aria-label=Pet onmousedown="
      setTimeout(() => { out.innerHTML = '<li role=option>Cat' }, 100)"><ul id=out role=listbox></ul>""")
    assert "Cat" in await patient("click", uid="combobox")


async def test_answer_that_nobody_reads_is_not_waited_for(site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, timings={"requests": PATIENT}) as app:
        async with Agent.joined(app, site) as agent:
            await agent.open(f"""<button onclick="fetch('{site.slow(0.1)}').then(() =>
              {{ out.textContent = 'sent' }})">Send</button><p id=out></p>""")
            began = time.monotonic()
            reply = await agent("click", uid="button")
            assert time.monotonic() - began < PATIENT / 2
            assert "sent" in reply
            assert "Still changing" not in reply


async def test_text_that_was_typed_is_not_taken_for_the_effect_of_the_key_after_it(
    patient: Agent,
) -> None:
    await patient.open("""<input aria-label=Say onkeydown="if (event.key === 'Enter')
      setTimeout(() => out.textContent = 'said ' + this.value, 150)"><p id=out></p>""")
    await patient("click", uid="textbox")
    assert "said hello" in await patient("type_text", text="hello", submitKey="Enter")


async def test_what_a_key_closes_late_is_in_the_reply(patient: Agent) -> None:
    await patient.open("""<div role=dialog id=box aria-label=Ask tabindex=0 onkeydown="
      setTimeout(() => box.hidden = true, 150)"><button autofocus>Yes</button></div>""")
    assert "- uid" in await patient("press_key", key="Escape")


async def test_answer_to_a_request_that_is_sent_late_is_in_the_reply(
    agent: Agent, site: Site
) -> None:
    await agent.open(f"""<button onclick="setTimeout(async () => {{
      out.textContent = await (await fetch('{site.slow(0.2, "the effect")}')).text() }}, 150)">Go</button>
      <p id=out></p>""")
    assert "the effect" in await agent("click", uid="button")


COMPONENT = """<x-c><span>Go</span></x-c><script>
  customElements.define("x-c", class extends HTMLElement {
    constructor() {
      super();
      const root = this.attachShadow({mode: "MODE"});
      root.innerHTML = "<div id=in><slot></slot></div>";
      root.getElementById("in").onclick = () => setTimeout(() => document.body.append("done"), 100);
    }
  })</script>"""


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_what_a_component_around_a_slot_does_late_is_awaited(agent: Agent, mode: str) -> None:
    await agent.open(COMPONENT.replace("MODE", mode))
    assert "done" in await agent("click", uid="css=span")


async def test_what_ticks_by_itself_is_not_taken_for_the_effect(patient: Agent) -> None:
    await patient.open("""<p id=clock></p><button onclick="setTimeout(() => {
      document.body.append('done') }, 1000)">Go</button>
      <script>setInterval(() => { clock.textContent = performance.now() }, 20)</script>""")
    # It has ticked before.
    await patient.value("new Promise((done) => setTimeout(done, 100))")
    assert "done" in await patient("click", uid=patient.uid("button"))
