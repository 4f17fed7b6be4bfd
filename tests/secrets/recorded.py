"""Recorded runs: everything that a run can be made into, as text."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tabmux.errors import TabmuxError
from tabmux.record.entry_lines import entry_lines
from tabmux.record.export.http_archive import archive_of
from tabmux.record.export.library_script import library_script
from tabmux.record.export.playwright_test import playwright_test
from tabmux.record.export.playwright_trace import write_trace
from tabmux.record.export.report import write_report
from tabmux.record.replay_plan import ReplayPlan
from tabmux.record.run_files import read_run


def exports(folder: Path, run: str) -> Iterator[tuple[str, str | bytes]]:
    """Yield a run in every form, by its name."""
    entries = list(read_run(folder, run))
    yield "lines", "\n".join(line for entry in entries for line in entry_lines(entry))
    yield "an archive", json.dumps(archive_of(entries), ensure_ascii=False)
    with tempfile.TemporaryDirectory() as made:
        file = Path(made, "run")
        write_report(file, run, entries, lambda _: None)
        yield "a report", file.read_bytes()
        write_trace(file, entries, lambda _: None)
        with zipfile.ZipFile(file) as trace:
            yield "a trace", b"\n".join(trace.read(name) for name in trace.namelist())
    try:
        plan = ReplayPlan.of(entries)
    except TabmuxError:
        return  # it touched something that nothing is known of
    yield "a script", library_script(plan, run)
    yield "a test", playwright_test(plan, run)
