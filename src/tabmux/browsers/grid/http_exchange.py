"""HTTP exchange: one request to the hub, and its answer."""

from __future__ import annotations

import asyncio
import base64
import json
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httptools

from tabmux.browsers.grid.grid_options import (
    PASSWORD_VARIABLE,
    USERNAME_VARIABLE,
    GridOptions,
)
from tabmux.errors import BrowserTrouble
from tabmux.json_text import decoded
from tabmux.page_text import visible_line

# What a hub of a thousand browsers says of itself; files are larger.
LARGEST_ANSWER = 16 << 20
LARGEST_FILE = 512 << 20
_CHUNK = 1 << 18
# What takes a while to decode is decoded elsewhere.
_LARGE = 1 << 20
# The hub refuses others (seen in Selenium 4.48).
_JSON = "application/json; charset=utf-8"
_LOOK = "Call list_browsers, or see `tabmux doctor`."
_CREDENTIALS = (
    f"Set {USERNAME_VARIABLE} and {PASSWORD_VARIABLE} to what the hub wants, where the daemon "
    "starts, and restart it."
)


class GridRefused(BrowserTrouble):
    """The hub answered, but not as was hoped; `error` is WebDriver's name of the reason."""

    def __init__(self, message: str, status: int, error: str = "") -> None:
        super().__init__(message, hint=_CREDENTIALS if status == 401 else _LOOK)
        self.status, self.error = status, error


def hub_headers(options: GridOptions) -> dict[str, str]:
    """Return the headers that show the hub who we are."""
    if not options.username:
        return {}
    pair = f"{options.username}:{options.password}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}


async def exchange(
    options: GridOptions,
    method: str,
    path: str,
    body: Any = None,
    *,
    seconds: float,
    largest: int = LARGEST_ANSWER,
) -> Any:
    """Send a request and return what its answer says, decoded.

    A request that is cancelled hangs up, by which the Grid takes it out of its queue (4.48).

    Args:
        options: Which hub.
        method: GET, POST or DELETE.
        path: After the address of the hub.
        body: What to send, as JSON.
        seconds: Until it is given up.
        largest: How many bytes its answer may have.
    """
    if " " in path or not (path.isascii() and path.isprintable()):
        # Names in it were told by a hub: they must not become lines of a request.
        raise BrowserTrouble(f"The grid {options.url} gives names that no address can have.")
    try:
        async with asyncio.timeout(seconds):
            status, answer = await _talk(options, method, path, body, largest)
    except TimeoutError as error:
        raise BrowserTrouble(f"The grid {options.url} did not answer within {seconds:g} s.") from (
            error
        )
    except (OSError, httptools.HttpParserError, asyncio.IncompleteReadError) as error:
        why = getattr(error, "strerror", None) or str(error) or "it hung up"
        raise BrowserTrouble(
            f"The grid {options.url} cannot be reached: {why}.",
            hint="See whether the hub runs; `tabmux doctor` looks, too.",
        ) from error
    if status >= 400:
        raise await _refusal(options, status, answer)
    return await _read(options, answer, largest)


async def _refusal(options: GridOptions, status: int, answer: bytes) -> GridRefused:
    """Say what the hub has against it; a proxy before the hub may answer with a page."""
    try:
        found = await _read(options, answer, LARGEST_ANSWER)
    except BrowserTrouble:
        found = {}
    value = found.get("value") if isinstance(found, dict) else None
    said = value if isinstance(value, dict) else {}
    text = visible_line(str(said.get("message") or f"{options.url} says {_named(status)}."), 300)
    return GridRefused(f"The grid refused: {text}", status, str(said.get("error", "")))


def _named(status: int) -> str:
    known = status in HTTPStatus.__members__.values()
    return f"{status} {HTTPStatus(status).phrase}" if known else str(status)


async def _read(options: GridOptions, answer: bytes, largest: int) -> Any:
    try:
        if len(answer) > _LARGE:
            return await asyncio.to_thread(decoded, answer, largest=largest)
        return decoded(answer) if answer else {}
    except ValueError as error:
        raise BrowserTrouble(f"{options.url} answers, but not as a Selenium Grid does.") from error


async def _talk(
    options: GridOptions, method: str, path: str, body: Any, largest: int
) -> tuple[int, bytes]:
    parts = urlsplit(options.url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=options.tls)
    try:
        payload = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {parts.path}{path} HTTP/1.1", f"Host: {parts.netloc}"]
        lines += ["Connection: close", f"Content-Type: {_JSON}", f"Content-Length: {len(payload)}"]
        lines += [f"{name}: {value}" for name, value in hub_headers(options).items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + payload)
        return await _Answer(largest).read(reader)
    finally:
        # At once: the hub looks after requests whose clients have hung up.
        writer.transport.abort()


class _Answer:
    """Collects one HTTP answer of at most so many bytes."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._parser = httptools.HttpResponseParser(self)
        self._parts: list[bytes] = []
        self._size = 0
        self._complete = False

    async def read(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        while not self._complete:
            chunk = await reader.read(_CHUNK)
            if not chunk:
                raise asyncio.IncompleteReadError(b"", None)
            self._parser.feed_data(chunk)
            if self._size > self._largest:
                raise OSError(f"its answer has more than {self._largest >> 20} MB")
        return self._parser.get_status_code(), b"".join(self._parts)

    def on_body(self, body: bytes) -> None:
        self._size += len(body)
        self._parts.append(body)

    def on_message_complete(self) -> None:
        self._complete = True
