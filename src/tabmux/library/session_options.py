"""Session options: what `session` and `sessions` take, and the flags of the daemon they mean."""

from __future__ import annotations

import os
import shlex
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabmux import daemon_connection
from tabmux.errors import CODES, DaemonTrouble, DeadlineExceeded, Misuse, TabmuxError
from tabmux.folders import daemon_socket
from tabmux.library.server_url import ServerUrl
from tabmux.library.tool_call import made_error


@dataclass(frozen=True)
class SessionOptions:
    """Which session is meant, and how it is made if there is none yet.

    Args:
        name: The name of the session; one without a name is new, and ends with its block.
        url: The address of a server, if it is not this user's own daemon.
        browser: The debugging address of a browser that runs already.
        grid: The address of a grid that browsers come from.
        headless: Start the browser without a window.
        profile: Start it on this named profile.
        flags: Further flags of `tabmux`.
    """

    name: str = ""
    url: str | None = None
    browser: str | None = None
    grid: str | None = None
    headless: bool = False
    profile: str | None = None
    flags: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.url and self._words():
            raise Misuse(
                "A session of a remote server has the browsers and settings of that server.",
                hint="Leave out browser, grid, headless, profile and flags, or the url.",
            )

    @property
    def server(self) -> ServerUrl | None:
        """The server; None for the user's own daemon."""
        return ServerUrl.read(self.url, self.name) if self.url else None

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that tools may use because the program works there."""
        here = Path.cwd()
        return () if self.url or here == Path("/") else (here,)

    def join(self, before: JoinedSession | None = None) -> tuple[socket.socket, JoinedSession]:
        """Join the user's daemon, which is started if need be.

        Args:
            before: The session of a daemon that has ended, which another one may have kept.
        """
        if before is not None:
            _refuse_if_stopped()
        own = {"resume": before.handle} if before is not None else {}
        keep = bool(self.name)
        # Nobody but this program reads the replies of a session without a name.
        words = self._words() if keep else ["--reply-limit", "0", *self._words()]
        flags = daemon_connection.with_absolute_paths(words)
        connection, answer = daemon_connection.join(flags, self.name, keep=keep, own=own)
        notes = [str(note) for note in answer.get("notes", ())]
        if before is not None and not answer.get("resumed"):
            notes.append("The daemon had ended, and its session with it; this is a new one.")
        return connection, JoinedSession(self.name, str(answer["session"]), tuple(notes))

    def _words(self) -> list[str]:
        words = ["--browser-url", self.browser] if self.browser else []
        words += ["--grid", self.grid] if self.grid else []
        words += ["--profile", self.profile] if self.profile else []
        return [*words, *(["--headless"] if self.headless else []), *self.flags]


@dataclass(frozen=True)
class JoinedSession:
    """A session as the daemon told us of it.

    Args:
        name: Its name; empty if it has none.
        handle: Its unguessable id; empty for one of a remote server.
        notes: What the daemon remarked, such as that the session is open with other flags.
        remote: Whether it is one of a remote server.
    """

    name: str
    handle: str = ""
    notes: tuple[str, ...] = ()
    remote: bool = False

    def cdp_url(self) -> str:
        """Ask for the address at which CDP clients find the session's tabs, and no others."""
        if self.remote:
            raise Misuse("A session of a remote server has no CDP endpoint here.")
        line = f"session_cdp session={shlex.quote(self.handle)}"
        try:
            lines = daemon_connection.ask(line, daemon_connection.JOIN_SECONDS)
        except TimeoutError as error:
            raise DeadlineExceeded(
                "The browser of the session was not there in time.",
                hint="Open a page first, which waits for the browser, then ask again.",
            ) from error
        words = _words_of(lines[0] if lines else "")
        if not lines or lines[0].startswith("error "):
            raise _error_of(words)
        if "url" not in words:
            raise DaemonTrouble("The daemon has no CDP endpoint.", hint="tabmux daemon restart")
        return str(words["url"])


def _refuse_if_stopped() -> None:
    """Start no daemon that its user has stopped: it takes its socket away first."""
    if not os.path.exists(daemon_socket()) and not daemon_connection.is_restarting():
        raise DaemonTrouble("The daemon was stopped.", hint="Open a new session to start another.")


def named(name: str | None) -> str:
    """Return the session that is meant: the one named, or that of TABMUX_SESSION."""
    return name or os.environ.get(daemon_connection.SESSION_VARIABLE, "")


def _error_of(words: Mapping[str, Any]) -> TabmuxError:
    code = str(words.get("code", "error"))
    usual = CODES[code].next_step if code in CODES else ""
    return made_error(code, str(words.get("message", "")), str(words.get("hint", usual)))


def _words_of(line: str) -> Mapping[str, Any]:
    words = (word.partition("=") for word in shlex.split(line))
    return {key: value for key, equals, value in words if equals}
