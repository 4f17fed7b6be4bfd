from __future__ import annotations

import pytest

from tabmux.analysis.insights.character_set import analyse
from tests.analysis.insight_set_samples import document, loaded


@pytest.mark.parametrize(
    ("header", "charset", "noteworthy"),
    [
        ("text/html; charset=utf-8", "not-found", False),
        ("text/html;Charset='UTF-8'", "", False),
        ("text/html", "found-in-first-1024-bytes", False),
        ("text/html", "found-after-first-1024-bytes", True),
        ("text/html", "not-found", True),
        ("text/html", "", True),
    ],
)
def test_charset_must_be_declared_early(header: str, charset: str, noteworthy: bool) -> None:
    found = analyse(loaded(document=document(headers={"content-type": header}), charset=charset))

    assert found.noteworthy is noteworthy
