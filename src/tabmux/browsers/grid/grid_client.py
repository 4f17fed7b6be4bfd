"""Grid client: sessions, nodes, queue and files of a Selenium Grid, asked of its hub."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from tabmux.browsers.grid.grid_files import packed, unpack
from tabmux.browsers.grid.grid_options import GridOptions
from tabmux.browsers.grid.http_exchange import LARGEST_FILE, GridRefused, exchange, hub_headers
from tabmux.browsers.launched import (
    HEADLESS_ARGUMENTS,
    QUIET_ARGUMENTS,
    with_features_joined,
)
from tabmux.cdp.websocket_transport import WebSocketTransport, connect_websocket
from tabmux.errors import BrowserTrouble
from tabmux.json_text import BadJson, decoded
from tabmux.timings import Timings

OWNER, TOKEN, REQUEST = "tabmux:owner", "tabmux:token", "tabmux:request"
DRAINING = "DRAINING"
_CHROME = "goog:chromeOptions"
# A node runs in a container, which has no room for Chrome's own sandbox.
_ARGUMENTS = (*QUIET_ARGUMENTS, *HEADLESS_ARGUMENTS, "--no-sandbox")
_STATE = """{
  grid { totalSlots sessionCount sessionQueueSize version }
  nodesInfo { nodes { id uri status slotCount sessionCount stereotypes } }
  sessionsInfo { sessions { id nodeId nodeUri capabilities sessionDurationMillis } }
}"""


@dataclass(frozen=True)
class GridNode:
    """A machine of the Grid's."""

    id: str
    uri: str
    status: str
    slots: int
    used: int


@dataclass(frozen=True)
class GridSessionInfo:
    """A browser that the Grid runs for somebody; `age` is in seconds."""

    id: str
    node: str
    node_uri: str
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    age: float = 0.0


@dataclass(frozen=True)
class GridState:
    """What the Grid says of itself."""

    slots: int = 0
    used: int = 0
    queued: int = 0
    version: str = ""
    manages_downloads: bool = False
    nodes: tuple[GridNode, ...] = ()
    sessions: tuple[GridSessionInfo, ...] = ()

    @property
    def free(self) -> int:
        """How many more browsers it has room for, on nodes that take some."""
        return sum(max(0, n.slots - n.used) for n in self.nodes if n.status == "UP")

    @property
    def line(self) -> str:
        """Say it in a few words."""
        nodes = "1 node" if len(self.nodes) == 1 else f"{len(self.nodes)} nodes"
        draining = sum(node.status == DRAINING for node in self.nodes)
        drains = f" ({draining} draining)" if draining else ""
        return f"{self.used} of {self.slots} slots in use, {self.queued} queued, {nodes}{drains}"


class GridClient:
    """Asks one hub, and always at the address the user gave: what it advertises may not be reached.

    Args:
        options: Which hub.
        timings: How long to wait for what.
    """

    def __init__(self, options: GridOptions, timings: Timings) -> None:
        self.options, self._timings = options, timings

    async def state(self) -> GridState:
        """Ask how the Grid is."""
        answer = await exchange(
            self.options, "POST", "/graphql", {"query": _STATE}, seconds=self._timings.grid_answer
        )
        try:
            return _state(answer["data"])
        except (KeyError, TypeError, ValueError) as error:
            raise BrowserTrouble(
                f"{self.options.url} answers, but not as a Selenium Grid 4 does."
            ) from error

    async def new_session(
        self, marks: Mapping[str, str], *, downloads: bool, seconds: float
    ) -> str:
        """Have a browser started, and return its id; cancelled, the request leaves the queue.

        Args:
            marks: Capabilities by which it is known again.
            downloads: Whether its node is to hand out what it downloads.
            seconds: Until it is given up.
        """
        wanted = {**self.options.capabilities, **marks}
        chrome = dict(wanted.get(_CHROME, {}))
        given = with_features_joined([*_ARGUMENTS, *chrome.get("args", ())])
        wanted[_CHROME] = {**chrome, "args": given}
        if downloads:
            wanted["se:downloadsEnabled"] = True
        answer = await exchange(
            self.options,
            "POST",
            "/session",
            {"capabilities": {"alwaysMatch": wanted}},
            seconds=seconds,
        )
        try:
            found = answer["value"]
            if not found["capabilities"].get("se:cdp"):
                await self.end_session(str(found["sessionId"]))
                raise BrowserTrouble(
                    "The grid's browser has no CDP socket.",
                    hint="Ask for Chrome or Edge in the capabilities of [grid].",
                )
            return str(found["sessionId"])
        except (KeyError, TypeError, AttributeError) as error:
            raise BrowserTrouble("The grid did not say which session it started.") from error

    async def end_session(self, ident: str) -> None:
        """End a browser; one that is gone already is no trouble."""
        try:
            await exchange(
                self.options, "DELETE", f"/session/{ident}", seconds=self._timings.grid_end
            )
        except GridRefused as error:
            if error.status != 404:
                raise

    async def end_at_node(self, ident: str, node_uri: str) -> None:
        """End a browser of which only its node knows, since the hub is a new one.

        The node may not be reached from here; it ends idle browsers by itself, too.
        """
        if not node_uri.startswith(("http://", "https://")):
            return
        with contextlib.suppress(BrowserTrouble):
            node = GridOptions(node_uri)  # without the credentials of the hub
            await exchange(node, "DELETE", f"/session/{ident}", seconds=self._timings.grid_answer)

    async def connect(self, ident: str) -> WebSocketTransport:
        """Open the CDP socket of a browser, through the hub."""
        parts = urlsplit(self.options.url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        path = f"{parts.path}/session/{ident}/se/cdp"
        url = urlunsplit((scheme, parts.netloc, path, "", ""))
        return await connect_websocket(
            url, hub_headers(self.options), timeout=self._timings.grid_answer
        )

    async def upload(self, ident: str, path: Path) -> str:
        """Send a file to the node of a browser, and return where it is there."""
        contents = await asyncio.to_thread(packed, path)
        answer = await exchange(
            self.options,
            "POST",
            f"/session/{ident}/se/file",
            {"file": contents},
            seconds=self._timings.grid_file,
        )
        return str(answer["value"])

    async def download(self, ident: str, name: str, target: Path) -> None:
        """Fetch a file that a browser has downloaded."""
        answer = await exchange(
            self.options,
            "POST",
            f"/session/{ident}/se/files",
            {"name": name},
            seconds=self._timings.grid_file,
            largest=LARGEST_FILE,
        )
        await asyncio.to_thread(unpack, answer, name, target)


def _state(data: Mapping[str, Any]) -> GridState:
    grid, nodes = data["grid"], data["nodesInfo"]["nodes"]
    return GridState(
        slots=int(grid["totalSlots"]),
        used=int(grid["sessionCount"]),
        queued=int(grid["sessionQueueSize"]),
        version=str(grid.get("version") or ""),
        manages_downloads=bool(nodes)
        and all("se:downloadsEnabled" in str(node.get("stereotypes")) for node in nodes),
        nodes=tuple(_node(node) for node in nodes),
        sessions=tuple(_session(each) for each in data["sessionsInfo"]["sessions"]),
    )


def _node(node: Mapping[str, Any]) -> GridNode:
    slots, used = int(node["slotCount"]), int(node["sessionCount"])
    return GridNode(str(node["id"]), str(node["uri"]), str(node["status"]), slots, used)


def _session(each: Mapping[str, Any]) -> GridSessionInfo:
    try:
        capabilities = decoded(each["capabilities"])
    except BadJson:
        capabilities = {}
    known = capabilities if isinstance(capabilities, dict) else {}
    age = int(each.get("sessionDurationMillis") or 0) / 1000
    return GridSessionInfo(str(each["id"]), str(each["nodeId"]), str(each["nodeUri"]), known, age)
