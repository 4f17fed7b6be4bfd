"""A Selenium Grid without Java: nodes with slots, a queue, sessions, sockets and managed files."""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import io
import json
import secrets
import sys
import zipfile
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.browsers.grid.fake_browser import FakeGridBrowser, FakeSocket

Answer = JSONResponse


class FakeNode:
    """A machine with room for so many browsers."""

    def __init__(self, name: str, slots: int) -> None:
        self.id, self.slots, self.status = name, slots, "UP"
        self.browsers: dict[str, FakeGridBrowser] = {}


class FakeGrid:
    """The hub and its nodes; what happened is kept, for tests to look at.

    Args:
        nodes: How many slots each node has.
        start_seconds: How long a browser takes to start.
    """

    def __init__(self, *nodes: int, start_seconds: float = 0.0) -> None:
        self.nodes = [FakeNode(f"node{n}", slots) for n, slots in enumerate(nodes or (4, 4), 1)]
        self.start_seconds = start_seconds
        self.capabilities: dict[str, dict[str, Any]] = {}
        self.queue: list[str] = []
        self.started: list[str] = []
        self.ended: list[str] = []
        self.files: dict[str, bytes] = {}
        self.authorization: list[str] = []
        self.manages_downloads = False
        # How long all browsers have been there.
        self.age_seconds = 0
        # How long the hub takes to say how it is.
        self.state_seconds = 0.0
        self.refuses = ""
        self.url = ""
        # What a test waits for.
        self.changed = asyncio.Event()
        self._sockets: dict[str, set[WebSocket]] = {}

    @property
    def browsers(self) -> dict[str, FakeGridBrowser]:
        """All browsers that run, by id."""
        return {ident: each for node in self.nodes for ident, each in node.browsers.items()}

    @property
    def scripts(self) -> list[str]:
        """All scripts that ran in browsers which still run."""
        return [script for browser in self.browsers.values() for script in browser.scripts]

    async def until(self, condition: Any, seconds: float = 5.0) -> None:
        """Wait until something holds, which is looked at after every request."""
        async with asyncio.timeout(seconds):
            while not condition():
                self.changed.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await self.changed.wait()

    def node_of(self, ident: str) -> FakeNode:
        """Return the node that a browser runs on."""
        return next(node for node in self.nodes if ident in node.browsers)

    async def kill_node(self, node: FakeNode) -> None:
        """Take a node away, as kill -9 would."""
        self.nodes.remove(node)
        for ident in node.browsers:
            await self.cut(ident)

    async def cut(self, ident: str) -> None:
        """Cut the sockets of a browser, which goes on."""
        for socket in list(self._sockets.get(ident, ())):
            await socket.close()

    def routes(self) -> list[Any]:
        return [
            Route("/session", self._new_session, methods=["POST"]),
            Route("/session/{ident}", self._end_session, methods=["DELETE"]),
            Route("/session/{ident}/se/file", self._upload, methods=["POST"]),
            Route("/session/{ident}/se/files", self._download, methods=["POST"]),
            Route("/graphql", self._graphql, methods=["POST"]),
            WebSocketRoute("/session/{ident}/se/cdp", self._cdp),
        ]

    async def _new_session(self, request: Request) -> JSONResponse:
        self.authorization.append(request.headers.get("authorization", ""))
        if request.headers.get("content-type") != "application/json; charset=utf-8":
            return _error(500, "unknown error", "Content-Type header does not specify UTF-8")
        if self.refuses:
            return _error(500, "session not created", self.refuses)
        wanted = (await request.json())["capabilities"]["alwaysMatch"]
        ident = secrets.token_hex(16)
        self.queue.append(ident)
        self.changed.set()
        try:
            while (node := self._free_node()) is None or self.queue[0] != ident:
                if await request.is_disconnected():
                    return Answer({})
                await asyncio.sleep(0.01)
        finally:
            self.queue.remove(ident)
        node.browsers[ident] = FakeGridBrowser(ident)
        self.capabilities[ident] = {**wanted, "se:cdp": f"ws://not-reachable.test/{ident}"}
        await asyncio.sleep(self.start_seconds)
        self.started.append(ident)
        self.changed.set()
        found = {"sessionId": ident, "capabilities": self.capabilities[ident]}
        return Answer({"value": found})

    def _free_node(self) -> FakeNode | None:
        free = (n for n in self.nodes if n.status == "UP" and len(n.browsers) < n.slots)
        return min(free, key=lambda node: len(node.browsers), default=None)

    async def _end_session(self, request: Request) -> JSONResponse:
        ident = request.path_params["ident"]
        if ident not in self.browsers:
            return _error(404, "invalid session id", f"Unable to find session with ID: {ident}")
        del self.node_of(ident).browsers[ident]
        await self.cut(ident)
        self.ended.append(ident)
        self.changed.set()
        return Answer({"value": None})

    async def _graphql(self, request: Request) -> JSONResponse:
        await asyncio.sleep(self.state_seconds)
        stereotype = {"se:downloadsEnabled": True} if self.manages_downloads else {}
        nodes = [
            {
                "id": node.id,
                "uri": f"http://{node.id}.test:5555",
                "status": node.status,
                "slotCount": node.slots,
                "sessionCount": len(node.browsers),
                "stereotypes": json.dumps([{"slots": node.slots, "stereotype": stereotype}]),
            }
            for node in self.nodes
        ]
        sessions = [
            {
                "id": ident,
                "nodeId": node.id,
                "nodeUri": f"http://{node.id}.test:5555",
                "capabilities": json.dumps(self.capabilities[ident]),
                "sessionDurationMillis": str(self.age_seconds * 1000),
            }
            for node in self.nodes
            for ident in node.browsers
        ]
        grid = {
            "totalSlots": sum(node.slots for node in self.nodes),
            "sessionCount": len(sessions),
            "sessionQueueSize": len(self.queue),
            "version": "4.48.0",
        }
        found = {
            "grid": grid,
            "nodesInfo": {"nodes": nodes},
            "sessionsInfo": {"sessions": sessions},
        }
        return Answer({"data": found})

    async def _upload(self, request: Request) -> JSONResponse:
        packed = base64.b64decode((await request.json())["file"])
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            (name,) = archive.namelist()
            self.files[name] = archive.read(name)
        return Answer({"value": f"/node/upload/{name}"})

    async def _download(self, request: Request) -> JSONResponse:
        name, buffer = (await request.json())["name"], io.BytesIO()
        if name not in self.files:
            return _error(500, "unknown error", f"Cannot find file [{name}]")
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, self.files[name])
        contents = base64.b64encode(buffer.getvalue()).decode()
        return Answer({"value": {"filename": name, "contents": contents}})

    async def _cdp(self, socket: WebSocket) -> None:
        browser = self.browsers.get(socket.path_params["ident"])
        if browser is None:
            await socket.close()
            return
        await socket.accept()
        mine = self._sockets.setdefault(browser.id, set())
        mine.add(socket)
        messages: asyncio.Queue[str] = asyncio.Queue()
        fake = FakeSocket(browser, messages.put_nowait)
        try:
            async with asyncio.TaskGroup() as group:
                writing = group.create_task(_write(socket, messages))
                with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                    while True:
                        fake.hear(await socket.receive_text())
                writing.cancel()
        finally:
            mine.discard(socket)
            fake.close()
            self.changed.set()


async def _write(socket: WebSocket, messages: asyncio.Queue[str]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(await messages.get())


def _error(status: int, error: str, message: str) -> JSONResponse:
    return JSONResponse({"value": {"error": error, "message": message}}, status_code=status)


@contextlib.asynccontextmanager
async def served(grid: FakeGrid, port: int = 0) -> AsyncIterator[FakeGrid]:
    """Serve a grid on loopback for the length of the block; its address is in `grid.url`."""
    app = Starlette(routes=grid.routes())
    config = uvicorn.Config(app, "127.0.0.1", port, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    (listener,) = server.servers
    grid.url = f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.main_loop())
        try:
            yield grid
        finally:
            server.should_exit = True
            await serving
            await _shut(server, grid)


async def _shut(server: uvicorn.Server, grid: FakeGrid) -> None:
    for ident in list(grid.browsers):
        await grid.cut(ident)
    server.force_exit = True
    await server.shutdown()


async def _serve(port: int, nodes: list[int]) -> None:
    async with served(FakeGrid(*nodes), port) as grid:
        sys.stdout.write(f"{grid.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve a fake grid.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("nodes", type=int, nargs="+")
    given = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(given.port, given.nodes))
