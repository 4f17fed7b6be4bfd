from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler

import pytest

from tabmux.cdp.channel import Params
from tests.agent import Agent
from tests.ports import free_port


async def test_navigation_reports_address_and_title(agent: Agent) -> None:
    url = agent.site.page("<title>Hello</title>")
    assert await agent("navigate_page", url=url) == (f'Successfully navigated to {url} ("Hello").')


@pytest.mark.parametrize(
    "html",
    [
        "<title>Early</title><script>onload = () => { document.title = 'Late' }</script>",
        "<title>Early</title><body onload=\"document.title = 'Late'\">",
        "<title>Late</title><form name=title></form>",
        "<title>Late</title><script>window.tabmuxArrived = () => { throw 1 }</script>",
        "<title>Late</title><script>onload = e => e.stopImmediatePropagation()</script>",
    ],
)
async def test_title_is_the_one_after_loading(agent: Agent, html: str) -> None:
    assert '("Late")' in await agent("navigate_page", url=agent.site.page(html))


@pytest.mark.parametrize(("times", "arrives"), [(1, True), (2, False)])
async def test_navigation_that_chrome_calls_off_by_itself_is_asked_for_once_more(
    agent: Agent, times: int, arrives: bool
) -> None:
    """As happens when its network process has died: nobody has answered."""
    await agent.open("<title>Before</title>")
    channel = next(iter(agent.session.pages.values())).attached_page.channel
    dropped: list[str] = []

    def drop(paused: Params) -> None:
        answer = {"requestId": paused["requestId"]}
        # Chrome may be fetching the icon of the page before.
        if paused["resourceType"] == "Document" and len(dropped) < times:
            dropped.append(paused["request"]["url"])
            channel.send("Fetch.failRequest", {**answer, "errorReason": "Aborted"})
        else:
            channel.send("Fetch.continueRequest", answer)

    stop = channel.on("Fetch.requestPaused", drop)
    await channel.call("Fetch.enable")
    reply = await agent.reply("navigate_page", url=agent.site.page("<title>There</title>"))
    await channel.call("Fetch.disable")
    stop()
    assert ('("There")' in reply.text, len(dropped)) == (arrives, times)


async def test_page_that_computes_while_it_leaves_by_itself_is_said_to_be_lost(
    agent: Agent,
) -> None:
    """Chrome lets nothing through to it any more; the tab can be closed, and another opened."""
    to = agent.site.page("<title>Own way</title>")
    await agent.open("<title>Busy</title>")
    script = f"() => {{ setTimeout(() => {{ location.href = '{to}'; for (;;); }}) }}"
    await agent("evaluate_script", function=script)
    url = agent.site.page("<title>There</title>")
    code, text = await agent.fails("navigate_page", url=url, timeout=500)
    assert (code, "open the address with new_page" in text) == ("deadline", True), text
    await agent("new_page", url=url)
    assert '"There"' in await agent("take_snapshot")
    await agent("close_page", pageId=next(iter(agent.session.pages)))


async def test_page_that_answers_without_a_document_is_asked_for_once(agent: Agent) -> None:
    asked: list[str] = []

    def nothing(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        handler.send_response(204)
        handler.end_headers()

    code, text = await agent.fails("navigate_page", url=agent.site.route(nothing))
    assert (code, len(asked)) == ("navigation_failed", 1)
    assert "has no page: the server answered 204" in text


async def test_error_with_which_a_server_sends_a_page_is_told_once(agent: Agent) -> None:
    missing = f"{agent.site.origin}/missing"
    assert "The server answered 404." in await agent("navigate_page", url=missing)
    assert "The server answered 404." in await agent("navigate_page", type="reload")
    assert "The server answered 404." in await agent("new_page", url=missing)
    await agent("close_page")
    link = agent.site.page(f"<a href='{missing}'>Go</a>")
    assert "The server answered" not in await agent("navigate_page", url=link)
    text = await agent("click", uid='link "Go"')
    assert "/missing. The server answered 404." in text
    moved = await agent("evaluate_script", function="() => history.pushState({}, '', '/spa')")
    assert "/spa." in moved
    assert "The server answered" not in moved


async def test_failure_to_load_says_what_to_do(agent: Agent) -> None:
    def ask(handler: BaseHTTPRequestHandler) -> None:
        is_known = handler.headers.get("Authorization") == "Basic YWRhOmxvdmU="
        handler.send_response(200 if is_known else 401)
        handler.send_header("WWW-Authenticate", 'Basic realm="Site"')
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    url = agent.site.route(ask)
    _, text = await agent.fails("navigate_page", url=url)
    assert "The server asks for a name and a password" in text
    await agent("navigate_page", url=url.replace("http://", "http://ada:love@"))
    _, text = await agent.fails("navigate_page", url=f"http://127.0.0.1:{free_port()}/")
    assert "Nothing listens at that port" in text
    _, text = await agent.fails("navigate_page", url=url.replace("http://", "https://"))
    assert "speaks no TLS" in text


async def test_document_that_comes_back_has_its_title(agent: Agent) -> None:
    one, two = (agent.site.page(f"<title>{name}</title>") for name in ("One", "Two"))
    await agent("navigate_page", url=one)
    await agent("navigate_page", url=two)
    assert '("One")' in await agent("navigate_page", type="back")


async def test_pages_cannot_call_what_tells_their_title(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page("<title>Honest</title>"))
    assert await agent.value("typeof tabmuxArrived") == '"undefined"'


async def test_back_forward_and_reload(agent: Agent) -> None:
    one, two = (agent.site.page(f"<title>{name}</title>") for name in ("One", "Two"))
    await agent("navigate_page", url=one)
    await agent("navigate_page", url=two)
    assert one in await agent("navigate_page", type="back")
    assert two in await agent("navigate_page", type="forward")
    await agent.value("window.mark = 1")
    assert "reloaded" in await agent("navigate_page", type="reload")
    assert await agent.value("window.mark === undefined") == "true"
    assert (await agent.fails("navigate_page", type="forward"))[0] == "navigation_failed"


async def test_back_within_one_document(agent: Agent) -> None:
    url = agent.site.page("<title>One</title>")
    await agent("navigate_page", url=url)
    await agent.value("history.pushState({}, '', '#next')")
    assert url in await agent("navigate_page", type="back")


async def test_script_navigation_is_reported(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page("x"))
    text = await agent("evaluate_script", function="() => history.pushState({}, '', '/spa')")
    assert "Page navigated to" in text
    assert "/spa" in text


async def test_server_that_never_answers_ends_at_the_timeout(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page("<title>Before</title>"))
    started = time.monotonic()
    code, text = await agent.fails("navigate_page", url=agent.site.silent(), timeout=500)
    assert code == "deadline"
    assert "timeout" in text
    assert time.monotonic() - started < 8
    assert await agent.value("document.title") == '"Before"'


async def test_page_that_never_finishes_loading_is_usable(agent: Agent) -> None:
    html = f"<title>There</title><img src='{agent.site.silent()}'><button>Go</button>"
    text = await agent("navigate_page", url=agent.site.page(html), timeout=20_000)
    assert "still loading" in text
    assert 'button "Go"' in await agent("take_snapshot")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://127.0.0.1:1/", "navigation_failed"),
        ("notaurl", "bad_arguments"),
        ("http://", "bad_arguments"),
        ("http://[::bad/", "bad_arguments"),
        ("chrome://version", "refused_by_policy"),
        ("file:///etc/hostname", "refused_by_policy"),
        ("view-source:http://127.0.0.1/", "refused_by_policy"),
        ("javascript:alert(1)", "refused_by_policy"),
        (" JavaScript:alert(1)", "refused_by_policy"),
    ],
)
async def test_address_that_cannot_be_visited_is_an_error(
    agent: Agent, url: str, code: str
) -> None:
    assert (await agent.fails("navigate_page", url=url))[0] == code


async def test_missing_page_is_still_a_page(agent: Agent) -> None:
    await agent("navigate_page", url=f"{agent.site.origin}/nowhere")
    assert '"not found"' in await agent("take_snapshot")


async def test_init_script_runs_before_the_pages_own_for_one_navigation(agent: Agent) -> None:
    url = agent.site.page("<script>document.title = window.early ?? 'none'</script>")
    await agent("navigate_page", url=url, initScript="window.early = 'yes'")
    assert await agent.value("document.title") == '"yes"'
    await agent("navigate_page", type="reload")
    assert await agent.value("document.title") == '"none"'


@pytest.mark.parametrize("leave", [True, False])
async def test_page_that_asks_before_leaving(agent: Agent, leave: bool) -> None:
    await agent.open(
        "<title>Stay</title><input><script>onbeforeunload = e => e.preventDefault()</script>"
    )
    await agent("click", uid=agent.uid("textbox"))
    there = agent.site.page("<title>There</title>")
    started = time.monotonic()
    text = await agent(
        "navigate_page", url=there, handleBeforeUnload="accept" if leave else "dismiss"
    )
    assert time.monotonic() - started < 8
    assert ("Accepted" if leave else "Dismissed") in text
    assert await agent.value("document.title") == ('"There"' if leave else '"Stay"')
    await agent.value("window.onbeforeunload = null")


async def test_neither_url_nor_type_is_refused(agent: Agent) -> None:
    assert (await agent.fails("navigate_page"))[0] == "bad_arguments"
