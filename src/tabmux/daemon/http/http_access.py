"""HTTP access: Host, Origin and token of a request, checked before anything else happens."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabmux.errors import Misuse
from tabmux.policy.url_parser import is_loopback

logger = logging.getLogger(__name__)

OPEN_PATHS = frozenset({"/health"})
# The live view lets people in by passes of its own; a link to it may stand on any page.
UI_PATH, UI_ENTRY = "/ui", "/ui/enter"
_SECRET_PATHS = ("/debug/session/", "/session/", "/cdp/")

_CORS_METHODS = "GET, POST, DELETE"
_CORS_HEADERS = (
    "authorization, content-type, last-event-id, mcp-method, mcp-name, "
    "mcp-protocol-version, mcp-session-id, tabmux-session"
)


@dataclass(frozen=True)
class HttpAccess:
    """What a request must show to be let in.

    Args:
        hosts: The exact values of Host that mean us.
        origins: The exact values of Origin that may talk to us.
        token: The secret to show; None asks for none.
        token_place: Where the user finds the token, for the refusal to say.
        admits: Whether another daemon has let a request in and passes it on.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    token: str | None
    token_place: str = ""
    admits: Callable[[Scope], bool] | None = None

    @classmethod
    def at(
        cls,
        host: str,
        port: int,
        token: str | None,
        *,
        allowed_hosts: Iterable[str] = (),
        allowed_origins: Iterable[str] = (),
        token_place: str = "",
        admits: Callable[[Scope], bool] | None = None,
    ) -> HttpAccess:
        """Return the access to a server on this address; only loopback may do without a token."""
        if token is None and not is_loopback(host):
            raise Misuse(
                f"Serving on {host} without a token would let anyone in.",
                hint="Leave out --no-auth, or listen on 127.0.0.1.",
            )
        own = {*_own_names(host, port), *map(_checked_host, allowed_hosts)}
        origins = {f"http://{name}" for name in own} | set(map(_checked_origin, allowed_origins))
        return cls(frozenset(own), frozenset(origins), token, token_place, admits)

    def refusal(self, scope: Scope) -> Response | None:
        """Return how a request is turned away; None lets it in."""
        if self.admits is not None and self.admits(scope):
            return None
        headers = Headers(scope=scope)
        if headers.getlist("host") != [headers.get("host")] or headers["host"] not in self.hosts:
            return _refusal(
                421, "This Host is not served here.", "Use http://127.0.0.1 and our port."
            )
        if not (self._is_welcome(headers) or _is_followed_link(scope, headers)):
            return _refusal(403, "This Origin may not talk to this server.", "")
        if self._is_open(scope, headers) or self._shows_token(scope, headers):
            return None
        place = f" The token is in {self.token_place}." if self.token_place else ""
        fix = f"Add the header Authorization: Bearer <token>, or ?token=<token> to the URL.{place}"
        challenge = {"www-authenticate": 'Bearer realm="tabmux"'}
        return _refusal(401, "A token is missing or wrong.", fix, challenge)

    def _is_welcome(self, headers: Headers) -> bool:
        """A browser names the page that asks; a program has no page to name."""
        origins = headers.getlist("origin")
        if origins:
            return len(origins) == 1 and origins[0] in self.origins
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")

    def _is_open(self, scope: Scope, headers: Headers) -> bool:
        asks_first = scope.get("method") == "OPTIONS" and "origin" in headers
        is_open = scope["path"] in OPEN_PATHS or _is_live_view(scope["path"])
        return self.token is None or is_open or asks_first

    def _shows_token(self, scope: Scope, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        shown = [given.strip()] if scheme.lower() == "bearer" else []
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        shown += [value for key, value in query if key == "token"]
        secret = (self.token or "").encode()
        return any(hmac.compare_digest(each.encode(), secret) for each in shown)


class AccessMiddleware:
    """Middleware that checks access first, and logs every request without its secrets."""

    def __init__(self, app: ASGIApp, access: HttpAccess) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._access.refusal(scope)
        noted = _logging(scope, send)
        if refusal is None and _is_preflight(scope):
            refusal = Response(status_code=204, headers=_cors(scope, preflight=True))
        if refusal is None:
            await self._app(scope, receive, _with_cors(scope, noted))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, noted)


def _is_live_view(path: str) -> bool:
    return path == UI_PATH or path.startswith(f"{UI_PATH}/")


def _is_followed_link(scope: Scope, headers: Headers) -> bool:
    """Whether a person has followed a link to the live view, which shows a pass."""
    is_page = headers.get("sec-fetch-mode") == "navigate" and "origin" not in headers
    return scope["path"] == UI_ENTRY and scope.get("method") == "GET" and is_page


def _checked_host(text: str) -> str:
    """Return a value of Host that a user allowed; a pattern or a URL would never match."""
    if not re.fullmatch(r"([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?", text):
        raise Misuse(
            f"--allow-host {text!r} is no host.",
            hint="Write it as a client sends it: box.lan:3000.",
        )
    return text.lower()


def _checked_origin(text: str) -> str:
    """Return an Origin that a user allowed, as browsers write it."""
    parts = urlsplit(text.lower())
    if parts.scheme not in ("http", "https", "chrome-extension") or not parts.netloc:
        problem = True
    else:
        problem = bool(parts.path.strip("/") or parts.query or "*" in text or "@" in text)
    if problem:
        raise Misuse(
            f"--allow-origin {text!r} is no origin.", hint="Write it like https://claude.ai."
        )
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme, ":")
    return f"{parts.scheme}://{parts.netloc.removesuffix(usual)}"


def _own_names(host: str, port: int) -> Sequence[str]:
    names = ["127.0.0.1", "localhost", "[::1]"]
    bare = host.strip("[]")
    if bare not in ("0.0.0.0", "::", ""):
        names.append(f"[{bare}]" if ":" in bare else bare)
    with_port = [f"{name}:{port}" for name in names]
    return with_port + names if port == 80 else with_port


def _refusal(
    status: int, problem: str, fix: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    body = {"error": problem, "fix": fix} if fix else {"error": problem}
    return JSONResponse(body, status, headers)


def _is_preflight(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return (
        scope.get("method") == "OPTIONS"
        and "origin" in headers
        and "access-control-request-method" in headers
    )


def _cors(scope: Scope, *, preflight: bool = False) -> dict[str, str]:
    """Tell a browser what an origin may do that has access already."""
    origin = Headers(scope=scope).get("origin")
    if origin is None:
        return {}
    shared = {"access-control-allow-origin": origin, "vary": "origin"}
    if preflight:
        shared["access-control-allow-methods"] = _CORS_METHODS
        shared["access-control-allow-headers"] = _CORS_HEADERS
        # Browsers ask this before a page of the web may talk to this machine.
        shared["access-control-allow-private-network"] = "true"
    else:
        shared["access-control-expose-headers"] = "mcp-session-id"
    return shared


def _with_cors(scope: Scope, send: Send) -> Send:
    extra = [(key.encode(), value.encode()) for key, value in _cors(scope).items()]

    async def with_cors(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *extra]
        await send(message)

    return with_cors if extra else send


def _logging(scope: Scope, send: Send) -> Send:
    """Log a request when its answer begins."""
    began = time.monotonic()

    async def logging_send(message: Message) -> None:
        if message["type"] == "http.response.start":
            log_request(scope, message["status"], time.monotonic() - began)
        elif message["type"] == "websocket.accept":
            log_request(scope, 101, time.monotonic() - began)
        await send(message)

    return logging_send


def log_request(scope: Scope, status: int, seconds: float) -> None:
    """Log a request as JSON; its query, session and some paths are secrets."""
    path = quote(scope["path"])
    if path.startswith(_SECRET_PATHS):
        path = f"{next(each for each in _SECRET_PATHS if path.startswith(each))}-"
    session = Headers(scope=scope).get("mcp-session-id", "")
    fields = {
        "client": (scope.get("client") or ("", 0))[0],
        "method": scope.get("method", "WEBSOCKET"),
        "path": path[:200],
        "status": status,
        "ms": round(seconds * 1000, 1),
        "session": hashlib.sha256(session.encode()).hexdigest()[:8] if session else None,
    }
    logger.info("%s", json.dumps(fields))
