"""Call the ideal tools of the gold pages, and look in the applications for what came of it.

The applications have to run, as for `gold`. Every call has a browser context of its own, goes
through MCP, and is checked over another connection to the browser: `effects.js` says how.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.pagetools.browser import ALONE, require
from bench.pagetools.gold import BASES, address
from bench.pagetools.output import say
from bench.pagetools.states import TODOS, UNDECLARE
from bench.probe import Probe, ProbeTab, open_probe
from bench.processes import stop_on
from bench.servers import TABMUX
from bench.trouble import BenchError

EFFECTS = Path(__file__).with_name("effects.js")
LOAD_SECONDS = 30
SETTLE_SECONDS = 3.0
BAR = 0.95

# Pages that were labelled without what their authors declare.
UNDECLARED = frozenset({"webmcp_french_bistro"})
# What brings a page into the state that was labelled.
BEFORE: Mapping[str, Sequence[tuple[str, list[str]]]] = {
    "aria_modal_dialog": [("add_delivery_address", [])],
    "todomvc_react": [("add_todo", [text]) for text in TODOS],
}


@dataclass(frozen=True)
class Case:
    """A call, and what must be seen after it."""

    given: dict[str, Any]
    wanted: object


@dataclass
class Score:
    """How many calls had their effect, by tool."""

    tools: dict[str, list[bool]] = field(default_factory=dict)

    def row(self) -> str:
        """Return the line that sums it up."""
        calls = [each for case in self.tools.values() for each in case]
        return (
            f"tools {self.right}/{len(self.tools)} = {self.share:.2f}, "
            f"calls {sum(calls)}/{len(calls)}"
        )

    @property
    def right(self) -> int:
        """How many tools had their effect at every call."""
        return sum(all(calls) and bool(calls) for calls in self.tools.values())

    @property
    def share(self) -> float:
        """The same, as a share of the tools."""
        return self.right / max(1, len(self.tools))


class Bench:
    """A tabmux at a Chromium, and a second pair of eyes."""

    def __init__(self, client: Client, probe: Probe) -> None:
        self._client, self._probe = client, probe
        self._contexts = count(1)

    @asynccontextmanager
    async def tab(self, page: str, url: str) -> AsyncIterator[ProbeTab]:
        """Open a page in the labelled state, with no cookies and nothing stored."""
        context = f"case-{next(self._contexts)}"
        place = {"url": url, "isolatedContext": context, "timeout": LOAD_SECONDS * 1000}
        await self._client.call("new_page", place)
        tab = await self._probe.tab(url)
        try:
            if page in UNDECLARED:
                await tab.evaluate(UNDECLARE)
            for name, values in BEFORE.get(page, ()):
                keys = (await self.listed())[name]
                await self.call(name, dict(zip(keys, values, strict=True)))
            yield tab
        finally:
            await tab.close()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool of the page."""
        given = {"name": name, "arguments": arguments}
        return (await self._client.call("call_page_tool", given)).text

    async def listed(self) -> dict[str, list[str]]:
        """Return the parameters of the page's tools, by name."""
        text = (await self._client.call("list_page_tools", {})).text
        found = re.findall(r"^(\w+): \[[^\]]*\].*?(?: (\{\".*\}))?$", text, re.MULTILINE)
        return {
            name: [key.rstrip("*") for key in json.loads(about or "{}")] for name, about in found
        }


def _called(ideal: Mapping[str, Any], tools: Mapping[str, list[str]]) -> str | None:
    names = (ideal["name"], *ideal.get("aliases", ()))
    return next((name for name in names if name in tools), None)


def _arguments(
    ideal: Mapping[str, Any], keys: Sequence[str], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments under the names that the tool has for them."""
    found = {}
    for param in ideal["params"]:
        if param["key"] in given:
            known = (param["key"], *param.get("aliases", ()), param.get("field", "").strip("_"))
            key = next((key for key in known if key in keys), None)
            if key is None and len(ideal["params"]) == len(keys):
                key = keys[ideal["params"].index(param)]
            found[key or param["key"]] = given[param["key"]]
    return found


async def _effect(tab: ProbeTab, page: str, tool: str, part: str, argument: object) -> Any:
    expression = f"({EFFECTS.read_text().partition(chr(10) + '(')[2]}"
    wanted = f"{expression.rstrip()}[{page!r}][{tool!r}].{part}({json.dumps(argument)})"
    return await tab.evaluate(wanted)


async def _seen(tab: ProbeTab, page: str, tool: str, reply: str, wanted: object) -> object:
    """Look until what is wanted is there; an application may answer after its page has."""
    seen: object = None
    for _ in range(round(SETTLE_SECONDS / 0.1)):
        try:
            seen = await _effect(tab, page, tool, "seen", reply)
        except BenchError as error:  # the document is just being replaced
            seen = str(error)
        if seen == wanted:
            break
        await asyncio.sleep(0.1)
    return seen


async def _case(
    bench: Bench, page: Mapping[str, Any], url: str, ideal: Mapping[str, Any], case: Case
) -> str:
    """Call a tool once; returns what is wrong, or nothing."""
    async with bench.tab(page["id"], url) as tab:
        tools = await bench.listed()
        name = _called(ideal, tools)
        if name is None:
            return f"no such tool among {', '.join(tools)}"
        try:
            reply = await bench.call(name, _arguments(ideal, tools[name], case.given))
        except BenchError as error:
            return str(error).replace("\n", " ")
        seen = await _seen(tab, page["id"], ideal["name"], reply, case.wanted)
        if seen == case.wanted:
            return ""
        return f"saw {str(seen)[:120]} for {str(case.wanted)[:120]}; {reply[:160]!r}"


async def _tool(
    bench: Bench, page: Mapping[str, Any], url: str, ideal: Mapping[str, Any]
) -> list[bool]:
    async with bench.tab(page["id"], url) as tab:
        cases = await _effect(tab, page["id"], ideal["name"], "cases", None)
    worked = []
    for case in cases:
        wrong = await _case(bench, page, url, ideal, Case(case["given"], case["wanted"]))
        worked.append(not wrong)
        if wrong:
            given = json.dumps(case["given"], ensure_ascii=False)
            say(f"  {ideal['name']} {given}: {wrong}")
    return worked


async def _run(gold: Mapping[str, Any], bases: Mapping[str, str], only: str) -> int:
    stop_on(signal.SIGTERM)
    score, optional = Score(), Score()
    for page in gold["pages"]:
        await require(address(page, bases), "Serve it, and say where with --base NAME=URL.")
    async with _bench() as bench:
        for page in gold["pages"]:
            for ideal in page["tools"]:
                label = f"{page['id']}.{ideal['name']}"
                if only not in label:
                    continue
                worked = await _tool(bench, page, address(page, bases), ideal)
                say(f"{label} ({ideal['priority']}): {sum(worked)}/{len(worked)}")
                (optional if ideal["priority"] == "may" else score).tools[label] = worked
    say(f"must and should: {score.row()}", f"may: {optional.row()}")
    return 0 if score.share >= BAR else 1


@asynccontextmanager
async def _bench() -> AsyncIterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        async with (
            open_chromium(find_chromium(), ALONE) as endpoint,
            open_probe(endpoint.websocket) as probe,
        ):
            command = TABMUX.started_with(endpoint.url, folder)
            log = folder / "tabmux.log"
            async with open_client(command, TABMUX.surroundings(folder), folder, log) as client:
                await client.initialize()
                yield Bench(client, probe)


def run(arguments: Sequence[str]) -> int:
    """Call the tools of a gold file, and print what worked."""
    parser = argparse.ArgumentParser(prog="bench.pagetools execution", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--base", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="the first tool: a smoke test")
    options = parser.parse_args(arguments)
    bases = BASES | dict(each.split("=", 1) for each in options.base)
    gold = json.loads(options.file.read_text())
    if options.quick:
        first = gold["pages"][0]
        gold["pages"] = [{**first, "tools": first["tools"][:1]}]
    return asyncio.run(_run(gold, bases, options.only))
