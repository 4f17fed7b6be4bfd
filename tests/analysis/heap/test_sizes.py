import math

import pytest

from tabmux.analysis.heap.sizes import SizeRange
from tabmux.errors import BadArguments


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("1024", 1024, math.inf),
        ("1MB", 1_000_000, math.inf),
        ("1MB-2MB", 1_000_000, 2_000_000),
        ("-1MB", 0, 1_000_000),
        ("1 KiB - 2k", 1024, 2000),
        ("1.5GB-", 1_500_000_000, math.inf),
        ("7 bytes-8b", 7, 8),
        ("0-1TiB", 0, 1024**4),
    ],
)
def test_range_is_read(text: str, least: int, most: float) -> None:
    assert SizeRange.parse(text) == SizeRange(least, most)


@pytest.mark.parametrize("text", ["", "-", " - ", "abc", "1XB", "5i", "2MB-1MB", "1-2-3", "-1-"])
def test_what_is_no_range_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(BadArguments) as caught:
        SizeRange.parse(text)
    assert caught.value.hint
