"""Paging: one page of a long list, for list tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from tabmux.content import Data, Reply
from tabmux.tools.pipeline.results import ListPlace, Result

T = TypeVar("T")

PageSize = Annotated[int, Field(gt=0)]
PageIndex = Annotated[int, Field(ge=0)]
DEFAULT_SIZE = 50


def paged(
    title: str,
    items: Sequence[T],
    size: int | None,
    index: int,
    *,
    empty: str,
    show: Callable[[T], str] = str,
    data: Callable[[Sequence[T]], Result] | None = None,
) -> Reply:
    """Show one page of the items, the first when no index is asked for; the others cost nothing."""
    reply = Reply(title)
    length = size or DEFAULT_SIZE
    pages = -(-len(items) // length)
    if not items:
        reply.data = _made(data, items, ListPlace(total=0, page_idx=0, page_count=0))
        return reply.add(empty)
    if index >= pages:
        reply.add(f"There is no page {index}; showing the first.")
        index = 0
    start = index * length
    shown = items[start : start + length]
    place = ListPlace(total=len(items), page_idx=index, page_count=pages)
    reply.data = _made(data, shown, place)
    reply.add(
        f"Showing {start + 1}-{start + len(shown)} of {len(items)} (Page {index + 1} of {pages})."
    )
    if index + 1 < pages:
        reply.add(f"Next page: {index + 1}")
    if index:
        reply.add(f"Previous page: {index - 1}")
    return reply.quote("\n".join(show(item) for item in shown))


def _made(
    data: Callable[[Sequence[T]], Result] | None, shown: Sequence[T], place: ListPlace
) -> Data | None:
    return None if data is None else lambda: data(shown).data() | place.data()
