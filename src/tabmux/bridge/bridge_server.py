"""Bridge server: the WebSocket server that extensions connect to."""

from __future__ import annotations

import logging
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
from tabmux.bridge.http_endpoints import commands_endpoint
from tabmux.bridge.messages import ExtensionNotification, Forward, Message
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.bridge.session_sockets import SessionSockets, is_session_id

logger = logging.getLogger(__name__)

LONGEST_MESSAGE = 64 * 1024 * 1024


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
        limits: BridgeLimits = DEFAULT_LIMITS,
    ) -> None:
        self.port, self._version, self._on_link = port, version, on_link
        self.counters: Counter[str] = Counter()
        self.links: dict[str, ExtensionLink] = {}
        self.session_sockets = SessionSockets(
            forward, self.counters, self._request_session_socket, limits
        )
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

    def stop(self) -> None:
        """End every link, so that the server can end."""
        for link in list(self.links.values()):
            link.close("the server is stopping")

    def _application(self) -> Starlette:
        app = Starlette(
            routes=[
                WebSocketRoute("/", self._serve_root),
                WebSocketRoute("/session/{id}", self._serve_session),
                Route("/commands", commands_endpoint(self.session_sockets), methods=["POST"]),
                Route("/health", self._show_health),
            ],
            middleware=[Middleware(AccessCheckMiddleware, access=self._access)],
        )
        app.router.redirect_slashes = False
        app.state.stop, app.state.access = self.stop, self._access
        app.state.most_bytes = LONGEST_MESSAGE
        return app

    async def _show_health(self, request: Request) -> JSONResponse:
        counts = {"extensions": len(self.links), "sessions": len(self.session_sockets.sessions())}
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
            await LinkLoop(link, socket, self._keys, self.counters, self._limits).run()
        finally:
            link.close("the extension has disconnected")
            del self.links[link.name]
            logger.info("Extension %s is gone: %s.", link.name, link.closed.result())

    async def _refuse(self, socket: ExtensionSocket, refusal: HandshakeRefused) -> None:
        self.counters["refused"] += 1
        logger.info("A connection was refused: %s", refusal.reason)
        await socket.close(refusal.code, refusal.reason)

    def _request_session_socket(self, session: str) -> bool:
        """Ask the one extension of ours that is there for a session's socket; never several."""
        able = [link for link in self.links.values() if link.relays_cdp]
        if len(able) != 1:
            return False
        able[0].send({"type": "serve", "instanceId": session})
        return True
