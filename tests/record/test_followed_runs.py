from __future__ import annotations

from pathlib import Path

import pytest

from tabmux.record.followed_runs import FollowedRuns
from tabmux.record.run_files import run_file
from tests.record.runs import entry, written


async def test_a_run_that_is_removed_meanwhile_is_no_news(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed = FollowedRuns(tmp_path)
    gone = run_file(tmp_path, await written(tmp_path, [entry("click")]))
    await written(tmp_path, [entry("fill")])
    found = list(followed._sizes())
    gone.unlink()
    monkeypatch.setattr(followed, "_sizes", lambda: found)
    assert [each.tool for each in followed.news()] == ["fill"]


async def test_a_run_that_is_made_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    file = run_file(tmp_path, await written(tmp_path, [entry("click"), entry("click")]))
    followed = FollowedRuns(tmp_path)
    other = run_file(tmp_path, await written(tmp_path, [entry("fill")]))
    other.rename(file)
    assert [each.tool for each in followed.news()] == ["fill"]
