"""HTTP endpoints: `POST /commands` of the bridge, and `POST /ws-message` of the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse

from tabmux.bridge.messages import Malformed, Message, failure_of, read, tab_of
from tabmux.bridge.session_sockets import SessionSockets
from tabmux.concurrency import Signal
from tabmux.errors import BrowserTrouble, Busy, DeadlineExceeded, Misuse, TabmuxError

SESSION_HEADER = "x-instance-id"
NAME_HEADER = "x-instance-name"
TAB_HEADER = "x-tab-id"
LONGEST_BODY = 4 * 1024 * 1024
_STATUS: tuple[tuple[type[TabmuxError], int], ...] = (
    (BrowserTrouble, 404),
    (DeadlineExceeded, 504),
    (Busy, 429),
    (Misuse, 400),
)

HttpEndpoint = Callable[[Request], Awaitable[JSONResponse]]


class NotificationReceiver(Protocol):
    """The session that a notification is for."""

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in a message of the session's extension."""


def commands_endpoint(sockets: SessionSockets) -> HttpEndpoint:
    """Return what answers `POST /commands`: a command for a session's extension."""

    async def answer(request: Request) -> JSONResponse:
        try:
            session, tab = _session_and_tab(request)
            body = await _read_body(request)
            kind, payload, given_id = body.get("type"), body.get("payload", {}), body.get("id")
            if not isinstance(kind, str) or not kind or not isinstance(payload, dict):
                raise Misuse("A command is {id, type, payload}.")
            ident = str(given_id) if given_id is not None else None
            name = request.headers.get(NAME_HEADER, "")
            response = await sockets.run(
                session, kind, payload, tab=tab, name=name, command_id=ident
            )
        except TabmuxError as error:
            return _error_response(error)
        return JSONResponse(_outcome(response))

    return answer


class ServedSessions(Protocol):
    """Which sessions have an extension, or could have one."""

    version: int
    signal: Signal

    def sessions(self) -> list[str]:
        """Return the ids of those that have one."""

    @property
    def serves_any_session(self) -> bool:
        """Whether an extension would serve any other session too."""


def sessions_endpoint(served: ServedSessions, seconds: float) -> HttpEndpoint:
    """Return what answers `GET /sessions`: which can be served; `?after=` waits for another answer.

    Args:
        served: Who knows.
        seconds: How long to wait for it.
    """

    async def answer(request: Request) -> JSONResponse:
        known = request.query_params.get("after", "")
        await served.signal.until(lambda: str(served.version) != known, seconds)
        ids = served.sessions()
        found = {"version": served.version, "sessions": ids, "any": served.serves_any_session}
        return JSONResponse(found)

    return answer


def notifications_endpoint(find: Callable[[str], NotificationReceiver | None]) -> HttpEndpoint:
    """Return what answers `POST /ws-message`: a notification that a bridge elsewhere received.

    Args:
        find: Returns the session of a name, if there is one.
    """

    async def answer(request: Request) -> JSONResponse:
        try:
            session, tab = _session_and_tab(request)
            body = await _read_body(request)
            if not isinstance(body.get("type"), str):
                raise Misuse("A message is {messageId, type, payload}.")
        except TabmuxError as error:
            return _error_response(error)
        receiver = find(session)
        if receiver is None:
            return JSONResponse({"error": "There is no such session."}, 404)
        receiver.receive(body, tab if tab is not None else tab_of(body.get("payload")))
        return JSONResponse({"accepted": True}, 202)

    return answer


def _outcome(response: Message) -> Message:
    """Say what the extension's response comes to."""
    payload = {"payload": response.get("data")}
    if (failure := failure_of(response)) is not None:
        return {"success": False, "error": failure, **payload}
    return {"success": True, **payload}


def _session_and_tab(request: Request) -> tuple[str, int | None]:
    """Return the session and the tab that a request names; nothing is ever sent to everyone."""
    session, tab = request.headers.get(SESSION_HEADER, ""), request.headers.get(TAB_HEADER, "")
    if not session:
        raise Misuse("The header X-Instance-ID is missing.")
    if tab and not (tab.isascii() and tab.isdigit() and len(tab) < 17):
        raise Misuse("The header X-Tab-ID is not the number of a tab.")
    return session, int(tab) if tab else None


async def _read_body(request: Request) -> Message:
    """Read a JSON object from a request."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Misuse("The body must be of type application/json.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise Misuse("The body is too long.")
    try:
        return read(body)
    except Malformed as error:
        raise Misuse(str(error)) from error


def _error_response(error: TabmuxError) -> JSONResponse:
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    return JSONResponse({"success": False, "error": error.text, "code": error.code}, status)
