from __future__ import annotations

import asyncio

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.site import Site


async def test_first_page_call_opens_a_page_of_the_sessions_own(agent: Agent) -> None:
    assert "[selected]" not in await agent("list_pages")
    await agent("take_snapshot")
    assert "about:blank [selected]" in await agent("list_pages")


async def test_new_page_is_loaded_listed_and_selected(agent: Agent) -> None:
    url = agent.site.page("<title>Hello</title>")
    text = await agent("new_page", url=url)
    assert f"Hello ({url}) [selected]" in text


async def test_new_page_that_cannot_load_leaves_nothing_behind(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("<title>First</title>"))
    before = await agent("list_pages")
    code, _ = await agent.fails("new_page", url="http://127.0.0.1:1/")
    assert code == "navigation_failed"
    assert await agent("list_pages") == before


async def test_isolated_contexts_share_nothing_and_are_reused_by_name(agent: Agent) -> None:
    url = agent.site.page("x")
    await agent("new_page", url=url, isolatedContext="one")
    await agent.value("document.cookie = 'who=one'")
    text = await agent("new_page", url=url, isolatedContext="two")
    assert "isolatedContext=two" in text
    assert await agent.value("document.cookie") == '""'
    await agent("new_page", url=url, isolatedContext="one")
    assert await agent.value("document.cookie") == '"who=one"'


async def test_select_page_changes_what_later_calls_mean(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("<title>One</title>"))
    first = max(agent.session.pages)
    await agent("new_page", url=agent.site.page("<title>Two</title>"))
    await agent("select_page", pageId=first)
    assert await agent.value("document.title") == '"One"'


async def test_page_id_reaches_a_page_without_selecting_it(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("<title>One</title>"))
    first = max(agent.session.pages)
    await agent("new_page", url=agent.site.page("<title>Two</title>"))
    text = await agent("evaluate_script", pageId=first, function="() => document.title")
    assert '"One"' in text
    assert await agent.value("document.title") == '"Two"'


async def test_closing_the_selected_page_selects_another(agent: Agent) -> None:
    await agent("new_page", url="about:blank")
    first = max(agent.session.pages)
    await agent("new_page", url="about:blank")
    second = max(agent.session.pages)
    text = await agent("close_page", pageId=second)
    assert f"Page {first} is now selected." in text
    assert (await agent.fails("select_page", pageId=second))[0] == "no_such_page"


async def test_page_of_another_session_is_refused_and_not_listed(
    app: App, site: Site, agent: Agent
) -> None:
    async with Agent.joined(app, site) as other:
        await other.open("<title>Private</title><button>Go</button>")
        theirs = max(other.session.pages)
        for tool in ("take_snapshot", "close_page", "select_page"):
            assert (await agent.fails(tool, pageId=theirs))[0] == "owned_by_other_session"
        assert "Private" not in await agent("list_pages")
        code, _ = await agent.fails("click", uid=other.uid("button"))
        assert code == "owned_by_other_session"


async def test_uid_and_page_id_must_agree(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page("<button>Go</button>"))
    await agent("take_snapshot")
    await agent("new_page", url="about:blank")
    other = max(agent.session.pages)
    code, _ = await agent.fails("click", uid=agent.uid("button"), pageId=other)
    assert code == "wrong_page"
    await agent("click", uid=agent.uid("button"))


async def test_users_own_tab_is_untouched_until_it_is_selected(app: App, agent: Agent) -> None:
    await agent("list_pages")
    browser = app.usual_view.all()[0]
    page = await browser.new_page()
    assert f"{page.id}: about:blank [not attached]" in await agent("list_pages")
    assert (await agent.fails("take_snapshot", pageId=page.id))[0] == "not_attached"
    assert page.page is None
    await agent("select_page", pageId=page.id)
    await agent("take_snapshot")
    await agent.session.close()
    assert not page.gone
    await browser.close_page(page)


async def test_closing_a_session_closes_the_pages_made_for_it(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as agent:
        await agent("new_page", url="about:blank")
        await agent("new_page", url="about:blank")
        pages = list(agent.session.pages.values())
    assert [page.gone for page in pages] == [True, True]


async def test_selected_page_is_closed_where_none_is_named(agent: Agent) -> None:
    assert (await agent.fails("close_page"))[0] == "no_such_page"
    await agent("new_page", url=agent.site.page("<title>First</title>"))
    await agent("new_page", url=agent.site.page("<title>Second</title>"))
    text = await agent("close_page")
    assert "First" in text
    assert "Second" not in text


async def test_popup_whose_server_does_not_answer_says_so_at_once(agent: Agent) -> None:
    silent = agent.site.silent()
    await agent.open(f"<button onclick=\"window.open('{silent}')\">Go</button>")
    await agent("click", uid=agent.uid("button"))
    popup = max(agent.session.pages)
    async with asyncio.timeout(AT_ONCE):
        for tool in ("take_screenshot", "take_snapshot"):
            code, text = await agent.fails(tool, pageId=popup)
            assert code == "page_trouble"
            assert "the server of its address has not answered" in text
    await agent("close_page", pageId=popup)
