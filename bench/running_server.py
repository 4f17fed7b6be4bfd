"""Running server: its process, its tabs, and the Chromium and site it works with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from bench.client import Client, JsonObject, Reply, open_client
from bench.dialects import Call
from bench.probe import Probe, ProbeTab
from bench.servers import Server
from bench.trouble import BenchError
from bench.verbs import Body, Element, NewPage, Open, Requests, Snapshot, Verb, elements, located


@dataclass
class Environment:
    """What servers run in: a Chromium, the side channel into it, the site, a place for files."""

    chromium: str
    origin: str
    probe: Probe
    packages: Path
    scratch: Path
    # All that are measured, here and in other environments.
    servers: Sequence[RunningServer] = ()
    _tags: count[int] = field(default_factory=lambda: count(1))

    def url(self, path: str) -> str:
        """An address of the site that no tab shows yet; those of one path are equally long."""
        return f"{self.origin}{path}?t={next(self._tags):05d}"

    @asynccontextmanager
    async def client(self, server: Server) -> AsyncIterator[Client]:
        """A new process of a server, not yet initialized."""
        command = server.started_with(self.chromium, self.packages)
        folder = self.scratch / server.name
        folder.mkdir(exist_ok=True)
        log = self.scratch / f"{server.name}.log"
        async with open_client(command, server.surroundings(folder), folder, log) as client:
            yield client


@dataclass(frozen=True)
class Tab:
    """A tab of a server's: as the server names it, as the side channel sees it."""

    page: int | None
    probe: ProbeTab
    seconds: float


class RunningServer:
    """One server in the environment; leaving it ends the process and closes its tabs."""

    def __init__(self, server: Server, environment: Environment) -> None:
        self.server, self.environment = server, environment
        self.tools: list[JsonObject] = []
        self.version = ""
        self._client: Client | None = None
        self._tabs: list[Tab] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> RunningServer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Start the server and give it a tab of its own, once, or again after it broke."""
        if self._client is not None and not self._client.usable:
            await self.close()
        if self._client is None:
            await self.connect()
        if not self._tabs:
            await self.open_tab(Open("/blank"))

    async def close(self) -> None:
        """End the process and close its tabs."""
        tabs, self._tabs, self._client = self._tabs, [], None
        for tab in tabs:
            with suppress(BenchError):
                await tab.probe.close()
        await self._stack.aclose()

    async def connect(self) -> None:
        """Start the server and shake hands."""
        self._client = await self._stack.enter_async_context(self.environment.client(self.server))
        information = await self._client.initialize()
        self.version = str(information["serverInfo"]["version"])
        self.tools = await self._client.tools()

    async def open_tab(self, verb: Open | NewPage) -> Tab:
        """Open a tab through the server and find it through the side channel."""
        url = self.environment.url(verb.url)
        reply = await self.perform(self.server.dialect.call(type(verb)(url), {}, None))
        page = self.server.dialect.page(reply.text, url)
        tab = Tab(page, await self.environment.probe.tab(url), reply.seconds)
        self._tabs.append(tab)
        return tab

    async def say(self, verb: Verb, tab: Tab | None = None) -> Reply:
        """Do one thing in a tab, its own unless another is named."""
        return await self.perform(await self.prepare(verb, tab))

    async def begin(self, verb: Verb, tab: Tab) -> int:
        """Ask for one thing without waiting for the answer; returns the request's id."""
        call = await self.prepare(verb, tab)
        parameters = {"name": call.tool, "arguments": call.arguments}
        return self.client.post("tools/call", parameters)[0]

    async def prepare(self, verb: Verb, tab: Tab | None = None) -> Call:
        """The tool call for a verb; a snapshot is taken when it needs references."""
        page = (tab or self.tab).page
        if isinstance(verb, Body):
            verb = await self._numbered(verb, tab)
        wanted = elements(verb)
        snapshot = (await self.say(Snapshot(), tab)).text if wanted else ""
        return self.phrase(verb, snapshot, page)

    def phrase(self, verb: Verb, snapshot: str, page: int | None) -> Call:
        """The tool call for a verb, with references found in a text."""
        references = self._references(snapshot, elements(verb))
        return self.server.dialect.call(located(verb, self.environment.url), references, page)

    async def perform(self, call: Call) -> Reply:
        """Make a prepared call."""
        return await self.client.call(call.tool, call.arguments)

    @property
    def tab(self) -> Tab:
        """The server's own tab."""
        if not self._tabs:
            raise BenchError(f"{self.server.name} has no tab.")
        return self._tabs[0]

    @property
    def client(self) -> Client:
        """The server's process."""
        if self._client is None:
            raise BenchError(f"{self.server.name} was not started.")
        return self._client

    async def _numbered(self, verb: Body, tab: Tab | None) -> Body:
        number = self.server.dialect.request((await self.say(Requests(), tab)).text, verb.path)
        if number is None:
            raise BenchError(f"The list has no request {verb.path}.")
        return replace(verb, number=number)

    def _references(self, snapshot: str, wanted: tuple[Element, ...]) -> dict[Element, str]:
        references = {}
        for element in wanted:
            found = self.server.dialect.references(snapshot, element.role)
            if element.name not in found:
                raise BenchError(f"The snapshot has no {element.role} {element.name!r}.")
            references[element] = found[element.name]
        return references
