from __future__ import annotations

import importlib
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from bench.servers import CHROME_DEVTOOLS, TABMUX
from tests.differential.behaviour import BEHAVIOURS, DIFFERENCES, Behaviour, Facts, compare, entries
from tests.differential.record import LIVE, Record, plain, taken
from tests.differential.side import Side, seated
from tests.site import Site

TOPICS = (
    "protocol", "pages", "navigation", "snapshot", "input", "dialogs", "script", "console",
    "surroundings", "settings",
)  # fmt: skip
for topic in TOPICS:
    importlib.import_module(f"tests.differential.{topic}")

TRIES = 6


@dataclass
class Table:
    """Both servers, each in a Chromium of its own; the peer's seat is empty if it was recorded."""

    ours: Side
    theirs: Side | None
    record: Record


@pytest.fixture(scope="module")
async def table(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Table]:
    folder, record = tmp_path_factory.mktemp("differential"), Record()
    async with AsyncExitStack() as stack:
        ours = await stack.enter_async_context(seated(TABMUX, site, folder))
        theirs = None
        if LIVE:
            theirs = await stack.enter_async_context(seated(CHROME_DEVTOOLS, site, folder))
            record.tools = taken(theirs)
        yield Table(ours, theirs, record)
        if theirs:
            record.write(each.name for each in BEHAVIOURS)


@pytest.mark.timeout(90)
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.name)
async def test_both_do_the_same(behaviour: Behaviour, table: Table) -> None:
    ours, facts = plain(await behaviour.script(table.ours)), table.record.facts
    if not table.theirs:
        assert compare(behaviour, ours, facts[behaviour.name]) == []
        return
    theirs = await _asked(behaviour, table.theirs, ours)
    assert compare(behaviour, ours, theirs) == []
    facts[behaviour.name] = theirs


async def _asked(behaviour: Behaviour, theirs: Side, ours: Facts) -> Facts:
    """What the peer does, after a few tries, for it does not always do the same."""
    for _ in range(TRIES):
        facts: Facts = plain(await behaviour.script(theirs))
        if not compare(behaviour, ours, facts):
            break
    return facts


def test_most_of_the_hundred_behaviours_are_compared() -> None:
    assert len({each.number for each in BEHAVIOURS}) >= 80


def test_every_difference_has_an_entry_that_says_why() -> None:
    referred = {entry for each in BEHAVIOURS for entry in each.differs.values()}
    assert referred - entries() == set()


def test_every_entry_is_shown_by_a_test() -> None:
    referred = {entry for each in BEHAVIOURS for entry in each.differs.values()}
    text = DIFFERENCES.read_text()
    for entry in entries() - referred:
        section = text.split(f"### {entry}\n")[1].split("\n### ")[0]
        named = re.findall(r"`(tests/[\w/.]+)`", section)
        assert named, f"{entry} names no test"
        for path in named:
            assert (DIFFERENCES.parents[1] / path).exists(), f"{entry}: {path}"


async def test_every_tool_and_argument_of_the_peer_is_taken(table: Table) -> None:
    own = taken(table.ours)
    problems = []
    for name, wanted in table.record.tools.items():
        if name not in own:
            problems.append(f"no tool {name}")
            continue
        more = set(own[name]["required"]) - set(wanted["required"])
        problems += [f"{name} needs {key}" for key in more]
        problems += [
            f"{name}.{key}: {problem}"
            for key, about in wanted["properties"].items()
            for problem in _narrower(own[name]["properties"].get(key), about)
        ]
    assert problems == []


def _narrower(own: dict[str, Any] | None, theirs: dict[str, Any]) -> list[str]:
    if own is None:
        return ["is not taken"]
    kind = theirs["type"]
    if own["type"] not in {"number": {"number", "integer"}}.get(kind, {kind}):
        return [f"is {own}, not {kind}"]
    choices, wanted = set(own.get("choices", ())), set(theirs.get("choices", ()))
    return [f"does not take {wanted - choices}"] if choices and not wanted <= choices else []
