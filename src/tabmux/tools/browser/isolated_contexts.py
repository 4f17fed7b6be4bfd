"""The create_isolated_context tool: a separate set of cookies and storage, with its own proxy."""

from __future__ import annotations

from tabmux.browsers.browser import Browser
from tabmux.content import Reply
from tabmux.errors import Refused
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.tool import tool


@tool()
async def create_isolated_context(
    session: Session,
    browser: Browser,
    name: str,
    proxy_server: str = "",
    proxy_bypass_list: str = "",
) -> Reply:
    """Make an isolatedContext for new_page whose pages go through a proxy.

    Args:
        name: What new_page will call it.
        proxy_server: Such as http://proxy:8080 or socks5://proxy:1080.
        proxy_bypass_list: Hosts that need no proxy; <-loopback> sends this machine's there, too.
    """
    if proxy_server and session.urls_in(browser).is_restricted:
        # A proxy sees, and could answer, what the policy keeps from the agent.
        raise Refused("A proxy would get around --allow-url and --deny-url.")
    await browser.new_context(name, proxy_server, proxy_bypass_list)
    through = f" whose pages go through {proxy_server}" if proxy_server else ""
    return Reply(f"Made the isolated context {name}{through}.")
