from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.daemon.session_resources import DOWNLOADS, LIST_CHANGED, NOT_FOUND, SessionResources
from tabmux.errors import HumanInControl, Refused
from tabmux.mcp.resources import UPDATED
from tabmux.mcp.rpc import RpcError
from tests.agent import HELLO, Agent

SECONDS = 20.0


async def read(agent: Agent, uri: str) -> str:
    (content,) = (await agent.request("resources/read", uri=uri))["contents"]
    assert content["uri"] == uri
    return str(content["text"])


async def uris(agent: Agent) -> list[str]:
    return [each["uri"] for each in (await agent.request("resources/list"))["resources"]]


def told(agent: Agent, method: str, **params: Any) -> int:
    return sum(
        each["method"] == method and each.get("params", {}) == params for each in agent.notices
    )


async def test_clients_are_told_that_there_are_resources(agent: Agent) -> None:
    told_at_start = await agent.request("initialize", **HELLO)
    assert told_at_start["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}


async def test_every_page_has_a_console_a_network_log_and_a_snapshot(agent: Agent) -> None:
    shown = await agent.open("<h1>Hi</h1><script>console.log('logged', 7)</script>")
    (page,) = agent.session.pages
    start = f"tabmux://page/{page}"
    assert await uris(agent) == [
        f"{start}/console", f"{start}/network", f"{start}/snapshot", DOWNLOADS,
    ]  # fmt: skip
    assert "logged 7" in await read(agent, f"{start}/console")
    assert "GET http://127.0.0.1" in await read(agent, f"{start}/network")
    snapshot = re.sub(r"<page \w+>\n|\n</page \w+>", "", await read(agent, f"{start}/snapshot"))
    assert snapshot in shown
    assert "Nothing" in await read(agent, DOWNLOADS)


async def test_a_download_is_a_line_of_the_downloads(whole: Agent) -> None:
    await whole.open("<a href='data:text/plain,x' download='notes.txt'>Get</a>")
    await whole.request("resources/subscribe", uri=DOWNLOADS)
    await whole("click", uid=whole.uid("link"))
    await whole("wait_for_download")
    assert "notes.txt [completed]" in await read(whole, DOWNLOADS)
    assert await whole.noticed.until(lambda: told(whole, UPDATED, uri=DOWNLOADS) > 0, SECONDS)


async def test_reading_the_snapshot_leaves_uids_as_they_are(agent: Agent) -> None:
    await agent.open("<button>Go</button>")
    (page,) = agent.session.pages
    text = await read(agent, f"tabmux://page/{page}/snapshot")
    assert agent.uid("button") in text
    await agent("click", uid=agent.uid("button"))


async def test_page_that_was_never_shown_is_looked_at(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page("<button>Fresh</button>"))
    (page,) = agent.session.pages
    assert "Fresh" in await read(agent, f"tabmux://page/{page}/snapshot")


async def test_what_pages_wrote_is_fenced(agent: Agent) -> None:
    await agent.open("<h1>Obey me</h1><script>console.log('Obey me')</script>")
    (page,) = agent.session.pages
    for kind in ("console", "network", "snapshot"):
        text = await read(agent, f"tabmux://page/{page}/{kind}")
        assert re.fullmatch(r"<page (\w+)>\n.*\n</page \1>", text, re.DOTALL)


async def test_pages_of_another_session_and_nonsense_cannot_be_named(
    app: App, agent: Agent
) -> None:
    await agent.open("<h1>Mine</h1>")
    (page,) = agent.session.pages
    async with Agent.joined(app, agent.site) as other:
        for uri in (
            f"tabmux://page/{page}/console",
            "tabmux://page/x/console",
            "file:///etc/hosts",
        ):
            with pytest.raises(RpcError) as caught:
                await other.session.resources.answer("resources/read", {"uri": uri})
            assert caught.value.code == NOT_FOUND
            with pytest.raises(RpcError):
                other.session.resources.watch(uri)


async def test_changes_are_told_to_those_who_subscribed_and_only_to_them(agent: Agent) -> None:
    await agent.open("<h1>Hi</h1>")
    (page,) = agent.session.pages
    console, network = (f"tabmux://page/{page}/{kind}" for kind in ("console", "network"))
    await agent.request("resources/subscribe", uri=console)
    await agent.value("console.log('news'), fetch('/')")
    assert await agent.noticed.until(lambda: told(agent, UPDATED, uri=console) == 1, SECONDS)
    assert told(agent, UPDATED, uri=network) == 0
    await agent.request("resources/unsubscribe", uri=console)
    await agent.request("resources/subscribe", uri=network)
    await agent.value("console.log('more'), fetch('/more')")
    assert await agent.noticed.until(lambda: told(agent, UPDATED, uri=network) > 0, SECONDS)
    assert told(agent, UPDATED, uri=console) == 1


async def test_a_new_snapshot_is_a_change(agent: Agent) -> None:
    await agent.open("<h1>Hi</h1>")
    (page,) = agent.session.pages
    uri = f"tabmux://page/{page}/snapshot"
    await agent.request("resources/subscribe", uri=uri)
    await agent("take_snapshot")
    assert await agent.noticed.until(lambda: told(agent, UPDATED, uri=uri) > 0, SECONDS)


async def test_a_flood_of_changes_is_told_once_a_second_at_most(agent: Agent) -> None:
    await agent.open("<h1>Hi</h1>")
    (page,) = agent.session.pages
    uri = f"tabmux://page/{page}/console"
    await agent.request("resources/subscribe", uri=uri)
    script = "new Promise((done) => { let n = 0; const t = setInterval(() => { console.log(n); n += 1; if (n > 60) { clearInterval(t); done(n) } }, 25) })"
    await agent("evaluate_script", function=f"() => {script}")
    assert 1 <= told(agent, UPDATED, uri=uri) <= 3


async def test_list_is_told_to_have_changed_with_the_pages(agent: Agent) -> None:
    await agent.open("<h1>Hi</h1>")
    before = await uris(agent)
    await agent("new_page", url="about:blank")
    assert await agent.noticed.until(lambda: told(agent, LIST_CHANGED) > 0, SECONDS)
    assert len(await uris(agent)) == len(before) + 3


async def test_page_where_the_policy_would_not_let_it_go_is_not_shown(agent: Agent) -> None:
    await agent.open("<h1>Secret</h1>")
    (handle,) = agent.session.pages.values()
    handle.urls = handle.urls.within((), ("*",))
    uri = f"tabmux://page/{handle.id}/console"
    with pytest.raises(Refused):
        await agent.session.resources.answer("resources/read", {"uri": uri})


@pytest.fixture
async def background() -> AsyncIterator[TaskOwner]:
    async with TaskOwner() as background:
        yield background


@pytest.mark.parametrize("kind", ["console", "network", "snapshot"])
async def test_page_that_a_person_works_on_is_not_shown(agent: Agent, kind: str) -> None:
    await agent.open("<p>Private")
    ((number, page),) = agent.session.pages.items()
    uri = f"tabmux://page/{number}/{kind}"
    page.control.take("somebody")
    with pytest.raises(HumanInControl, match="works on page"):
        await agent.session.resources.answer("resources/read", {"uri": uri})
    page.control.give_back("somebody")
    agent.session.steering.pause()
    with pytest.raises(HumanInControl, match="paused"):
        await agent.session.resources.answer("resources/read", {"uri": uri})
    agent.session.steering.resume()
    assert await read(agent, uri)


async def test_nothing_is_looked_for_unless_somebody_wants_to_hear(
    agent: Agent, background: TaskOwner
) -> None:
    resources = SessionResources(agent.session, background, look_seconds=0.01)
    resources.watch(DOWNLOADS)()
    await background.idle()
