"""Agents without a server: the same steps by bare CDP, which is what Chromium itself takes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence

from bench.agents.agent import Diary
from bench.agents.form import Step, who
from bench.probe import ProbeTab
from bench.running_server import Environment
from bench.trouble import BenchError
from bench.verbs import Click, Element, Evaluate, Fill, Navigate, Verb, WaitFor, located

TEXT = "document.body.innerText"
# What assistive technology calls an element, where that is what its label or its own text says.
_FIND = """(name) => [...document.querySelectorAll('button, input, select, textarea')].find(
  (each) => (each.labels?.[0] ?? each).textContent.trim().startsWith(name))"""
_CENTRE = """(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2}))
  ((%s)(%s).getBoundingClientRect())"""
_CHOOSE = """((field, value) => {
  if (field.localName !== 'select') return field.select();
  field.value = value;
  field.dispatchEvent(new Event('input', {bubbles: true}));
})((%s)(%s), %s)"""
_APPEARED = """new Promise((done) => {
  const look = () => { if (document.body.innerText.includes(%s)) done(document.body.innerText); };
  const changes = {subtree: true, childList: true, characterData: true};
  new MutationObserver(look).observe(document.body, changes);
  look();
})"""
_LOADED = """new Promise((done) => document.readyState === 'complete' ? done(document.URL)
  : addEventListener('load', () => done(document.URL)))"""


class BareAgent:
    """An agent that knows the page, in a tab in the background."""

    def __init__(self, number: int, tab: ProbeTab, environment: Environment) -> None:
        self.number = number
        self._tab, self._environment = tab, environment

    async def work(self, steps: Sequence[Step]) -> Diary:
        """Take all steps in order; the first that fails ends the work."""
        diary = Diary()
        for position, step in enumerate(steps, 1):
            began = time.perf_counter()
            try:
                shown = await self._take(located(step.verb, self._environment.url))
            except BenchError as error:
                diary.error = f"{who(self.number)}, step {position}: {error}"
                return diary
            diary.seconds.append(time.perf_counter() - began)
            if step.shows not in shown:
                diary.strays.append(f"{who(self.number)}, step {position}: no {step.shows!r}")
        return diary

    async def _take(self, verb: Verb) -> str:
        """Have the effect, and look at what it came to."""
        evaluate = self._tab.evaluate
        match verb:
            case Navigate(url):
                await self._tab.probe.call("Page.navigate", self._tab.session, url=url)
                return str(await evaluate(_LOADED))
            case Click(element):
                await self._click(element)
            case Fill(values):
                for element, value in values:
                    await self._fill(element, value)
            case Evaluate(function):
                return str(await evaluate(f"({function})()"))
            case WaitFor(text):
                return str(await evaluate(_APPEARED % json.dumps(text)))
        return str(await evaluate(TEXT))

    async def _click(self, element: Element) -> None:
        point = await self._tab.evaluate(_CENTRE % (_FIND, json.dumps(element.name)))
        assert isinstance(point, dict)
        kinds = {"mouseMoved": {}, "mousePressed": _LEFT, "mouseReleased": _LEFT}
        await asyncio.gather(
            *(
                self._call("Input.dispatchMouseEvent", type=kind, **point, **extra)
                for kind, extra in kinds.items()
            )
        )

    async def _fill(self, element: Element, value: str) -> None:
        await self._tab.evaluate(_CHOOSE % (_FIND, json.dumps(element.name), json.dumps(value)))
        if element.role == "textbox":
            await self._call("Input.insertText", text=value)

    async def _call(self, method: str, **parameters: object) -> None:
        await self._tab.probe.call(method, self._tab.session, **parameters)


_LEFT: dict[str, object] = {"button": "left", "clickCount": 1}


async def bare_agents(environment: Environment, size: int) -> tuple[BareAgent, ...]:
    """Give every agent a tab in the background that has the focus for itself."""
    agents = []
    for number in range(size):
        tab = await environment.probe.open(environment.url("/blank"))
        await environment.probe.call(
            "Emulation.setFocusEmulationEnabled", tab.session, enabled=True
        )
        agents.append(BareAgent(number, tab, environment))
    return tuple(agents)
