"""A session whose tabs the extension lends, in the server after the one that lent them first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tabmux.content import SilentClient
from tabmux.sessions.session import Session
from tabmux.settings import Settings
from tests.extension.everyday_browser import everyday
from tests.extension.lending_server import LendingServer
from tests.ports import free_port
from tests.serving import running
from tests.site import Site


@asynccontextmanager
async def server(folder: Path, port: int) -> AsyncIterator[LendingServer]:
    async with (
        running(Settings(no_fence=True), bridged=False, durable="test") as app,
        asyncio.TaskGroup() as group,
    ):
        lent = LendingServer(app, folder, group)
        lent.port = port
        await lent.start()
        try:
            yield lent
        finally:
            await lent.stop()


async def call(session: Session, tool: str, /, **arguments: Any) -> str:
    return (await session.call(tool, arguments, SilentClient())).text


async def test_session_has_its_tabs_in_the_next_server(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    port, url = free_port(), site.page("<title>Lent</title>")
    async with everyday() as user:
        async with server(tmp_path, port) as lent:
            await lent.pair(user)
            session = lent.app.open("work")
            await call(session, "new_page", url=url)
            await call(session, "evaluate_script", function="() => { window.kept = 42 }")
            pages = list(session.pages)
        async with server(tmp_path, port) as lent:
            (session,) = lent.app.sessions.all()
            assert "42" in await call(session, "evaluate_script", function="() => window.kept")
            assert list(session.pages) == pages
            await session.close()
