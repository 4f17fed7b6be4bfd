"""Both directions of one link, until either side ends it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

from starlette.websockets import WebSocketDisconnect

from tabmux.bridge.bridge_socket import NORMAL, REVOKED, TOO_LONG, BridgeSocket
from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.messages import Malformed, parse
from tabmux.bridge.pairing import PairedKeys

logger = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
# An extension pings every 20 s; one that is silent for so long is not there.
SILENT_SECONDS = 90.0
FLUSH_SECONDS = 1.0
LONGEST_MESSAGE = 4 * 1024 * 1024
_LONG_ONES = ("cdpResult", "cdpEvent", "toolResult", "reply")


async def converse(
    link: ExtensionLink, socket: BridgeSocket, keys: PairedKeys, tally: Counter[str]
) -> None:
    """Carry messages until the link is closed, by either side or because its key is gone."""
    async with asyncio.TaskGroup() as group:
        reading = group.create_task(_read(link, socket, keys, tally))
        writing = group.create_task(_write(link, socket))
        watching = group.create_task(_watch(link, keys))
        await asyncio.wait({link.closed})
        await asyncio.wait({writing}, timeout=FLUSH_SECONDS)
        for task in (writing, watching, reading):
            task.cancel()
    code = REVOKED if link.closed.result() == _REVOKED else NORMAL
    await socket.close(code, link.closed.result())


async def _read(
    link: ExtensionLink, socket: BridgeSocket, keys: PairedKeys, tally: Counter[str]
) -> None:
    while not link.closed.done():
        try:
            _heard(link, await socket.receive(), keys)
        except Malformed as error:
            tally["malformed"] += 1
            link.send({"type": "error", "message": str(error)})
        except WebSocketDisconnect as end:
            if end.code == TOO_LONG:
                tally["oversized"] += 1
            link.close(f"the extension has disconnected ({end.code})")


def _heard(link: ExtensionLink, text: str, keys: PairedKeys) -> None:
    message = parse(text)
    kind = message["type"]
    if len(text) > LONGEST_MESSAGE and kind not in _LONG_ONES:
        raise Malformed(f"{kind}: the message is too long.")
    if kind == "ping":
        link.last_heard = time.monotonic()
        link.send({"type": "pong"})
    elif kind == "unpair":
        keys.forget(link.key_id)
        link.close("the extension was unpaired by its user")
    else:
        if kind == "error":
            logger.info("Extension %s complains: %s", link.name, message["message"][:200])
        link.deliver(message)


async def _write(link: ExtensionLink, socket: BridgeSocket) -> None:
    try:
        while (text := await link.next_outgoing()) is not None:
            await socket.write(text)
    except WebSocketDisconnect:
        link.close("the extension has disconnected")


async def _watch(link: ExtensionLink, keys: PairedKeys) -> None:
    """Look whether the key still stands, since any process may revoke it."""
    while not link.closed.done():
        await asyncio.wait({link.closed}, timeout=LOOK_SECONDS)
        if link.key_id and not keys.has(link.key_id):
            link.send({"type": "revoked"})
            link.close(_REVOKED)
        elif time.monotonic() - link.last_heard > SILENT_SECONDS:
            link.close("the extension has been silent for too long")


_REVOKED = "the pairing was revoked"
