"""Batch calls: a run as calls, one a line, which `tabmux batch` makes; most in batches."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tabmux.errors import Misuse
from tabmux.record.replay_plan import ReplayPlan

MOST_STEPS = 50
# What no batch can contain.
_ALONE = frozenset({"new_page", "close_page", "handle_dialog"})


def batch_calls(plan: ReplayPlan, values: Mapping[str, str]) -> str:
    """Return the calls with the values of the parameters; refuses a run on several pages."""
    if plan.has_several_pages:
        # A page is named by a number that is another one in every session.
        raise Misuse(
            "The run is on several pages, and the calls of a batch cannot say which they mean.",
            hint="Export it with --as python, or do it again with tabmux record replay.",
        )
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in _calls(plan, values))


def _calls(plan: ReplayPlan, values: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    waiting: list[dict[str, Any]] = []
    page: int | None = None
    for step in plan.steps:
        if step.tool == "select_page":
            # The only page is selected.
            continue
        given = step.given(values)
        given.pop("pageId", None)
        call = {"tool": step.tool, "arguments": given}
        if waiting and (step.tool in _ALONE or step.page != page or len(waiting) == MOST_STEPS):
            yield _batch(waiting)
            waiting = []
        page = step.page
        if step.tool in _ALONE:
            yield call
        else:
            waiting.append(call)
    if waiting:
        yield _batch(waiting)


def _batch(steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {"tool": "batch", "arguments": {"steps": steps}}
