"""Cookie tools: the cookies of a page's site."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from tabmux.content import Reply
from tabmux.errors import Misuse
from tabmux.page.environment.cookies_and_storage import (
    Cookie,
    SameSite,
    cookies_of,
    remove_cookie,
    set_cookies,
)
from tabmux.page.page import Page
from tabmux.tools.pipeline.results import CookieEntry, CookiesResult
from tabmux.tools.pipeline.tool import tool


@tool(reads=True, result=CookiesResult)
async def list_cookies(page: Page, all_sites: bool = False) -> Reply:
    """List the cookies that the page sends, without their values; get_cookie shows one.

    Args:
        all_sites: Those of every site.
    """
    cookies = sorted(await cookies_of(page, all_sites=all_sites), key=_order)
    reply = Reply.lines(map(_line, cookies), empty="There are no cookies.")
    reply.data = CookiesResult(cookies=list(map(_entry, cookies))).data
    return reply


@tool(reads=True)
async def get_cookie(page: Page, name: str, domain: str | None = None) -> Reply:
    """Show a cookie with its value.

    Args:
        name: Name of the cookie.
        domain: When several sites have one of that name, or the page does not send it.
    """
    found = await _named(page, name, domain)
    return Reply.lines(f"{_line(cookie)}\n{cookie.value}" for cookie in found)


@tool(repeatable=True)
async def set_cookie(
    page: Page,
    name: str,
    value: str,
    domain: str | None = None,
    path: str = "/",
    expires: float = -1,
    http_only: bool = False,
    secure: bool = False,
    same_site: SameSite = "Lax",
) -> Reply:
    """Set a cookie.

    Args:
        name: Name of the cookie.
        value: Value to set.
        domain: The page's host when absent; subdomains too when it starts with a dot.
        path: Path that it is sent to.
        expires: Seconds since 1970; with the browser when -1.
        http_only: Hide it from scripts.
        secure: Send it over HTTPS alone.
        same_site: When other sites may send it.
    """
    host = domain or urlsplit(page.url).hostname
    if not host:
        raise Misuse("The page has no host.", hint="Name a domain, or navigate to a site first.")
    cookie = Cookie(name, value, host, path, expires, http_only, secure, same_site)
    await set_cookies(page, [cookie])
    return Reply(f"Set the cookie {name} for {host}.")


@tool(destroys=True, repeatable=True)
async def delete_cookie(page: Page, name: str, domain: str | None = None) -> Reply:
    """Delete a cookie.

    Args:
        name: Name of the cookie.
        domain: When several sites have one of that name, or the page does not send it.
    """
    found = await _named(page, name, domain)
    for cookie in found:
        await remove_cookie(page, cookie)
    return Reply(f"Deleted the cookie {name} of {', '.join(cookie.domain for cookie in found)}.")


async def _named(page: Page, name: str, domain: str | None) -> list[Cookie]:
    cookies = await cookies_of(page, all_sites=domain is not None)
    found = [cookie for cookie in cookies if cookie.name == name]
    if domain is not None:
        found = [cookie for cookie in found if cookie.domain.lstrip(".") == domain.lstrip(".")]
    if not found:
        where = f"of {domain}" if domain else "that the page sends"
        raise Misuse(f"There is no cookie {name} {where}.", hint="Call list_cookies.")
    return found


def _order(cookie: Cookie) -> tuple[str, str, str]:
    return cookie.domain.lstrip("."), cookie.name, cookie.path


def _entry(cookie: Cookie) -> CookieEntry:
    return CookieEntry(
        name=cookie.name,
        domain=cookie.domain,
        path=cookie.path,
        expires=cookie.expires if cookie.expires > 0 else None,
        http_only=cookie.http_only,
        secure=cookie.secure,
        same_site=cookie.same_site,
    )


def _line(cookie: Cookie) -> str:
    facts = [f"{len(cookie.value)} characters"]
    if cookie.expires >= 0:
        facts.append(f"until {datetime.fromtimestamp(cookie.expires, UTC):%Y-%m-%d %H:%M} UTC")
    facts += [
        word for word, holds in (("HttpOnly", cookie.http_only), ("Secure", cookie.secure)) if holds
    ]
    facts.append(f"SameSite={cookie.same_site}")
    return f"{cookie.name} ({cookie.domain}{cookie.path}): {', '.join(facts)}"
