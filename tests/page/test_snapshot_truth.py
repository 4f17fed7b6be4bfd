"""The walker behind snapshots, with Chrome's accessibility tree as its judge."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tabmux.browsers.launch import LaunchOptions, launched
from tabmux.cdp.connection import Channel, Connection
from tests.page.truth.judge import Difference, Verdict, World, judge

PAGES = sorted((Path(__file__).parent / "truth").glob("*.html"))
SCRIPTS = Path(__file__).parents[2] / "src" / "tabmux" / "page" / "js"
MODULES = (
    "nodes", "labels", "styles", "generated", "roles", "names", "states", "details", "fold",
    "tree", "snapshot",
)  # fmt: skip
AGREEMENT = 0.99

# Why a difference is right, or cannot be helped; each of them occurs on the pages.
EXPLAINED: dict[str, Callable[[Difference], bool]] = {
    "What aria-activedescendant points to is marked as focused, besides the focus itself.": (
        lambda d: d.what == "focused" and d.role == "option"
    ),
    "The protocol leaves `required` out for this role; an agent wants to know.": (
        lambda d: d.what == "required" and d.role in ("checkbox", "radio", "Date", "combobox")
    ),
    "The protocol leaves `readonly` out for date fields; an agent wants to know.": (
        lambda d: d.what == "readonly" and d.role == "Date"
    ),
    "The protocol does not tell what is selected in a disabled list; it is still selected.": (
        lambda d: d.what == "selected" and d.tag == "option"
    ),
    "Glyphs of icon fonts (private use characters) are left out: they say nothing to a reader.": (
        lambda d: d.what == "name" and "\ue900" in d.chrome
    ),
    "Chrome loses a space at the start of generated text inside a name.": (
        lambda d: d.what == "name" and d.page == "css_content" and d.tag == "a"
    ),
    "ElementInternals cannot be read from outside the element's own class.": (
        lambda d: d.tag == "x-internals"
    ),
    "Clickable elements are shown though they have no role: that is their purpose.": (
        lambda d: d.what == "shown" and d.page == "clickables"
    ),
    "A plain element with tabindex=-1 takes the focus only from scripts: nothing to use.": (
        lambda d: d.what == "printed" and d.page == "clickables" and d.tag == "div"
    ),
    "Text inside something that is called otherwise is not repeated below it.": (
        lambda d: d.what == "text" and d.chrome in ("Written", "B", "Push", "kept", "inner", "Textoflabel")
    ),
    "Chrome reads variables of formulas in mathematical letters, and annotations apart.": (
        lambda d: d.what == "text" and d.page == "math_and_ruby"
    ),
    "Chrome calls an empty <object> disabled.": (
        lambda d: d.what == "disabled" and d.tag == "object"
    ),
    "A description that only repeats the name is left out.": (
        lambda d: d.what == "description" and d.ours == "" and d.chrome == d.name
    ),
}  # fmt: skip


class Tab:
    """A tab whose pages are given as HTML, with the walker in an isolated world."""

    def __init__(self, channel: Channel, frame: str) -> None:
        self._channel, self._frame = channel, frame

    async def open(self, html: str) -> World:
        # A new document each time: custom elements can be defined only once in one.
        await self._channel.call("Page.navigate", {"url": "about:blank"})
        content = {"frameId": self._frame, "html": html}
        await self._channel.call("Page.setDocumentContent", content)
        asked = {"frameId": self._frame, "worldName": "tabmux"}
        context = (await self._channel.call("Page.createIsolatedWorld", asked))[
            "executionContextId"
        ]
        world = World(self._channel, context)
        await world.evaluate(library())
        return world


@cache
def library() -> str:
    bodies = (
        f"((tabmux) => {{\n{(SCRIPTS / f'{m}.js').read_text()}\n}})(tabmux);" for m in MODULES
    )
    return "(() => { const tabmux = {};" + "\n".join(bodies) + "globalThis.tabmux = tabmux; })()"


async def take(world: World, **options: Any) -> dict[str, Any]:
    asked = {"prefix": "a1_", "epoch": 1, "verbose": False, "root": 0, "depth": 0, **options}
    shot: dict[str, Any] = await world.call("(options) => tabmux.snapshot(options)", asked)
    return shot


async def lines(tab: Tab, html: str, **options: Any) -> list[str]:
    """The lines below the first, which is that of the document, one level further left."""
    shot = await take(await tab.open(html), **options)
    return [line.removeprefix("  ") for line in shot["text"].split("\n")[1:]]


async def adopt_closed_roots(world: World, opaque: list[int]) -> int:
    found = 0
    for label in opaque:
        host = await world.call("tabmux.elementOf", label, by_value=False)
        node = (await world.channel.call("DOM.describeNode", {"objectId": host}))["node"]
        await world.call("tabmux.examined", label)
        for root in node.get("shadowRoots", ()):
            shadow = await world.resolve(root["backendNodeId"])
            await world.call("tabmux.adoptShadow", objects=[host, shadow])
            found += 1
    return found


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def tab(anyio_backend: str) -> AsyncIterator[Tab]:
    async with launched(LaunchOptions(headless=True)) as transport:
        browser = Connection(transport).browser
        target = (await browser.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
        asked = {"targetId": target, "flatten": True}
        session = (await browser.call("Target.attachToTarget", asked))["sessionId"]
        channel = browser.child(session)
        assert channel is not None
        for domain in ("Page", "DOM", "Runtime"):
            await channel.call(f"{domain}.enable")
        yield Tab(channel, target)


@pytest.fixture(scope="module")
async def verdicts(tab: Tab) -> dict[str, Verdict]:
    found = {}
    for page in PAGES:
        world = await tab.open(page.read_text(encoding="utf-8"))
        shot = await take(world)
        if shot["opaque"] and await adopt_closed_roots(world, shot["opaque"]):
            shot = await take(world)
        found[page.stem] = await judge(page.stem, world, shot["text"])
    return found


def test_every_difference_from_chrome_is_explained(verdicts: dict[str, Verdict]) -> None:
    differences = [d for verdict in verdicts.values() for d in verdict.differences]
    assert [str(d) for d in differences if not any(why(d) for why in EXPLAINED.values())] == []


def test_every_explanation_is_still_needed(verdicts: dict[str, Verdict]) -> None:
    differences = [d for verdict in verdicts.values() for d in verdict.differences]
    assert [reason for reason, why in EXPLAINED.items() if not any(map(why, differences))] == []


def test_role_name_and_states_agree_with_chrome(verdicts: dict[str, Verdict]) -> None:
    elements = sum(v.elements for v in verdicts.values())
    differing = sum(v.differing for v in verdicts.values())
    assert len(verdicts) >= 40
    assert elements > 1000
    assert 1 - differing / elements >= AGREEMENT
