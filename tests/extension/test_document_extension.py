"""An extension that was written from the messages of the focus toolset alone, in a real browser."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tabmux.settings import Settings
from tests.agent import Agent
from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import SECONDS
from tests.ports import free_port
from tests.serving import running
from tests.site import Site, redirecting

SOURCE = Path(__file__).parent / "from_document"
CORE = {"list_tabs", "open_tab", "focus_tab", "close_tab"}


def unpacked_id(folder: Path) -> str:
    """Return the id that Chrome gives to an unpacked extension: its path decides."""
    digest = hashlib.sha256(str(folder).encode()).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digest)


def made(folder: Path, port: int) -> Path:
    """Put the extension where it can be loaded from, with the port of the test."""
    extension = folder.resolve() / "extension"
    shutil.copytree(SOURCE, extension)
    script = extension / "background.js"
    script.write_text(script.read_text().replace(":8765", f":{port}"))
    return extension


@asynccontextmanager
async def browser(folder: Path, extension: Path) -> AsyncIterator[None]:
    user = EverydayBrowser(folder / "profile", extension)
    await user.start()
    try:
        yield
    finally:
        await user.kill()


@pytest.mark.timeout(120)
async def test_one_setting_is_enough_to_serve_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    port = free_port()
    extension = made(tmp_path, port)
    settings = Settings(
        toolset="focus",
        bridge_extension=(unpacked_id(extension),),
        bridge_port=port,
        no_fence=True,
    )
    html = "<title>Shop</title><button onclick=\"document.title = 'Bought'\">Buy</button>"
    async with running(settings) as app, Agent.joined(app, site) as agent:
        async with browser(tmp_path, extension):
            async with asyncio.timeout(SECONDS):
                while (reply := await agent.reply("connect_browser")).failed:
                    pass
            opened = json.loads(
                await agent("open_tab", url=site.route(redirecting(site.page(html))))
            )
            tools = set(await agent.tools())
            pressed = json.loads(await agent("press_buy"))
            closed = json.loads(await agent("close_tab"))

    assert json.loads(reply.text)["browser"]["name"] == "Chrome"
    assert opened["tab"]["title"] == "Shop"
    assert tools == {*CORE, "press_buy"}
    assert pressed == {"title": "Bought"}
    assert closed["closed"]
