"""Bridge server: the WebSocket server that extensions connect to."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabmux.bridge.access_check import AccessCheck, AccessCheckMiddleware
from tabmux.bridge.bridge_limits import DEFAULT_LIMITS, BridgeLimits
from tabmux.bridge.extension_handshake import (
    AuthenticatedExtension,
    ExtensionHandshake,
    HandshakeRefused,
)
from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.bridge.extension_package import extension_origin
from tabmux.bridge.extension_socket import (
    ALREADY_CONNECTED,
    BAD_HANDSHAKE,
    TRY_LATER,
    ExtensionSocket,
    LinkLoop,
)
from tabmux.bridge.http_endpoints import commands_endpoint, sessions_endpoint
from tabmux.bridge.messages import ExtensionNotification, Forward, Message
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.bridge.session_sockets import SessionSockets, is_session_id
from tabmux.concurrency import Listeners, Signal

logger = logging.getLogger(__name__)

LONGEST_MESSAGE = 64 * 1024 * 1024


def digest_of(session: str) -> str:
    """Return a name for a session of which only the id is known, without telling the id."""
    return hashlib.sha256(session.encode()).hexdigest()[:8]


async def _drop(notification: ExtensionNotification) -> None:
    """Drop a notification where nobody wants any."""


@dataclass(frozen=True)
class BridgeCredentials:
    """Whom the bridge believes.

    Args:
        keys: The extensions that were paired.
        pairing: The code that waits, if any.
        tokens: What programs may show besides the secret of a key.
        extensions: The ids of extensions that the user named; they need no token.
        insecure: Ask programs and extensions other than ours for nothing.
    """

    keys: PairedKeys
    pairing: PairingFile
    tokens: Sequence[str] = field(default=(), repr=False)
    extensions: Sequence[str] = ()
    insecure: bool = False


class Bridge:
    """The application that extensions talk to; whoever serves it says on which port.

    Args:
        port: The port that it is served on.
        credentials: Whom to believe.
        version: What `/health` says.
        on_link: Called with every extension that has proved itself on `/`.
        forward: Where goes what a session's extension sends unasked.
        name_of: Returns what users call a session, by its id.
        limits: How long to wait, and how much may wait.
    """

    def __init__(
        self,
        port: int,
        credentials: BridgeCredentials,
        *,
        version: str = "",
        on_link: Callable[[ExtensionLink], None] | None = None,
        forward: Forward = _drop,
        name_of: Callable[[str], str] = digest_of,
        limits: BridgeLimits = DEFAULT_LIMITS,
    ) -> None:
        self.port, self._version, self._on_link = port, version, on_link
        self.counters: Counter[str] = Counter()
        self.links: dict[str, ExtensionLink] = {}
        self._name_of = name_of
        self._changed: Listeners[[]] = Listeners()
        self._changed.add(self._count_change)
        # Counts the changes of what can be served, from a number that no earlier process had.
        self.version, self.signal = secrets.randbits(40), Signal()
        self.session_sockets = SessionSockets(
            forward, self.counters, self._request_session_socket, limits
        )
        self.session_sockets.on_changed(self._changed)
        self._keys, self._limits = credentials.keys, limits
        self._access = AccessCheck(
            port,
            extension_origin(),
            self._keys,
            credentials.tokens,
            credentials.extensions,
            credentials.insecure,
        )
        self._handshake = ExtensionHandshake(port, self._keys, credentials.pairing, limits)
        self._unauthenticated = 0
        self.app = self._application()

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever other sessions can be served than before."""
        return self._changed.add(listener)

    def sessions(self) -> list[str]:
        """Return the sessions that have an extension."""
        return self.session_sockets.sessions()

    @property
    def serves_any_session(self) -> bool:
        """Whether an extension of ours is there that would open the socket of any session."""
        return self._willing() is not None

    def stop(self) -> None:
        """End every link, so that the server can end."""
        self._count_change()
        for link in list(self.links.values()):
            link.close("the server is stopping")

    def _count_change(self) -> None:
        self.version += 1
        self.signal.notify()

    def _application(self) -> Starlette:
        app = Starlette(
            routes=[
                WebSocketRoute("/", self._serve_root),
                WebSocketRoute("/session/{id}", self._serve_session),
                Route("/commands", commands_endpoint(self.session_sockets), methods=["POST"]),
                Route("/sessions", sessions_endpoint(self, self._limits.listing_seconds)),
                Route("/health", self._show_health),
            ],
            middleware=[Middleware(AccessCheckMiddleware, access=self._access)],
        )
        app.router.redirect_slashes = False
        app.state.stop, app.state.access = self.stop, self._access
        app.state.most_bytes = LONGEST_MESSAGE
        return app

    async def _show_health(self, request: Request) -> JSONResponse:
        counts = {"extensions": len(self.links), "sessions": len(self.sessions())}
        return JSONResponse(
            {"status": "ok", "service": "tabmux-bridge", "version": self._version, **counts}
        )

    async def _serve_root(self, websocket: WebSocket) -> None:
        socket = await self._accept(websocket)
        if socket is None:
            return
        try:
            extension = await self._authenticate(websocket, socket)
            link = self._add_link(extension, websocket)
            await self._serve_link(link, socket, extension.welcome if extension else None)
        except HandshakeRefused as refusal:
            await self._refuse(socket, refusal)
        except WebSocketDisconnect:
            self.counters["left"] += 1

    async def _serve_session(self, websocket: WebSocket) -> None:
        socket = await self._accept(websocket)
        if socket is None:
            return
        session = websocket.path_params["id"]
        try:
            extension = await self._authenticate(websocket, socket)
            if not is_session_id(session):
                raise HandshakeRefused(BAD_HANDSHAKE, "That is no session id.")
            if self.session_sockets.has(session):
                raise HandshakeRefused(ALREADY_CONNECTED, "This session has an extension already.")
            key = extension.paired.key.id if extension else self._access.key_id(websocket.scope)
            await self.session_sockets.serve(
                session,
                socket,
                is_key_valid=lambda: not key or self._keys.has(key),
                welcome=extension.welcome if extension else None,
            )
        except HandshakeRefused as refusal:
            await self._refuse(socket, refusal)
        except WebSocketDisconnect:
            self.counters["left"] += 1

    async def _accept(self, websocket: WebSocket) -> ExtensionSocket | None:
        """Accept a socket, unless too many wait already to be authenticated."""
        is_unknown = self._needs_handshake(websocket)
        if is_unknown and self._unauthenticated >= self._limits.handshakes:
            self.counters["refused"] += 1
            await websocket.close(TRY_LATER)
            return None
        # Counted before anything is awaited: many may come at the same instant.
        self._unauthenticated += is_unknown
        try:
            await websocket.accept()
        except BaseException:
            self._unauthenticated -= is_unknown
            raise
        return ExtensionSocket(websocket)

    async def _authenticate(
        self, websocket: WebSocket, socket: ExtensionSocket
    ) -> AuthenticatedExtension | None:
        """Return who connected, by the handshake; None for a client that needs none."""
        if not self._needs_handshake(websocket):
            return None
        try:
            return await self._handshake.authenticate(socket)
        finally:
            self._unauthenticated -= 1

    def _needs_handshake(self, websocket: WebSocket) -> bool:
        """Whether a client has yet to prove itself: it shows no token, and looks like ours."""
        scope = websocket.scope
        return self._access.key_id(scope) is None and self._access.may_prove_itself(scope)

    def _add_link(
        self, extension: AuthenticatedExtension | None, websocket: WebSocket
    ) -> ExtensionLink:
        if extension is not None:
            name, browser = extension.paired.name, extension.browser
            capabilities, key = extension.capabilities, extension.paired.key.id
        else:
            key = self._access.key_id(websocket.scope) or ""
            paired = self._keys.find(key)
            name = websocket.query_params.get("name") or (paired.name if paired else "extension")
            name = name[:100]
            browser, capabilities = BrowserInfo(profile_id=name), frozenset()
        link = ExtensionLink(name, browser, capabilities, key, self._limits)
        if link.name in self.links:
            raise HandshakeRefused(ALREADY_CONNECTED, f"{link.name} is connected already.")
        self.links[link.name] = link
        return link

    async def _serve_link(
        self, link: ExtensionLink, socket: ExtensionSocket, welcome: Message | None
    ) -> None:
        logger.info("Extension %s is connected.", link.name)
        try:
            if welcome is not None:
                await socket.send(welcome)
            if self._on_link is not None:
                self._on_link(link)
            self._changed()
            await LinkLoop(link, socket, self._keys, self.counters, self._limits).run()
        finally:
            link.close("the extension has disconnected")
            del self.links[link.name]
            self._changed()
            logger.info("Extension %s is gone: %s.", link.name, link.closed.result())

    async def _refuse(self, socket: ExtensionSocket, refusal: HandshakeRefused) -> None:
        self.counters["refused"] += 1
        logger.info("A connection was refused: %s", refusal.reason)
        await socket.close(refusal.code, refusal.reason)

    def _willing(self) -> ExtensionLink | None:
        """Return the one extension of ours that is there; never one of several."""
        able = [link for link in self.links.values() if link.relays_cdp]
        return able[0] if len(able) == 1 else None

    def _request_session_socket(self, session: str, name: str) -> bool:
        """Ask an extension for a session's socket. The id may be a secret; users see the name."""
        link = self._willing()
        if link is None:
            return False
        shown = name or self._name_of(session)
        link.send({"type": "serve", "instanceId": session, "name": shown})
        return True
