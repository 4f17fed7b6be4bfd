"""Endpoint discovery: from a port, URL or profile folder to a browser's debugging socket."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import httptools

from tabmux.errors import BrowserTrouble, Misuse
from tabmux.json_text import decoded
from tabmux.page_text import address as shown_address

# Where Chrome leaves its address, in its profile.
ACTIVE_PORT = "DevToolsActivePort"
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
DISCOVERY_SECONDS = 5.0
MAX_RESPONSE = 1 << 23


async def find_endpoint(
    address: str, headers: Mapping[str, str] | None = None, timeout: float = DISCOVERY_SECONDS
) -> str:
    """Return the ws:// address for a port number, an http(s):// URL or a ws(s):// URL.

    Args:
        address: Where the browser's debugging endpoint is.
        headers: Sent along with the request to an http(s):// URL.
        timeout: Seconds until the attempt is given up.
    """
    if address.isdecimal():
        address = f"http://127.0.0.1:{address}"
    scheme = urlsplit(address).scheme
    if scheme in ("ws", "wss"):
        return address
    if scheme not in ("http", "https"):
        raise Misuse(
            f"{address!r} is not a browser's address.",
            hint="Give a port, an http:// URL such as http://127.0.0.1:9222, or a ws:// URL.",
        )
    return _checked(address, await _read_version(address, headers or {}, timeout))


def read_active_port(user_data_dir: Path) -> str:
    """Return the ws:// address that a running Chrome left in its profile folder."""
    file = user_data_dir / ACTIVE_PORT
    try:
        port, path = file.read_text(encoding="utf-8").split("\n")[:2]
        return f"ws://127.0.0.1:{int(port)}{path.strip()}"
    except (OSError, ValueError) as error:
        raise BrowserTrouble(
            f"No running browser has remote debugging on in {user_data_dir}.",
            hint="Start Chrome with --remote-debugging-port, or turn remote debugging on "
            "at chrome://inspect/#remote-debugging.",
        ) from error


async def _read_version(address: str, headers: Mapping[str, str], timeout: float) -> str:
    url = address.rstrip("/") + "/json/version"
    try:
        async with asyncio.timeout(timeout):
            body = await fetch(url, headers)
        return str(decoded(body, largest=MAX_RESPONSE)["webSocketDebuggerUrl"])
    except TimeoutError as error:
        raise BrowserTrouble(f"{address} did not answer within {timeout:g} s.") from error
    except OSError as error:
        raise BrowserTrouble(
            f"No browser answers at {address}: {error.strerror or error}.",
            hint="Start one with --remote-debugging-port, or check the address.",
        ) from error
    except (ValueError, KeyError, TypeError, httptools.HttpParserError) as error:
        raise BrowserTrouble(f"{address} answers, but not as a browser does.") from error


async def fetch(url: str, headers: Mapping[str, str]) -> bytes:
    """Get a document. No redirects and no proxy: neither belongs before a debugging port."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    reader, writer = await asyncio.open_connection(
        parts.hostname, port, ssl=True if parts.scheme == "https" else None
    )
    try:
        lines = [f"GET {parts.path} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        return await _HttpResponse().read(reader)
    finally:
        writer.close()


class _HttpResponse:
    """Collects one HTTP response; Chrome keeps the connection open after it."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body = b""
        self._complete = False

    async def read(self, reader: asyncio.StreamReader) -> bytes:
        while not self._complete and len(self._body) < MAX_RESPONSE:
            if not (chunk := await reader.read(MAX_RESPONSE)):
                break
            self._parser.feed_data(chunk)
        return self._body

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        self._complete = True


def _checked(address: str, endpoint: str) -> str:
    """Refuse an endpoint on another host: whoever answers must not send us elsewhere."""
    asked, found = urlsplit(address), urlsplit(endpoint)
    same_host = asked.hostname == found.hostname or (
        asked.hostname in LOOPBACK and found.hostname in LOOPBACK
    )
    if found.scheme not in ("ws", "wss") or not same_host:
        raise BrowserTrouble(
            f"{address} points to a socket on another host, {shown_address(endpoint)}; refused."
        )
    return endpoint
