"""The commands of a session's own socket, done by the real extension."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import LendingServer
from tests.site import Site

Run = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def run(lent: tuple[LendingServer, EverydayBrowser]) -> AsyncIterator[Run]:
    """Send a command to the extension of one session; returns the data of its response."""
    commands = lent[0].bridge.session_sockets

    async def send(kind: str, /, **payload: Any) -> dict[str, Any]:
        data = (await commands.run("instance-1", kind, payload))["data"]
        assert isinstance(data, dict)
        return data

    yield send
    await send("tabs.close")


async def test_tab_is_opened_and_kept_for_the_session(run: Run, site: Site) -> None:
    first = await run("browser_navigate", url=site.page("<title>One</title>"))
    assert first["success"]
    assert first["title"] == "One"
    again = await run("js.execute", code="document.title")
    assert (again["result"], again["tabId"]) == ("One", first["tabId"])
    listed = await run("tabs.list")
    assert first["tabId"] in [tab["id"] for tab in listed["tabs"]]


@pytest.mark.parametrize(
    ("code", "value"),
    [("1 + 1", 2), ("return 3", 3), ("await Promise.resolve(4)", 4), ("const a = 5; return a", 5)],
)
async def test_code_is_an_expression_or_a_function_body(run: Run, code: str, value: int) -> None:
    assert (await run("js.execute", code=code))["result"] == value


async def test_page_is_operated_by_selector_and_text(run: Run, site: Site) -> None:
    html = """<input id=name><select id=size><option>S<option>M</select>
      <button onclick="done.textContent = name_.value + ' ' + size.value + ' ' + event.isTrusted">Send</button>
      <p id=done></p><script>name_ = document.querySelector('#name')</script>"""
    await run("browser_navigate", url=site.page(html))
    await run("browser_type", selector="#name", text="Ada")
    assert (await run("browser_select_option", selector="#size", values=["M"]))["selected"] == ["M"]
    await run("browser_click", text="Send")
    await run("browser_wait", text="Ada M true", timeout=3000)
    picture = await run("browser_screenshot")
    assert picture["mimeType"] == "image/png"
    assert picture["data"].startswith("iVBOR")


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("browser_click", {"selector": "#nowhere"}),
        ("browser_wait", {"selector": "#nowhere", "timeout": 10}),
        ("browser_navigate", {"url": "chrome://settings"}),
        ("js.execute", {"code": "throw new Error('broken')"}),
        ("js.execute", {"code": "1", "tabId": 1}),
        ("no.such", {}),
    ],
)
async def test_what_goes_wrong_is_said(run: Run, kind: str, payload: dict[str, Any]) -> None:
    answer = await run(kind, **payload)
    assert answer["success"] is False
    assert answer["error"]
