"""The bridge: where extensions connect, and where a session's commands come in."""

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

from tabmux.bridge import http_endpoints
from tabmux.bridge import session_sockets as command
from tabmux.bridge.access_check import AccessCheck, AccessCheckMiddleware
from tabmux.bridge.bridge_socket import ALREADY_CONNECTED, BAD_HANDSHAKE, TRY_LATER, BridgeSocket
from tabmux.bridge.conversation import converse
from tabmux.bridge.events import ExtensionNotification, Forward
from tabmux.bridge.extension_handshake import (
    AuthenticatedExtension,
    ExtensionHandshake,
    HandshakeRefused,
)
from tabmux.bridge.extension_link import BrowserInfo, ExtensionLink
from tabmux.bridge.extension_package import extension_origin
from tabmux.bridge.keys import PairedKeys
from tabmux.bridge.messages import Message
from tabmux.bridge.pairing import PairingFile
from tabmux.bridge.session_sockets import SessionSockets

logger = logging.getLogger(__name__)

MOST_STRANGERS = 16
LONGEST_MESSAGE = 64 * 1024 * 1024

OnLink = Callable[[ExtensionLink], None]


async def _nowhere(event: ExtensionNotification) -> None:
    """Drop a message where nobody wants any."""


@dataclass(frozen=True)
class BridgeCredentials:
    """Whom the bridge believes.

    Args:
        keys: The extensions that were paired.
        pairing: The code that waits, if any.
        tokens: What programs may show besides the secret of a key.
        insecure: Ask programs and extensions other than ours for nothing.
    """

    keys: PairedKeys
    pairing: PairingFile
    tokens: Sequence[str] = field(default=(), repr=False)
    insecure: bool = False


class Bridge:
    """The application that extensions talk to; whoever serves it says on which port.

    Args:
        port: The port that it is served on.
        trust: Whom to believe.
        version: What `/health` says.
        on_link: Called with every extension that has proved itself on `/`.
        forward: Where goes what a session's extension says unasked.
    """

    def __init__(
        self,
        port: int,
        trust: BridgeCredentials,
        *,
        version: str = "",
        on_link: OnLink | None = None,
        forward: Forward = _nowhere,
    ) -> None:
        self.port, self._version, self._on_link = port, version, on_link
        self.tally: Counter[str] = Counter()
        self.links: dict[str, ExtensionLink] = {}
        self.commands = SessionSockets(forward, self.tally, self._summon)
        self._door = AccessCheck(port, extension_origin(), trust.keys, trust.tokens, trust.insecure)
        self._keys = trust.keys
        self._handshake = ExtensionHandshake(port, trust.keys, trust.pairing)
        self._strangers = 0
        self.app = self._application()

    def stop(self) -> None:
        """End every link, so that the server can end."""
        for link in list(self.links.values()):
            link.close("the server is stopping")

    def _application(self) -> Starlette:
        app = Starlette(
            routes=[
                WebSocketRoute("/", self._root),
                WebSocketRoute("/session/{id}", self._session),
                Route("/commands", http_endpoints.commands(self.commands), methods=["POST"]),
                Route("/health", self._health),
            ],
            middleware=[Middleware(AccessCheckMiddleware, door=self._door)],
        )
        app.router.redirect_slashes = False
        app.state.stop, app.state.access = self.stop, self._door
        app.state.most_bytes = LONGEST_MESSAGE
        return app

    async def _health(self, request: Request) -> JSONResponse:
        counts = {"extensions": len(self.links), "sessions": len(self.commands.sessions())}
        return JSONResponse(
            {"status": "ok", "service": "tabmux-bridge", "version": self._version, **counts}
        )

    async def _root(self, websocket: WebSocket) -> None:
        socket = await self._received(websocket)
        if socket is None:
            return
        try:
            guest = await self._identified(websocket, socket)
            link = self._link_of(guest, websocket)
            await self._serve(link, socket, guest.welcome if guest else None)
        except HandshakeRefused as refusal:
            await self._refuse(socket, refusal)
        except WebSocketDisconnect:
            self.tally["left"] += 1

    async def _session(self, websocket: WebSocket) -> None:
        socket = await self._received(websocket)
        if socket is None:
            return
        session = websocket.path_params["id"]
        try:
            guest = await self._identified(websocket, socket)
            if not command.is_session_id(session):
                raise HandshakeRefused(BAD_HANDSHAKE, "That is no session id.")
            if self.commands.has(session):
                raise HandshakeRefused(ALREADY_CONNECTED, "This session has an extension already.")
            key = guest.paired.key.id if guest else self._door.key_id(websocket.scope)
            await self.commands.serve(
                session,
                socket,
                stands=lambda: not key or self._keys.has(key),
                welcome=guest.welcome if guest else None,
            )
        except HandshakeRefused as refusal:
            await self._refuse(socket, refusal)
        except WebSocketDisconnect:
            self.tally["left"] += 1

    async def _received(self, websocket: WebSocket) -> BridgeSocket | None:
        """Accept a socket, unless too many wait already to be recognised."""
        stranger = self._is_stranger(websocket)
        if stranger and self._strangers >= MOST_STRANGERS:
            self.tally["refused"] += 1
            await websocket.close(TRY_LATER)
            return None
        # Counted before anything is awaited: many may come at the same instant.
        self._strangers += stranger
        try:
            await websocket.accept()
        except BaseException:
            self._strangers -= stranger
            raise
        return BridgeSocket(websocket)

    async def _identified(
        self, websocket: WebSocket, socket: BridgeSocket
    ) -> AuthenticatedExtension | None:
        """Return who came by the handshake; None for a client that needs none."""
        if not self._is_stranger(websocket):
            return None
        try:
            return await self._handshake.receive(socket)
        finally:
            self._strangers -= 1

    def _is_stranger(self, websocket: WebSocket) -> bool:
        """Whether a client has yet to prove itself: it shows no token, and looks like ours."""
        scope = websocket.scope
        return self._door.key_id(scope) is None and self._door.may_prove_itself(scope)

    def _link_of(self, guest: AuthenticatedExtension | None, websocket: WebSocket) -> ExtensionLink:
        if guest is not None:
            key = guest.paired.key.id
            link = ExtensionLink(guest.paired.name, guest.browser, guest.capabilities, key)
        else:
            key = self._door.key_id(websocket.scope) or ""
            paired = self._keys.find(key)
            name = websocket.query_params.get("name") or (paired.name if paired else "extension")
            link = ExtensionLink(name[:100], BrowserInfo(profile_id=name[:100]), key_id=key)
        if link.name in self.links:
            raise HandshakeRefused(ALREADY_CONNECTED, f"{link.name} is connected already.")
        self.links[link.name] = link
        return link

    async def _serve(
        self, link: ExtensionLink, socket: BridgeSocket, welcome: Message | None
    ) -> None:
        logger.info("Extension %s is connected.", link.name)
        try:
            if welcome is not None:
                await socket.send(welcome)
            if self._on_link is not None:
                self._on_link(link)
            await converse(link, socket, self._keys, self.tally)
        finally:
            link.close("the extension has disconnected")
            del self.links[link.name]
            logger.info("Extension %s is gone: %s.", link.name, link.closed.result())

    async def _refuse(self, socket: BridgeSocket, refusal: HandshakeRefused) -> None:
        self.tally["refused"] += 1
        logger.info("A connection was refused: %s", refusal.reason)
        await socket.close(refusal.code, refusal.reason)

    def _summon(self, session: str) -> bool:
        """Ask the one extension of ours that is there for a session's socket; never several."""
        able = [link for link in self.links.values() if "cdp" in link.capabilities]
        if len(able) != 1:
            return False
        able[0].send({"type": "serve", "instanceId": session})
        return True
