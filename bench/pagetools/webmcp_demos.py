"""Chrome's demos of WebMCP as an agent uses them: `webmcp_visits.py` says what is done there."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator, SchemaError  # type: ignore[import-untyped]

from bench.client import Client
from bench.pagetools.folder import Folder
from bench.pagetools.output import say
from bench.pagetools.webmcp_visits import VISITS, Step, Visit
from bench.probe import Probe, ProbeTab
from bench.trouble import BenchError
from tabmux.pagetools.language.words import name_of, slug

SETTLE_SECONDS = 8.0
READY_SECONDS = 10.0
# What the strictest clients accept of a tool; they drop all tools of a server for one that is not.
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_COMBINATORS = frozenset({"anyOf", "oneOf", "allOf", "not", "$ref"})
_DECLARED = (
    "document.modelContext ? document.modelContext.getTools().then(t => t.map(e => e.name)) : []"
)


@dataclass
class Seen:
    """What came of a visit."""

    declared: set[str] = field(default_factory=set)
    definitions: int = 0
    calls: int = 0
    wrong: list[str] = field(default_factory=list)


async def score(
    full: Client, focus: Client, probe: Probe, folder: Folder, only: str
) -> tuple[int, int]:
    """Make all visits; returns how many went well, and how many were made."""
    right, made, sums = 0, 0, [0, 0, 0]
    await focus.call("connect_browser", {})
    for visit in VISITS:
        file = visit.path.partition("?")[0]
        if only not in visit.path or not (folder.root / file).exists():
            if only in visit.path:
                say(f"--- {visit.path}: is not there, or not built")
            continue
        seen = await _visit(full, focus, probe, f"{folder.origin}/{visit.path}", visit)
        made += 1
        right += not seen.wrong
        sums[0] += len(seen.declared)
        sums[1] += seen.definitions
        sums[2] += seen.calls
        say(
            f"{'BAD' if seen.wrong else 'ok '} {visit.path}: {len(seen.declared)} tools declared, "
            f"{seen.calls} calls",
            *(f"    {line}" for line in seen.wrong),
        )
    say(
        f"demos: {right} of {made} visits right; {sums[0]} tools declared, "
        f"{sums[1]} definitions checked, {sums[2]} calls"
    )
    return right, made


async def _visit(full: Client, focus: Client, probe: Probe, url: str, visit: Visit) -> Seen:
    seen = Seen()
    await full.call("new_page", {"url": url, "timeout": 30_000})
    tab = await _tab(probe, url)
    try:
        seen.declared = await _declared(tab, visit)
        await compare(full, seen)
        last = ""
        for step in visit.steps:
            last = await step_through(full, tab, step, last, seen)
    except BenchError as error:
        seen.wrong.append(str(error)[:300])
    finally:
        await tab.close()
    try:
        await _focused(focus, url, visit, seen)
    except BenchError as error:
        seen.wrong.append(f"focus: {str(error)[:300]}")
    return seen


async def _tab(probe: Probe, url: str) -> ProbeTab:
    """Return the tab of a page, which may have gone on to a place of its own."""
    targets = (await probe.call("Target.getTargets"))["targetInfos"]
    shown = [each["url"] for each in targets if each["url"].startswith(url)]
    return await probe.tab(shown[0] if shown else url)


async def _declared(tab: ProbeTab, visit: Visit) -> set[str]:
    """Ask the browser itself; an application may need a moment to start."""
    names: Any = []
    for _ in range(round(READY_SECONDS / 0.2) if visit.steps else 5):
        names = await tab.evaluate(_DECLARED)
        if names:
            break
        await asyncio.sleep(0.2)
    return set(names)


async def compare(client: Client, seen: Seen) -> None:
    """Check that tabmux lists what the browser knows."""
    text = (await client.call("list_page_tools", {})).text
    listed = set(re.findall(r"^(\w+): \[", text, re.MULTILINE))
    if missing := {name_of(slug(name)) for name in seen.declared} - listed:
        seen.wrong.append(f"not listed: {sorted(missing)}")


async def step_through(client: Client, tab: ProbeTab, step: Step, last: str, seen: Seen) -> str:
    """Make one call and look for what came of it; returns what the tool said."""
    seen.calls += 1
    name = name_of(slug(step.tool))
    try:
        given = {key: _filled(value, last) for key, value in step.given.items()}
        arguments = {"name": name, "arguments": given}
        reply = (await client.call("call_page_tool", arguments)).text
    except BenchError as error:
        seen.wrong.append(f"{name}: {str(error)[:300]}")
        return last
    if step.says not in reply:
        seen.wrong.append(f"{name} says {reply[:200]!r}, not {step.says!r}")
    if step.seen and not await _holds(tab, step.seen):
        seen.wrong.append(f"{name}: not true: {step.seen}")
    return reply


def _filled(value: Any, last: str) -> Any:
    """Return an argument; one with a `$` is taken from the reply before."""
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    found = re.search(value[1:], last)
    if found is None:
        raise BenchError(f"The last reply has no {value[1:]}: {last[:200]}")
    return found[0]


async def _holds(tab: ProbeTab, expression: str) -> bool:
    for _ in range(round(SETTLE_SECONDS / 0.1)):
        try:
            if await tab.evaluate(expression) is True:
                return True
        except BenchError:  # the document may just be replaced
            pass
        await asyncio.sleep(0.1)
    return False


async def _focused(client: Client, url: str, visit: Visit, seen: Seen) -> None:
    """Look at the same page with the focus toolset, and make the first call there."""
    opened = json.loads((await client.call("open_tab", {"url": url})).text)
    try:
        wanted = {name_of(slug(name)) for name in seen.declared}
        definitions = await _definitions(client, wanted)
        seen.definitions += len(definitions)
        if missing := wanted - definitions.keys():
            seen.wrong.append(f"focus: not among the tools: {sorted(missing)}")
        seen.wrong += [f"focus: {each}" for each in _faults(definitions)]
        if visit.steps and not missing:
            step = visit.steps[0]
            seen.calls += 1
            reply = (await client.call(name_of(slug(step.tool)), step.given)).text
            if step.says not in reply:
                seen.wrong.append(f"focus: {step.tool} says {reply[:200]!r}")
    finally:
        await client.call("close_tab", {"tabId": opened["tab"]["id"]})


async def _definitions(client: Client, wanted: set[str]) -> dict[str, dict[str, Any]]:
    definitions: dict[str, dict[str, Any]] = {}
    for _ in range(round(READY_SECONDS / 0.2)):
        definitions = {tool["name"]: tool for tool in await client.tools()}
        if wanted <= definitions.keys():
            break
        await asyncio.sleep(0.2)
    return definitions


def _faults(definitions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield what some client would refuse."""
    for name, tool in definitions.items():
        schema = tool["inputSchema"]
        if not _NAME.fullmatch(name):
            yield f"{name} is no name"
        if schema.get("type") != "object" or _COMBINATORS & schema.keys():
            yield f"{name} has a root that is not an object"
        if odd := [key for key in schema.get("properties", {}) if not _KEY.fullmatch(key)]:
            yield f"{name} has odd keys: {odd}"
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            yield f"{name} has no valid schema: {error.message[:100]}"
