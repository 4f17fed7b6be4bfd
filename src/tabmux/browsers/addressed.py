"""Addressed browser: one that runs already, at a URL, a WebSocket endpoint or on a profile."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import attempt_delays
from tabmux.cdp.discovery import find_endpoint, read_active_port
from tabmux.cdp.transports import Transport
from tabmux.errors import BrowserTrouble, Misuse
from tabmux.folders import log_folder, make_private

logger = logging.getLogger(__name__)

ATTEMPTS = 3
# A browser that a command has just started gets longer to come up.
START_ATTEMPTS = 6
START_SECONDS = 1.0
_STARTABLE = "reconnect_browser runs the command that starts it."
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


@dataclass(frozen=True)
class AddressedSpec(BrowserSpec):
    """Where a browser runs."""

    address: str
    headers: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    start_command: str = field(default="", kw_only=True)

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        return self.address

    @property
    def identity(self) -> str:
        """The address, however its end is written."""
        return self.address.rstrip("/")

    @property
    def http_address(self) -> str:
        """Where it serves its debugging protocol over HTTP; empty where that is not known."""
        return ""

    async def endpoint(self) -> str:
        """Find the address of its debugging socket."""
        return await find_endpoint(self.address, self.headers)


@dataclass(frozen=True)
class UrlSpec(AddressedSpec):
    """A browser at an http(s):// URL, or at a port of this machine."""

    schemes: ClassVar[tuple[str, ...]] = ("http", "https")

    @property
    def http_address(self) -> str:
        """The URL."""
        return self.address


@dataclass(frozen=True)
class WebSocketSpec(AddressedSpec):
    """A browser at a ws(s):// endpoint."""

    schemes: ClassVar[tuple[str, ...]] = ("ws", "wss")


@dataclass(frozen=True)
class ProfileSpec(AddressedSpec):
    """A browser that runs on a profile folder, which is its address."""

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        return f"running browser of {self.address}"

    async def endpoint(self) -> str:
        """Read the address that Chrome left in the folder."""
        return await asyncio.to_thread(read_active_port, Path(self.address))


def parse_address(
    kind: type[UrlSpec] | type[WebSocketSpec], text: str, headers: Mapping[str, str] | None = None
) -> AddressedSpec:
    """Read `[NAME=]URL[|start command]`."""
    address, _, command = text.partition("|")
    name, equals, rest = address.partition("=")
    if equals and "/" not in name and ":" not in name:
        address = rest
    else:
        name = ""
    address = address.strip()
    if not address.isdecimal() and _scheme(address) not in kind.schemes:
        raise Misuse(
            f"{text!r} is not a browser's address.", hint=f"It starts with {kind.schemes[0]}://."
        )
    return kind(address, name=name.strip(), headers=headers or {}, start_command=command.strip())


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:  # brackets that do not match, and other things that no host can be
        return ""


class AddressedBrowser(Browser):
    """A browser that somebody else started, and that tabmux leaves running."""

    spec: AddressedSpec
    # Whoever is at the address may never say a word.
    cancels_attempts = True
    cools_down = True
    # When its start command was run; None if what it started was there since.
    _started_at: float | None = None

    @property
    def http_address(self) -> str:
        """Where it serves its debugging protocol over HTTP; empty where that is not known."""
        return self.spec.http_address

    @asynccontextmanager
    async def open_transport(
        self, stop: asyncio.Event, *, run_start_command: bool
    ) -> AsyncIterator[Transport]:
        """Connect to its debugging socket."""
        transport = await self._reach(run_start_command)
        try:
            yield transport
        finally:
            transport.close()

    def retry_delays(self) -> Iterator[float]:
        """Try for as long as it is registered, ever more rarely."""
        delay = self.timings.first_retry
        while True:
            yield delay
            delay = min(delay * 2, self.timings.longest_retry)

    async def _reach(self, run_start_command: bool) -> Transport:
        """Connect; a browser that does not answer is started, if that was asked for."""
        try:
            return await self._open_socket(ATTEMPTS)
        except BrowserTrouble as error:
            if not self.spec.start_command:
                raise
            if not run_start_command:
                raise BrowserTrouble(error.message, hint=_STARTABLE) from error
        await self._start()
        transport = await self._open_socket(START_ATTEMPTS)
        # If it ends, it may be started again at once.
        self._started_at = None
        return transport

    async def _start(self) -> None:
        """Run its start command, unless a browser that was just started may still be coming up."""
        now = time.monotonic()
        if self._started_at is None or now - self._started_at >= self.timings.start_command:
            self._started_at = now
            await _run_start_command(self.spec.start_command)

    async def _open_socket(self, attempts: int) -> Transport:
        """Try a few times: a browser that is just starting does not answer at once."""
        # Its library takes a sixth of the start of a server, which most often does without.
        from tabmux.cdp.websocket_transport import connect_websocket

        for delay in [*attempt_delays(attempts), None]:
            try:
                return await connect_websocket(await self.spec.endpoint(), self.spec.headers)
            except BrowserTrouble:
                if delay is None:
                    raise
                await asyncio.sleep(delay)
        raise AssertionError("the last try raises or returns")


async def _run_start_command(command: str) -> None:
    """Start a command in a session of its own.

    It is the user's own shell line, from the command line or a configuration file, and the
    browser it starts is the user's: it goes on when tabmux ends, so it must not depend on a
    pipe of ours either.
    """
    output = _start_command_log()
    logger.info("Starting a browser: %s (its output is in %s)", command, output)
    pid = os.posix_spawn(  # noqa: ASYNC221  # returns as soon as the process exists
        "/bin/sh",
        ["/bin/sh", "-c", command],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), _APPEND, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    for _ in range(int(START_SECONDS / 0.05)):
        await asyncio.sleep(0.05)
        done, status = os.waitpid(pid, os.WNOHANG)  # noqa: ASYNC222  # WNOHANG does not block
        if done:
            if code := os.waitstatus_to_exitcode(status):
                logger.warning("The start command ended with code %d: %s", code, command)
            return


def _start_command_log() -> Path:
    folder = Path(log_folder())
    make_private(folder)
    return folder / "start-command.log"
