"""The enable_tools tool: switches on further groups of tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.tool import tool


@tool(repeatable=True, read_only=True)
async def enable_tools(
    session: Session, groups: Annotated[Sequence[str], Field(min_length=1)]
) -> Reply:
    """Switch on further groups of tools.

    performance (traces, Core Web Vitals, audits), memory (heap snapshots, leaks), styles (CSS
    rules, boxes), storage (cookies, logins), files (downloads, PDF, HAR), recording (video),
    testing (coverage, comparing pictures), interception (mock or block requests), secrets
    (logins), human (ask a person), clipboard (and selecting text), contexts (proxies,
    permissions), extensions, pwa, webmcp (tools of pages).

    Args:
        groups: Names of groups.
    """
    unknown = [group for group in groups if group not in catalog.GROUPS]
    if unknown:
        raise BadArguments(
            f"There is no group of tools {unknown[0]!r}.",
            hint=f"Use one of {', '.join(catalog.GROUPS)}.",
        )
    session.enable(groups)
    lines = [
        f"{group}: {', '.join(each.name for each in catalog.tools([group]))}" for group in groups
    ]
    return Reply.lines(["Switched on:", *lines])
