"""A bridge on a free port, and clients that play an extension."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tabmux.bridge import proofs
from tabmux.bridge.bridge_limits import DEFAULT_LIMITS, BridgeLimits
from tabmux.bridge.bridge_server import Bridge, BridgeCredentials
from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.extension_package import extension_origin
from tabmux.bridge.messages import ExtensionNotification
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.bridge.proofs import HandshakeTranscript, SharedKey
from tabmux.daemon.http.http_server import listen, serve_http

SECONDS = 20.0
TOKEN = "token-of-the-test-which-is-long-enough"
BROWSER = {"name": "Chromium", "version": "156", "profileId": "p1"}

Message = dict[str, Any]


class ServedBridge:
    """A bridge, what it was told, and how to reach it."""

    def __init__(self, bridge: Bridge, keys: PairedKeys, pairing: PairingFile) -> None:
        self.bridge, self.keys, self.pairing = bridge, keys, pairing
        self.links: asyncio.Queue[ExtensionLink] = asyncio.Queue()
        self.notifications: asyncio.Queue[ExtensionNotification] = asyncio.Queue()

    @property
    def port(self) -> int:
        return self.bridge.port

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def link(self) -> ExtensionLink:
        """Wait for the next extension."""
        async with asyncio.timeout(SECONDS):
            return await self.links.get()

    @asynccontextmanager
    async def socket(
        self, path: str = "/", *, token: str | None = TOKEN, origin: str | None = None, **more: Any
    ) -> AsyncIterator[ExtensionClient]:
        """Connect as a program that shows a token."""
        headers = {"authorization": f"Bearer {token}"} if token is not None else {}
        headers |= more.pop("headers", {})
        url = f"ws://127.0.0.1:{self.port}{path}"
        options: dict[str, Any] = {"origin": origin, "additional_headers": headers, **more}
        async with connect(url, compression=None, proxy=None, **options) as websocket:
            yield ExtensionClient(websocket)

    @asynccontextmanager
    async def extension(
        self, key: SharedKey, path: str = "/", browser: Message | None = None
    ) -> AsyncIterator[ExtensionClient]:
        """Connect as our extension does, and prove it."""
        async with self.socket(path, token=None, origin=extension_origin()) as client:
            await client.shake(key, self.port, browser or BROWSER)
            yield client

    async def status(self, path: str = "/", **how: Any) -> int:
        """Try to connect, and return the status of the answer; 101 for success."""
        try:
            async with self.socket(path, **how):
                return 101
        except InvalidStatus as error:
            return error.response.status_code

    async def post(self, path: str, body: Any, token: str | None = TOKEN, **headers: str) -> Any:
        """Post JSON."""
        own = {"authorization": f"Bearer {token}"} if token else {}
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx2.AsyncClient(base_url=self.http, timeout=SECONDS) as client:
            return await client.post(path, json=body, headers=own)

    async def get(self, path: str, **headers: str) -> Any:
        """Get a document."""
        async with httpx2.AsyncClient(base_url=self.http, timeout=SECONDS) as client:
            return await client.get(path, headers=headers)


class ExtensionClient:
    """One WebSocket of a client."""

    def __init__(self, websocket: ClientConnection) -> None:
        self.websocket = websocket
        self.welcome: Message = {}
        self.transcript: HandshakeTranscript | None = None

    async def send(self, message: Any) -> None:
        """Send a message, or text as it is."""
        await self.websocket.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self) -> Message:
        """Wait for a message."""
        async with asyncio.timeout(SECONDS):
            return await self.receive_when_it_comes()

    async def receive_when_it_comes(self) -> Message:
        """Wait for a message, however long it takes."""
        message: Message = json.loads(await self.websocket.recv())
        return message

    async def hello(self, key_id: str, **changes: Any) -> Message:
        """Say hello, and return the challenge."""
        greeting = {"type": "hello", "protocol": 1, "keyId": key_id, "nonce": proofs.new_nonce()}
        greeting |= changes
        await self.send(greeting)
        challenge = await self.receive()
        return {**challenge, "clientNonce": greeting["nonce"]}

    async def shake(self, key: SharedKey, port: int, browser: Message) -> Message:
        """Do the whole handshake."""
        challenge = await self.hello(key.id)
        transcript = HandshakeTranscript(port, key.id, challenge["clientNonce"], challenge["nonce"])
        assert transcript.proves(key.secret, "server", challenge["proof"])
        proof = transcript.proof(key.secret, "extension")
        await self.send(
            {"type": "proof", "proof": proof, "browser": browser, "capabilities": ["cdp"]}
        )
        self.transcript, self.welcome = transcript, await self.receive()
        return self.welcome

    async def end(self) -> tuple[int, list[Message]]:
        """Wait until the other side closes; returns its code and what it said before."""
        heard: list[Message] = []
        async with asyncio.timeout(2 * SECONDS):
            try:
                while True:
                    heard.append(json.loads(await self.websocket.recv()))
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 1006, heard


@asynccontextmanager
async def serve_bridge(
    folder: Path,
    *,
    extensions: Sequence[str] = (),
    insecure: bool = False,
    port: int = 0,
    limits: BridgeLimits = DEFAULT_LIMITS,
) -> AsyncIterator[ServedBridge]:
    """Serve a bridge for the length of the block."""
    listener = listen("127.0.0.1", port)
    port = listener.getsockname()[1]
    keys, pairing = PairedKeys(folder / "keys"), PairingFile(folder / "pairing.json")
    served: ServedBridge

    async def forward(notification: ExtensionNotification) -> None:
        served.notifications.put_nowait(notification)

    bridge = Bridge(
        port,
        BridgeCredentials(keys, pairing, [TOKEN], extensions, insecure),
        version="1.2.3",
        on_link=lambda link: served.links.put_nowait(link),
        forward=forward,
        limits=limits,
    )
    served, ready = ServedBridge(bridge, keys, pairing), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(
            serve_http(bridge.app, "", port, ready.set, listener=listener, grace=1)
        )
        async with asyncio.timeout(SECONDS):
            await ready.wait()
        yield served
        serving.cancel()
