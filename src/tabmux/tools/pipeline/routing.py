"""Routing: which browser and page a call means, and its turn on them."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from typing import TYPE_CHECKING, Any

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.browser_view import BrowserView
from tabmux.content import CallingClient, Progress
from tabmux.errors import Misuse, Refused
from tabmux.page.handle import PageHandle
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy.header_redaction import Redaction
from tabmux.policy.policy import Policy
from tabmux.policy.url_parser import shorten_url
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.sessions.human_requests import HumanRequests
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.call import Caller, Services, ToolRun
from tabmux.tools.pipeline.queue_progress import reported_queue

if TYPE_CHECKING:
    from tabmux.page.page import Page


def check_browser(run: ToolRun) -> None:
    """Refuse a browser that does not exist, also where the call does not need it."""
    if run.route.browser is not None:
        run.session.browsers.choose(run.route.browser)


async def find_subjects(run: ToolRun, services: Services) -> dict[str, Any]:
    """Return what the tool acts on, by the names of its parameters; its page is only found."""
    shared: dict[type, Any] = {
        Session: run.session,
        BrowserView: run.session.browsers,
        AnalysisProcess: services.analysis,
        Caller: run.caller,
        Progress: run.client.progress,
        PageCatalogs: services.page_catalogs,
        Policy: run.session.policy,
        Redaction: run.session.policy.headers,
        UsableSecrets: run.secrets,
        CallingClient: run.client,
        HumanRequests: services.people,
    }
    from tabmux.page.page import Page

    subjects: dict[str, Any] = {}
    for name, kind in run.tool.subjects.items():
        if kind is Page:
            await _find_page(run, services.people)
        elif kind is Browser:
            subjects[name] = await _connected_browser(run)
        else:
            subjects[name] = shared[kind]
    return subjects


async def lock_browser(run: ToolRun, locks: AsyncExitStack) -> None:
    """Let a run that concerns the whole browser be alone on it."""
    exclusive = run.tool.exclusive
    if exclusive and run.nested:
        raise Misuse(
            f"{run.tool.name} concerns the whole browser, so no batch can contain it.",
            hint="Call it by itself.",
        )
    if run.browser is not None and run.tool.turn and not run.nested:
        lock = run.browser.lock
        await locks.enter_async_context(lock.exclusive() if exclusive else lock.shared())


async def lock_page(run: ToolRun, locks: AsyncExitStack) -> None:
    """Wait for the run's turn on its page."""
    if run.handle is not None and run.tool.turn and not run.nested:
        await locks.enter_async_context(run.handle.lock)


async def attach_page(run: ToolRun) -> dict[str, Page]:
    """Attach to the run's page, and see that it can be used.

    Returns the page, by the name of the tool's parameter for it.
    """
    if run.handle is None:
        return {}
    from tabmux.page.page import Page

    page = run.page = await run.handle.attach()
    refuse_forbidden_page(run)
    if not run.tool.over_dialog:
        page.dialogs.refuse_if_open()
    return {name: page for name, kind in run.tool.subjects.items() if kind is Page}


def while_page_is_open(run: ToolRun) -> AbstractAsyncContextManager[None]:
    """End a run when its page closes; what was collected of a page can be read all the same."""
    return run.page.while_open() if run.page is not None and run.tool.turn else nullcontext()


def refuse_forbidden_page(run: ToolRun) -> None:
    """Show and touch nothing of a page that is where the policy would not let it go."""
    page = run.handle
    if page is None or run.tool.anywhere or page.urls.shows(page.url):
        return
    limit = page.urls.limit_against(page.url)
    why = f": {limit.source} is against it" if limit is not None else ""
    raise Refused(
        f"Page {page.id} is at {shorten_url(page.url)}, which the policy does not allow{why}.",
        hint="Go to another address with navigate_page.",
        rule=limit.source if limit is not None else None,
    )


async def _connected_browser(run: ToolRun) -> Browser:
    browsers = run.session.browsers
    browser = run.browser = browsers.choose(run.route.browser)
    if browser.state is not BrowserState.CONNECTED and browser.queue_seconds:
        async with reported_queue(run, browser):
            return await browsers.ensure_connected(browser)
    return await browsers.ensure_connected(browser)


async def _find_page(run: ToolRun, people: HumanRequests) -> None:
    """Find the page that the call names, that its elements are in, or the selected one."""
    named = {page.id: page for page in run.route.pages}
    for ident in (run.route.page_id, _asked_about(run, people)):
        if ident is not None:
            named[ident] = run.session.page(ident)
    if len(named) > 1:
        ids = ", ".join(str(ident) for ident in sorted(named))
        raise Misuse(
            f"The call names several pages ({ids}).",
            hint="Use uids of one page, and its pageId or none.",
            code="wrong_page",
        )
    if named:
        page = next(iter(named.values()))
        _check_page_browser(page, run)
    else:
        if run.route.browser is None:
            run.session.refuse_if_away(run.session.selected)
        page = await run.session.selected_page(await _connected_browser(run))
    run.handle, run.browser = page, run.session.browsers.browser_of(page)


def _asked_about(run: ToolRun, people: HumanRequests) -> int | None:
    """Return the page of the request to a person that the call goes on with."""
    if HumanRequests not in run.tool.subjects.values():
        return None
    request = people.find(str(run.arguments.get("handle", "")), run.session)
    return request.page.id if request is not None and request.page is not None else None


def _check_page_browser(page: PageHandle, run: ToolRun) -> None:
    browsers = run.session.browsers
    browser = browsers.browser_of(page)
    if run.route.browser is not None and browser is not None:
        wanted = browsers.choose(run.route.browser)
        if wanted is not browser:
            raise Misuse(
                f"Page {page.id} is in browser {browsers.number(browser)}, "
                f"not {browsers.number(wanted)}.",
                hint="Leave browserIndex out, or name the right one.",
                code="wrong_browser",
            )
