"""Input tools: click, hover, fill, type, press, drag, upload."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tabmux.content import Reply
from tabmux.errors import TabmuxError
from tabmux.page.act.keyboard import KeyCombination, parse
from tabmux.page.activity import ActionEffects
from tabmux.page.element import Element
from tabmux.page.page import Page
from tabmux.page_text import in_quotes
from tabmux.secrets.secret import SecretText
from tabmux.sessions.session import Session
from tabmux.tools.core.outcome import Report, acting, outcome
from tabmux.tools.pipeline.argument_types import InputFile, Target
from tabmux.tools.pipeline.results import ActionResult
from tabmux.tools.pipeline.tool import tool

# How much is quoted of what a field holds.
QUOTED = 200
PUT_BACK = "But the page has put back what it held before."


class FieldValue(BaseModel):
    """One field of a form."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    uid: Target = Field(description="Element uid.")
    value: str = Field(description="Its value.")


@tool(result=ActionResult)
async def click(
    page: Page,
    session: Session,
    uid: Target,
    dbl_click: bool = False,
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Click an element.

    Args:
        uid: Element uid.
        dbl_click: Double click.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(
        session, page, uid.frame, snapshot=include_snapshot, report=report
    ) as effects:
        remark = await page.input.click(uid, 2 if dbl_click else 1)
    verb = "Double clicked" if dbl_click else "Clicked"
    done = f"{verb} the element. {remark}".rstrip()
    return await outcome(session, page, done, effects, snapshot=include_snapshot, report=report)


@tool(result=ActionResult)
async def click_at(
    page: Page,
    session: Session,
    x: float,
    y: float,
    dbl_click: bool = False,
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Click a point of the viewport; prefer click where there is a uid.

    Args:
        x: CSS pixels from the left.
        y: CSS pixels from the top.
        dbl_click: Double click.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(session, page, snapshot=include_snapshot, report=report) as effects:
        await page.main.call("watch", None, {"x": x, "y": y})
        await page.input.click_at(x, y, 2 if dbl_click else 1)
    return await outcome(
        session, page, "Clicked the point.", effects, snapshot=include_snapshot, report=report
    )


@tool(repeatable=True, result=ActionResult)
async def hover(
    page: Page,
    session: Session,
    uid: Target,
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Move the mouse over an element.

    Args:
        uid: Element uid.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(
        session, page, uid.frame, snapshot=include_snapshot, report=report
    ) as effects:
        remark = await page.input.hover(uid)
    done = f"Hovered over the element. {remark}".rstrip()
    reply = await outcome(session, page, done, effects, snapshot=include_snapshot, report=report)
    page.input.hovering.brought(reply.changes)
    return reply


@tool(repeatable=True, result=ActionResult)
async def fill(
    page: Page,
    session: Session,
    uid: Target,
    value: str,
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Set a form control: text, date, colour, option, or true/false for toggles.

    Args:
        uid: Element uid.
        value: Text, value or option; a JSON list for several options.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(
        session, page, uid.frame, snapshot=include_snapshot, report=report
    ) as effects:
        remark = await page.input.fill(uid, value)
    if (offers := effects.offers) and offers["field"] == uid.label and not remark:
        # It came later than the text.
        async with acting(
            session, page, uid.frame, snapshot=include_snapshot, report=report
        ) as effects:
            remark = await page.input.take_offer(uid, value, offers)
    remark = _changed_since(effects, uid) or remark
    done = f"Filled the element. {remark}".rstrip()
    return await outcome(session, page, done, effects, snapshot=include_snapshot, report=report)


@tool(repeatable=True, result=ActionResult)
async def fill_form(
    page: Page,
    session: Session,
    elements: Sequence[FieldValue],
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Fill several controls in order; stops at the first failure.

    Args:
        elements: Controls and their values, as fill takes them.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    remarks = []
    frame = elements[0].uid.frame if elements else None
    async with acting(session, page, frame, snapshot=include_snapshot, report=report) as effects:
        for number, each in enumerate(elements):
            try:
                remark = await page.input.fill(each.uid, each.value)
            except TabmuxError as error:
                error.hint = f"{error.hint} {_progress(number, elements)}".strip()
                raise
            if remark:
                remarks.append(f"{each.uid.uid}: {remark}")
            if page.dialogs.current is not None:
                remarks.append(f"{each.uid.uid} opened a dialog. {_progress(number + 1, elements)}")
                break
    here = [each.uid for each in elements if each.uid.frame is frame]
    since = [(each.uid, _changed_since(effects, each)) for each in here]
    remarks += [f"{uid}: {remark}" for uid, remark in since if remark]
    count = f"{len(elements)} element{'' if len(elements) == 1 else 's'}"
    done = "\n".join([f"Filled {count}.", *remarks])
    return await outcome(session, page, done, effects, snapshot=include_snapshot, report=report)


@tool(result=ActionResult)
async def type_text(
    page: Page,
    session: Session,
    text: str,
    submit_key: str | None = None,
    report: Report = "diff",
) -> Reply:
    """Type into the focused element, key by key.

    Args:
        text: Text to type.
        submit_key: Key to press then, such as Enter.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    keys = parse(submit_key) if submit_key else None
    first = None if keys else 0.0
    async with acting(session, page, first=first, report=report) as effects:
        await page.input.watch_keys(text)
        await page.input.type(text)
        if keys is not None:
            # That the text has come is no effect of the key.
            await page.input.watch_keys("")
            await page.input.press(keys)
    what = "the secret" if isinstance(text, SecretText) else f"{len(text)} characters"
    done = f"Typed {what}" + (f" and pressed {submit_key}." if keys else ".")
    return await outcome(session, page, done, effects, report=report)


@tool(result=ActionResult)
async def press_key(
    page: Page, session: Session, key: str, include_snapshot: bool = False, report: Report = "diff"
) -> Reply:
    """Press a key or combination.

    Args:
        key: Such as Enter, Control+A or Control+Shift+R.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    keys = parse(key)
    first = _patience(keys)
    async with acting(
        session, page, first=first, snapshot=include_snapshot, report=report
    ) as effects:
        await page.input.watch_keys(key if len(key) == 1 else "")
        await page.input.press(keys)
    return await outcome(
        session, page, f"Pressed {key}.", effects, snapshot=include_snapshot, report=report
    )


@tool(result=ActionResult)
async def drag(
    page: Page,
    session: Session,
    from_uid: Target,
    to_uid: Target,
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Drag an element onto another.

    Args:
        from_uid: Element to drag.
        to_uid: Where to drop it.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(
        session, page, to_uid.frame, snapshot=include_snapshot, report=report
    ) as effects:
        await page.input.drag(from_uid, to_uid)
    return await outcome(
        session, page, "Dragged the element.", effects, snapshot=include_snapshot, report=report
    )


@tool(result=ActionResult)
async def upload_file(
    page: Page,
    session: Session,
    uid: Target,
    file_paths: Annotated[Sequence[InputFile], Field(min_length=1)],
    include_snapshot: bool = False,
    report: Report = "diff",
) -> Reply:
    """Give files to a file input or file chooser.

    Args:
        uid: File input, or what opens the chooser.
        file_paths: Local paths.
        include_snapshot: Show the whole page afterwards.
        report: What to show afterwards: what changed, the whole page or nothing.
    """
    async with acting(
        session, page, uid.frame, snapshot=include_snapshot, report=report
    ) as effects:
        await page.input.upload(uid, [str(path) for path in file_paths])
    done = f"Uploaded {', '.join(path.name for path in file_paths)}."
    return await outcome(session, page, done, effects, snapshot=include_snapshot, report=report)


def _patience(keys: KeyCombination) -> float | None:
    """Keys that submit, activate or close may act late; others act at once or not at all."""
    return None if keys.key.key in ("Enter", " ", "Escape") or keys.modifiers else 0.0


def _changed_since(effects: ActionEffects, element: Element) -> str:
    """Say which value the page has given a control since it was filled."""
    if element.label not in effects.put_back:
        return ""
    now = effects.put_back[element.label]
    return PUT_BACK if now is None else f"But the page has changed it to {in_quotes(now, QUOTED)}."


def _progress(done: int, elements: Sequence[FieldValue]) -> str:
    left = len(elements) - done
    return f"{done} filled, {left} not."
