"""The find tool: searches the page without showing all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Annotated

from pydantic import Field

from tabmux.concurrency import with_turns
from tabmux.content import Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.patterns import TextPattern
from tabmux.sessions.locators import SnapshotLine, rows, unescaped
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.tool import tool

_ADDRESS = re.compile(r' url="(?:[^"\\]|\\.)*"')


@tool(reads=True)
async def find(
    page: Page,
    session: Session,
    query: str = "",
    role: str = "",
    regex: bool = False,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
) -> Reply:
    """Search the page for text or a role; shows matching lines with uids. Older uids stay valid.

    Args:
        query: Text of the page, in any case; also a URL, if it has a / or nothing else matches.
        role: Only this role, such as button.
        regex: The query is a regular expression.
        limit: Most matches.
    """
    if not query and not role:
        raise BadArguments("Say what to look for.", hint="Give a query, a role, or both.")
    pattern = TextPattern(query, ignore_case=True, plain=not regex)
    shown = rows(await session.shown.search(page))
    candidates = [row async for row in with_turns(shown) if not role or row.role == role]
    found = [row async for row in with_turns(candidates) if _tells(row, pattern)]
    if "/" in query or not found:
        found = [row async for row in with_turns(candidates) if pattern.is_in(row.line)]
    reply = Reply(f"{len(found)} match{'' if len(found) == 1 else 'es'}.")
    reply.quote("\n".join(_shown(found[:limit])))
    if len(found) > limit:
        reply.add(f"… {len(found) - limit} more")
    return reply


def _tells(row: SnapshotLine, pattern: TextPattern) -> bool:
    """Whether a line says it, as it is printed or as the page shows it; addresses are no text."""
    line = _ADDRESS.sub("", row.line.removeprefix(f"uid={row.uid} "))
    return pattern.is_in(line) or ("\\" in line and pattern.is_in(unescaped(line)))


def _shown(found: Sequence[SnapshotLine]) -> Iterator[str]:
    """Say of neighbours only once where they are."""
    for place, group in groupby(found, lambda row: row.place):
        first, *others = [row.line for row in group]
        if not place:
            yield from (first, *others)
        elif others:
            yield from (f"in {place}:", first, *others)
        else:
            yield f"{first} (in {place})"
