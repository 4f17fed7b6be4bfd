"""Consent: what a call asks of its client, the folders it works in and the user's yes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tabmux.content import Reply
from tabmux.errors import Refused
from tabmux.json_text import json_object
from tabmux.sessions.human_requests import HumanRequests
from tabmux.tools.pipeline.call import Call


async def learn_roots(call: Call) -> None:
    """Ask the client for the folders it works in, if the call names a file."""
    if call.toolset.names_files(call.name, call.given):
        found = (as_folder(uri) for uri in await call.client.roots())
        call.session.roots = tuple(folder for folder in found if folder is not None)


async def asked(
    call: Call, question: str, people: HumanRequests, about: str = "confirm"
) -> bool | None:
    """Ask the client's user, or else whoever watches; None if nobody can be asked."""
    allowed = await call.client.confirm(question, about=about)
    return await people.confirmed(call.session, question) if allowed is None else allowed


def as_folder(uri: str) -> Path | None:
    """Return the folder of a file: URI on this machine."""
    parts = urlsplit(uri)
    folder = Path(unquote(parts.path))
    here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    # The whole disk is nobody's working folder.
    return folder if here and folder.is_absolute() and folder != Path("/") else None


def with_confirmation(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call to which the user has agreed."""
    if name != "call_page_tool":
        return {**given, "confirm": True}
    return {**given, "arguments": {**json_object(given.get("arguments")), "confirm": True}}


def refused_by_user() -> Reply:
    """Return the reply to a call that the user did not allow."""
    return Reply.failure(
        Refused("The user was asked and did not allow it.", code="refused_by_user")
    )
