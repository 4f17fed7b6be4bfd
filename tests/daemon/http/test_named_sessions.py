"""Sessions over HTTP for clients that keep none: named in the URL or a header, or refused."""

from __future__ import annotations

import re
from typing import Any

from tabmux.daemon.app import App
from tests.mcp.raw_clients import Http, http, serving, text
from tests.site import Site


async def call(client: Http, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool as a client does that remembers nothing."""
    return await client.ask_stateless("tools/call", name=tool, arguments=arguments)


async def test_a_name_in_the_url_keeps_the_page_from_call_to_call(app: App, site: Site) -> None:
    async with serving(app) as address, http(address, "?session=url-name") as client:
        url = site.page("<title>Kept</title><button>Go</button>")
        await call(client, "navigate_page", url=url)
        assert 'button "Go"' in text(await call(client, "take_snapshot"))
        session = app.labelled("url-name")
        assert session is not None
        assert len(session.pages) == 1
        await session.close()


async def test_a_header_names_a_session_too(app: App, site: Site) -> None:
    async with serving(app) as address, http(address, **{"tabmux-session": "by-header"}) as client:
        await call(client, "list_pages")
        session = app.labelled("by-header")
        assert session is not None
        await session.close()


async def test_a_client_with_a_handshake_joins_the_session_it_names(app: App, site: Site) -> None:
    """As an adapter does that connects anew for every call."""
    async with serving(app) as address:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("navigate_page", {"url": site.page("<title>Kept</title>")}),
            ("take_snapshot", {}),
        ]
        for tool, arguments in calls:
            async with http(address, "?session=joined") as client:
                await client.initialize()
                answer = await client.call(tool, **arguments)
                await client.client.delete("/mcp", headers=client.headers)
        assert 'RootWebArea "Kept"' in text(answer)
        session = app.labelled("joined")
        assert session is not None
        await session.close()


async def test_a_page_tool_without_a_session_is_refused_with_the_way_out(
    app: App, site: Site
) -> None:
    async with serving(app) as address, http(address) as client:
        opened = await call(client, "navigate_page", url=site.page("<title>Lost</title>"))
        before = len(app.sessions.all())
        refused = await call(client, "take_snapshot")
        assert refused["result"]["_meta"]["code"] == "session_required"
        assert "?session=" in text(refused)
        handle = opened["result"]["_meta"]["tabmux/session"]
        assert handle in text(refused)
        assert len(app.sessions.all()) == before
        found = await call(client, "take_snapshot", session=handle)
        assert "Lost" in text(found)
        session = app.find(handle)
        assert session is not None
        await session.close()


async def test_a_new_handle_is_in_the_text_the_metadata_and_the_structured_content(
    app: App,
) -> None:
    async with serving(app) as address, http(address) as client:
        result = (await call(client, "list_pages"))["result"]
        printed = re.findall(r"^session=(\S+)$", result["content"][0]["text"], re.MULTILINE)
        assert printed == [result["_meta"]["tabmux/session"]]
        assert result["structuredContent"] == {
            "session": printed[0],
            "text": result["content"][0]["text"],
        }
        session = app.find(printed[0])
        assert session is not None
        await session.close()


async def test_a_batch_that_begins_with_a_navigation_opens_a_session(app: App, site: Site) -> None:
    async with serving(app) as address, http(address) as client:
        first = {"tool": "navigate_page", "arguments": {"url": site.page("<title>B</title>")}}
        second = {"tool": "take_snapshot", "arguments": {}}
        good = await call(client, "batch", steps=[first, second])
        assert 'RootWebArea "B"' in text(good)
        bad = await call(client, "batch", steps=[second])
        assert bad["result"]["_meta"]["code"] == "session_required"
        session = app.find(good["result"]["_meta"]["tabmux/session"])
        assert session is not None
        await session.close()


async def test_a_name_that_is_none_is_refused(app: App) -> None:
    async with serving(app) as address, http(address, "?session=a%20b") as client:
        answer = await client.initialize()
        assert answer.status_code == 400
        assert "64 letters" in answer.text
