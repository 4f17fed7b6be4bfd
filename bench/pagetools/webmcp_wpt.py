"""The web platform tests of WebMCP, with tabmux in the place of the agent.

Every page is opened twice. First its tests run as they are, which says what this browser itself
can do. Then each call that a test makes is made through MCP instead, and each time it lists the
tools, tabmux lists them too: the page's own assertions are the judge (`testharness.js`).
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.client import Client
from bench.pagetools.folder import Folder
from bench.pagetools.output import say
from bench.probe import Probe, ProbeTab
from bench.trouble import BenchError
from tabmux.pagetools.language.words import name_of, slug

HARNESS = Path(__file__).with_name("testharness.js")
PAGE_SECONDS = 150.0
LATE_SECONDS = 2.0
_FENCED = re.compile(r"<page (\w+)>\n(.*?)\n</page \1>", re.DOTALL)

# What an agent is not, by page and by the beginning of the test's name.
NOT_OURS: Mapping[tuple[str, str], str] = {
    ("flexible-types", ""): "an agent's arguments must fit the schema that it was shown",
    ("unauthorized-origin", ""): "an agent is not the page around the frame",
    ("imperative/opaque-origin", ""): "an agent is not a page, and the frame may be called",
    ("object-arguments", ""): "MCP has objects only",
    ("executeTool-abort", "executeTool() promise remains"): "was called off before it began",
    ("executeTool-abort", "concurrent executions"): "calls of a page take turns",
}


def overlay(folder: Folder) -> dict[str, str]:
    """Return what is served in place of the tests' own server scripts."""
    local, remote, other, _ = folder.origin, *folder.others
    hosts = {
        "HTTPS_ORIGIN": local,
        "HTTPS_REMOTE_ORIGIN": remote,
        "HTTPS_OTHER_NOTSAMESITE_ORIGIN": other,
    }
    origins = f"window.wptOrigins = {json.dumps(folder.others)};\n"
    return {
        "/resources/testharness.js": origins + HARNESS.read_text(),
        "/resources/testharnessreport.js": "",
        "/common/get-host-info.sub.js": f"const get_host_info = () => ({json.dumps(hosts)});",
        "/common/blank.html": "<!doctype html><title></title>",
        "/": "<!doctype html><title>root</title>",
    }


def pages(root: Path) -> list[str]:
    """Return the paths of the test pages, without those that only frames show."""
    found = sorted((root / "webmcp").rglob("*.html"))
    return [f"/{file.relative_to(root)}" for file in found if "resources" not in file.parts]


@dataclass
class Played:
    """What came of a page's tests."""

    results: list[dict[str, str]] = field(default_factory=list)
    lists: int = 0
    calls: int = 0
    wrong: list[str] = field(default_factory=list)

    def passed(self) -> set[str]:
        """Return the names of the tests that passed."""
        return {each["name"] for each in self.results if not each["wrong"]}


@dataclass
class Agent:
    """Does what a page's tests ask for, through MCP."""

    client: Client
    tab: ProbeTab
    played: Played
    under_way: dict[int, tuple[int, asyncio.Task[None]]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    async def hear(self, question: Mapping[str, Any]) -> None:
        """Take one thing that the page has asked for."""
        ident = int(question["id"])
        if question["kind"] == "call":
            self._call(ident, question["name"], question["input"])
        elif question["kind"] == "cancel":
            if ident in self.under_way:
                number, task = self.under_way.pop(ident)
                self.client.abandon(number)
                task.cancel()
        else:
            # While a tool runs, the page is taken.
            if not self.under_way:
                await self._list(set(question["names"]))
            await self._answer(ident, {})

    def _call(self, ident: int, name: str, given: object) -> None:
        self.played.calls += 1
        arguments = {"name": name_of(slug(name)), "arguments": given}
        number, _ = self.client.post(
            "tools/call", {"name": "call_page_tool", "arguments": arguments}
        )
        task = asyncio.get_running_loop().create_task(self._called(ident, number))
        self.under_way[ident] = (number, task)

    async def _called(self, ident: int, number: int) -> None:
        try:
            _, result = await self.client.answered(number, "tools/call")
            answer = answer_of(result)
        except BenchError as error:
            answer = {"error": str(error)}
        self.under_way.pop(ident, None)
        await self._answer(ident, answer)

    async def _answer(self, ident: int, value: Mapping[str, Any]) -> None:
        try:
            await self.tab.evaluate(f"wpt.answer({ident}, {json.dumps(value)})")
        except BenchError:  # the document that asked is gone
            return

    async def _list(self, names: set[str]) -> None:
        self.played.lists += 1
        self._seen |= names
        wanted = {name_of(slug(name)) for name in names}
        gone = {name_of(slug(name)) for name in self._seen - names} - wanted
        began = time.monotonic()
        while True:
            listed = await self._listed()
            if wanted <= listed and not gone & listed:
                return
            if time.monotonic() - began > LATE_SECONDS:
                break
            await asyncio.sleep(0.1)
        self.played.wrong.append(
            f"missing {sorted(wanted - listed)}, still there {sorted(gone & listed)}"
        )

    async def _listed(self) -> set[str]:
        text = (await self.client.call("list_page_tools", {})).text
        more = re.search(r"^Also: (.*)$", text, re.MULTILINE)
        names = re.findall(r"^(\w+): \[", text, re.MULTILINE)
        return {*names, *(more[1].split(", ") if more else ())}


def answer_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a call came to: what the tool answered as JSON text, or why it failed."""
    text = "\n".join(item["text"] for item in result["content"] if item["type"] == "text")
    if result.get("isError"):
        code = "DataError" if "bad_arguments" in text else "UnknownError"
        return {"error": text[:500], "code": code}
    if not text.startswith(("done", "navigated")):
        return {"error": text[:500]}
    fenced = _FENCED.search(text)
    if fenced is None:
        return {"value": None}
    try:
        value = json.loads(fenced[2])
    except ValueError:
        return {"value": fenced[2]}
    if isinstance(value, dict | list):
        return {"value": json.dumps(value, separators=(",", ":"), ensure_ascii=False)}
    return {"value": fenced[2]}


async def play(client: Client, probe: Probe, url: str) -> Played:
    """Open a page and do what it asks for until its tests are through."""
    played = Played()
    await client.call("new_page", {"url": url, "timeout": 30_000})
    tab = await probe.tab(url)
    agent = Agent(client, tab, played)
    try:
        async with asyncio.timeout(PAGE_SECONDS):
            while not await _is_done(agent):  # noqa: ASYNC110 (a page rings no bell)
                await asyncio.sleep(0.03)
    except TimeoutError:
        played.wrong.append("the tests did not come to an end")
    except BenchError as error:
        played.wrong.append(str(error)[:200])
    finally:
        for _, task in agent.under_way.values():
            task.cancel()
        await tab.close()
    return played


async def _is_done(agent: Agent) -> bool:
    state: Any = await agent.tab.evaluate("window.wpt ? wpt.state() : {done: null, results: []}")
    agent.played.results = state["results"]
    if state["done"] is None:  # a page that must only not end the browser
        agent.played.lists += 1
        await agent.client.call("list_page_tools", {})
        return True
    questions: Any = await agent.tab.evaluate("wpt.take()")
    for question in questions:
        await agent.hear(question)
    return bool(state["done"]) and not questions


async def score(client: Client, probe: Probe, folder: Folder, only: str) -> tuple[int, int]:
    """Play all pages; returns how many were right, and how many there were."""
    right, all_pages, sums = 0, 0, [0, 0, 0, 0, 0]
    for path in pages(folder.root):
        if only not in path:
            continue
        alone = await play(client, probe, f"{folder.origin}{path}?as=browser")
        ours = await play(client, probe, f"{folder.origin}{path}?as=agent")
        wrong, excused = judged(path, alone, ours)
        all_pages += 1
        right += not wrong
        counts = (len(alone.results), len(alone.passed()), len(alone.passed() & ours.passed()))
        sums = [a + b for a, b in zip(sums, (*counts, ours.calls, ours.lists), strict=True)]
        say(
            f"{'ok ' if not wrong else 'BAD'} {path[8:]}: {_counted(counts)}; "
            f"{ours.calls} calls, {ours.lists} lists",
            *(f"    {line}" for line in (*wrong, *excused)),
        )
    say(
        f"web platform tests: {right} of {all_pages} pages right; {_counted(sums)}; "
        f"{sums[3]} calls, {sums[4]} lists"
    )
    return right, all_pages


def _counted(counts: Sequence[int]) -> str:
    return f"{counts[0]} tests, {counts[1]} pass in the browser, {counts[2]} of them through tabmux"


def judged(path: str, alone: Played, ours: Played) -> tuple[list[str], list[str]]:
    """Return what is wrong, and what an agent cannot or should not do."""
    wrong, excused = list(ours.wrong), list[str]()
    reasons = {each["name"]: each["wrong"] for each in ours.results}
    for name in sorted(alone.passed() - ours.passed()):
        excuse = _excuse(path, name)
        line = f"{name[:90]}: {reasons.get(name, 'did not run')[:300]}"
        (excused if excuse else wrong).append(f"({excuse}) {name[:90]}" if excuse else line)
    return wrong, excused


def _excuse(path: str, name: str) -> str:
    known: Sequence[str] = [
        text for (page, begin), text in NOT_OURS.items() if page in path and name.startswith(begin)
    ]
    return known[0] if known else ""
