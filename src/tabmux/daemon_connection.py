"""Daemon connection: reaches or starts the daemon, and says which session is meant."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

from tabmux import __version__
from tabmux.errors import DaemonTrouble, Misuse
from tabmux.folders import daemon_socket, restart_mark, runtime_folder, start_lock
from tabmux.json_text import decoded

START_SECONDS = 15.0
# Longer than a daemon takes to end, by force if need be, and another one to start.
RESTART_SECONDS = 45.0
# What the daemon answers out of its own memory.
CONTROL_SECONDS = 5.0
# For a daemon that has just started, or has much to do.
JOIN_SECONDS = 30.0
SESSION_VARIABLE = "TABMUX_SESSION"
# The flags whose values are paths, without dashes: the settings say the same.
PATH_FLAGS = frozenset(
    ("config", "executablepath", "userdatadir", "allowpath", "filesystemroot", "workspace")
) | {"logfile", "policy"}


def connect(seconds: float = CONTROL_SECONDS) -> socket.socket | None:
    """Connect to the daemon; None when none runs."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        _connect(connection, seconds)
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(connection: socket.socket, seconds: float) -> None:
    connection.settimeout(seconds)
    end = time.monotonic() + seconds
    while True:
        try:
            connection.connect(daemon_socket())
            break
        except (BlockingIOError, TimeoutError) as error:  # the former from a full queue on Linux
            if time.monotonic() > end:
                raise silent_daemon() from error
            time.sleep(0.02)
    connection.settimeout(None)


def connect_or_start(
    flags: Sequence[str] = (),
    *,
    for_client: bool = False,
    waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> socket.socket:
    """Connect to the daemon, and start it first if need be.

    Args:
        flags: What the daemon is to be started with.
        for_client: Whether the flags are a client's, of which the daemon takes only what
            concerns everybody.
        waiting: What is shown while it starts.

    Of clients that come at the same instant one starts it, and the others wait.
    """
    if connection := connect():
        return connection
    started: StartedDaemon | None = None
    end = time.monotonic() + START_SECONDS
    with waiting(), _start_turn() as has_turn:
        while time.monotonic() < end:
            if connection := connect():
                if started is not None:
                    started.leave()
                return connection
            if started is not None and (error := started.failure()):
                raise Misuse(error)
            # One that was killed while it started, or made way for another that is gone.
            is_wanted = started is None or started.has_ended
            if is_wanted and not (for_client and is_restarting()) and has_turn():
                started = StartedDaemon(flags, "run-for-client" if for_client else "run")
            time.sleep(0.02)
    raise DaemonTrouble(
        f"The daemon did not start within {START_SECONDS:g} s.", hint="tabmux doctor says more."
    )


@contextmanager
def _start_turn() -> Iterator[Callable[[], bool]]:
    """Say who may start the daemon: one at a time, until the block ends."""
    import fcntl

    try:
        os.makedirs(runtime_folder(), mode=0o700, exist_ok=True)
        descriptor = os.open(start_lock(), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:  # the daemon itself says what is wrong with the folder
        yield lambda: True
        return

    def has_turn() -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    try:
        yield has_turn
    finally:
        os.close(descriptor)


def is_restarting() -> bool:
    """Whether somebody is about to start the daemon anew, and will have done so soon."""
    try:
        return time.time() - os.stat(restart_mark()).st_mtime < RESTART_SECONDS
    except OSError:
        return False


@contextmanager
def restarting() -> Iterator[None]:
    """Let clients wait for the daemon that is started in the block."""
    with suppress(OSError):
        os.close(os.open(restart_mark(), os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        os.utime(restart_mark())
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(restart_mark())


class StartedDaemon:
    """A daemon that was started, detached from this terminal."""

    def __init__(self, flags: Sequence[str], command: str) -> None:
        import subprocess
        import tempfile

        with tempfile.TemporaryFile() as talk:
            self._output = os.dup(talk.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tabmux", "daemon", command, *flags],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=talk,
                start_new_session=True,
                cwd="/",
                env=_environment(),
            )

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def failure(self) -> str:
        """Say why it did not start; nothing if that is not known to have failed."""
        if not self._process.poll():
            return ""
        os.lseek(self._output, 0, os.SEEK_SET)
        said = os.read(self._output, 4000).decode(errors="replace").strip()
        return said.rpartition("Error: ")[2]  # without the usage of a command nobody called

    def leave(self) -> None:
        """Let it go on by itself; nobody waits for its end, which is no mistake."""
        os.close(self._output)
        if self._process.poll() is None:
            self._process.returncode = 0


def _environment() -> Mapping[str, str]:
    """Return what the daemon is started with: it runs elsewhere, and must find the same home."""
    given: Mapping[str, str] = os.environ
    if any(name.startswith("TABMUX_") and name != SESSION_VARIABLE for name in os.environ):
        from tabmux import settings  # which take long to load

        given = settings.with_absolute_paths(os.environ)
    if (home := given.get("HOME")) and not os.path.isabs(home):
        return {**given, "HOME": os.path.abspath(home)}
    return given


def silent_daemon() -> DaemonTrouble:
    """Return the error to raise when the daemon runs but says nothing."""
    return DaemonTrouble(
        "The daemon runs but does not answer.",
        hint="tabmux logs may say why; tabmux daemon restart ends it, by force if need be.",
    )


def lost_daemon() -> DaemonTrouble:
    """Return the error to raise when the daemon hangs up before it has answered."""
    return DaemonTrouble("The daemon ended the connection.", hint="See tabmux logs.")


def with_absolute_paths(flags: Sequence[str]) -> list[str]:
    """Give paths a form that the daemon understands as well, wherever it runs."""
    given = {re.sub("[-_]", "", word.partition("=")[0]).lower() for word in flags}
    if not given & PATH_FLAGS:
        return list(flags)  # without the settings, which take long to load
    from tabmux.settings import flag_words, parse_flags

    return flag_words(parse_flags(flags))


def environment_flags(environment: Mapping[str, str]) -> list[str]:
    """Write as flags what the environment says: a daemon that runs has another one."""
    if not any(name.startswith("TABMUX_") and name != SESSION_VARIABLE for name in environment):
        return []  # without the settings, which take long to load
    from tabmux.settings import flag_words, read_environment

    return flag_words(read_environment(environment))


def introduce(
    connection: socket.socket,
    flags: Sequence[str],
    session: str,
    *,
    keep: bool = True,
    own: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Say which session a client wants, and how; returns what the daemon says of it.

    Args:
        connection: A new connection to the daemon.
        flags: How the session is to be, if it is not there yet.
        session: Its name or handle; empty for a new one.
        keep: Whether the session goes on when the connection ends.
        own: What the client calls itself, and the session that it had in a daemon before.
    """
    hello = {"version": __version__, "flags": list(flags), "session": session, "create": True}
    hello |= {**(own or {}), **({} if keep else {"keep": False})}
    connection.sendall(b"hello " + json.dumps(hello).encode() + b"\n")
    answer: dict[str, Any] = decoded(read_line(connection))
    if error := answer.get("error"):
        raise Misuse(str(error))
    return answer


def join(
    flags: Sequence[str], session: str, *, keep: bool, own: Mapping[str, str] | None = None
) -> tuple[socket.socket, dict[str, Any]]:
    """Connect to a session of the daemon, which is started if need be; see `introduce`.

    A daemon that is just ending may still take the call, and hangs up.
    """
    end = time.monotonic() + JOIN_SECONDS
    while time.monotonic() < end:
        connection = connect_or_start(flags, for_client=True)
        connection.settimeout(JOIN_SECONDS)
        try:
            wanted = [*environment_flags(os.environ), *flags]
            answer = introduce(connection, wanted, session, keep=keep, own=own)
        except (ConnectionError, TimeoutError):
            connection.close()
            time.sleep(0.02)
        except BaseException:
            connection.close()
            raise
        else:
            connection.settimeout(None)
            return connection, answer
    raise silent_daemon()


def ask(line: str, seconds: float = CONTROL_SECONDS) -> list[str]:
    """Send one control line, and return the lines of the answer."""
    connection = connect(seconds)
    if connection is None:
        raise lost_daemon()
    with connection:
        connection.settimeout(seconds)
        connection.sendall(line.encode() + b"\n")
        answer: list[str] = []
        try:
            while text := read_line(connection).decode().rstrip("\n"):
                answer.append(text)
        except ConnectionError as error:
            raise lost_daemon() from error
    return answer


def remarks(answer: Mapping[str, Any]) -> Iterator[str]:
    """Return what a client's user should know of the daemon and the session."""
    yield from answer.get("notes", ())
    if (theirs := answer.get("version")) != __version__:
        yield (
            f"the daemon that runs is version {theirs}, this is {__version__}; "
            "`tabmux daemon restart` updates it."
        )


def read_line(connection: socket.socket) -> bytes:
    """Read one line and no byte more: what follows belongs to the client."""
    line = b""
    while not line.endswith(b"\n"):
        byte = connection.recv(1)
        if not byte:
            raise ConnectionError
        line += byte
    return line
