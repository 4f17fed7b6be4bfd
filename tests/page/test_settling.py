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
