"""Standalone bridge: the bridge as a process of its own, beside the server that uses it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.remote_bridge import RemoteNotifications, local_address
from tabmux.daemon.bridge.local_bridge import LocalBridge
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.daemon.process import server_loop
from tabmux.observability import start_logging
from tabmux.settings import Settings

SERVER_VARIABLE = "BROWSER_MCP_HTTP_URL"
SERVER = f"http://{Settings.host}:{Settings.port}"


def run(settings: Settings) -> int:
    """Serve until a signal comes; returns the exit code."""
    start_logging(settings.log_file, verbose=settings.verbose)
    server_loop.run(_serve(settings))
    return 0


async def _serve(settings: Settings) -> None:
    notifications = RemoteNotifications(server_address(), read_or_make(token_file()))
    async with LocalBridge(settings, _ignore, notifications.forward) as bridge:
        port = (await bridge.listen()).port
        sys.stdout.write(f"The bridge is ready at ws://localhost:{port}/session/<id>\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def server_address(environment: Mapping[str, str] = os.environ) -> str:
    """Return where the server is that wants to hear of extensions."""
    return local_address(environment.get(SERVER_VARIABLE) or SERVER, SERVER_VARIABLE)


def _ignore(link: ExtensionLink) -> None:
    """Leave an extension alone until a session's command asks for it."""
