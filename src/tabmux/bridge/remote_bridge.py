"""Remote bridge: HTTP between bridge and server, where they are two processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httptools

from tabmux.bridge.messages import ExtensionNotification, Malformed, Message, read
from tabmux.cdp.discovery import LOOPBACK
from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse
from tabmux.settings import Settings

POST_SECONDS = 5.0
# Longer than the bridge itself waits for the extension.
COMMAND_SECONDS = 40.0
# Before a bridge that does not answer is asked again.
RETRY_SECONDS = 1.0
LONGEST_ANSWER = 64 * 1024 * 1024


def local_address(text: str, variable: str) -> str:
    """Return the address of the other process; one elsewhere would be sent our token."""
    parts = urlsplit(text)
    if parts.scheme != "http" or parts.hostname not in LOOPBACK:
        raise Misuse(
            f"{variable} is {text!r}, which is no http:// address on this machine.",
            hint=f"It looks like http://127.0.0.1:{Settings.bridge_port}.",
        )
    return text.rstrip("/")


async def post(
    url: str, body: Message, headers: Mapping[str, str], seconds: float
) -> tuple[int, bytes]:
    """Post a document; returns the status and the body of the answer. No redirects, no proxy."""
    return await _exchange("POST", url, json.dumps(body).encode(), headers, seconds)


async def _exchange(
    method: str, url: str, content: bytes, headers: Mapping[str, str], seconds: float
) -> tuple[int, bytes]:
    parts = urlsplit(url)
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        try:
            fields = {
                "Host": parts.netloc,
                "Connection": "close",
                "Content-Type": "application/json",
                "Content-Length": str(len(content)),
                **headers,
            }
            place = f"{parts.path}?{parts.query}" if parts.query else parts.path
            lines = [f"{method} {place} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode() + content)
            return await _HttpResponse().read(reader)
        finally:
            writer.close()


class RemoteCommands:
    """The commands of a bridge in another process, and which sessions it can serve."""

    def __init__(self, address: str, token: str) -> None:
        self._url, self._token = f"{address}/commands", token
        self._sessions_url = f"{address}/sessions"
        self._sessions: frozenset[str] = frozenset()
        self._serves_any = False

    def served(self, names: Iterable[str]) -> str | None:
        """Return by which of its names a session can be served; None by none."""
        known = list(names)
        found = next((name for name in known if name in self._sessions), None)
        return known[0] if found is None and self._serves_any else found

    async def watch(self, changed: Callable[[], None]) -> None:
        """Learn which sessions can be served, for ever; `changed` is called when they change."""
        version = ""
        while True:
            try:
                version = await self._learn(version)
            except (OSError, TimeoutError, Malformed):
                version, self._sessions, self._serves_any = "", frozenset(), False
                changed()
                await asyncio.sleep(RETRY_SECONDS)
            else:
                changed()

    async def _learn(self, version: str) -> str:
        """Wait until other sessions can be served than in this version; returns the next one."""
        url = f"{self._sessions_url}?after={version}"
        headers = {"Authorization": f"Bearer {self._token}"}
        status, body = await _exchange("GET", url, b"", headers, COMMAND_SECONDS)
        if status != 200:
            raise OSError(f"{self._sessions_url} answered {status}")
        found = read(body)
        self._sessions = frozenset(map(str, found.get("sessions", ())))
        self._serves_any = found.get("any") is True
        return str(found.get("version", ""))

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None, name: str = ""
    ) -> Message:
        """Have a session's extension carry out a command, and return what it answers."""
        headers = _headers(self._token, session, tab)
        if name.isascii() and name.isprintable():
            headers["X-Instance-Name"] = name
        try:
            status, body = await post(
                self._url, {"type": kind, "payload": payload}, headers, COMMAND_SECONDS
            )
        except TimeoutError as error:
            raise DeadlineExceeded(
                "The bridge did not answer in time.",
                hint="Try again; if that is no better, restart tabmux bridge.",
            ) from error
        except OSError as error:
            raise BrowserTrouble(
                f"No bridge answers at {self._url}: {error.strerror or error}.",
                hint="Start one with tabmux bridge.",
            ) from error
        return _response_of(status, body)


class RemoteNotifications:
    """Notifications for sessions of a server in another process."""

    def __init__(self, address: str, token: str) -> None:
        self._url, self._token = f"{address}/ws-message", token

    async def forward(self, notification: ExtensionNotification) -> None:
        """Tell it."""
        headers = _headers(self._token, notification.session, notification.tab)
        status, _ = await post(self._url, notification.body, headers, POST_SECONDS)
        if status != 202:
            raise OSError(f"{self._url} answered {status}")


def _headers(token: str, session: str, tab: int | None) -> dict[str, str]:
    headers = {"Authorization": f"Bearer {token}", "X-Instance-ID": session}
    return headers if tab is None else {**headers, "X-Tab-ID": str(tab)}


def _response_of(status: int, body: bytes) -> Message:
    try:
        answer = read(body)
    except Malformed as error:
        raise BrowserTrouble(f"The bridge answered {status}, not as a bridge does.") from error
    text = str(answer.get("error", ""))
    if status == 504:
        raise DeadlineExceeded(text)
    if status != 200:
        raise BrowserTrouble(text or f"The bridge answered {status}.")
    found: dict[str, Any] = {"data": answer.get("payload")}
    return found if answer.get("success") else {**found, "error": text}


class _HttpResponse:
    """Reads one HTTP response."""

    def __init__(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self._body = bytearray()
        self._complete = False

    async def read(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        while not self._complete:
            chunk = await reader.read(1 << 16)
            if not chunk or len(self._body) > LONGEST_ANSWER:
                raise ConnectionError("the answer broke off")
            try:
                self._parser.feed_data(chunk)
            except httptools.HttpParserError as error:
                raise ConnectionError("the answer is not HTTP") from error
        return self._parser.get_status_code(), bytes(self._body)

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        self._complete = True
