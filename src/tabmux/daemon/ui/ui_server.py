"""UI server: the live view of a daemon, on a port of loopback, from when somebody first asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware

from tabmux.daemon.http.http_access import AccessMiddleware, HttpAccess
from tabmux.daemon.http.http_server import listen, serve_http
from tabmux.daemon.ui.live_view import LiveView, new_token
from tabmux.daemon.ui.passes import Role
from tabmux.daemon.ui.routes import PATH, LiveViewRoutes
from tabmux.errors import Misuse
from tabmux.policy.own_addresses import OWN

if TYPE_CHECKING:
    from tabmux.daemon.app import App

HOST = "127.0.0.1"
MOST_BYTES = 1 << 20
GRACE_SECONDS = 1.0
START_SECONDS = 10.0


class UiServer:
    """Serves the live view by itself, where nothing else is served over HTTP."""

    def __init__(self, app: App, live: LiveView) -> None:
        self._app, self._live = app, live
        self._port = 0
        self._starting = asyncio.Lock()

    async def link(self, role: Role, minutes: int) -> str:
        """Return a link that lets a person in; the first one starts the server."""
        async with self._starting:
            if not self._port:
                await self._start()
        address = f"http://{HOST}:{self._port}{PATH}/enter"
        return f"{address}?pass={self._live.passes.link(role, minutes * 60)}"

    async def _start(self) -> None:
        try:
            listener = listen(HOST, self._app.settings.ui_port)
        except OSError as error:
            raise Misuse(
                f"Could not listen on port {self._app.settings.ui_port}: {error.strerror}.",
                hint="Choose another --ui-port.",
            ) from error
        port = listener.getsockname()[1]
        ready = asyncio.Event()
        http = self._application(port)
        work = serve_http(http, HOST, port, ready.set, listener=listener, grace=GRACE_SECONDS)
        self._app.background.start_quietly(work)
        async with asyncio.timeout(START_SECONDS):
            await ready.wait()
        OWN.add(port)
        self._port = port

    def _application(self, port: int) -> Starlette:
        # Nobody knows the token: links are the only way in.
        token = new_token()
        access = HttpAccess.at(HOST, port, token)
        ui = LiveViewRoutes(self._live, token)
        OWN.let_in_by(port, ui.lets_in)
        middleware = [Middleware(AccessMiddleware, access=access)]
        http = Starlette(routes=ui.routes(), middleware=middleware)
        http.router.redirect_slashes = False
        http.state.stop, http.state.access = lambda: None, access
        http.state.most_bytes = MOST_BYTES
        return http
