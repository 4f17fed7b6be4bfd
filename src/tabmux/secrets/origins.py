"""Origins: who a page is, as browsers write it."""

from __future__ import annotations

from urllib.parse import urlsplit

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def origin_of(url: str) -> str:
    """Return the origin of a URL, as browsers write it; "null" where it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "null"
    if parts.scheme == "file":
        return "file://"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "null"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != default else "")


def is_private(origin: str) -> bool:
    """Whether nobody on the way can read what is sent to an origin."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    return parts.scheme in ("https", "file") or host in _LOOPBACK or host.endswith(".localhost")
