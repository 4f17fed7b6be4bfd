"""The commands of a session carried out by the real extension in a real browser."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.bridge.served_bridge import ServedBridge
from tests.bridge.test_security import paired
from tests.extension.everyday_browser import EverydayBrowser
from tests.site import Site

FORM = """<title>Form</title><input id=name><select id=size><option>S<option>L</select>
<button onclick="out.textContent = `${pick('name')} ${pick('size')}`">Go</button><p id=out></p>
<script>const pick = (name) => document.getElementById(name).value;</script>"""


@pytest.fixture(scope="module")
async def both(
    tmp_path_factory: pytest.TempPathFactory, anyio_backend: str
) -> AsyncIterator[tuple[ServedBridge, EverydayBrowser]]:
    async with paired(tmp_path_factory.mktemp("everyday")) as both:
        yield both


async def command(served: ServedBridge, session: str, kind: str, **payload: Any) -> Any:
    tab = {"x_tab_id": str(payload.pop("tab"))} if "tab" in payload else {}
    body = {"type": kind, "payload": payload}
    answer = await served.post("/commands", body, x_instance_id=session, **tab)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_every_handler_of_the_extension_answers(
    both: tuple[ServedBridge, EverydayBrowser], site: Site
) -> None:
    served, _ = both
    url = site.page(FORM)
    gone = await command(served, "s1", "browser_navigate", url=url)
    tab = gone["payload"]["tabId"]
    await command(served, "s1", "browser_type", tab=tab, selector="#name", text="Ada")
    await command(served, "s1", "browser_select_option", tab=tab, selector="#size", values=["L"])
    await command(served, "s1", "browser_click", tab=tab, text="Go")
    waited = await command(served, "s1", "browser_wait", tab=tab, text="Ada L")
    read = await command(
        served, "s1", "js.execute", tab=tab, code="document.title + out.textContent"
    )
    shot = await command(served, "s1", "browser_screenshot", tab=tab)
    selected = await command(served, "s1", "tabs.select", tab=tab)
    failed = await command(served, "s1", "browser_click", tab=tab, selector="#nothing")

    assert gone["success"]
    assert waited["success"]
    assert read["payload"]["result"] == "FormAda L"
    assert base64.b64decode(shot["payload"]["data"]).startswith(b"\x89PNG")
    assert selected["payload"]["tab"]["url"] == url
    assert not failed["success"]


async def test_two_sessions_have_tabs_of_their_own(
    both: tuple[ServedBridge, EverydayBrowser], site: Site
) -> None:
    served, _ = both
    tabs = [
        (await command(served, name, "browser_navigate", url=site.page(name)))["payload"]["tabId"]
        for name in ("one", "two")
    ]

    assert tabs[0] != tabs[1]
