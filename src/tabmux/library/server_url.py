"""Server URL: the address of a server elsewhere, and how errors may quote it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from tabmux.errors import DaemonTrouble, Misuse, TabmuxError

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


@dataclass(frozen=True)
class ServerUrl:
    """Where a server is, and which of its sessions is meant.

    Args:
        websocket: Its WebSocket; the query has the token.
        session: The name of the session; empty if it has none.
        shown: The address without what is secret in it.
    """

    websocket: str = field(repr=False)
    session: str
    shown: str

    @classmethod
    def read(cls, url: str, session: str) -> Self:
        """Read the URL of a server for MCP, such as http://127.0.0.1:3000/mcp?token=…

        Args:
            url: As its user gives it.
            session: The name of the session to join, if it is not in the URL.
        """
        parts = _parts(url)
        path = parts.path.rstrip("/").removesuffix("/ws").removesuffix("/mcp") + "/mcp/ws"
        query = parse_qsl(parts.query)
        if session:
            query = [each for each in query if each[0] != "session"] + [("session", session)]
        websocket = (_SCHEMES[parts.scheme], parts.netloc, path, urlencode(query), "")
        shown = urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))
        return cls(urlunsplit(websocket), dict(query).get("session", ""), shown)

    def refused(self, reason: object) -> TabmuxError:
        """Return the error of a server that cannot be reached, or does not let us in."""
        said = str(reason).replace(self.websocket, self.shown)
        return DaemonTrouble(
            f"The server at {self.shown} could not be reached: {said}.",
            hint="Check the URL, with its token: `tabmux url` prints it.",
        )


def _parts(url: str) -> SplitResult:
    """Split a URL that can be connected to; what is wrong is said without quoting it."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise _no_url("The url", "the host or the port is wrong") from error
    if parts.scheme not in _SCHEMES or not host:
        raise _no_url(
            f"{parts.scheme}:" if parts.scheme else "The url", "http(s)://HOST is missing"
        )
    if "@" in parts.netloc:
        raise _no_url("The url", "it has a user, where a server takes a token alone")
    return parts


def _no_url(what: str, reason: str) -> Misuse:
    return Misuse(
        f"{what} is no URL of a tabmux server: {reason}.",
        hint="Use http(s)://HOST:PORT/mcp?token=…, as `tabmux url` prints it.",
    )
