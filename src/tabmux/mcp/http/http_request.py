"""HTTP requests: what one asks, and how to answer it, over ASGI."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl, quote

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Headers = Iterable[tuple[str, str]]

JSON = "application/json"
SESSION_NAME_HEADER = "tabmux-session"
SESSION_NAME_QUERY = "session"
# What another server is told that passes on an answer: the call whose answer it confirms.
CALL_HEADER = "tabmux-call"
# Where a request carries what another server says of it, once that was checked.
FORWARDED = "tabmux.forwarded"
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


def is_session_name(name: str) -> bool:
    """Whether a client may call its session so."""
    return _SESSION_NAME.fullmatch(name) is not None


class Forwarded(Protocol):
    """What another server says of a request that it passes on."""

    @property
    def client(self) -> str:
        """The address that it came from."""

    def fits(self, body: bytes) -> bool:
        """Whether this is the body that was signed."""


class HttpRequest:
    """A request and the way to answer it."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, timings: HttpTimings | None = None
    ) -> None:
        self._receive, self._send = receive, send
        self.timings = timings or HttpTimings()
        self.is_gone = self.has_begun = self.is_stream = self._is_complete = False
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.forwarded: Forwarded | None = scope.get(FORWARDED)
        self.client: str = (scope.get("client") or ("", 0))[0]
        if self.forwarded is not None:
            self.client = self.forwarded.client
        # The key of the call that is answered, as far as it is known.
        self.call_key: Callable[[], str] = lambda: ""
        self._body: bytes | None = None
        self.root: str = scope.get("root_path", "")
        self.target = target_of(scope)
        self.query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        self.headers: dict[str, str] = {}
        self.repeated: set[str] = set()
        self.raw_headers = [
            (key.decode("latin-1").lower(), value.decode("latin-1").strip())
            for key, value in scope["headers"]
        ]
        for name, value in self.raw_headers:
            if name in self.headers:
                self.repeated.add(name)
            self.headers[name] = value

    @property
    def is_answered(self) -> bool:
        """Whether the client has its answer, for all that this server knows."""
        return not self.is_gone and self.forwarded is None

    @property
    def session_name(self) -> str:
        """The session that the client names, in the URL or in a header."""
        name = self.headers.get(SESSION_NAME_HEADER) or self.query.get(SESSION_NAME_QUERY, "")
        if name and not is_session_name(name):
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
        if self._body is not None:
            return self._body
        length = self.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            raise HttpRefusal(413, f"The body must not exceed {most} bytes.")
        try:
            async with asyncio.timeout(self.timings.body):
                self._body = await self._whole(most)
                return self._body
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
        if self.forwarded is not None and (key := self.call_key()):
            headers = [*headers, (CALL_HEADER, quote(key))]
        fields = [(key.encode("latin-1"), value.encode("latin-1")) for key, value in headers]
        await self._send({"type": "http.response.start", "status": status, "headers": fields})

    async def write(self, body: bytes, *, more: bool = True) -> None:
        """Go on with an answer; a client that does not read in time is given up."""
        if self.is_gone:
            return
        try:
            async with asyncio.timeout(self.timings.write):
                await self._send({"type": "http.response.body", "body": body, "more_body": more})
            self._is_complete = not more
        except TimeoutError:
            logger.info("A client does not read its answer and is given up")
            self.is_gone = True

    async def gone(self) -> None:
        """Wait until the client has hung up."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def stay(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work for as long as the client is there; only after its body was read."""

        def hung_up(watch: asyncio.Task[None]) -> None:
            # One that has the whole answer cannot be told from one that hangs up.
            if not watch.cancelled() and working.cancel():
                self.is_gone = not self._is_complete

        async with asyncio.TaskGroup() as group:
            working = group.create_task(work)
            watching = group.create_task(self.gone())
            watching.add_done_callback(hung_up)
            working.add_done_callback(lambda _: watching.cancel())


def target_of(scope: Scope) -> str:
    """Return path and query as they came, for one who asks again elsewhere."""
    path = quote(scope["path"])
    query: str = scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path
