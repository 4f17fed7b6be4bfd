"""Where pages go, and what is said when they cannot."""

from __future__ import annotations

import re
import socket

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side


def closed_port() -> int:
    """A port where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@behaviour(20)
async def going_back_forward_and_reloading_is_said(side: Side) -> Facts:
    first, second = side.site.page("<title>One</title>"), side.site.page("<title>Two</title>")
    there = await side.goto(first)
    await side.goto(second)
    back = await side.call("navigate_page", type="back")
    title = await side.value("document.title")
    forward = await side.call("navigate_page", type="forward")
    again = await side.call("navigate_page", type="reload")
    return {
        "there": f"Successfully navigated to {first}" in there.text,
        "back": f"Successfully navigated back to {first}" in back.text,
        "title": title,
        "forward": f"Successfully navigated forward to {second}" in forward.text,
        "again": "Successfully reloaded the page" in again.text,
        "now": await side.value("document.title"),
    }


@behaviour(20)
async def a_reload_runs_the_page_anew(side: Side) -> Facts:
    await side.open("<script>window.made = Math.random()</script>")
    before = await side.value("window.made")
    await side.call("navigate_page", type="reload", ignoreCache=True)
    return {"anew": before != await side.value("window.made")}


@behaviour(20)
async def nowhere_to_go_is_refused(side: Side) -> Facts:
    nothing = await side.call("navigate_page")
    no_url = await side.call("navigate_page", type="url")
    return {"nothing": nothing.failed, "no url": no_url.failed}


@behaviour(21, failed="failures-are-flagged")
async def no_history_is_said(side: Side) -> Facts:
    await side.open("<title>End</title>")
    answer = await side.call("navigate_page", type="forward")
    return {"failed": answer.failed, "title": await side.value("document.title")}


@behaviour(22, failed="failures-are-flagged")
async def a_closed_port_is_said(side: Side) -> Facts:
    answer = await side.goto(f"http://127.0.0.1:{closed_port()}/")
    return {"failed": answer.failed, **answer.says("ERR_CONNECTION_REFUSED")}


@behaviour(22, left="failed-new-page-closes")
async def a_new_page_that_cannot_load_fails(side: Side) -> Facts:
    before = set(re.findall(r"^\d+(?=: )", (await side.call("list_pages")).text, re.MULTILINE))
    answer = await side.call("new_page", url=f"http://127.0.0.1:{closed_port()}/")
    after = set(re.findall(r"^\d+(?=: )", (await side.call("list_pages")).text, re.MULTILINE))
    for page in after - before:
        await side.call("close_page", pageId=int(page))
    return {
        "failed": answer.failed,
        "left": len(after - before),
        **answer.says("ERR_CONNECTION_REFUSED"),
    }


@behaviour(23, failed="failures-are-flagged")
async def a_navigation_ends_with_its_timeout(side: Side) -> Facts:
    page = await side.new_page(side.site.page("<title>Waits</title>"))
    answer = await side.call("navigate_page", pageId=page, url=side.site.silent(), timeout=600)
    await side.call("close_page", pageId=page)
    return {
        "failed": answer.failed,
        "in time": answer.seconds < 10,
        **answer.says("600 ?ms|0.6 s|timeout|did not"),
    }


@behaviour(24)
async def a_malformed_address_is_refused(side: Side) -> Facts:
    answer = await side.goto("notaurl")
    return {"failed": answer.failed, **answer.says("notaurl")}


@behaviour(25)
async def the_browsers_own_pages_are_refused(side: Side) -> Facts:
    answer = await side.goto("chrome://settings")
    return {"failed": answer.failed, **answer.says("chrome: URLs is not allowed")}


@behaviour(26)
async def an_init_script_runs_first_and_once(side: Side) -> Facts:
    url = side.site.page("<script>window.seen = window.early</script>")
    await side.call("navigate_page", url=url, initScript="window.early = 7")
    first = await side.value("window.seen")
    await side.call("navigate_page", type="reload")
    return {"first": first, "then": await side.value("String(window.early)")}


@behaviour(27)
async def a_page_that_wants_to_stay_is_left_or_kept(side: Side) -> Facts:
    asks = "<title>Asks</title><button>Touch</button><script>onbeforeunload = e => { e.preventDefault(); return 'x'; }</script>"
    await side.open(asks)
    await side.act("click", 'button "Touch"')
    target = side.site.page("<title>Away</title>")
    stay = await side.call("navigate_page", url=target, handleBeforeUnload="dismiss")
    stayed = await side.value("document.title")
    leave = await side.call("navigate_page", url=target, handleBeforeUnload="accept")
    return {
        "stayed": stayed,
        "left": await side.value("document.title"),
        **stay.says("dismissed"),
        **leave.says("accepted"),
    }


@behaviour(28)
async def an_http_error_is_a_page_like_any_other(side: Side) -> Facts:
    answer = await side.goto(f"{side.site.origin}/nowhere")
    return {
        "failed": answer.failed,
        "text": await side.value("document.body.innerText"),
        **answer.says("navigated to"),
    }
