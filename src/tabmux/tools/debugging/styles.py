"""Style tools: which CSS applies to an element, and where it is."""

from __future__ import annotations

from collections.abc import Sequence

from tabmux.analysis.css.cascade import cascade_paragraphs
from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.see.element_inspection import ElementBox, box_of, styles_of
from tabmux.sessions.session import Session
from tabmux.tools.debugging.paging import PageIndex, PageSize, paged
from tabmux.tools.pipeline.argument_types import Target
from tabmux.tools.pipeline.tool import tool

RULES = 10


@tool(reads=True)
async def get_css_styles(
    page: Page, uid: Target, page_size: PageSize = RULES, page_idx: PageIndex = 0
) -> Reply:
    """Show the CSS rules of an element, strongest first, with file and line.

    Args:
        uid: Element uid.
        page_size: Rules a page.
        page_idx: Page, from 0.
    """
    styles = await styles_of(uid)
    title = f'Styles for {styles.own.title} (uid: "{uid.uid}"):'
    texts = [f"\n{text}" for text in cascade_paragraphs(styles)]
    return paged(title, texts, page_size, page_idx, empty="(no styles)")


@tool(reads=True)
async def get_box(page: Page, session: Session, uid: Target) -> Reply:
    """Say where an element is, how large, whether it can be seen, and what covers it.

    Args:
        uid: Element uid.
    """
    box = await box_of(uid)
    reply = Reply.lines(_lines(box))
    if box.cover:
        known = ""
        if box.cover_is_near:
            names = await session.shown.name_elements(page, {uid.frame: ()})
            known = f" (uid={names[uid.frame][0]})"
        reply.add(f"Covered by {box.cover}{known} at {box.covered} of {box.points} points.")
    return reply


def _lines(box: ElementBox) -> list[str]:
    lines = [
        f"{box.name}: {_numbers(box.size, ' x ')}",
        f"In the viewport at {_numbers(box.at)}, in the document at {_numbers(box.on_page)}.",
    ]
    sides = [
        f"{name} {_numbers(box.sides[name], ' ')}" for name in box.sides if any(box.sides[name])
    ]
    if sides:
        lines.append(f"{', '.join(sides)}.".capitalize())
    if box.hidden:
        return [*lines, f"Not visible: {', '.join(box.hidden)}."]
    if box.seen >= 0.999:
        return [*lines, "Visible, whole in view."]
    part = f"{box.seen:.0%} of it is in view" if box.seen > 0 else "out of view until scrolled to"
    return [*lines, f"Visible, {part}."]


def _numbers(values: Sequence[float], between: str = ", ") -> str:
    return between.join(f"{round(value, 1):g}" for value in values)
