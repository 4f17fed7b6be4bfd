"""Routes of the live view: its files, the way in, and its socket."""

from __future__ import annotations

import asyncio
import hmac
import mimetypes
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send

from tabmux.daemon.ui.live_view import LiveView
from tabmux.daemon.ui.passes import Pass, Role
from tabmux.daemon.ui.past_runs import PastRuns
from tabmux.errors import Misuse
from tabmux.record.run_files import picture_file

PATH = "/ui"
VIEW_MINUTES = 60
_LONGEST_MINUTES = 7 * 24 * 60
_MOST_DIGITS = 9
_MOST_FIELDS = 20
_COOKIE = "tabmux-ui"
_ENDED = 1000
_REFUSED = 1008
_TRY_LATER = 1013
# No script but our own files, nothing from elsewhere, in nobody's frame.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}

Page = Callable[[Request], Awaitable[Response]]


class LiveViewRoutes:
    """The live view over HTTP.

    Args:
        live: The live view.
        token: What lets a person in who steers; None where no token is asked for.
    """

    def __init__(self, live: LiveView, token: str | None) -> None:
        self._live, self._token = live, token

    def routes(self) -> list[BaseRoute]:
        """Return all routes."""
        return [
            Route(PATH, self.enter),
            Route(f"{PATH}/", self.index),
            Route(f"{PATH}/enter", self.enter),
            Route(f"{PATH}/links", self.make_link, methods=["POST"]),
            Route(f"{PATH}/picture/{{hash}}", self.picture),
            Route(f"{PATH}/static/{{name:path}}", self.static),
            WebSocketRoute(f"{PATH}/socket", _Socket(self)),
        ]

    def lets_in(self, url: str) -> bool:
        """Whether a URL lets whoever opens it into the live view."""
        address = urlsplit(url)
        if address.path.rstrip("/") not in (PATH, f"{PATH}/enter"):
            return False
        try:
            given = parse_qs(address.query, max_num_fields=_MOST_FIELDS)
        except ValueError:
            return False
        link, token = (given.get(name, [""])[0] for name in ("pass", "token"))
        return self._token is None or self._live.passes.is_link(link) or self._is_token(token)

    async def enter(self, request: Request) -> Response:
        """Exchange a link or the token for a cookie, and go on without them in the address."""
        host = request.headers.get("host", "")
        cookie = self._live.passes.admit(request.query_params.get("pass", ""), host)
        if cookie is None and self._is_token(request.query_params.get("token")):
            cookie = self._live.passes.cookie("steer", host)
        if cookie is None and self._allowed(request) is None:
            return _page("refused.html", 401)
        response = _page("enter.html")
        if cookie is not None:
            _set_cookie(response, host, cookie)
        return response

    async def index(self, request: Request) -> Response:
        """Show the live view itself."""
        if self._allowed(request) is not None:
            return _page("index.html")
        if self._token is not None:
            return _page("refused.html", 401)
        response, host = _page("index.html"), request.headers.get("host", "")
        _set_cookie(response, host, self._live.passes.cookie("steer", host))
        return response

    async def make_link(self, request: Request) -> Response:
        """Make a link for whoever shows the token, or steers already."""
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        allowed = self._allowed(request)
        shown = scheme.lower() == "bearer" and self._is_token(given.strip())
        if not (shown or (allowed is not None and allowed.steers) or self._token is None):
            return JSONResponse({"error": "A token is missing or wrong."}, 401)
        role: Role = "view" if request.query_params.get("view_only") == "true" else "steer"
        minutes = link_minutes(request.query_params.get("minutes", ""))
        link = self._live.passes.link(role, minutes * 60)
        return JSONResponse({"path": f"{PATH}/enter?pass={link}"}, headers=_HEADERS)

    async def picture(self, request: Request) -> Response:
        """Show a picture of the record."""
        if self._allowed(request) is None:
            return Response(status_code=401, headers=_HEADERS)
        try:
            file = picture_file(PastRuns(self._live.app).folder, request.path_params["hash"])
            data = await asyncio.to_thread(file.read_bytes)
        except (Misuse, OSError):
            return Response(status_code=404, headers=_HEADERS)
        return Response(data, media_type="image/webp", headers=_HEADERS)

    async def static(self, request: Request) -> Response:
        """Show one of our own files."""
        found = _static_files().get(request.path_params["name"])
        if found is None:
            return Response(status_code=404, headers=_HEADERS)
        data, kind = found
        return Response(data, media_type=kind, headers=_HEADERS)

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the socket of a viewer who has a cookie and comes from our own page."""
        await receive()
        connection = HTTPConnection(scope)
        allowed = self._allowed(connection)
        driven = allowed is not None and await self._live.take_driven()
        if allowed is None or driven or not _is_own_page(connection.headers):
            await send({"type": "websocket.close", "code": _REFUSED})
            return
        if self._live.is_full:
            await send({"type": "websocket.close", "code": _TRY_LATER})
            return
        await send({"type": "websocket.accept"})
        await self._live.serve(allowed, receive, send)
        with suppress(RuntimeError, OSError):  # the viewer may have closed it
            await send({"type": "websocket.close", "code": _ENDED})

    def _allowed(self, request: HTTPConnection) -> Pass | None:
        host = request.headers.get("host", "")
        return self._live.passes.read(request.cookies.get(_cookie_name(host), ""), host)

    def _is_token(self, given: str | None) -> bool:
        wanted = (self._token or "").encode()
        return bool(wanted) and hmac.compare_digest((given or "").encode(), wanted)


class _Socket:
    """The socket as an application of its own, for routes take functions for something else."""

    def __init__(self, routes: LiveViewRoutes) -> None:
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._routes.socket(scope, receive, send)


def link_minutes(text: str) -> int:
    """Return for how many minutes a link is to be valid."""
    # Longer numbers say nothing more, and take long to read.
    wanted = int(text[:_MOST_DIGITS]) if text.isdecimal() else 0
    return min(wanted, _LONGEST_MINUTES) or VIEW_MINUTES


def _is_own_page(headers: Headers) -> bool:
    """Whether a socket was opened by our own page: others may be let in, but not here."""
    host = headers.get("host", "")
    return headers.getlist("origin") in ([f"http://{host}"], [f"https://{host}"])


def _cookie_name(host: str) -> str:
    """Browsers do not tell cookies of one machine's ports apart."""
    return f"{_COOKIE}-{host.rpartition(':')[2]}" if ":" in host else _COOKIE


def _set_cookie(response: Response, host: str, cookie: str) -> None:
    # Without a Domain it goes back to this host alone.
    response.set_cookie(
        _cookie_name(host), cookie, path=PATH, httponly=True, samesite="strict", max_age=7 * 86_400
    )


def _page(name: str, status: int = 200) -> Response:
    data, _ = _static_files()[name]
    return HTMLResponse(data, status, headers=_HEADERS)


@cache
def _static_files() -> dict[str, tuple[bytes, str]]:
    """Read our own files, once; what is not among them does not exist."""
    found = {}
    folder = Path(str(files("tabmux.daemon.ui") / "static"))
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            kind = "text/javascript" if file.suffix == ".js" else kind
            found[file.relative_to(folder).as_posix()] = (file.read_bytes(), kind)
    return found
