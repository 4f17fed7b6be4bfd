from __future__ import annotations

import asyncio
import importlib
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from tests.differential.behaviour import BEHAVIOURS, DIFFERENCES, Behaviour, compare, entries
from tests.differential.side import BOTH, Side, missing, seated
from tests.site import Site

TOPICS = (
    "protocol", "pages", "navigation", "snapshot", "input", "dialogs", "script", "console",
    "surroundings", "settings",
)  # fmt: skip
for topic in TOPICS:
    importlib.import_module(f"tests.differential.{topic}")

needs_peer = pytest.mark.skipif(bool(missing()), reason=missing())

TRIES = 3


@pytest.fixture(scope="module")
async def sides(
    site: Site, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Side, Side]]:
    """Both servers, each in a Chromium of its own, for all behaviours."""
    folder = tmp_path_factory.mktemp("differential")
    async with AsyncExitStack() as stack:
        ours, theirs = [
            await stack.enter_async_context(seated(server, site, folder)) for server in BOTH
        ]
        yield ours, theirs


@needs_peer
@pytest.mark.timeout(90)
@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda each: each.name)
async def test_both_do_the_same(behaviour: Behaviour, sides: tuple[Side, Side]) -> None:
    # The peer waits for fixed times, so on a busy machine it may see too little.
    for _ in range(TRIES):
        ours, theirs = await asyncio.gather(*(behaviour.script(side) for side in sides))
        if not (differences := compare(behaviour, ours, theirs)):
            break
    assert differences == []


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


@needs_peer
async def test_every_tool_and_argument_of_the_peer_is_taken(sides: tuple[Side, Side]) -> None:
    ours, theirs = sides
    problems = []
    for name, tool in theirs.tools.items():
        if name not in ours.tools:
            problems.append(f"no tool {name}")
            continue
        own = ours.tools[name]["inputSchema"]
        wanted = tool["inputSchema"]
        problems += [
            f"{name} needs {key}"
            for key in set(own.get("required", ())) - set(wanted.get("required", ()))
        ]
        for key, about in wanted["properties"].items():
            problems += [
                f"{name}.{key}: {problem}"
                for problem in _narrower(own["properties"].get(key), about)
            ]
    assert problems == []


def _narrower(own: dict[str, object] | None, theirs: dict[str, object]) -> list[str]:
    if own is None:
        return ["is not taken"]
    kinds = {"number": {"number", "integer"}}
    kind = str(theirs.get("type"))
    if own.get("type") not in kinds.get(kind, {kind}):
        return [f"is {json.dumps(own)}, not {kind}"]
    choices, wanted = _choices(own), _choices(theirs)
    return [f"does not take {wanted - choices}"] if choices and not wanted <= choices else []


def _choices(about: dict[str, object]) -> set[object]:
    items = about.get("items")
    found = about.get("enum") or (items.get("enum") if isinstance(items, dict) else None)
    return set(found) if isinstance(found, list) else set()
