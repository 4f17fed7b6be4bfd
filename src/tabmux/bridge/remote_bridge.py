"""Remote bridge: HTTP between bridge and server, where they are two processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
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
    parts = urlsplit(url)
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port or 80)
        try:
            content = json.dumps(body).encode()
            fields = {
                "Host": parts.netloc,
                "Connection": "close",
                "Content-Type": "application/json",
                "Content-Length": str(len(content)),
                **headers,
            }
            lines = [f"POST {parts.path} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode() + content)
            return await _HttpResponse().read(reader)
        finally:
            writer.close()


class RemoteCommands:
    """The commands of a bridge in another process."""

    def __init__(self, address: str, token: str) -> None:
        self._url, self._token = f"{address}/commands", token

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None
    ) -> Message:
        """Have a session's extension carry out a command, and return what it answers."""
        headers = _headers(self._token, session, tab)
        try:
            status, body = await post(
                self._url, {"type": kind, "payload": payload}, headers, COMMAND_SECONDS
            )
        except TimeoutError as error:
            raise DeadlineExceeded("The bridge did not answer in time.") from error
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
