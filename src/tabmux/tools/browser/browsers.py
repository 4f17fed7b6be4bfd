"""Browser tools: list, connect, disconnect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tabmux.browsers.addressed import UrlSpec, WebSocketSpec, parse_address
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.browser_view import BrowserView, ListedBrowser
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.browsers.profiles import profile_folder
from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse, NotOwned, TabmuxError
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import BrowserName
from tabmux.tools.pipeline.tool import tool

_ONE = "Single browser mode: browserIndex parameter must NOT be specified."
_DEFAULT = "Multiple browsers detected. Calls without browserIndex go to the default browser."
_MANY = (
    "Multiple browsers detected. You MUST specify browserIndex parameter in all tool calls "
    "to target a specific browser."
)


@tool(reads=True)
async def list_browsers(browsers: BrowserView) -> Reply:
    """List the browsers with their index and state."""
    return browser_list(browsers)


@tool(seconds=60)
async def connect_browser(
    browsers: BrowserView,
    url: str | None = None,
    ws_endpoint: str | None = None,
    launch: bool = False,
    profile: str | None = None,
    headless: bool = True,
    name: str | None = None,
) -> Reply:
    """Add a browser that runs already, or start one.

    Args:
        url: Debugging address, such as http://127.0.0.1:9222.
        ws_endpoint: Or its debugging WebSocket.
        launch: Start one.
        profile: Start it on this named profile; temporary when absent.
        headless: Start it without a window.
        name: Name to call it by.
    """
    spec = named_browser(
        url=url,
        ws_endpoint=ws_endpoint,
        launch=launch,
        profile=profile,
        headless=headless,
        name=name or "",
    )
    known = browsers.all()
    browser = browsers.add(spec)
    try:
        await browsers.connect(browser, force=True)
    except TabmuxError:
        if browser not in known:
            browsers.remove(browser)
        raise
    return browser_list(browsers)


@tool(repeatable=True, read_only=True, several=True)
async def select_default_browser(browsers: BrowserView, browser_index: BrowserName) -> Reply:
    """Choose the browser of calls without browserIndex.

    Args:
        browser_index: Index of the browser (1-based) or its name.
    """
    browsers.default = browsers.get(browser_index)
    return browser_list(browsers)


@tool(destroys=True)
async def disconnect_browser(
    session: Session, browsers: BrowserView, browser_index: BrowserName
) -> Reply:
    """Forget a browser; one that tabmux started for you alone is closed.

    Args:
        browser_index: Index of the browser (1-based) or its name; see list_browsers.
    """
    browser = browsers.get(browser_index)
    browsers.remove(browser)
    if browser in browsers.registry.all():
        await session.leave_browser(browser)
    return browser_list(browsers)


@tool(seconds=60)
async def reconnect_browser(
    session: Session, browsers: BrowserView, browser_index: BrowserName | None = None
) -> Reply:
    """Connect again at once, running its start command if it does not answer.

    Args:
        browser_index: Index (1-based) or name; left out when there is only one browser.
    """
    browser = browsers.choose(browser_index)
    if browser.state is BrowserState.CONNECTED:
        _refuse_if_shared(session, browser)
    await session.reconnect(browser)
    return browser_list(browsers)


@tool(destroys=True)
async def close_browser(
    session: Session, browsers: BrowserView, browser_index: BrowserName | None = None
) -> Reply:
    """Close a browser that tabmux started; it starts again when needed.

    Args:
        browser_index: Index (1-based) or name; left out when there is only one browser.
    """
    browser = browsers.choose(browser_index)
    if not browser.is_owned:
        raise Misuse(
            "This browser was not started by tabmux, so it is not closed by it.",
            hint="Use disconnect_browser to let go of it.",
        )
    _refuse_if_shared(session, browser)
    browser.disconnect()
    await browser.ended()
    return browser_list(browsers)


def _refuse_if_shared(session: Session, browser: Browser) -> None:
    if session.shares(browser):
        raise NotOwned(
            "Other sessions have pages in this browser.",
            hint="disconnect_browser lets go of it for you alone.",
        )


def browser_list(browsers: BrowserView) -> Reply:
    """Show every browser with its state, and then what else there is to know."""
    reply = Reply(f"Total browsers: {browsers.count}\n")
    found = browsers.listed()
    reply.add("\n".join(f"[{e.number}] {e.browser.spec.label} - {e.browser.state}" for e in found))
    if found:
        many = _DEFAULT if browsers.default in browsers.all() else _MANY
        reply.add(f"\n{many if len(found) > 1 else _ONE}")
        default = browsers.default
        facts = [f"[{e.number}] {'; '.join(_facts(e, e.browser is default))}" for e in found]
        reply.add("\n" + "\n".join(facts))
    if others := browsers.others:
        held = "1 more browser" if others == 1 else f"{others} more browsers"
        reply.add(f"\n({held} of this daemon, not for this session)")
    return reply


def _facts(listed: ListedBrowser, is_default: bool) -> Iterator[str]:
    browser = listed.browser
    if is_default:
        yield "default"
    if listed.name:
        yield f"name {listed.name}"
    if listed.tags:
        yield f"tags {', '.join(listed.tags)}"
    if browser.state is BrowserState.CONNECTED:
        tabs = len(browser.visible_pages())
        yield f"{tabs} tab{'' if tabs == 1 else 's'}"
    yield from browser.facts()
    yield browser.health.line
    if browser.history.connections > 1:
        yield f"reconnected {browser.history.connections - 1} times"
    if browser.history.last_error:
        yield f"last error: {browser.history.last_error}"
    if when := browser.next_attempt():
        yield f"next attempt {when}"


def named_browser(
    *,
    url: str | None,
    ws_endpoint: str | None,
    launch: bool,
    profile: str | None,
    headless: bool,
    name: str,
) -> BrowserSpec:
    """Return the browser that somebody names, by its address or as one to start."""
    launch = launch or profile is not None
    if sum((url is not None, ws_endpoint is not None, launch)) != 1:
        raise BadArguments("Give exactly one of url, wsEndpoint, and launch or profile.")
    if launch:
        folder: Path | None = profile_folder(profile) if profile else None
        return LaunchedSpec(LaunchOptions(headless=headless, user_data_dir=folder), name=name)
    address = url if url is not None else ws_endpoint
    # What follows a bar is a command, and commands come from the user alone.
    if address is None or "|" in address:
        raise BadArguments(f"{address!r} is not a browser's address.")
    return replace(parse_address(UrlSpec if url is not None else WebSocketSpec, address), name=name)
