"""HTTP requests: what one asks, and how to answer it, over ASGI."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = Iterable[tuple[str, str]]

JSON = "application/json"
SESSION_NAME_HEADER = "tabmux-session"
SESSION_NAME_QUERY = "session"
_SESSION_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True)
class HttpTimings:
    """How long HTTP clients are waited for, in seconds.

    Attributes:
        header: For the headers of a request.
        body: For its body.
        write: For a client to read what is written to it.
        plain_json: For an answer as plain JSON rather than as a stream of events: it costs half
            as much, and the Python SDK's client refuses events of more than 1 MiB (mcp 2.3.0).
    """

    header: float = 10.0
    body: float = 15.0
    write: float = 30.0
    plain_json: float = 2.0


class HttpRefusal(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, status: int, message: str, headers: Headers = ()) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers


class HttpRequest:
    """A request and the way to answer it."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, timings: HttpTimings | None = None
    ) -> None:
        self._receive, self._send = receive, send
        self.timings = timings or HttpTimings()
        self.is_gone = self.has_begun = False
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.client: str = (scope.get("client") or ("", 0))[0]
        self.root: str = scope.get("root_path", "")
        self.query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        self.headers: dict[str, str] = {}
        self.repeated: set[str] = set()
        for key, value in scope["headers"]:
            name = key.decode("latin-1").lower()
            if name in self.headers:
                self.repeated.add(name)
            self.headers[name] = value.decode("latin-1").strip()

    @property
    def session_name(self) -> str:
        """The session that the client names, in the URL or in a header."""
        name = self.headers.get(SESSION_NAME_HEADER) or self.query.get(SESSION_NAME_QUERY, "")
        if name and not _SESSION_NAME.fullmatch(name):
            raise HttpRefusal(400, "A session's name has up to 64 letters, digits, '.', '_', '-'.")
        return name

    @property
    def content_type(self) -> str:
        """The kind of the body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def accepts(self, kind: str) -> bool:
        """Whether the client takes this kind; one that does not say takes all."""
        wildcard = kind.partition("/")[0] + "/*"
        wanted = self.headers.get("accept", "*/*").split(",")
        kinds = {part.partition(";")[0].strip().lower() for part in wanted}
        return not kinds.isdisjoint({kind, wildcard, "*/*"})

    async def body(self, most: int) -> bytes:
        """Read the whole body, if it is neither too big nor too slow."""
        length = self.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            raise HttpRefusal(413, f"The body must not exceed {most} bytes.")
        try:
            async with asyncio.timeout(self.timings.body):
                return await self._whole(most)
        except TimeoutError:
            raise HttpRefusal(408, "The body did not arrive in time.") from None

    async def _whole(self, most: int) -> bytes:
        parts = bytearray()
        while True:
            event = await self._receive()
            if event["type"] == "http.disconnect":
                raise HttpRefusal(400, "The client has gone.")
            parts += event.get("body", b"")
            if len(parts) > most:
                raise HttpRefusal(413, f"The body must not exceed {most} bytes.")
            if not event.get("more_body"):
                return bytes(parts)

    async def reply(
        self, status: int, body: bytes = b"", headers: Headers = (), kind: str = JSON
    ) -> None:
        """Answer all at once."""
        fields = [("content-length", str(len(body))), *headers]
        if body:
            fields.append(("content-type", kind))
        await self.start(status, fields)
        await self.write(body, more=False)

    async def start(self, status: int, headers: Headers) -> None:
        """Begin an answer."""
        self.has_begun = True
        fields = [(key.encode("latin-1"), value.encode("latin-1")) for key, value in headers]
        await self._send({"type": "http.response.start", "status": status, "headers": fields})

    async def write(self, body: bytes, *, more: bool = True) -> None:
        """Go on with an answer; a client that does not read in time is given up."""
        if self.is_gone:
            return
        try:
            async with asyncio.timeout(self.timings.write):
                await self._send({"type": "http.response.body", "body": body, "more_body": more})
        except TimeoutError:
            logger.info("A client does not read its answer and is given up")
            self.is_gone = True

    async def gone(self) -> None:
        """Wait until the client has hung up."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def stay(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work for as long as the client is there; only after its body was read."""
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work)
            watching = group.create_task(self.gone())
            watching.add_done_callback(lambda _: working.cancel())
            working.add_done_callback(lambda _: watching.cancel())
