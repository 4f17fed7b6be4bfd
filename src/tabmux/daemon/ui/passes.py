"""Passes: who may look at the live view or steer in it, and for how long."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from dataclasses import dataclass
from typing import Literal

from tabmux.json_text import BadJson, decoded

Role = Literal["steer", "view"]

# How long a person stays let in, and how long the link lives that lets one in.
STEER_SECONDS = 12 * 3600.0
ENTRY_SECONDS = 120.0
LONGEST_VIEW_SECONDS = 7 * 24 * 3600.0
LONGEST_PASS = 500


@dataclass(frozen=True)
class Pass:
    """What a person may do.

    Args:
        role: To steer, or only to view.
        until: When it ends, in seconds since 1970.
        host: The exact Host that it is for; "" in a link, which may be opened anywhere.
        person: Who it is, so that one who comes back is the same.
        use: Told apart from others: a link that may steer works once.
    """

    role: Role
    until: float
    host: str = ""
    person: str = ""
    use: str = ""

    @property
    def steers(self) -> bool:
        """Whether its holder may do more than look."""
        return self.role == "steer"

    @property
    def seconds_left(self) -> float:
        """How long it is valid."""
        return max(0.0, self.until - time.time())


class Passes:
    """Signs passes and knows its own again; they end with the process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._used: dict[str, float] = {}

    def link(self, role: Role, seconds: float = ENTRY_SECONDS) -> str:
        """Return the text of a pass for a link; one that may steer works once, and soon."""
        longest = ENTRY_SECONDS if role == "steer" else LONGEST_VIEW_SECONDS
        until = time.time() + min(seconds, longest)
        return self._signed(Pass(role, until, use=secrets.token_urlsafe(9)))

    def admit(self, link: str, host: str) -> str | None:
        """Exchange a link for the text of a cookie that holds at one Host."""
        found = self._read(link)
        if found is None or found.host or (found.steers and not self._is_first(found)):
            return None
        return self.cookie(found.role, host, None if found.steers else found.until)

    def is_link(self, link: str) -> bool:
        """Whether a link would let somebody in."""
        found = self._read(link)
        return found is not None and not found.host and found.use not in self._used

    def cookie(self, role: Role, host: str, until: float | None = None) -> str:
        """Return the text of a cookie for whoever has shown a link or the token."""
        end = time.time() + STEER_SECONDS if until is None else until
        return self._signed(Pass(role, end, host, secrets.token_urlsafe(9)))

    def read(self, cookie: str, host: str) -> Pass | None:
        """Return the pass in a cookie that is valid here."""
        found = self._read(cookie)
        return found if found is not None and host and found.host == host else None

    def _is_first(self, link: Pass) -> bool:
        now = time.time()
        self._used = {use: until for use, until in self._used.items() if until > now}
        if link.use in self._used:
            return False
        self._used[link.use] = link.until
        return True

    def _signed(self, wanted: Pass) -> str:
        fields = [wanted.role, wanted.until, wanted.host, wanted.person, wanted.use]
        text = _encoded(json.dumps(fields).encode())
        return f"{text}.{self._signature(text)}"

    def _signature(self, text: str) -> str:
        return _encoded(hmac.digest(self._key, text.encode(), hashlib.sha256))

    def _read(self, text: str) -> Pass | None:
        body, _, signature = text[:LONGEST_PASS].partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
            return None
        try:
            found = Pass(*decoded(base64.urlsafe_b64decode(body)))
        except (BadJson, ValueError, TypeError):
            return None
        return found if found.seconds_left else None


def _encoded(data: bytes) -> str:
    # With its padding, which base64 wants to see when it is read.
    return base64.urlsafe_b64encode(data).decode()
