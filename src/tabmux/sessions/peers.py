"""Peers: what sessions need to know of other servers that share their address and browsers."""

from __future__ import annotations

import secrets
from typing import Protocol

from tabmux.errors import TabmuxError
from tabmux.numbering import Numbering


class Peers(Protocol):
    """The other servers."""

    @property
    def session_numbers(self) -> Numbering:
        """Numbers of sessions that no other server gives."""

    @property
    def page_numbers(self) -> Numbering:
        """The same for pages."""

    @property
    def signing_key(self) -> bytes:
        """What all of them sign with what clients carry."""

    def new_id(self) -> str:
        """Return an unguessable id for a session or a connection."""

    def own_page(self, target: str) -> bool:
        """Whether a tab belongs to a session of another server."""

    def refusal(self) -> TabmuxError | None:
        """Say why nothing may be done to sessions now, because others may have them."""


class NoPeers:
    """A server alone: it counts for itself."""

    def __init__(self) -> None:
        self.session_numbers, self.page_numbers = Numbering(0), Numbering(1)
        self.signing_key = secrets.token_bytes(32)

    def new_id(self) -> str:
        """Return an unguessable id."""
        return secrets.token_urlsafe(24)

    def own_page(self, target: str) -> bool:
        """Answer for servers that are not there."""
        return False

    def refusal(self) -> TabmuxError | None:
        """Refuse nothing: nobody else has them."""
        return None
