"""Page tools: list, open, select and close the pages of a session."""

from __future__ import annotations

from tabmux.browsers.browser import Browser
from tabmux.browsers.extension_workers import extension_workers
from tabmux.content import Reply, quoted
from tabmux.errors import Misuse, NoSuchPage, TabmuxError, closed
from tabmux.page.handle import PageHandle
from tabmux.page.navigation import DEFAULT_SECONDS
from tabmux.page_text import address, visible_line
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import Milliseconds, Url
from tabmux.tools.pipeline.results import LONGEST_URL, PageEntry, PageListResult
from tabmux.tools.pipeline.tool import tool

TITLE_LIMIT = 50


@tool(reads=True, result=PageListResult)
async def list_pages(session: Session, browser: Browser) -> Reply:
    """List your pages, and the user's tabs that select_page can attach."""
    reply = await page_list(session, browser)
    workers = session.service_workers(browser) | await extension_workers(browser)
    seen = {name: url for name, url in workers.items() if session.urls_in(browser).shows(url)}
    if seen:
        lines = (f"{name}: {address(url)}" for name, url in seen.items())
        reply.add("## Service workers").quote("\n".join(lines))
    return reply


@tool(seconds=60, read_only=True, result=PageListResult)
async def new_page(
    session: Session,
    browser: Browser,
    url: Url,
    background: bool = True,
    isolated_context: str | None = None,
    timeout: Milliseconds = 0,
) -> Reply:
    """Open a page of your own at a URL and select it.

    Args:
        url: Address to load.
        background: Leave the front tab in front.
        isolated_context: Name of a separate set of cookies and storage.
        timeout: Milliseconds; 0 for the usual.
    """
    session.urls_in(browser).check(url)
    handle = await session.open_page(browser, background=background, context=isolated_context)
    try:
        page = await handle.attach()
        remark = ""
        if url != page.url:
            remark = await page.navigation.go(url, timeout / 1000 or DEFAULT_SECONDS)
            remark = remark or page.navigation.server_error
    except TabmuxError:
        # A page that never came to be must not stay behind as the selected one.
        await _discard(session, browser, handle.id)
        raise
    session.select(handle)
    pages = await page_list(session, browser)
    return Reply(remark, data=pages.data).add(pages.text)


@tool(repeatable=True, read_only=True, result=PageListResult)
async def select_page(session: Session, page_id: int, bring_to_front: bool = False) -> Reply:
    """Make a page the one later calls act on; a free tab is attached to you.

    Args:
        page_id: Id from list_pages.
        bring_to_front: Also show it to the user.
    """
    page = session.browsers.find_page(page_id)
    if page is None or session.owns(page) or not session.may_attach(page):
        page = session.page(page_id)
    else:
        session.adopt(page, created=False)
    browser = session.browsers.browser_of(page)
    session.select(page)
    if browser is None:
        raise Misuse(f"Page {page_id} has just gone.", code="page_gone")
    if bring_to_front:
        await browser.activate(page)
    return await page_list(session, browser)


@tool(destroys=True, read_only=True, result=PageListResult)
async def close_page(session: Session, page_id: int | None = None) -> Reply:
    """Close one of your pages, but not a browser's last tab.

    Args:
        page_id: The selected one by default.
    """
    wanted = session.selected if page_id is None else page_id
    if wanted is None:
        raise NoSuchPage("You have no page to close.", hint="Call list_pages to see what is open.")
    page = session.page(wanted)
    browser = session.browsers.browser_of(page)
    if browser is None:
        raise closed(wanted)
    if browser.is_down_to_one_tab:
        raise Misuse(
            "The last open page cannot be closed.",
            hint="Navigate it to about:blank instead.",
            code="last_page",
        )
    was_selected = session.selected == wanted
    await browser.close_page(page)
    pages = await page_list(session, browser)
    reply = Reply(data=pages.data)
    if was_selected and session.selected is not None:
        reply.add(f"Page {session.selected} is now selected.")
    return reply.add(pages.text)


async def page_list(session: Session, browser: Browser) -> Reply:
    """Show the session's pages in a browser, and the tabs that belong to nobody."""
    await browser.refresh()
    shown = [p for p in browser.visible_pages() if session.owns(p) or session.may_attach(p)]
    others = len(browser.visible_pages()) - len(shown)
    reply = Reply("## Pages")
    reply.add(quoted("\n".join(page_line(page, session) for page in shown)) or "none yet")
    if others:
        reply.add(f"({others} more {'belongs' if others == 1 else 'belong'} to other sessions)")
    entries = [page_entry(page, session) for page in shown]
    reply.data = PageListResult(pages=entries, others=others).data
    return reply


async def _discard(session: Session, browser: Browser, page_id: int) -> None:
    page = session.pages.get(page_id)
    if page is None:
        return
    if not browser.is_down_to_one_tab:
        await browser.close_page(page)


def page_entry(page: PageHandle, session: Session) -> PageEntry:
    """Return the same as data."""
    return PageEntry(
        id=page.id,
        title=page.title,
        url=page.url[:LONGEST_URL],
        selected=session.selected == page.id,
        attached=session.owns(page),
        isolated_context=page.isolated_context,
    )


def page_line(page: PageHandle, session: Session) -> str:
    """Return the line of a page list: id, title, address, and how the session stands to it."""
    title = visible_line(page.title, 2 * TITLE_LIMIT)
    if len(title) > TITLE_LIMIT:
        title = f"{title[: TITLE_LIMIT - 3]}..."
    url = address(page.url)
    line = f"{page.id}: {title} ({url})" if title else f"{page.id}: {url}"
    if session.selected == page.id:
        line += " [selected]"
    elif not session.owns(page):
        line += " [not attached]"
    if page.isolated_context is not None:
        line += f" isolatedContext={page.isolated_context}"
    return line
