from __future__ import annotations

from pathlib import Path

import pytest

from tests.record.killed_server import killed


@pytest.mark.parametrize("seconds", [0.1, 0.4])
def test_a_killed_server_has_lost_at_most_the_line_that_it_was_writing(
    tmp_path: Path, seconds: float
) -> None:
    found = killed(tmp_path, seconds)
    assert found.answered > 1
    assert found.recorded >= found.answered - 1
    assert found.faults == ()
