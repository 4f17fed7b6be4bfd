"""Pages: listed, opened, selected, closed."""

from __future__ import annotations

import asyncio
import re
import time

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Answer, Side


def lines(answer: Answer, *urls: str) -> list[str]:
    """The lines of a page list that show these URLs, without ids and addresses."""
    found = [line for line in answer.text.splitlines() if re.match(r"\d+: ", line)]
    shown = [line.partition(": ")[2] for line in found if any(url in line for url in urls)]
    return [re.sub(r"http://[^\s)]+", "URL", line) for line in shown]


@behaviour(10)
async def pages_are_listed_with_title_and_address(side: Side) -> Facts:
    short = side.site.page("<title>Short title</title>")
    long = side.site.page(f"<title>{'A long title ' * 8}</title>")
    none = side.site.page("<p>no title</p>")
    ids = [await side.new_page(url) for url in (short, long, none)]
    listed = lines(await side.call("list_pages"), short, long, none)
    for ident in ids:
        await side.call("close_page", pageId=ident)
    return {"lines": [line.replace(" [selected]", "") for line in listed]}


@behaviour(11)
async def a_new_page_is_selected_and_listed(side: Side) -> Facts:
    url = side.site.page("<title>New</title>")
    answer = await side.call("new_page", url=url)
    await side.call("close_page", pageId=side.page_id(answer, url))
    return {"line": lines(answer, url), "failed": answer.failed}


@behaviour(12)
async def a_background_page_works_like_any_other(side: Side) -> Facts:
    url = side.site.page("<title>Behind</title><button onclick='document.title=1'>Go</button>")
    ident = await side.new_page(url, background=True)
    await side.call("take_snapshot", pageId=ident)
    clicked = await side.call("click", pageId=ident, uid=side.uid('button "Go"'))
    title = await side.call("evaluate_script", pageId=ident, function="() => document.title")
    await side.call("close_page", pageId=ident)
    return {"clicked": clicked.failed, **title.says('"1"')}


@behaviour(13)
async def isolated_contexts_share_cookies_only_by_name(side: Side) -> Facts:
    url = side.site.page("<title>Jar</title>")
    facts: dict[str, object] = {}
    ids = {}
    for number, name in enumerate(("jar", "jar", "other")):
        answer = await side.call("new_page", url=f"{url}?{number}", isolatedContext=name)
        ids[number] = side.page_id(answer, f"{url}?{number}")
        facts[f"label {number}"] = f"isolatedContext={name}" in answer.text
    await side.call(
        "evaluate_script", pageId=ids[0], function="() => { document.cookie = 'a=1'; return 1; }"
    )
    for number, ident in ids.items():
        cookie = await side.call("evaluate_script", pageId=ident, function="() => document.cookie")
        facts[f"cookie {number}"] = "a=1" in cookie.text
    facts["own"] = "a=1" in str(await side.value("document.cookie"))
    for ident in ids.values():
        await side.call("close_page", pageId=ident)
    return facts


@behaviour(14)
async def closing_the_selected_page_selects_another(side: Side) -> Facts:
    ident = await side.new_page(side.site.page("<title>Shortlived</title>"))
    answer = await side.call("close_page", pageId=ident)
    gone = f"\n{ident}: " not in answer.text
    return {"failed": answer.failed, "gone": gone, **answer.says(r"page \d+ is now selected")}


@behaviour(15, failed="failures-are-flagged")
async def the_last_page_is_not_closed(side: Side) -> Facts:
    blank = await side.call("list_pages")
    found = re.search(r"^(\d+): about:blank", blank.text, re.MULTILINE)
    assert found, blank.text
    await side.call("select_page", pageId=int(found[1]))
    await side.call("close_page", pageId=side.page)
    answer = await side.call("close_page", pageId=int(found[1]))
    after = await side.call("list_pages")
    side.page = await side.new_page(side.site.page("<title>Home</title>"))
    return {
        "failed": answer.failed,
        "left": after.count(r"^\d+: "),
        **answer.says("last open page cannot be closed"),
    }


@behaviour(16)
async def an_unknown_page_is_refused(side: Side) -> Facts:
    answers = [
        await side.call(tool, pageId=987654, **more)
        for tool, more in (
            ("take_snapshot", {}),
            ("select_page", {}),
            ("close_page", {}),
            ("press_key", {"key": "a"}),
        )
    ]
    return {"failed": [answer.failed for answer in answers]}


@behaviour(17)
async def a_popup_is_reported_and_not_selected(side: Side) -> Facts:
    target = side.site.page("<title>Popped</title>")
    await side.open(f"<title>Opener</title><a href='{target}' target=_blank>Open</a>")
    answer = await side.act("click", 'link "Open"')
    listed = await side.call("list_pages")
    popup = side.page_id(listed, target)
    selected = re.search(rf"^{popup}: .*\[selected\]", listed.text, re.MULTILINE) is not None
    await side.call("close_page", pageId=popup)
    listed_there = len(lines(answer, target))
    return {"selected": selected, "listed": listed_there, **answer.says("## Opened pages")}


@behaviour(19)
async def a_page_that_closes_itself_leaves_the_list(side: Side) -> Facts:
    target = side.site.page("<title>Closes</title><button onclick='window.close()'>Bye</button>")
    await side.open(f"<button onclick=\"window.open('{target}')\">Open</button>")
    await side.act("click", 'button "Open"')
    popup = side.page_id(await side.call("list_pages"), target)
    await side.call("wait_for", pageId=popup, text=["Bye"])
    await side.call("take_snapshot", pageId=popup)
    await side.call("click", pageId=popup, uid=side.uid('button "Bye"'))
    end = time.monotonic() + 15
    listed = True
    while listed and time.monotonic() < end:
        listed = target in (await side.call("list_pages")).text
    after = await side.call("take_snapshot", pageId=popup)
    return {"listed": listed, "failed": after.failed}


@behaviour(100, parallel="pages-in-parallel")
async def calls_on_two_pages_run_at_once(side: Side) -> Facts:
    other = await side.new_page(side.site.page("<title>Other</title>"))
    wait = "() => new Promise(done => setTimeout(() => done(1), 4000))"
    began = time.monotonic()
    answers = await asyncio.gather(
        *(
            side.call("evaluate_script", pageId=page, function=wait, waitForStableDom=False)
            for page in (side.page, other)
        )
    )
    seconds = time.monotonic() - began
    await side.call("close_page", pageId=other)
    return {"failed": [each.failed for each in answers], "parallel": seconds < 7.9}
