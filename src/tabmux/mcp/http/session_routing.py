"""Session routing: among servers with one address, a request goes to that of its session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tabmux.mcp.http.http_request import HttpRequest


@dataclass(frozen=True)
class WantedSession:
    """What a request says of its session.

    Attributes:
        ident: The id of a connection, the handle of a session or the id of a task; or, where a
            handle may stand, a session's name.
        name: The name that the client gives to its session, if it does.
        opens: Whether a session of that name is opened, if there is none.
    """

    ident: str = ""
    name: str = ""
    opens: bool = False


class SessionRouter(Protocol):
    """Knows which server has which session."""

    async def passed_on(self, http: HttpRequest, wanted: WantedSession, body: bytes) -> bool:
        """Have another server answer a request; False if it is for this one."""

    async def is_here(self, name: str) -> bool:
        """Whether this server has the session of a name, or may open it."""
