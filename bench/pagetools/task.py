"""Two errands in a shop, as each server does them: calls, and characters that the agent reads.

The shop is the Oscar sandbox of `gold`. Each server has a browser of its own; the peers take the
shortest way that their tools allow, and every outcome is checked in the browser.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.dialects import References
from bench.packages import cache
from bench.pagetools.browser import ALONE, require
from bench.pagetools.output import say
from bench.probe import Probe, open_probe
from bench.processes import stop_on
from bench.servers import CHROME_DEVTOOLS, PLAYWRIGHT, TABMUX, Server
from bench.trouble import BenchError
from bench.verbs import Click, Element, Evaluate, Fill, Open, Snapshot, Verb, elements

# Says which tool of the page is called next, having read the last reply.
Step = Callable[[str], tuple[str, dict[str, Any]]]
# Its title, where it begins, the verbs of peers, our own steps, and what must be true afterwards.
Task = tuple[str, str, Sequence[Verb], Sequence[Step], str]

SHOP = "http://127.0.0.1:47401"
LOGIN, CATALOGUE = "/en-gb/accounts/login/", "/en-gb/catalogue/"
SETTLE_SECONDS = 5.0
USER, PASSWORD = "superuser@example.com", "testing"
WORD, BOOK = "hacking", "Hacking Exposed Wireless"
EMAIL_FIELD, PASSWORD_FIELD = Element("textbox", "Email address"), Element("textbox", "Password")
OUTCOME = Evaluate("() => document.title")
FOCUS = replace(TABMUX, name="tabmux focus", command=(*TABMUX.command, "--toolset", "focus"))

# What must be true in the tab afterwards.
LOGGED_IN = "!!document.querySelector(\"[href*='/logout/'], [action*='/logout/']\")"
OPENED = f"document.querySelector('.product_main h1')?.textContent === {BOOK!r}"

LOG_IN: Sequence[Verb] = (
    Open(LOGIN),
    Snapshot(),
    Fill(((EMAIL_FIELD, USER), (PASSWORD_FIELD, PASSWORD))),
    Click(Element("button", "Log In")),
    OUTCOME,
)
SEARCH: Sequence[Verb] = (
    Open(CATALOGUE),
    Snapshot(),
    Fill(((Element("textbox", "Search"), WORD),)),
    Click(Element("button", "Search")),
    Snapshot(),
    Click(Element("link", BOOK)),
    OUTCOME,
)


@dataclass
class Errand:
    """A server that does something, and what that costs."""

    server: Server
    client: Client
    probe: Probe
    shop: str
    calls: int = 0
    characters: int = 0
    definitions: int = 0
    _known: set[str] = field(default_factory=set)
    _seen: str = ""
    _page: int | None = None

    async def call(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool, and count what there is to read."""
        text = (await self.client.call(tool, arguments)).text
        self.calls += 1
        self.characters += len(text)
        await self.read_tools()
        return text

    async def read_tools(self) -> None:
        """Count the definitions that are new to the agent."""
        for tool in await self.client.tools():
            shown = json.dumps(tool, ensure_ascii=False, separators=(",", ":"))
            if shown not in self._known:
                self._known.add(shown)
                self.definitions += len(shown)

    async def say(self, verb: Verb) -> None:
        """Do one thing with the tools of a peer."""
        if isinstance(verb, Open):
            verb = Open(f"{self.shop}{verb.url}")
        call = self.server.dialect.call(verb, self._references(verb), self._page)
        text = await self.call(call.tool, call.arguments)
        if isinstance(verb, Open):
            self._page = self.server.dialect.page(text, verb.url)
        self._seen = text if isinstance(verb, Snapshot) else self._seen

    def _references(self, verb: Verb) -> References:
        # Of several elements with one name the first is meant, and the last one is kept.
        snapshot = "\n".join(reversed(self._seen.splitlines()))
        found = {}
        for element in elements(verb):
            offered = self.server.dialect.references(snapshot, element.role)
            names = [name for name in offered if name.rstrip(" *…").startswith(element.name)]
            if not names:
                raise BenchError(f"The snapshot has no {element.role} {element.name!r}.")
            found[element] = offered[min(names, key=len)]
        return found


async def _peer(errand: Errand, verbs: Sequence[Verb]) -> None:
    for verb in verbs:
        await errand.say(verb)


async def _focus(errand: Errand, path: str, steps: Sequence[Step]) -> None:
    text = await errand.call("open_tab", {"url": f"{errand.shop}{path}"})
    for step in steps:
        text = await errand.call(*step(text))


async def _usual(errand: Errand, path: str, steps: Sequence[Step]) -> None:
    await errand.call("navigate_page", {"url": f"{errand.shop}{path}"})
    text = await errand.call("list_page_tools", {})
    for step in steps:
        name, arguments = step(text)
        text = await errand.call("call_page_tool", {"name": name, "arguments": arguments})


def _log_in(_: str) -> tuple[str, dict[str, Any]]:
    return "log_in", {"email": USER, "password": PASSWORD}


def _search(_: str) -> tuple[str, dict[str, Any]]:
    return "search", {"query": WORD}


def _open(results: str) -> tuple[str, dict[str, Any]]:
    """Open the entry that shows the book, by its number."""
    line = next(line for line in results.splitlines() if BOOK in line)
    return "open_product", {"index": int(line.split(".", 1)[0])}


TASKS: Sequence[Task] = (
    ("log in", LOGIN, LOG_IN, (_log_in,), LOGGED_IN),
    ("search, open a result", CATALOGUE, SEARCH, (_search, _open), OPENED),
)
WAYS: Sequence[tuple[Server, Callable[..., Awaitable[None]] | None]] = (
    (FOCUS, _focus),
    (TABMUX, _usual),
    (CHROME_DEVTOOLS, None),
    (PLAYWRIGHT, None),
)


@asynccontextmanager
async def _errand(server: Server, shop: str) -> AsyncIterator[Errand]:
    """Start a browser and a server, which has read its tools and is connected."""
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        async with (
            open_chromium(find_chromium(), ALONE) as endpoint,
            open_probe(endpoint.websocket) as probe,
        ):
            command = server.started_with(endpoint.url, cache())
            log = folder / "server.log"
            async with open_client(command, server.surroundings(folder), folder, log) as client:
                await client.initialize()
                errand = Errand(server, client, probe, shop)
                await errand.read_tools()
                if server is FOCUS:
                    await client.call("connect_browser", {})
                    await errand.read_tools()
                yield errand


async def _holds(errand: Errand, expression: str) -> bool:
    """Whether something is true in the shop's tab, now or soon."""
    for _ in range(round(SETTLE_SECONDS / 0.1)):
        targets = (await errand.probe.call("Target.getTargets"))["targetInfos"]
        for url in [each["url"] for each in targets if each["url"].startswith(errand.shop)]:
            with suppress(BenchError):  # the document may just be replaced
                if await (await errand.probe.tab(url)).evaluate(expression) is True:
                    return True
        await asyncio.sleep(0.1)
    return False


async def _run(shop: str, only: str, tasks: Sequence[Task]) -> int:
    stop_on(signal.SIGTERM)
    await require(shop, "Start the sandbox of django-oscar, and say where with --shop.")
    failed = 0
    for title, path, verbs, steps, outcome in tasks:
        for server, way in WAYS:
            if only not in server.name:
                continue
            async with _errand(server, shop) as errand:
                try:
                    await (way(errand, path, steps) if way else _peer(errand, verbs))
                    done = await _holds(errand, outcome)
                except BenchError as error:
                    done = False
                    say(f"  {error}")
            failed += not done
            say(
                f"{title}, {server.name}: {'done' if done else 'NOT DONE'}, {errand.calls} calls, "
                f"{errand.characters} characters, {errand.definitions} of definitions"
            )
    return 1 if failed else 0


def run(arguments: Sequence[str]) -> int:
    """Do the errands with every server."""
    parser = argparse.ArgumentParser(prog="bench.pagetools task", description=__doc__)
    parser.add_argument("--only", default="", help="only servers whose name has this in it")
    parser.add_argument("--shop", default=SHOP, help="where the shop is")
    parser.add_argument("--quick", action="store_true", help="one errand of ours: a smoke test")
    options = parser.parse_args(arguments)
    only = FOCUS.name if options.quick else options.only
    return asyncio.run(_run(options.shop, only, TASKS[:1] if options.quick else TASKS))
