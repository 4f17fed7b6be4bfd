"""Access check: Host, Origin and token, before a connection is upgraded or a body is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tabmux.bridge.pairing import PairedKeys
from tabmux.bridge.proofs import are_equal_secrets

OPEN_PATHS = frozenset({"/health"})
_EXTENSION = "chrome-extension://"
# Where extensions may come without a token: ours proves itself there.
_SOCKET_PATHS = ("/", "/session/")


@dataclass(frozen=True)
class AccessCheck:
    """What a request must show.

    Web pages are never let in, whatever they show. Our extension may come with nothing to the
    two sockets, where it has to prove itself; an extension that the user named needs no more
    than its id there; programs and other extensions need a token.

    Args:
        port: The port that Host must name.
        origin: The Origin of our extension.
        keys: Whose secrets are tokens.
        tokens: Further tokens, such as that of the HTTP server.
        extensions: The ids of extensions that the user named.
        insecure: Ask programs and extensions for nothing.
    """

    port: int
    origin: str
    keys: PairedKeys
    tokens: Sequence[str] = ()
    extensions: Sequence[str] = ()
    insecure: bool = False

    def refusal(self, scope: Scope) -> Response | None:
        """Return how a request is turned away; None lets it in."""
        headers = Headers(scope=scope)
        hosts = [f"{name}:{self.port}" for name in ("localhost", "127.0.0.1", "[::1]")]
        if len(headers.getlist("host")) != 1 or headers["host"] not in hosts:
            return JSONResponse({"error": "This Host is not served here."}, 421)
        if self._is_web_page(headers):
            return JSONResponse({"error": "This Origin may not talk to the bridge."}, 403)
        if scope["path"] in OPEN_PATHS or self.may_prove_itself(scope) or self.shows_token(scope):
            return None
        if self._is_named_extension(scope):
            return None
        fix = "Add Authorization: Bearer <token>, or ?token=<token>; see tabmux extension token."
        return JSONResponse(
            {"error": "A token is missing or wrong.", "fix": fix},
            401,
            {"www-authenticate": 'Bearer realm="tabmux bridge"'},
        )

    def may_prove_itself(self, scope: Scope) -> bool:
        """Whether this is a socket on which our extension can do the handshake."""
        return _is_socket(scope) and Headers(scope=scope).get("origin") == self.origin

    def shows_token(self, scope: Scope) -> bool:
        """Whether a request shows a secret that we know, or need show none."""
        return self.insecure or self.key_id(scope) is not None

    def key_id(self, scope: Scope) -> str | None:
        """Return whose secret a request shows: a key's id, or nothing for a further token."""
        for token in _tokens(scope):
            if any(are_equal_secrets(token, each) for each in self.tokens):
                return ""
            if paired := self.keys.of_token(token):
                return paired.key.id
        return None

    def _is_named_extension(self, scope: Scope) -> bool:
        origin = Headers(scope=scope).get("origin", "")
        return _is_socket(scope) and origin.removeprefix(_EXTENSION) in self.extensions

    def _is_web_page(self, headers: Headers) -> bool:
        """A browser names the page that asks; a program has no page to name."""
        origins = headers.getlist("origin")
        if origins:
            return len(origins) != 1 or not origins[0].startswith(_EXTENSION)
        return headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


class AccessCheckMiddleware:
    """Middleware that refuses what does not pass the check."""

    def __init__(self, app: ASGIApp, access: AccessCheck) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer why not."""
        refusal = None if scope["type"] == "lifespan" else self._access.refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, send)


def _is_socket(scope: Scope) -> bool:
    """Whether this is one of the two sockets that extensions connect to."""
    root, session = _SOCKET_PATHS
    return _is_upgrade(scope) and (scope["path"] == root or scope["path"].startswith(session))


def _is_upgrade(scope: Scope) -> bool:
    # A connection is asked about before it is upgraded, while it still counts as HTTP.
    return (
        scope["type"] == "websocket"
        or Headers(scope=scope).get("upgrade", "").lower() == "websocket"
    )


def _tokens(scope: Scope) -> list[str]:
    scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
    shown = [given] if scheme.lower() == "bearer" else []
    query = parse_qsl(scope["query_string"].decode("latin-1"))
    return shown + [value for key, value in query if key == "token"]
