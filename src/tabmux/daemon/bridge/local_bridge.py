"""Local bridge: the bridge in this process, with a server or alone; when and where it listens."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tabmux import __version__
from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.messages import Forward
from tabmux.bridge.pairing import user_keys, user_pairing
from tabmux.concurrency import Listeners, TaskOwner
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.errors import Misuse
from tabmux.settings import Settings

if TYPE_CHECKING:
    from tabmux.bridge.bridge_server import Bridge

logger = logging.getLogger(__name__)

PORT_VARIABLE = "BROWSER_MCP_DAEMON_PORT"
# Set where the bridge is another process.
DAEMON_VARIABLE = "BROWSER_MCP_DAEMON_URL"
# Names the server that a bridge alone tells of its extensions.
SERVER_VARIABLE = "BROWSER_MCP_HTTP_URL"
SERVER = f"http://{Settings.host}:{Settings.port}"
GRACE_SECONDS = 1.0
_NO_IPV6 = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


class LocalBridge(TaskOwner):
    """Serves the bridge for the length of its `async with` block, once it is wanted.

    Args:
        settings: What the user wants.
        on_link: Called with every extension that connects on `/`.
        forward: Where goes what a session's extension sends unasked.
        name_of: Returns what users call a session, by its id; None where nobody knows.
    """

    def __init__(
        self,
        settings: Settings,
        on_link: Callable[[ExtensionLink], None],
        forward: Forward,
        name_of: Callable[[str], str | None] = lambda session: None,
    ) -> None:
        super().__init__()
        self.current: Bridge | None = None
        self._settings, self._on_link, self._forward = settings, on_link, forward
        self._name_of = name_of
        self._starting = asyncio.Lock()
        self._changed: Listeners[[]] = Listeners()

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever other sessions can be served than before."""
        return self._changed.add(listener)

    async def listen_if_wanted(self) -> None:
        """Listen where there is any use in it; a port that is taken ends us only if asked for."""
        if not is_wanted(self._settings):
            return
        if is_port_given(self._settings):
            await self.listen()
        else:
            await self.listen_if_possible()

    async def listen_if_possible(self) -> None:
        """Listen, or do without."""
        try:
            await self.listen()
        except Misuse as error:
            logger.warning("%s tabmux goes on without it.", error.message)

    async def listen(self, port: int = 0) -> Bridge:
        """Have the bridge listen, unless it does already; a port that is taken is an error.

        Args:
            port: Where, instead of where the settings say.
        """
        async with self._starting:
            if self.current is None:
                self.current = await self._start_bridge(port or port_of(self._settings))
            return self.current

    async def _start_bridge(self, wanted: int) -> Bridge:
        # Imported late: most servers never listen.
        from tabmux.bridge.bridge_server import Bridge, BridgeCredentials, digest_of
        from tabmux.daemon.http.http_server import serve_http

        credentials = BridgeCredentials(
            user_keys(),
            user_pairing(),
            [read_or_make(token_file())],
            [_extension_id(each) for each in self._settings.bridge_extension],
            self._is_insecure(),
        )
        sockets = _bind_loopback(wanted)
        port = sockets[0].getsockname()[1]
        bridge = Bridge(
            port,
            credentials,
            version=__version__,
            on_link=self._on_link,
            forward=self._forward,
            name_of=lambda session: self._name_of(session) or digest_of(session),
        )
        bridge.on_changed(self._changed)
        servers = []
        for bound in sockets:
            ready = asyncio.Event()
            server = self.start_quietly(
                serve_http(bridge.app, "", port, ready.set, listener=bound, grace=GRACE_SECONDS)
            )
            server.add_done_callback(partial(self._ended, ready))
            servers.append(server)
            await ready.wait()
        if any(server.done() for server in servers):
            for server in servers:
                server.cancel()
            raise Misuse("The bridge failed as it started; the log says why.")
        logger.info("The bridge listens on port %d.", port)
        return bridge

    def _ended(self, ready: asyncio.Event, _: asyncio.Task[None]) -> None:
        """A bridge that has failed can be asked for again."""
        self.current = None
        ready.set()

    def _is_insecure(self) -> bool:
        if self._settings.bridge_insecure:
            sys.stderr.write(
                "Warning: --bridge-insecure lets any program on this machine act as your browser.\n"
            )
        return self._settings.bridge_insecure


async def serve_bridge_alone(settings: Settings) -> None:
    """Serve the bridge in a process of its own, for sessions of a server in another process."""
    from tabmux.bridge.remote_bridge import RemoteNotifications, local_address

    server = local_address(os.environ.get(SERVER_VARIABLE) or SERVER, SERVER_VARIABLE)
    notifications = RemoteNotifications(server, read_or_make(token_file()))
    async with LocalBridge(settings, lambda link: None, notifications.forward) as bridge:
        port = (await bridge.listen()).port
        sys.stdout.write(f"The bridge is ready at ws://localhost:{port}/session/<id>\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def port_of(settings: Settings, environment: Mapping[str, str] = os.environ) -> int:
    """Return the port of the bridge: the setting, or else the variable."""
    given = environment.get(PORT_VARIABLE, "")
    if settings.source("bridge_port") != "default" or not given:
        return settings.bridge_port
    if not given.isdecimal() or int(given) > 65535:
        raise Misuse(f"{PORT_VARIABLE} is {given!r}, which is no port.")
    return int(given)


def is_port_given(settings: Settings, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the user named the port, so that doing without it would be wrong."""
    return settings.source("bridge_port") != "default" or PORT_VARIABLE in environment


def is_wanted(settings: Settings) -> bool:
    """Whether there is any use in listening."""
    named = settings.bridge_insecure or bool(settings.bridge_extension)
    asked = settings.bridge or named or is_port_given(settings)
    if asked or DAEMON_VARIABLE in os.environ:
        return asked
    focus = getattr(settings, "toolset", "full") == "focus"
    return focus or bool(user_keys().all()) or user_pairing().pending() is not None


def _extension_id(text: str) -> str:
    """Return the id of an extension that the user named, by its id or its origin."""
    found = text.removeprefix("chrome-extension://").rstrip("/")
    if not re.fullmatch("[a-p]{32}", found):
        raise Misuse(
            f"--bridge-extension {text!r} is no id of an extension.",
            hint="chrome://extensions shows it: 32 letters from a to p.",
        )
    return found


def _bind_loopback(port: int) -> list[socket.socket]:
    """Bind the port on both loopback addresses, so that nobody else can have one of them."""
    from tabmux.daemon.http.http_server import listen

    found: list[socket.socket] = []
    try:
        found.append(listen("127.0.0.1", port))
        found += _bind_ipv6(found[0].getsockname()[1])
    except OSError as error:
        for each in found:
            each.close()
        raise Misuse(
            f"Port {port} is taken, so the browser extension cannot connect.",
            hint="Another tabmux may have it; or choose another --bridge-port, also in the popup.",
        ) from error
    return found


def _bind_ipv6(port: int) -> list[socket.socket]:
    from tabmux.daemon.http.http_server import listen

    try:
        return [listen("::1", port)]
    except OSError as error:
        if error.errno in _NO_IPV6:
            return []
        raise
