from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


@pytest.fixture
async def allowed(site: Site) -> AsyncIterator[Agent]:
    """An agent that may use the clipboard."""
    settings = Settings(
        launch=True,
        headless=True,
        isolated=True,
        tools="+clipboard,+contexts",
        allow_clipboard=True,
    )
    async with running(settings) as app, Agent.joined(app, site) as agent:
        yield agent


async def test_clipboard_is_written_and_read_also_in_the_background(allowed: Agent) -> None:
    await allowed.open("<textarea id=t autofocus></textarea>")
    assert "is empty" in await allowed("read_clipboard")
    assert "5 characters" in await allowed("write_clipboard", text="Words")
    await allowed("new_page", url=allowed.site.page("<p>behind</p>"), background=True)
    assert "Words" in await allowed("read_clipboard")


async def test_page_may_not_use_the_clipboard_because_the_agent_does(allowed: Agent) -> None:
    await allowed.open("<p>Page</p>")
    await allowed("write_clipboard", text="Words")
    state = "async () => (await navigator.permissions.query({name: 'clipboard-read'})).state"
    assert "granted" not in await allowed("evaluate_script", function=state)


async def test_clipboard_is_out_of_reach_unless_it_is_allowed(whole: Agent) -> None:
    await whole.open("<p>Page</p>")
    assert not {"read_clipboard", "write_clipboard"} & set(await whole.tools())
    for name, arguments in (("read_clipboard", {}), ("write_clipboard", {"text": "x"})):
        code, text = await whole.fails(name, **arguments)
        assert code == "refused_by_policy"
        assert "--allow-clipboard" in text
    code, _ = await whole.fails("grant_permissions", permissions=["clipboardReadWrite"])
    assert code == "refused_by_policy"
