"""Storage state tools: cookies and local storage in a file, to use a login again."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_view import BrowserView
from tabmux.cdp.channel import Channel, Params
from tabmux.content import Reply
from tabmux.errors import BadArguments, BrowserTrouble, PageGone
from tabmux.page.environment.cookies_and_storage import (
    Cookie,
    SameSite,
    cookies_of,
    local_storage_areas,
    origin_of,
    set_cookies,
)
from tabmux.page.page import Page
from tabmux.page_text import url_parts
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.argument_types import InputFile, OutputFile
from tabmux.tools.pipeline.file_access import load, save, with_suffix
from tabmux.tools.pipeline.tool import tool

RESTORE_SECONDS = 120.0
NAVIGATE_SECONDS = 10.0
_EMPTY_PAGE = base64.b64encode(b"<!doctype html>").decode()


class _Model(BaseModel):
    """Part of the file, whose shape is Playwright's."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class _Cookie(_Model):
    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"


class _Item(_Model):
    name: str
    value: str


class _Origin(_Model):
    origin: str
    local_storage: list[_Item] = Field(default_factory=list)


class _State(_Model):
    cookies: list[_Cookie] = Field(default_factory=list)
    origins: list[_Origin] = Field(default_factory=list)


@tool(repeatable=True)
async def save_storage_state(
    page: Page,
    session: Session,
    browsers: BrowserView,
    file_path: OutputFile,
    domains: Sequence[str] = (),
) -> Reply:
    """Save cookies, and local storage of the open pages, to a file that holds your logins.

    Args:
        file_path: Where to write it (.json), in the format of Playwright.
        domains: Only of these and their subdomains.
    """
    cookies = [each for each in await cookies_of(page, all_sites=True) if _of(each.domain, domains)]
    stored = await _stored(_beside(page, session, browsers), domains)
    state = _State(cookies=[_Cookie(**vars(cookie)) for cookie in cookies], origins=stored)
    path = with_suffix(file_path, ".json")
    await save(path, state.model_dump_json(by_alias=True, indent=2).encode())
    return Reply(
        f"Saved {len(cookies)} cookies and the local storage of {len(stored)} origins to {path}."
    )


@tool(repeatable=True, exclusive=True, seconds=RESTORE_SECONDS)
async def restore_storage_state(page: Page, browsers: BrowserView, file_path: InputFile) -> Reply:
    """Put back what save_storage_state or Playwright saved; reload pages to see it.

    Args:
        file_path: The file.
    """
    state = _state(file_path, await load(file_path))
    browser = browsers.browser_of(page.handle)
    if browser is None:
        raise PageGone(f"Page {page.id} is gone.")
    for each in state.origins:
        page.urls.check(f"{each.origin}/")
    await set_cookies(page, [Cookie(**dict(each)) for each in state.cookies])
    await _restore_origins(browser, page, state.origins)
    return Reply(
        f"Restored {len(state.cookies)} cookies and the local storage of "
        f"{len(state.origins)} origins."
    )


async def _stored(pages: Iterable[Page], domains: Sequence[str]) -> list[_Origin]:
    found: dict[str, list[_Item]] = {}
    for page in pages:
        for origin, area in (await local_storage_areas(page)).items():
            entries = await area.entries()
            if entries and _of(url_parts(origin).hostname or "", domains):
                found[origin] = [_Item(name=name, value=value) for name, value in entries]
    return [_Origin(origin=origin, local_storage=items) for origin, items in found.items()]


async def _restore_origins(browser: Browser, page: Page, origins: Sequence[_Origin]) -> None:
    """Write where a frame is open; the rest goes through a tab of its own."""
    at_hand = await local_storage_areas(page)
    elsewhere = dict[str, dict[str, str]]()
    for each in origins:
        items = {item.name: item.value for item in each.local_storage}
        if area := at_hand.get(each.origin):
            for key, value in items.items():
                await area.set(key, value)
        elif items:
            elsewhere[each.origin] = items
    if elsewhere:
        await _write_local_storage(browser, page.isolated_context, elsewhere)


async def _write_local_storage(
    browser: Browser, context: str | None, origins: Mapping[str, Mapping[str, str]]
) -> None:
    """Store items by origin, in a tab in the background that never asks their servers."""
    page = await browser.new_page(context=context)
    try:
        channel = await _attach(browser, page.target_id)
        channel.on("Fetch.requestPaused", lambda paused: _fulfill_with_empty_page(channel, paused))
        channel.send("Page.enable")
        channel.send("DOMStorage.enable")
        await channel.call("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        for origin, items in origins.items():
            await _store(channel, origin, items)
    finally:
        await browser.close_page(page)


async def _attach(browser: Browser, target: str) -> Channel:
    attached = await browser.channel.call(
        "Target.attachToTarget", {"targetId": target, "flatten": True}
    )
    channel = browser.channel.child(attached["sessionId"])
    if channel is None:
        raise BrowserTrouble("The tab was closed while tabmux took hold of it.")
    return channel


def _fulfill_with_empty_page(channel: Channel, paused: Params) -> None:
    """Give every address an empty document."""
    channel.send(
        "Fetch.fulfillRequest",
        {
            "requestId": paused["requestId"],
            "responseCode": 200,
            "responseHeaders": [{"name": "Content-Type", "value": "text/html"}],
            "body": _EMPTY_PAGE,
        },
    )


async def _store(channel: Channel, origin: str, items: Mapping[str, str]) -> None:
    visit = await channel.call("Page.navigate", {"url": f"{origin}/"}, timeout=NAVIGATE_SECONDS)
    if problem := visit.get("errorText"):
        raise BrowserTrouble(f"Could not store anything for {origin}: {problem}.")
    place = {"securityOrigin": origin, "isLocalStorage": True}
    for key, value in items.items():
        await channel.call(
            "DOMStorage.setDOMStorageItem", {"storageId": place, "key": key, "value": value}
        )


def _beside(page: Page, session: Session, browsers: BrowserView) -> Iterator[Page]:
    """Return the session's pages that share the page's cookies."""
    browser = browsers.browser_of(page.handle)
    for other in session.pages.values():
        same = other.isolated_context == page.isolated_context
        if other.page is not None and same and browsers.browser_of(other) is browser:
            yield other.page


def _of(host: str, domains: Sequence[str]) -> bool:
    name = host.lstrip(".")
    return not domains or any(
        name == domain.lstrip(".") or name.endswith("." + domain.lstrip(".")) for domain in domains
    )


def _state(path: Path, data: bytes) -> _State:
    try:
        state = _State.model_validate_json(data)
    except ValidationError as error:
        # The whole message would show values, which are secrets.
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise BadArguments(f"{path} holds no storage state: {place}: {first['msg']}.") from error
    for each in state.origins:
        if origin_of(each.origin) != each.origin:
            raise BadArguments(f"{path} names {each.origin!r}, which is no origin.")
    return state
