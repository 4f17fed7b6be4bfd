"""What flags make of both servers."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.chromium import chromium
from tests.differential.behaviour import Facts, behaviour
from tests.differential.record import LIVE, Record
from tests.differential.side import BOTH, Side, started

RECONNECT_SECONDS = 20.0


@asynccontextmanager
async def beside(side: Side, name: str, *flags: str, url: str = "") -> AsyncIterator[Side]:
    """Another process of the same server, with flags of its own."""
    server = next(each for each in BOTH if each.name == side.name)
    folder = side.folder / name
    async with started(server, folder, *flags, url=url) as client:
        await client.initialize()
        other = Side(server, client, side.site, folder / server.name)
        other.tools = {tool["name"]: tool for tool in await client.tools()}
        yield other


def arguments(tool: dict[str, Any]) -> set[str]:
    """The names of a tool's arguments."""
    return set(tool["inputSchema"].get("properties", ()))


async def default_tools_of_the_peer(side: Side) -> set[str]:
    """The names of the tools that the peer lists without flags: asked, or as they were recorded."""
    if not LIVE:
        return set(Record().facts["the default tools need the same arguments"]["needed"])
    peer = next(each for each in BOTH if each.name == "cdm")
    async with started(peer, side.folder / "names") as client:
        await client.initialize()
        return {tool["name"] for tool in await client.tools()}


@behaviour(1, needed="fewer-required-arguments")
async def the_default_tools_need_the_same_arguments(side: Side) -> Facts:
    names = await default_tools_of_the_peer(side)
    assert len(names) == 32
    found = {name: tool for name, tool in side.tools.items() if name in names}
    needed = {
        name: set(tool["inputSchema"].get("required", ())) - {"pageId"}
        for name, tool in found.items()
    }
    return {"names": names - set(found), "needed": needed}


@behaviour(8)
async def slim_has_three_tools(side: Side) -> Facts:
    async with beside(side, "slim", "--slim") as other:
        return {name: arguments(tool) for name, tool in other.tools.items()}


@behaviour(9, needing="fewer-required-arguments")
async def pages_need_not_be_named_without_routing(side: Side) -> Facts:
    # In tabmux they never need to be: see page-id-optional.
    flags = {"tabmux": (), "cdm": ("--no-page-id-routing",)}
    async with beside(side, "unrouted", *flags[side.name]) as other:
        needing = {
            name
            for name, tool in other.tools.items()
            if "pageId" in tool["inputSchema"].get("required", ())
        }
        return {"needing": needing, "click": "click" in other.tools}


@behaviour(18)
async def pages_of_a_browser_that_was_restarted_have_new_ids(side: Side) -> Facts:
    address = side.site.page("<title>Home</title>")
    async with chromium() as browser:
        async with beside(side, "restarted", url=browser.url) as other:
            before = await other.new_page(address)
            await browser.kill()
            async with chromium(browser.port):
                end = time.monotonic() + RECONNECT_SECONDS
                answer = await other.call("list_pages")
                while answer.failed and time.monotonic() < end:
                    await asyncio.sleep(0.2)
                    answer = await other.call("list_pages")
                ids = {int(each) for each in re.findall(r"^(\d+): ", answer.text, re.MULTILINE)}
    return {"failed": answer.failed, "new": bool(ids) and before not in ids}


@behaviour(29)
async def no_script_comes_in_by_an_address_without_evaluation(side: Side) -> Facts:
    async with chromium() as browser:
        async with beside(
            side, "scriptless", "--no-javascript-evaluation", url=browser.url
        ) as other:
            other.page = await other.new_page(side.site.page("<title>Home</title>"))
            data = await other.goto("data:text/html,<title>Data</title>")
            script = await other.goto("javascript:void(document.title = 'Script')")
            pages = await other.call("list_pages")
            listed = {"evaluate_script", "click"} & set(other.tools)
            initial = "initScript" in arguments(other.tools["navigate_page"])
    return {
        "data": data.failed,
        "script": script.failed,
        "listed": listed,
        "initial": initial,
        "title": pages.says("Home", "Data|Script"),
    }
