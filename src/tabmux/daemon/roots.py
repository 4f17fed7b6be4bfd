"""The folders that a client works in, as it tells us when we ask."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tabmux.mcp.dispatch.client_questions import ClientQuestion
from tabmux.mcp.dispatch.request_context import current
from tabmux.mcp.rpc import RpcError

# A program answers this, not a person.
ASK_SECONDS = 3.0


async def client_roots() -> tuple[Path, ...]:
    """Ask the client of the current call for its roots; one that has none to offer has none."""
    exchange = current.get()
    dialogue = exchange.dialogue if exchange is not None else None
    if dialogue is None or "roots" not in dialogue.capabilities:
        return ()
    try:
        async with asyncio.timeout(ASK_SECONDS):
            answers = await dialogue.ask({"roots": ClientQuestion("roots/list", {})})
    except (RpcError, TimeoutError):
        return ()
    found = (as_folder(str(root.get("uri", ""))) for root in answers["roots"].get("roots", ()))
    return tuple(folder for folder in found if folder is not None)


def as_folder(uri: str) -> Path | None:
    """Return the folder of a file: URI on this machine."""
    parts = urlsplit(uri)
    folder = Path(unquote(parts.path))
    here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    # The whole disk is nobody's working folder.
    return folder if here and folder.is_absolute() and folder != Path("/") else None
