"""From a port, a URL or a profile folder to the address of a browser's debugging socket."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from tabmux.errors import BrowserTrouble, Misuse

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DISCOVERY_SECONDS = 5.0


async def find_endpoint(
    address: str, headers: Mapping[str, str] | None = None, timeout: float = DISCOVERY_SECONDS
) -> str:
    """Return the ws:// address for a port number, an http(s):// URL or a ws(s):// URL.

    Args:
        address: Where the browser's debugging endpoint is.
        headers: Sent along with the request to an http(s):// URL.
        timeout: Seconds until the attempt is given up.
    """
    if address.isdigit():
        address = f"http://127.0.0.1:{address}"
    scheme = urlsplit(address).scheme
    if scheme in ("ws", "wss"):
        return address
    if scheme not in ("http", "https"):
        raise Misuse(
            f"{address!r} is not a browser's address.",
            hint="Give a port, an http:// URL such as http://127.0.0.1:9222, or a ws:// URL.",
        )
    version = await asyncio.to_thread(_read_version, address, dict(headers or {}), timeout)
    return _checked(address, version)


def read_active_port(user_data_dir: Path) -> str:
    """Return the ws:// address that a running Chrome left in its profile folder."""
    file = user_data_dir / "DevToolsActivePort"
    try:
        port, path = file.read_text(encoding="utf-8").split("\n")[:2]
        return f"ws://127.0.0.1:{int(port)}{path.strip()}"
    except (OSError, ValueError) as error:
        raise BrowserTrouble(
            f"No running browser has remote debugging on in {user_data_dir}.",
            hint="Start Chrome with --remote-debugging-port, or turn remote debugging on "
            "at chrome://inspect/#remote-debugging.",
        ) from error


def _read_version(address: str, headers: dict[str, str], timeout: float) -> str:
    # A proxy from the environment has no business between us and a debugging port.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())
    request = urllib.request.Request(address.rstrip("/") + "/json/version", headers=headers)
    try:
        with opener.open(request, timeout=timeout) as response:
            found = json.loads(response.read(1 << 20))["webSocketDebuggerUrl"]
    except (OSError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", None) or error
        raise BrowserTrouble(
            f"No browser answers at {address}: {reason}",
            hint="Start one with --remote-debugging-port, or check the address.",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise BrowserTrouble(f"{address} answers, but not as a browser does.") from error
    return str(found)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _checked(address: str, endpoint: str) -> str:
    """Refuse an endpoint on another host: whoever answers must not send us elsewhere."""
    asked, found = urlsplit(address), urlsplit(endpoint)
    same_host = asked.hostname == found.hostname or (
        asked.hostname in LOOPBACK and found.hostname in LOOPBACK
    )
    if found.scheme not in ("ws", "wss") or not same_host:
        raise BrowserTrouble(f"{address} points to a socket on another host, {endpoint}; refused.")
    return endpoint
