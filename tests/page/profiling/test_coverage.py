from __future__ import annotations

import pytest

from tabmux.page.profiling.coverage import used_spans


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ([], []),
        ([(0, 10, 1)], [(0, 10)]),
        ([(0, 10, 0)], []),
        ([(0, 10, 1), (2, 5, 0)], [(0, 2), (5, 10)]),
        ([(0, 10, 1), (2, 8, 0), (3, 4, 1)], [(0, 2), (3, 4), (8, 10)]),
        ([(0, 10, 1), (0, 10, 0)], []),
        ([(0, 10, 1), (2, 4, 0), (4, 6, 0), (6, 8, 1)], [(0, 2), (6, 10)]),
        ([(5, 9, 1), (0, 20, 0)], [(5, 9)]),
    ],
)
def test_innermost_range_decides(
    ranges: list[tuple[int, int, int]], expected: list[tuple[int, int]]
) -> None:
    given = [{"startOffset": a, "endOffset": b, "count": n} for a, b, n in ranges]
    assert list(used_spans(given)) == expected
