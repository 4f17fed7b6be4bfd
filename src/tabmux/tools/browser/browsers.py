"""Browser tools: list, connect, disconnect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tabmux.browsers.addressed import UrlSpec, WebSocketSpec, parse_address
from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.browsers.profiles import profile_folder
from tabmux.browsers.registry import Browsers
from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse, TabmuxError
from tabmux.tools.pipeline.tool import tool

_ONE = "Single browser mode: browserIndex parameter must NOT be specified."
_MANY = (
    "Multiple browsers detected. You MUST specify browserIndex parameter in all tool calls "
    "to target a specific browser."
)


@tool(reads=True)
async def list_browsers(browsers: Browsers) -> Reply:
    """List the browsers with their index and state."""
    return browser_list(browsers)


@tool(seconds=60)
async def connect_browser(
    browsers: Browsers,
    url: str | None = None,
    ws_endpoint: str | None = None,
    launch: bool = False,
    profile: str | None = None,
    headless: bool = True,
    name: str | None = None,
) -> Reply:
    """Add a browser: one that runs already, or a new one.

    Args:
        url: Its debugging address, such as http://127.0.0.1:9222.
        ws_endpoint: Its debugging socket.
        launch: Start one.
        profile: Start it on this named profile; on a temporary one when absent.
        headless: Start it without a window.
        name: What to call it, besides its index.
    """
    spec = _spec(url, ws_endpoint, launch or profile is not None, profile, headless, name or "")
    known = browsers.count
    browser = browsers.register(spec)
    try:
        await browsers.connect(browser, force=True)
    except TabmuxError:
        if browsers.count > known:
            browsers.remove(browser)
        raise
    return browser_list(browsers)


@tool(destroys=True)
async def disconnect_browser(browsers: Browsers, browser_index: int | str) -> Reply:
    """Let go of a browser and forget it; one that tabmux started is closed.

    Args:
        browser_index: Index or name of the browser.
    """
    browsers.remove(browsers.get(browser_index))
    return browser_list(browsers)


@tool(seconds=60)
async def reconnect_browser(browsers: Browsers, browser_index: int | str | None = None) -> Reply:
    """Connect to a browser anew, at once; its start command is run if it does not answer.

    Args:
        browser_index: Index or name of the browser; not given when there is only one.
    """
    await browsers.reconnect(browsers.choose(browser_index))
    return browser_list(browsers)


@tool(destroys=True)
async def close_browser(browsers: Browsers, browser_index: int | str | None = None) -> Reply:
    """Close a browser that tabmux started; it is started again when it is needed.

    Args:
        browser_index: Index or name of the browser; not given when there is only one.
    """
    browser = browsers.choose(browser_index)
    if not browser.is_owned:
        raise Misuse(
            f"Browser {browser.index} was not started by tabmux, so it is not closed by it.",
            hint="Use disconnect_browser to let go of it.",
        )
    browser.disconnect()
    await browser.ended()
    return browser_list(browsers)


def browser_list(browsers: Browsers) -> Reply:
    """Show every browser with its state, and then what else there is to know."""
    reply = Reply(f"Total browsers: {browsers.count}\n")
    reply.add("\n".join(f"[{b.index}] {b.spec.label} - {b.state}" for b in browsers.all()))
    if not browsers.is_empty:
        reply.add(f"\n{_MANY if browsers.has_multiple else _ONE}")
        reply.add("\n" + "\n".join(_details(browser) for browser in browsers.all()))
    return reply


def _details(browser: Browser) -> str:
    return f"[{browser.index}] {'; '.join(_facts(browser))}"


def _facts(browser: Browser) -> Iterator[str]:
    if browser.name:
        yield f"name {browser.name}"
    if browser.spec.tags:
        yield f"tags {', '.join(browser.spec.tags)}"
    if browser.state is BrowserState.CONNECTED:
        tabs = len(browser.visible_pages())
        yield f"{tabs} tab{'' if tabs == 1 else 's'}"
    yield browser.health.line
    if browser.history.connections > 1:
        yield f"reconnected {browser.history.connections - 1} times"
    if browser.history.last_error:
        yield f"last error: {browser.history.last_error}"
    if seconds := browser.wait():
        yield f"next attempt in {seconds:.0f} s"


def _spec(
    url: str | None,
    ws_endpoint: str | None,
    launch: bool,
    profile: str | None,
    headless: bool,
    name: str,
) -> BrowserSpec:
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
