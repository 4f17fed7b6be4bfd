"""Cookies: those of a browser context, as far as the policy shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from tabmux.cdp.channel import Params
from tabmux.errors import Misuse, ProtocolFault, Refused

if TYPE_CHECKING:
    from tabmux.page.page import Page

SameSite = Literal["Strict", "Lax", "None"]


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
    if any(urlsplit(frame.url).hostname == host for frame in page.frames):
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
