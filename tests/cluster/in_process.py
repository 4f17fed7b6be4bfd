"""Daemons of a cluster in this process, served over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from socket import socket

from tabmux.cluster.cluster import Cluster, joined_cluster
from tabmux.cluster.handles import key_from
from tabmux.cluster.lease import LeaseTimings
from tabmux.daemon.app import App
from tabmux.daemon.http.http_server import build_http, listen, serve_http
from tabmux.settings import Settings
from tests.mcp.raw_clients import SECONDS, Http, http
from tests.serving import running

KEY = key_from("a key that all daemons of a test have")


@dataclass
class Daemon:
    """A daemon, and a client of it."""

    app: App
    cluster: Cluster
    client: Http
    url: str


@asynccontextmanager
async def daemon(
    redis: str, settings: Settings, timings: LeaseTimings | None = None, key: bytes = KEY
) -> AsyncIterator[Daemon]:
    """Run a daemon of a cluster until the block ends; it then leaves in order."""
    listener = listen("127.0.0.1", 0)
    # It is closed where a daemon does not come to serve.
    with closing(listener):
        async with _served(redis, settings, timings, key, listener) as found:
            yield found


@asynccontextmanager
async def _served(
    redis: str, settings: Settings, timings: LeaseTimings | None, key: bytes, listener: socket
) -> AsyncIterator[Daemon]:
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with AsyncExitStack() as stack:
        cluster = await stack.enter_async_context(
            joined_cluster(redis, key, lambda _: url, timings)
        )
        app = await stack.enter_async_context(running(settings, bridged=False, cluster=cluster))
        served = build_http(
            app,
            version="1.2.3",
            host="127.0.0.1",
            port=int(url.rpartition(":")[2]),
            token=None,
            router=cluster.make_router(lambda name: app.labelled(name) is not None),
            admits=cluster.admits,
        )
        group, ready = await stack.enter_async_context(asyncio.TaskGroup()), asyncio.Event()
        work = serve_http(served, "127.0.0.1", 0, ready.set, listener=listener, grace=1)
        serving = group.create_task(cluster.until_lost(work))
        stack.callback(serving.cancel)
        async with asyncio.timeout(SECONDS):
            await ready.wait()
        client = await stack.enter_async_context(http(url))
        yield Daemon(app, cluster, client, url)
