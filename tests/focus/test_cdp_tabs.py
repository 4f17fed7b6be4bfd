"""The focus toolset through MCP against Chromium, with every notification counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.daemon.browser_specs import launch_spec
from tabmux.errors import HumanInControl
from tabmux.focus.cdp_tabs import CdpTabs
from tabmux.page.page import Page
from tabmux.sessions import handover
from tabmux.settings import Settings
from tests.chromium import Chromium, chromium
from tests.client_rules import broken_rules
from tests.focus.counting_client import CountingClient, counting
from tests.secrets.canaries import Canaries, secret_table
from tests.serving import running
from tests.site import Site

CORE = ["list_tabs", "open_tab", "focus_tab", "close_tab"]
# What a login page may cost a client, all told.
LONGEST_LIST = 3_200
FOCUS = Settings(toolset="focus", headless=True, isolated=True, bridge_port=0)


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@asynccontextmanager
async def joined(settings: Settings) -> AsyncIterator[tuple[CountingClient, App]]:
    async with running(settings, bridged=False) as app, counting(app) as client:
        yield client, app


@pytest.fixture
async def both(browser: Chromium) -> AsyncIterator[tuple[CountingClient, App]]:
    async with joined(replace(FOCUS, browser_url=(browser.url,))) as both:
        yield both


def page_of(app: App, tab: int) -> Page:
    page = app.browsers.find_page(tab)
    assert page is not None
    return page.attached_page


async def opened(client: CountingClient, url: str, **more: Any) -> int:
    ident = (await client.json("open_tab", url=url, **more))["tab"]["id"]
    assert isinstance(ident, int)
    return ident


def form(name: str) -> str:
    return f"<title>{name}</title><form><label>{name} <input name=q></label><button>{name}</button></form>"


async def test_launch_walks_the_diagram_from_no_browser_to_no_tabs(site: Site) -> None:
    async with joined(FOCUS) as (client, _):
        assert await client.tools() == ["connect_browser"]
        assert await client.fails("connect_browser") == "browser_unreachable"
        assert client.news() == 0

        answer = await client.json("connect_browser", launch=True)
        assert answer["connected"] is True
        assert answer["browser"]["name"] == "Chrome"
        assert answer["tabCount"] == 0
        assert client.news() == 1
        assert client.came_before_the_answer()
        assert await client.tools() == ["list_tabs", "open_tab"]
        assert await client.json("list_tabs") == {"tabs": [], "focusedTabId": None}

        tab = await opened(client, site.page(form("Subscribe")))
        assert client.news() == 1
        assert client.came_before_the_answer()
        names = await client.tools()
        assert names[:4] == CORE
        assert len(names) > 4

        assert await client.json("close_tab") == {"closed": True, "tabId": tab}
        assert client.news() == 1
        assert await client.tools() == ["list_tabs", "open_tab"]


async def test_repository_is_starred(site: Site) -> None:
    html = """<title>claude-code</title><main><h1>claude-code</h1>
      <button onclick="this.textContent = 'Unstar'; stars.textContent = 1">Star</button>
      <button>Fork</button><span id=stars>0</span></main>"""
    async with joined(FOCUS) as (client, _):
        await client.json("connect_browser", launch=True)
        answer = await client.json("open_tab", url=site.page(html))
        (star,) = [name for name in answer["toolsAvailable"] if name.startswith("star")]
        client.news()
        assert (await client.text(star)).startswith("done")
        assert client.news() == 1
        assert "1" in await client.text("get_page_content")


async def test_page_that_a_page_tool_gives_a_secret_is_known_to_have_one(
    browser: Chromium, site: Site
) -> None:
    Canaries().keep()
    secret = (secret_table(site.origin),)
    html = (
        "<form onsubmit='return false'><label>Password <input type=password></label><button>Log in"
    )
    settings = replace(FOCUS, browser_url=(browser.url,), secret=secret)
    async with joined(settings) as (client, app):
        await client.json("connect_browser")
        answer = await client.json("open_tab", url=site.page(html))
        name = next(each for each in answer["toolsAvailable"] if each not in CORE)
        handle = page_of(app, answer["tab"]["id"]).handle
        assert not handle.had_secret
        await client.text(name, password="$secret:shop.password")
        assert handle.had_secret


async def test_two_tabs_are_compared(both: tuple[CountingClient, App], site: Site) -> None:
    client, _ = both
    await client.json("connect_browser")
    results = []
    for price in ("$450", "$520"):
        html = f"<title>{price}</title><script>go = () => document.body.append('{price}')</script>"
        url = site.page(html + "<form onsubmit='go();return false'><input name=q aria-label='From'>"
                        "<button>Search flights</button></form>")  # fmt: skip
        await opened(client, url, focus=False)
    client.news()
    tabs = {t["title"]: t for t in (await client.json("list_tabs"))["tabs"]}
    for price in ("$450", "$520"):
        tab = tabs[price]
        assert tab["toolCount"] > 0
        focused = await client.json("focus_tab", tabId=tab["id"])
        assert focused["success"] is True
        assert client.news() == 1
        name = next(n for n in focused["toolsAvailable"] if "flight" in n or n.startswith("search"))
        await client.text(name, query="SFO")
        results.append(price in await client.text("get_page_content"))
    assert results == [True, True]


async def test_tab_that_is_opened_without_focus_is_only_listed(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, _ = both
    await client.json("connect_browser")
    client.news()
    tab = await opened(client, site.page(form("Subscribe")), focus=False)
    assert client.news() == 0
    answer = await client.json("list_tabs")
    (listed,) = [each for each in answer["tabs"] if each["id"] == tab]
    assert listed["title"] == "Subscribe"
    assert listed["focused"] is False
    assert listed["toolCount"] >= 1
    assert answer["focusedTabId"] is None


async def test_a_tab_of_another_session_is_neither_listed_nor_taken(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, app = both
    await client.json("connect_browser")
    tab = await opened(client, site.page(form("Subscribe")))
    async with counting(app) as other:
        await other.json("connect_browser")
        seen = [each["id"] for each in (await other.json("list_tabs"))["tabs"]]
        assert tab not in seen
        await opened(other, site.page(form("Search")))
        assert await other.fails("focus_tab", tabId=tab) == "owned_by_other_session"
        assert await other.fails("close_tab", tabId=tab) == "owned_by_other_session"


async def test_user_opens_and_closes_tabs(both: tuple[CountingClient, App], site: Site) -> None:
    client, app = both
    await client.json("connect_browser")
    tab = await opened(client, site.page(form("Subscribe")))
    client.news()
    browser = app.usual_view.all()[0]
    other = await browser.new_page()
    assert other.id in [each["id"] for each in (await client.json("list_tabs"))["tabs"]]
    assert client.news() == 0
    await browser.close_page(other)
    await browser.close_page(page_of(app, tab).handle)
    assert await client.next_news() == 1
    assert await client.tools() == ["list_tabs", "open_tab", "focus_tab"]
    assert (await client.json("list_tabs"))["focusedTabId"] is None


async def test_crashed_tab_leaves_the_list(both: tuple[CountingClient, App], site: Site) -> None:
    client, app = both
    await client.json("connect_browser")
    tab = await opened(client, site.page(form("Subscribe")))
    client.news()
    page_of(app, tab).channel.send("Page.crash")
    assert await client.next_news() == 1
    assert tab not in [each["id"] for each in (await client.json("list_tabs"))["tabs"]]


async def test_lost_browser_resets_to_disconnected(site: Site) -> None:
    async with chromium() as doomed:
        async with joined(replace(FOCUS, browser_url=(doomed.url,))) as (client, _):
            await client.json("connect_browser")
            await opened(client, site.page(form("Subscribe")))
            client.news()
            await doomed.kill()
            assert await client.next_news() == 1
            assert await client.tools() == ["connect_browser"]


async def test_navigation_tells_only_of_other_tools(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, app = both
    await client.json("connect_browser")
    url = site.page(form("Subscribe"))
    page = page_of(app, await opened(client, url))
    before = await client.tools()
    client.news()
    await page.navigation.reload()
    await app.background.idle()
    assert client.news() == 0
    assert await client.tools() == before
    await page.navigation.go(site.page(form("Delete account")))
    assert await client.next_news() == 1
    assert await client.tools() != before


async def test_change_of_the_page_by_itself_is_told_of_once(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, app = both
    await client.json("connect_browser")
    page = page_of(app, await opened(client, site.page("<title>Empty</title><main></main>")))
    client.news()
    await page.evaluation.run(
        "document.querySelector('main').innerHTML = "
        "'<form><input name=email type=email><button>Subscribe</button></form>'",
        5,
    )
    assert await client.next_news() == 1
    await app.background.idle()
    assert client.news() == 0
    await page.evaluation.run("document.querySelector('main').append('just text')", 5)
    await app.background.idle()
    assert client.news() == 0


async def test_change_inside_of_a_component_is_told_of_too(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, app = both
    await client.json("connect_browser")
    html = """<title>Component</title><div id=host></div><script>
      root = host.attachShadow({mode: "open"}); root.innerHTML = "<button>Print page</button>"</script>"""
    page = page_of(app, await opened(client, site.page(html)))
    client.news()
    await page.evaluation.run(
        "root.append(Object.assign(document.createElement('button'), {textContent: 'Export page'}))",
        5,
    )
    assert await client.next_news() == 1
    assert {"print_page", "export_page"} <= set(await client.tools())


async def test_dialog_of_a_page_becomes_its_tools(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, _ = both
    await client.json("connect_browser")
    url = site.page(
        form("Subscribe") + "<script>document.title = String(confirm('Sure?'))</script>"
    )
    answer = await client.json("open_tab", url=url)
    assert answer["toolsAvailable"] == ["accept_dialog", "dismiss_dialog"]
    client.news()
    await client.text("accept_dialog")
    assert client.news() == 1
    assert "accept_dialog" not in await client.tools()
    assert (await client.json("list_tabs"))["tabs"][-1]["title"] == "true"


async def test_user_s_switch_is_followed_where_that_is_wanted(
    browser: Chromium, site: Site
) -> None:
    settings = replace(FOCUS, browser_url=(browser.url,), follow_tabs=True)
    async with joined(settings) as (client, app):
        await client.json("connect_browser")
        first = await opened(client, site.page(form("Subscribe")))
        second = await opened(client, site.page(form("Send message")))
        client.news()
        await app.background.idle()
        await app.usual_view.all()[0].activate(page_of(app, first).handle)
        assert await client.next_news() == 1
        assert (await client.json("list_tabs"))["focusedTabId"] == first
        assert first != second


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("focus_tab", {"tabId": 99999}),
        ("close_tab", {"tabId": 99999}),
        ("open_tab", {"url": "no url"}),
        ("open_tab", {"url": "chrome://settings"}),
        ("open_tab", {"url": "http://127.0.0.1:1/"}),
    ],
)
async def test_bad_calls_change_nothing(
    both: tuple[CountingClient, App], site: Site, name: str, arguments: dict[str, Any]
) -> None:
    client, _ = both
    await client.json("connect_browser")
    await opened(client, site.page(form("Subscribe")))
    before = await client.json("list_tabs"), await client.tools()
    client.news()
    await client.fails(name, **arguments)
    assert (await client.json("list_tabs"), await client.tools()) == before
    assert client.news() == 0


def answering(
    body: Callable[[BaseHTTPRequestHandler], str],
) -> Callable[[BaseHTTPRequestHandler], None]:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        data = body(handler).encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return respond


LOGIN = """<title>Shop</title><main><h1>Log in</h1><form method=post action="%s">
  <label>Email <input type=email name=email required></label>
  <label>Password <input type=password name=password required></label>
  <label><input type=checkbox name=remember> Remember me</label>
  <button>Log in</button></form><a href="/forgot">Forgot password?</a></main>"""


async def test_login_page_costs_few_characters_and_two_calls(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, _ = both
    await client.json("connect_browser")
    welcome = site.page("<title>Welcome</title><p>Signed in</p>")
    answer = await client.json("open_tab", url=site.page(LOGIN % welcome))
    listed = await client.ask("tools/list")
    assert len(json.dumps(listed, separators=(",", ":"), ensure_ascii=False)) <= LONGEST_LIST
    assert [problem for tool in listed["tools"] for problem in broken_rules(tool)] == []
    assert "log_in" in answer["toolsAvailable"]
    text = await client.text("log_in", email="a@b.example", password="hunter2!")
    assert text.startswith("navigated")
    assert "Welcome" in text
    assert "hunter2" not in text


ORDER = """<title>Order</title><main><h1>Order</h1><form action="/order">
  <label>Email <input type=email name=email required></label>
  <label>Day <input type=date name=day></label>
  <label>Number <input type=number name=number min=1 max=9 value=2></label>
  <label>Code <input name=code pattern="(?=a)[a-z]{3}" minlength=3></label>
  <label>Size <select name=size><option>S<option selected>M</select></label>
  <label>Extras <select name=extras multiple><option>Cheese<option>Olives</select></label>
  <label>Photo <input type=file name=photo></label>
  <label>City <input name=city list=cities></label>
  <datalist id=cities><option>Bonn<option>Ulm</datalist>
  <button>Order</button></form></main>"""


async def test_tools_of_pages_are_ones_that_strict_clients_can_convert(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, _ = both
    await client.json("connect_browser")
    await client.json("open_tab", url=site.page(ORDER))
    tools = (await client.ask("tools/list"))["tools"]
    assert len(tools) > len(CORE)
    assert [problem for tool in tools for problem in broken_rules(tool)] == []


async def test_search_and_opening_of_a_result_take_three_calls(
    both: tuple[CountingClient, App], site: Site
) -> None:
    client, _ = both
    await client.json("connect_browser")
    target = site.page("<title>Second</title><h1>Second result</h1>")
    items = "".join(
        f'<li class=result><a href="{target if n == 2 else "/x"}">Result number {n}</a><p>A few words about what is behind this one, as results have.</p></li>'
        for n in range(1, 6)
    )
    results = site.page(f"<title>Results</title><main><h2>Results</h2><ul>{items}</ul></main>")
    home = f"<title>Home</title><form role=search action='{results}'><input type=search name=q aria-label='Search'><button>Search</button></form>"
    answer = await client.json("open_tab", url=site.page(home))
    (search,) = [name for name in answer["toolsAvailable"] if name.startswith("search")]
    text = await client.text(search, query="result")
    assert "2. Result number 2" in text
    (opener,) = [n for n in await client.tools() if n.startswith("open_") and n != "open_tab"]
    text = await client.text(opener, index=2)
    assert text.startswith("navigated")
    assert "Second" in text


async def test_page_tools_and_closing_wait_for_a_person_who_has_the_page(
    both: tuple[CountingClient, App], site: Site, tasks: TaskOwner
) -> None:
    client, app = both
    await client.json("connect_browser")
    tab = await opened(client, site.page("<title>Count</title><button>Add one</button>"))
    handle = page_of(app, tab).handle
    session = app.sessions.owner_of(handle)
    assert session is not None
    await handover.take_over(session, handle, "ann")
    name = next(each for each in await client.tools() if "add_one" in each)
    calling = tasks.start(client.text(name))
    closing = tasks.start(client.text("close_tab"))
    done, _ = await asyncio.wait({calling, closing}, timeout=0.5)
    assert not done
    session.steering.pause()
    await handover.hand_back(session, handle, "ann", app.services.people)
    done, _ = await asyncio.wait({calling, closing}, timeout=0.3)
    assert not done
    session.steering.resume()
    await calling
    assert '"closed": true' in await closing


async def test_calls_that_a_person_outlasts_say_so_and_leave_the_page_alone(
    browser: Chromium, site: Site, tasks: TaskOwner
) -> None:
    settings = replace(FOCUS, browser_url=(browser.url,))
    async with running(settings, bridged=False) as app:
        session, catalogs = app.open(), app.services.page_catalogs
        view, spec = session.browsers, launch_spec(settings)
        tabs = CdpTabs(session, view, catalogs, tasks, spec, call_seconds=0.2)
        assert await tabs.connect(launch=False) is not None
        tab = await tabs.open(site.page(form("Subscribe")), focus=True)
        tool = (await tabs.focus(tab.id))[0].name
        await handover.take_over(session, page_of(app, tab.id).handle, "ann")
        for work, what in ((tabs.call(tool, {}), tool), (tabs.close(tab.id), "close_tab")):
            with pytest.raises(HumanInControl, match=f"A person works on page.*{what} was not run"):
                await work
        assert not page_of(app, tab.id).gone
