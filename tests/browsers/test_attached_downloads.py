"""Downloads in a browser that somebody started for themselves."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.cdp.discovery import find_endpoint
from tabmux.cdp.websocket_transport import connect_websocket
from tabmux.settings import Settings
from tests.agent import Agent
from tests.chromium import Chromium, chromium
from tests.serving import running
from tests.site import Site
from tests.tools.storage.test_downloads import attachment, link

TOOLS = "+files"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the user wants downloads."""
    made = tmp_path / "Downloads"
    made.mkdir()
    return made


async def saved_by_the_user(browser: Chromium, site: Site, name: str, folder: Path) -> bytes:
    """Download as the user would, and return what arrives in the user's folder."""
    transport = await connect_websocket(await find_endpoint(browser.url, {}), {})
    connection = CdpConnection(transport)
    try:
        url = site.route(attachment(b"mine", name))
        await connection.browser.call("Target.createTarget", {"url": url})
        end = time.monotonic() + 15
        while not (folder / name).exists() and time.monotonic() < end:
            await asyncio.sleep(0.02)
        return await asyncio.to_thread((folder / name).read_bytes)
    finally:
        connection.close()


async def test_download_is_announced_awaited_and_saved_and_the_users_folder_has_it_too(
    site: Site, tmp_path: Path, folder: Path
) -> None:
    async with chromium(downloads=folder) as browser:
        settings = Settings(browser_url=(browser.url,), tools=TOOLS)
        async with running(settings) as app, Agent.joined(app, site) as agent:
            await agent.open(link(site, attachment(b"a,b\n", "report.csv")))
            clicked = await agent("click", uid=agent.uid('link "Get"'))
            target = tmp_path / "out" / "saved.csv"
            text = await agent("wait_for_download", filePath=str(target), timeout=9000)
            assert "report.csv [completed] 4 bytes" in text
            assert target.read_bytes() == b"a,b\n"
            told = clicked + await agent("take_snapshot") + text
            assert "report.csv [" in told
            assert (folder / "report.csv").read_bytes() == b"a,b\n"
            assert "report.csv [completed]" in await agent("list_downloads")
            during = await saved_by_the_user(browser, site, "during.txt", folder)
            assert during == b"mine"
            assert "during.txt" not in await agent("list_downloads")
            code, _ = await agent.fails(
                "wait_for_download", downloadId=1, filePath="/etc/report.csv"
            )
            assert code == "refused_by_policy"
            await agent("disconnect_browser", browserIndex=1)
        assert await saved_by_the_user(browser, site, "after.txt", folder) == b"mine"
        # Chrome removes the file that it wrote to first a moment after it has moved it.
        named = {each.name for each in folder.iterdir() if each.suffix in (".csv", ".txt")}
        assert named == {"report.csv", "during.txt", "after.txt"}
