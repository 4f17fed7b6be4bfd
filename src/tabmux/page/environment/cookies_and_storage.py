"""Cookies and storage: what sites keep in the browser, as far as the policy shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tabmux.cdp.channel import Params
from tabmux.errors import Misuse, ProtocolFault, Refused, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page_text import address, url_parts

if TYPE_CHECKING:
    from tabmux.page.page import Page

# How long a frame of a page that is loading is waited for.
LOADING_SECONDS = 5.0

SameSite = Literal["Strict", "Lax", "None"]
Kind = Literal["local", "session"]
What = Literal[
    "cookies", "localStorage", "sessionStorage", "indexedDB", "cacheStorage", "serviceWorkers",
    "httpCache",
]  # fmt: skip
_CHROME_TYPES: Mapping[str, str] = {
    "localStorage": "local_storage", "indexedDB": "indexeddb", "cacheStorage": "cache_storage",
    "serviceWorkers": "service_workers",
}  # fmt: skip


async def clear(page: Page, what: Sequence[What], *, all_sites: bool) -> None:
    """Delete what the sites of the page's frames have stored, or every site of its context."""
    if all_sites:
        page.urls.refuse_if_restricted("Other sites")
    if "httpCache" in what:
        await page.channel.call("Network.clearBrowserCache")
    if "cookies" in what:
        await _clear_cookies(page, all_sites=all_sites)
    for frame in page.frames:
        if origin_of(frame.url):
            await _clear_frame(frame, what)
    types = {_CHROME_TYPES[each] for each in what if each in _CHROME_TYPES}
    if not all_sites:
        # Chrome would clear session storage too (seen in Chromium 156).
        types.discard("local_storage")
    if types:
        await _clear_origins(page, ["*"] if all_sites else _origins(page), ",".join(sorted(types)))


async def _clear_cookies(page: Page, *, all_sites: bool) -> None:
    if all_sites:
        await page.channel.call("Network.clearBrowserCookies")
        return
    for cookie in await cookies_of(page):
        await remove_cookie(page, cookie)


async def _clear_origins(page: Page, origins: Sequence[str], types: str) -> None:
    for origin in origins:
        await page.channel.call(
            "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": types}
        )


async def _clear_frame(frame: Frame, what: Sequence[What]) -> None:
    if "localStorage" in what:
        await StorageArea(frame, "local").clear()
    if "sessionStorage" in what:
        await StorageArea(frame, "session").clear()


class StorageArea:
    """The local or session storage of one frame's origin."""

    def __init__(self, frame: Frame, kind: Kind) -> None:
        self._frame, self._kind = frame, kind

    async def entries(self) -> list[tuple[str, str]]:
        """Return everything in it."""
        answer = await self._do("entries")
        return [(key, value) for key, value in answer["entries"]]

    async def get(self, key: str) -> str | None:
        """Return a value, or None when there is none."""
        value: str | None = (await self._do("get", key))["before"]
        return value

    async def set(self, key: str, value: str) -> None:
        """Store a value."""
        await self._do("set", key, value)

    async def remove(self, key: str) -> bool:
        """Remove a value; tells whether there was one."""
        return (await self._do("remove", key))["before"] is not None

    async def clear(self) -> int:
        """Remove everything; returns how much there was."""
        return int((await self._do("clear"))["count"])

    async def _do(self, action: str, *arguments: str) -> Params:
        answer: Params = await self._frame.run("storage", self._kind, action, *arguments)
        if answer.get("trouble") == "QuotaExceededError":
            raise Misuse("The value is too large for what the site may still store.")
        if answer.get("trouble"):
            raise Misuse(
                f"The document {address(self._frame.url) or 'about:blank'} has no storage.",
                hint="Navigate to a page of a site first.",
            )
        return answer


async def frame_of(page: Page, origin: str | None) -> Frame:
    """Return the main frame, or the first one of an origin; waits while the page is loading."""
    if origin is None:
        return page.main
    wanted = origin_of(origin) or origin
    await page.signal.until(
        lambda: (page.document.loaded and page.frames.complete) or _is_shown(page, wanted),
        LOADING_SECONDS,
    )
    for frame in page.frames:
        if origin_of(frame.url) == wanted:
            return frame
    known = _origins(page)
    raise Misuse(
        f"No frame of the page is of {wanted}.",
        hint=f"It has frames of: {', '.join(known)}." if known else "Navigate there first.",
    )


def _is_shown(page: Page, origin: str) -> bool:
    return any(origin_of(frame.url) == origin for frame in page.frames)


async def local_storage_areas(page: Page) -> dict[str, StorageArea]:
    """Return the local storage of every origin that the page has a frame of.

    What a frame stores inside a page of another site is kept apart by Chrome, and left out.
    """
    found: dict[str, StorageArea] = {}
    for frame in page.frames:
        origin = origin_of(frame.url)
        if origin and origin not in found and await _is_first_party(frame):
            found[origin] = StorageArea(frame, "local")
    return found


async def _is_first_party(frame: Frame) -> bool:
    try:
        key = await frame.channel.call("Storage.getStorageKey", {"frameId": frame.id})
    except TabmuxError:
        return False  # a sandboxed frame has no storage, and a frame may go at any time
    # A key with a caret names the page around it as well.
    return "^" not in key["storageKey"]


def _origins(page: Page) -> list[str]:
    return sorted({origin_of(frame.url) for frame in page.frames} - {""})


def origin_of(url: str) -> str:
    """Return the origin of a web address, or an empty text."""
    parts = url_parts(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


@dataclass(frozen=True)
class Cookie:
    """A cookie; it expires with the browser's session when `expires` is -1."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"

    @classmethod
    def of(cls, found: Params) -> Cookie:
        """Read what Chrome says of a cookie."""
        return cls(
            found["name"],
            found["value"],
            found["domain"],
            found["path"],
            -1 if found.get("session") else found["expires"],
            found["httpOnly"],
            found["secure"],
            found.get("sameSite", "Lax"),
        )

    @property
    def command(self) -> Params:
        """Return it as Chrome is told of it."""
        wanted: dict[str, Any] = {
            "name": self.name,
            "value": self.value,
            "path": self.path,
            "httpOnly": self.http_only,
            "secure": self.secure,
            "sameSite": self.same_site,
        }
        if self.expires >= 0:
            wanted["expires"] = self.expires
        if self.domain.startswith("."):
            return {**wanted, "domain": self.domain}
        # A cookie without a dot belongs to one host only, which Chrome infers from a URL alone.
        scheme = "https" if self.secure else "http"
        return {**wanted, "url": f"{scheme}://{_host(self.domain)}{self.path}"}


async def cookies_of(page: Page, *, all_sites: bool = False) -> list[Cookie]:
    """Return the cookies that the page's frames send, or all of the page's browser context."""
    # Storage.getCookies of a tab answers for the default context, whichever the tab is in
    # (seen in Chromium 156); Network does not.
    if all_sites:
        found = await page.channel.call("Network.getAllCookies")
        cookies = [Cookie.of(each) for each in found["cookies"]]
        return [cookie for cookie in cookies if may_touch(page, cookie)]
    urls = [frame.url for frame in page.frames if frame.url.startswith("http")]
    found = await page.channel.call("Network.getCookies", {"urls": urls})
    return [Cookie.of(each) for each in found["cookies"]]


def may_touch(page: Page, cookie: Cookie) -> bool:
    """Whether the policy allows a site that the cookie belongs to."""
    host = _host(cookie.domain.lstrip("."))
    if any(url_parts(frame.url).hostname == host for frame in page.frames):
        return True  # the policy has let the page go there, by whichever port
    place = f"{host}{cookie.path}"
    return page.urls.permits(f"https://{place}") or page.urls.permits(f"http://{place}")


async def set_cookies(page: Page, cookies: Sequence[Cookie]) -> None:
    """Set cookies in the page's browser context."""
    for cookie in cookies:
        if not may_touch(page, cookie):
            raise Refused(f"The policy does not allow cookies of {cookie.domain}.")
    commands = [cookie.command for cookie in cookies]
    try:
        await page.channel.call("Network.setCookies", {"cookies": commands})
    except ProtocolFault as error:
        raise Misuse(
            f"Chrome refuses the cookie: {error.message}",
            hint='A name "__Host-…" needs secure and path /; SameSite None needs secure.',
        ) from error


async def remove_cookie(page: Page, cookie: Cookie) -> None:
    """Delete one cookie."""
    await page.channel.call(
        "Network.deleteCookies",
        {"name": cookie.name, "domain": cookie.domain, "path": cookie.path},
    )


def _host(name: str) -> str:
    return f"[{name}]" if ":" in name else name
