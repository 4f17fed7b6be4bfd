"""`POST /commands`: a command for a session's extension over HTTP."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse

from tabmux.bridge.messages import Malformed, Message, read
from tabmux.bridge.session_sockets import SessionSockets
from tabmux.errors import BrowserTrouble, Busy, DeadlineExceeded, Misuse, TabmuxError

SESSION_HEADER = "x-instance-id"
TAB_HEADER = "x-tab-id"
LONGEST_BODY = 4 * 1024 * 1024
_STATUS: tuple[tuple[type[TabmuxError], int], ...] = (
    (BrowserTrouble, 404),
    (DeadlineExceeded, 504),
    (Busy, 429),
    (Misuse, 400),
)


def commands(to: SessionSockets) -> Callable[[Request], Awaitable[JSONResponse]]:
    """Return what answers `POST /commands`."""

    async def answer(request: Request) -> JSONResponse:
        try:
            session, tab = addressee(request)
            body = await read_body(request)
            kind, payload, ident = body.get("type"), body.get("payload", {}), body.get("id")
            if not isinstance(kind, str) or not kind or not isinstance(payload, dict):
                raise Misuse("A command is {id, type, payload}.")
            name = str(ident) if ident is not None else None
            response = await to.run(session, kind, payload, tab=tab, ident=name)
        except TabmuxError as error:
            return refusal(error)
        return JSONResponse(outcome(response))

    return answer


def outcome(response: Message) -> Message:
    """Say what the extension's response comes to."""
    data = response.get("data")
    told = data if isinstance(data, dict) else {}
    if response.get("error") or told.get("success") is False:
        error = response.get("error") or told.get("error") or "The extension says no more."
        return {"success": False, "error": str(error), "payload": data}
    return {"success": True, "payload": data}


def addressee(request: Request) -> tuple[str, int | None]:
    """Return the session and the tab that a request names; nothing is ever sent to everyone."""
    session, tab = request.headers.get(SESSION_HEADER, ""), request.headers.get(TAB_HEADER, "")
    if not session:
        raise Misuse("The header X-Instance-ID is missing.")
    if tab and not (tab.isascii() and tab.isdigit() and len(tab) < 17):
        raise Misuse("The header X-Tab-ID is not the number of a tab.")
    return session, int(tab) if tab else None


async def read_body(request: Request) -> Message:
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


def refusal(error: TabmuxError) -> JSONResponse:
    """Answer an error."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    text = f"{error.message} {error.hint}".strip()
    return JSONResponse({"success": False, "error": text, "code": error.code}, status)
