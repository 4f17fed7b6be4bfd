from __future__ import annotations

import asyncio
import threading
from http.server import BaseHTTPRequestHandler

import pytest

from tests.agent import Agent
from tests.site import _send

FILLED = "<script>localStorage.theme = 'dark'; localStorage.authToken = 'abc'; sessionStorage.step = '2'</script>"


async def test_storage_is_listed_read_changed_and_removed(whole: Agent) -> None:
    await whole("new_page", url=whole.site.page(FILLED), isolatedContext="storage")
    text = await whole("list_storage")
    assert text == "authToken: <3 characters; get_storage_item shows them>\ntheme: dark"
    assert await whole("get_storage_item", key="authToken") == "abc"
    assert await whole("list_storage", kind="session") == "step: 2"
    await whole("set_storage_item", key="step", value="3", kind="session")
    assert await whole.value("sessionStorage.step") == '"3"'
    assert await whole("remove_storage_item", key="theme") == "Removed theme."
    assert await whole("remove_storage_item", key="theme") == "Nothing was stored as theme."
    assert await whole.value("localStorage.theme") == "undefined"
    assert (await whole.fails("get_storage_item", key="theme"))[0] == "bad_request"


async def test_frame_of_another_origin_has_its_own(whole: Agent) -> None:
    inner = whole.site.page("<script>localStorage.inner = '1'</script>", other=True)
    await whole.open(f"<iframe src='{inner}'></iframe>")
    assert "inner: 1" in await whole("list_storage", origin=whole.site.other_origin)
    assert "inner" not in await whole("list_storage")
    code, text = await whole.fails("list_storage", origin="https://example.com")
    assert code == "bad_request"
    assert whole.site.other_origin in text


async def test_page_without_an_origin_says_so(whole: Agent) -> None:
    await whole("new_page", url="about:blank")
    assert "has no storage" in (await whole.fails("list_storage"))[1]


async def test_long_and_large_values_are_bounded(whole: Agent) -> None:
    await whole("new_page", url=whole.site.page("x"), isolatedContext="large")
    await whole("set_storage_item", key="long", value="x" * 500)
    assert await whole("list_storage") == f"long: {'x' * 100}… (500 characters)"
    text = (await whole.fails("set_storage_item", key="huge", value="x" * 6_000_000))[1]
    assert "too large" in text


@pytest.mark.parametrize("everywhere", [False, True])
async def test_clearing_clears_what_was_asked_for(whole: Agent, everywhere: bool) -> None:
    context = f"clear {everywhere}"
    await whole("new_page", url=whole.site.page(FILLED, other=True), isolatedContext=context)
    await whole("new_page", url=whole.site.page(FILLED), isolatedContext=context)
    await whole("set_cookie", name="a", value="1")
    await whole("set_cookie", name="far", value="1", domain="example.com")
    await whole("clear_storage", types=["localStorage"], allSites=everywhere)
    assert await whole.value("localStorage.length") == "0"
    assert await whole.value("sessionStorage.length") == ("0" if everywhere else "1")
    assert "a (127" in await whole("list_cookies")
    await whole("clear_storage", allSites=everywhere)
    assert await whole.value("sessionStorage.length") == "0"
    left = await whole("list_cookies", allSites=True)
    assert ("example.com" in left) is not everywhere
    assert "127.0.0.1" not in left
    await whole("navigate_page", url=whole.site.page("back", other=True))
    assert await whole.value("localStorage.length") == ("0" if everywhere else "2")


async def test_clearing_waits_for_every_call_on_the_browser(whole: Agent) -> None:
    done: list[str] = []
    arrived, released = threading.Event(), threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> None:
        arrived.set()
        released.wait(10)
        _send(handler, b"ok")

    async def call(tool: str, **arguments: object) -> None:
        await whole(tool, **arguments)
        done.append(tool)

    url = whole.site.route(answer)
    await whole("new_page", url=whole.site.page("one"), isolatedContext="alone")
    slow = whole.session.selected
    await whole("new_page", url=whole.site.page("two"), isolatedContext="alone")
    async with asyncio.TaskGroup() as group:
        fetching = f"async () => (await fetch('{url}')).status"
        group.create_task(call("evaluate_script", pageId=slow, function=fetching))
        assert await asyncio.to_thread(arrived.wait, 10)
        group.create_task(call("clear_storage"))
        group.create_task(call("take_snapshot"))
        await whole("list_browsers")
        assert done == []
        released.set()
    assert done == ["evaluate_script", "clear_storage", "take_snapshot"]


async def test_batch_cannot_contain_what_concerns_the_whole_browser(whole: Agent) -> None:
    await whole.open("x")
    reply = await whole.reply("batch", steps=[{"tool": "clear_storage"}])
    assert "no batch can contain it" in reply.text
