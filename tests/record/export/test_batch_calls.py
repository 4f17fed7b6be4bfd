from __future__ import annotations

import pytest

from tabmux.errors import Misuse
from tabmux.record.export.batch_calls import batch_calls
from tabmux.record.export.library_script import library_script
from tabmux.record.replay_plan import ReplayPlan
from tests.record.runs import clicked, entry, selected


def test_a_run_on_several_pages_is_no_batch() -> None:
    plan = ReplayPlan.of([clicked("B", 3), selected(5), entry("press_key", page=5)])
    with pytest.raises(Misuse, match="several pages") as refused:
        batch_calls(plan, plan.values({}))
    assert "--as python" in refused.value.hint


def test_the_only_page_need_not_be_selected() -> None:
    plan = ReplayPlan.of([selected(3), clicked("B", 3), selected(3)])
    assert "select_page" not in batch_calls(plan, plan.values({}))
    assert "select_page" not in library_script(plan, "run")
