"""CharacterSet: whether the document says early which encoding it is in."""

from __future__ import annotations

import re

from tabmux.analysis.insights.insight import Insight
from tabmux.analysis.trace.insight_sets import InsightSet

NAME = "CharacterSet"
IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)
EARLY = "found-in-first-1024-bytes"


def analyse(part: InsightSet) -> Insight:
    """Look at the response header, then at what Chrome found in the document."""
    if part.document is None:
        return Insight(NAME, "the document's request is not recorded")
    header = IN_HEADER.search(part.document.headers.get("content-type", ""))
    if header:
        return Insight(NAME, f"the Content-Type header says {header[1]}")
    if part.charset == EARLY:
        return Insight(NAME, "a meta tag in the first 1024 bytes declares it")
    late = part.charset == "found-after-first-1024-bytes"
    found = "a meta tag declares it too late" if late else "the document does not declare it either"
    return Insight(
        NAME,
        f"the Content-Type header names no charset and {found}",
        noteworthy=True,
        details=("send Content-Type: text/html; charset=utf-8",),
        resources=(part.document.url,),
    )
