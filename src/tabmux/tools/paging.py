"""Pages of a long list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from tabmux.content import Reply

T = TypeVar("T")

PageSize = Annotated[int, Field(gt=0)]
PageIndex = Annotated[int, Field(ge=0)]
DEFAULT_SIZE = 50


def paged(title: str, lines: Sequence[str], size: int | None, index: int, *, empty: str) -> Reply:
    """Show one page of the lines, the newest page when no index is asked for."""
    reply = Reply(title)
    if not lines:
        return reply.add(empty)
    length = size or DEFAULT_SIZE
    pages = -(-len(lines) // length)
    if index >= pages:
        reply.add(f"There is no page {index}; showing the first.")
        index = 0
    start = index * length
    shown = lines[start : start + length]
    reply.add(
        f"Showing {start + 1}-{start + len(shown)} of {len(lines)} (Page {index + 1} of {pages})."
    )
    if index + 1 < pages:
        reply.add(f"Next page: {index + 1}")
    return reply.add("\n".join(shown))
