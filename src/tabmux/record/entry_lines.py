"""Entry lines: a call of the record as people read it in a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tabmux.page_text import address, visible_line
from tabmux.record.call_entry import CallEntry
from tabmux.record.export.playwright_trace import title


def entry_lines(entry: CallEntry, *, diff: bool = True) -> Iterator[str]:
    """Yield the lines of a call: what it was, its steps, what went wrong, what changed."""
    yield entry_line(entry)
    for step in entry.steps:
        mark = f" {step.code}" if step.failed else ""
        yield f"    {visible_line(title(step), 150)}{mark}"
    if entry.failed:
        yield f"    {visible_line(entry.error, 300)}"
    if diff:
        for line in entry.diff.splitlines():
            yield f"    {visible_line(line, 200)}"


def entry_line(entry: CallEntry) -> str:
    """Return the first of them."""
    when = time.strftime("%H:%M:%S", time.localtime(entry.time))
    mark = "failed" if entry.failed else "ok"
    code = f" [{entry.code}]" if entry.failed else ""
    where = f" {address(entry.url, 80)}" if entry.url else ""
    what = visible_line(title(entry), 100)
    return f"{when} {entry.session} {what} {mark}{code} {entry.milliseconds:.0f} ms{where}"
