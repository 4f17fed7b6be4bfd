"""Header redaction: hides the values of headers that are credentials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

_SECRET = frozenset(
    {
        "authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key",
        "x-auth-token", "x-csrf-token", "x-xsrf-token", "www-authenticate",
    }
)  # fmt: skip
_SECRET_ENDS = ("-token", "-secret", "-api-key")
OFF = "off"


@dataclass(frozen=True)
class Redaction:
    """Hides the values of headers that are credentials.

    Args:
        more: Further headers to hide, in lower case.
        on: Whether anything is hidden.
    """

    more: frozenset[str] = frozenset()
    on: bool = True

    @classmethod
    def of(cls, names: Iterable[str]) -> Redaction:
        """Make it of what the user wrote: further names, or "off"."""
        wanted = {name.strip().lower() for text in names for name in text.split(",")} - {""}
        return cls(frozenset(wanted - {OFF}), OFF not in wanted)

    def shown(self, header: str, value: str) -> str:
        """Return a header's value, unless it is to be hidden."""
        name = header.lower()
        secret = name in _SECRET or name in self.more or name.endswith(_SECRET_ENDS)
        return "<redacted>" if self.on and secret else value
