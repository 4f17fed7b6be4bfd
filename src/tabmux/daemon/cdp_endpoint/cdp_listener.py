"""CDP listener: a WebSocket on loopback for each session whose user asks for one."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hmac import compare_digest
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute
from starlette.types import Receive, Scope
from starlette.types import Send as AsgiSend
from starlette.websockets import WebSocket

from tabmux.browsers.browser import Browser
from tabmux.browsers.lent import LentBrowser
from tabmux.concurrency import TaskOwner
from tabmux.daemon.cdp_endpoint.cdp_client import CdpClient
from tabmux.daemon.cdp_endpoint.command_filter import NOBODY_ACTS, may_act
from tabmux.daemon.http.http_access import AccessMiddleware, HttpAccess
from tabmux.daemon.http.http_server import listen, serve_http
from tabmux.errors import Misuse, NotInThisBrowser, Refused, TabmuxError
from tabmux.mcp.http.http_request import HttpTimings
from tabmux.mcp.stream.mcp_websocket import FrameWriter
from tabmux.sessions.session import Session

logger = logging.getLogger(__name__)

HOST = "127.0.0.1"
LONGEST_MESSAGE = 128 * 1024 * 1024
WRITE_SECONDS = 30.0
# Programs at one session at the same time.
MOST_CLIENTS = 16
_PATH = "/cdp/"
_NOT_HERE, _TRY_LATER = 1008, 1013


class CdpListener:
    """Listens once the first session's address is asked for.

    Args:
        tasks: What owns the server.
    """

    def __init__(self, tasks: TaskOwner) -> None:
        self._tasks = tasks
        self._port = 0
        self._starting = asyncio.Lock()
        # The sessions by the secret of their address, and how many programs each has.
        self._sessions: dict[str, Session] = {}
        self._clients: dict[str, int] = {}

    async def url_of(self, session: Session) -> str:
        """Return the address of a session's tabs; the same one as long as the session lasts."""
        _refuse_where_tools_are_fewer(session)
        await _browser_of(session)
        async with self._starting:
            if not self._port:
                self._port = await self._listen()
        if session.ended:
            # Nobody would take its address away again.
            raise Misuse("The session has ended.", code="unknown_session")
        known = {each.handle: secret for secret, each in self._sessions.items()}
        secret = known.get(session.handle) or self._add(session)
        return f"ws://{HOST}:{self._port}{_PATH}{secret}"

    def _add(self, session: Session) -> str:
        secret = secrets.token_urlsafe(32)
        self._sessions[secret] = session
        session.on_closed(lambda: _void(self._sessions.pop(secret, None)))
        return secret

    async def _listen(self) -> int:
        bound = listen(HOST, 0)
        port = int(bound.getsockname()[1])
        access = HttpAccess.at(HOST, port, None)
        app = Starlette(
            routes=[WebSocketRoute(_PATH + "{secret}", self._serve)],
            middleware=[Middleware(AccessMiddleware, access=access)],
        )
        app.router.redirect_slashes = False
        app.state.stop, app.state.access = lambda: None, access
        app.state.most_bytes, app.state.header_seconds = LONGEST_MESSAGE, HttpTimings.header
        ready = asyncio.Event()
        serving = self._tasks.start_quietly(
            serve_http(app, HOST, port, ready.set, listener=bound, grace=1.0)
        )
        serving.add_done_callback(lambda _: ready.set())
        await ready.wait()
        if serving.done():
            raise Misuse("The CDP endpoint could not be started; the log says why.")
        logger.info("The CDP endpoint listens on port %d.", port)
        return port

    async def _serve(self, websocket: WebSocket) -> None:
        secret = str(websocket.path_params["secret"])
        session = self._session(secret)
        scope, receive, send = websocket.scope, websocket.receive, websocket.send
        if session is None or "origin" in websocket.headers:
            await websocket.close(_NOT_HERE)
            return
        if self._clients.get(secret, 0) >= MOST_CLIENTS:
            await websocket.close(_TRY_LATER)
            return
        self._clients[secret] = self._clients.get(secret, 0) + 1
        session.attach()
        try:
            # Since its address was asked for, a client may have come that may do less.
            _refuse_where_tools_are_fewer(session)
            browser = await _browser_of(session)
            await websocket.accept()
            await _serve_client(session, browser, scope, receive, send)
        except TabmuxError as error:
            logger.info("A CDP client ended: %s", error.message)
        finally:
            session.leave()
            self._clients[secret] -= 1
            if not self._clients[secret]:
                del self._clients[secret]
            with suppress(RuntimeError):  # it may be closed already
                await websocket.close()

    def _session(self, secret: str) -> Session | None:
        given = secret.encode(errors="replace")  # texts that are not ASCII cannot be compared
        found = (s for each, s in self._sessions.items() if compare_digest(each.encode(), given))
        return next(found, None)


async def _serve_client(
    session: Session, browser: Browser, scope: Scope, receive: Receive, send: AsgiSend
) -> None:
    """Serve one program until it leaves, or the session or the browser ends."""
    writer = FrameWriter(WRITE_SECONDS)
    client = CdpClient(session, browser, writer.send)
    ended = asyncio.Event()
    stop = session.on_closed(ended.set)
    try:
        async with asyncio.TaskGroup() as group:
            works: list[Awaitable[Any]] = [
                client.run(), _read(receive, client.receive), ended.wait(), browser.lost(),
            ]  # fmt: skip
            tasks = [group.create_task(_quietly(work)) for work in works]
            writing = group.create_task(writer.write(send))
            await asyncio.wait([*tasks, writing], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            writer.end()
    finally:
        stop()


async def _quietly(work: Awaitable[Any]) -> None:
    await work


async def _read(receive: Receive, take: Callable[[bytes], None]) -> None:
    while (event := await receive())["type"] == "websocket.receive":
        text = event.get("text")
        take(event.get("bytes") or b"" if text is None else text.encode())


async def _browser_of(session: Session) -> Browser:
    """Return the browser of the selected page, or the one that the session would use."""
    page = session.pages.get(session.selected or 0)
    browser = session.browsers.browser_of(page) if page is not None else None
    browser = browser or session.browsers.choose(None)
    if isinstance(browser, LentBrowser):
        raise NotInThisBrowser("A browser that its extension lends has no CDP endpoint.")
    return await session.browsers.ensure_connected(browser)


def _refuse_where_tools_are_fewer(session: Session) -> None:
    """CDP acts on pages and runs scripts, whatever the tools may do."""
    if not may_act(session.policy):
        raise Refused(NOBODY_ACTS)


def _void(_: object) -> None:
    """Return nothing."""
