"""A FastAPI application with a tabmux server inside: `/tabmux/mcp` for agents, `/titles` for all.

pip install fastapi uvicorn
PORT=8000 TABMUX_TOKEN=secret uvicorn --port 8000 fastapi_application:application
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import FastAPI, Query

import tabmux
from tabmux.daemon.app import running
from tabmux.daemon.http.http_server import build_http
from tabmux.settings import Settings

PORT, TOKEN = int(os.environ["PORT"]), os.environ["TABMUX_TOKEN"]
AGENTS = f"http://127.0.0.1:{PORT}/tabmux/mcp?token={TOKEN}"


@asynccontextmanager
async def lifespan(application: FastAPI) -> AsyncIterator[None]:
    """Run browsers and sessions for as long as the application runs."""
    settings = Settings(launch=True, headless=True, isolated=True)
    async with running(settings, bridged=False) as app:
        # Host, Origin and token of every request are checked, as by `tabmux serve --http`.
        version = tabmux.__version__
        server = build_http(app, version=version, host="127.0.0.1", port=PORT, token=TOKEN)
        async with server.router.lifespan_context(server):
            application.mount("/tabmux", server)
            yield


application = FastAPI(lifespan=lifespan)


@application.get("/titles")
async def titles(url: Annotated[list[str], Query()]) -> list[str]:
    """Return the titles of pages, which are read side by side."""
    async with tabmux.sessions(len(url), url=AGENTS) as tabs:
        await asyncio.gather(*(tab.goto(each) for tab, each in zip(tabs, url, strict=True)))
        return [await tab.evaluate("() => document.title") for tab in tabs]
