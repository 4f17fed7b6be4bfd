"""How a call of a page's tool ended, as far as the page lets one see: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal[
    "done", "navigated", "validation_error", "needs_human", "download", "no_effect"
]  # fmt: skip


@dataclass(frozen=True)
class PageMessages:
    """What the page says at one moment.

    Attributes:
        invalid: Fields that the browser refused to send, since the tool began.
        alerts: Errors that the page shows.
        notes: What it shows besides.
    """

    invalid: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    captcha: bool = False

    @classmethod
    def of(cls, answer: Mapping[str, Any] | None) -> PageMessages:
        """Read what the page's script returned."""
        if answer is None:
            return cls()
        texts = {key: tuple(answer[key]) for key in ("invalid", "alerts", "notes")}
        return cls(**texts, captcha=bool(answer["captcha"]))


@dataclass(frozen=True)
class ObservedEffects:
    """What was noticed while the tool ran.

    Attributes:
        moved: The document or its address is another one.
        same_form: The new document has the tool's form again.
        touched: Anything at all happened: a change, a request, a new tab.
    """

    moved: bool = False
    same_form: bool = False
    touched: bool = False
    download: str = ""
    dialog: str = ""


@dataclass(frozen=True)
class CallOutcome:
    """A status, and the words of the page that go with it."""

    status: Status
    messages: tuple[str, ...] = ()


def judge(
    before: PageMessages, after: PageMessages, traces: ObservedEffects, *, sends: bool
) -> CallOutcome:
    """Say how it ended.

    Args:
        before: What the page said before.
        after: What it says now.
        traces: What was noticed meanwhile.
        sends: Whether the tool fills a form and sends it.
    """
    if traces.download:
        return CallOutcome("download", (f"Downloads {traces.download}.",))
    if traces.dialog:
        return CallOutcome("done", (f"A dialog is open ({traces.dialog}).",))
    errors = _errors(before, after, traces) if sends else ()
    if after.captcha and (errors or not before.captcha or not traces.touched):
        return CallOutcome("needs_human", ("The page asks for a captcha.", *errors))
    if errors:
        return CallOutcome("validation_error", errors)
    notes = _new(before.notes, after.notes) + _new(before.alerts, after.alerts)
    if traces.moved:
        return CallOutcome("navigated", notes)
    return CallOutcome("done" if traces.touched or notes else "no_effect", notes)


def _errors(before: PageMessages, after: PageMessages, traces: ObservedEffects) -> tuple[str, ...]:
    if traces.moved:
        return after.alerts if traces.same_form else ()
    return after.invalid or _new(before.alerts, after.alerts)


def _new(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in after if text not in before)
