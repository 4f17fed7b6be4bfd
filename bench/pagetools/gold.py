"""Ideal tools that people wrote down for some pages: how many of them are derived?

The applications have to run, and the static pages to be served; `--base NAME=URL` says where,
for example `--base todomvc=http://127.0.0.1:47404`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.pagetools.browser import open_tab, require, visit
from bench.pagetools.output import say
from bench.pagetools.probe import tools_of
from bench.pagetools.states import STATES
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.pagetools.model import PageTool

PUBLISHED = 16
OVERLAP = Path(__file__).with_name("overlap.js")
BASES = {
    "todomvc": "http://127.0.0.1:47404",
    "aria": "http://127.0.0.1:47405",
    "webmcp": "http://127.0.0.1:47406",
}


@dataclass
class Tally:
    """What was found on one page, or on all."""

    must: int = 0
    must_found: int = 0
    should: int = 0
    should_found: int = 0
    made: int = 0
    right: int = 0
    named: int = 0
    matched: int = 0
    params: int = 0
    params_found: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add up."""
        for name in (
            "must",
            "must_found",
            "should",
            "should_found",
            "made",
            "right",
            "named",
            "matched",
            "params",
            "params_found",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self) -> str:
        """Return a line of the table."""
        return (
            f"must {self.must_found}/{self.must} = {self.must_found / max(1, self.must):.2f}, "
            f"should {self.should_found}/{self.should}, "
            f"precision {self.right}/{self.made} = {self.right / max(1, self.made):.2f}, "
            f"names {self.named}/{self.matched} = {self.named / max(1, self.matched):.2f}, "
            f"params {self.params_found}/{self.params}"
        )


def elements(tool: PageTool) -> list[int]:
    """Return what a tool acts on."""
    plan = tool.plan
    found = [control.ref for control in plan.controls if control.kind != "choice"]
    found += [option.ref for control in plan.controls for option in control.options if option.ref]
    found += [item.target for item in plan.items if item.usable]
    found += [ref for ref in (plan.submit, plan.enter) if ref]
    return [ref for ref in found if ref]


async def score(page: Page, gold: Mapping[str, Any]) -> Tally:
    """Compare the tools of a page with the ideal ones."""
    tools = [tool for tool in await tools_of(page) if tool.rank >= 0][:PUBLISHED]
    groups = [elements(tool) for tool in tools]
    touching = [await _touching(page, each["anchor"], groups) for each in gold["tools"]]
    tally = Tally(made=len(tools))
    left = set(range(len(tools)))
    for by_name in (True, False):
        for at, ideal in enumerate(gold["tools"]):
            if ideal.get("found") is None:
                ideal["found"] = _match(ideal, tools, touching[at], left, by_name)
                left -= {ideal["found"]}
    for ideal in gold["tools"]:
        _count(tally, ideal, tools)
    tally.notes += [
        f"  extra    {tools[at].name} {tools[at].rank:.0f} {tools[at].description[:60]}"
        for at in sorted(left)
    ]
    return tally


def _match(
    ideal: Mapping[str, Any],
    tools: Sequence[PageTool],
    touching: Sequence[bool],
    left: set[int],
    by_name: bool,
) -> int | None:
    names = {ideal["name"], *ideal.get("aliases", ())}
    for at in sorted(left):
        if touching[at] and (tools[at].name in names or not by_name):
            return at
    return None


def _count(tally: Tally, ideal: Mapping[str, Any], tools: Sequence[PageTool]) -> None:
    found = ideal["found"]
    priority = ideal["priority"]
    if priority in ("must", "should"):
        setattr(tally, priority, getattr(tally, priority) + 1)
    if found is None:
        if priority != "may":
            tally.notes.append(f"  missing  {ideal['name']} ({priority})")
        return
    tool = tools[found]
    tally.right += 1
    if priority in ("must", "should"):
        setattr(tally, f"{priority}_found", getattr(tally, f"{priority}_found") + 1)
    tally.matched += 1
    right = tool.name in (ideal["name"], *ideal.get("aliases", ()))
    tally.named += right
    if not right:
        tally.notes.append(f"  name     {tool.name} for {ideal['name']}")
    _count_params(tally, ideal, tool)


def _count_params(tally: Tally, ideal: Mapping[str, Any], tool: PageTool) -> None:
    properties = tool.schema["properties"]
    by_field = {control.name: control.key for control in tool.plan.controls if control.name}
    for param in ideal["params"]:
        tally.params += 1
        keys = (by_field.get(param.get("field", "")), param["key"], *param.get("aliases", ()))
        key = next((key for key in keys if key in properties), None)
        if key is None:
            tally.notes.append(
                f"  param    {ideal['name']}.{param['key']} not in {list(properties)}"
            )
            continue
        tally.params_found += 1
        schema = properties[key]
        if schema.get("type") != param["type"] or set(schema.get("enum", ())) != set(
            param.get("enum", ())
        ):
            tally.notes.append(
                f"  schema   {ideal['name']}.{key}: {json.dumps(schema, ensure_ascii=False)[:160]}"
            )
        if (key in tool.schema.get("required", ())) != param["required"]:
            tally.notes.append(f"  required {ideal['name']}.{key} should be {param['required']}")


async def _touching(page: Page, selector: str, groups: list[list[int]]) -> list[bool]:
    command = {
        "functionDeclaration": OVERLAP.read_text().partition("\n")[2],
        "executionContextId": page.main.world,
        "arguments": [{"value": selector}, {"value": groups}],
        "returnByValue": True,
    }
    answer = await page.channel.call("Runtime.callFunctionOn", command)
    value = answer["result"].get("value")
    return value if isinstance(value, list) else [False] * len(groups)


def address(gold: Mapping[str, Any], bases: Mapping[str, str]) -> str:
    """Return where a page of the gold set is."""
    url = str(gold["source"]["url"]).split(" ")[0]
    if url.startswith("http"):
        return url
    base = next(base for name, base in bases.items() if gold["id"].startswith(name))
    return f"{base}/{url}"


async def _run(gold: Mapping[str, Any], bases: Mapping[str, str], only: str) -> None:
    total = Tally()
    for each in gold["pages"]:
        await require(address(each, bases), "Serve it, and say where with --base NAME=URL.")
    async with open_tab() as page:
        for each in gold["pages"]:
            if only and only not in each["id"]:
                continue
            try:
                await visit(page, address(each, bases))
                if state := STATES.get(each["id"]):
                    await state(page)
                tally = await score(page, each)
            except (TabmuxError, TimeoutError) as error:
                say(f"{each['id']}: {error}")
                continue
            say(f"{each['id']}: {tally.row()}", *tally.notes)
            total.add(tally)
    say(f"all: {total.row()}")


def run(arguments: Sequence[str]) -> int:
    """Score the pages of a gold file."""
    parser = argparse.ArgumentParser(prog="bench.pagetools gold", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--base", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="the first page: a smoke test")
    options = parser.parse_args(arguments)
    bases = BASES | dict(each.split("=", 1) for each in options.base)
    gold = json.loads(options.file.read_text())
    if options.quick:
        gold["pages"] = gold["pages"][:1]
    asyncio.run(_run(gold, bases, options.only))
    return 0
