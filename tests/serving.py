"""The server as tests run it: patient, since a busy machine is no page that does not answer."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tabmux.daemon import app
from tabmux.settings import Settings
from tabmux.timings import Timings

PATIENT = Timings(
    window=10,
    attach=40,
    script_world=20,
    title=5,
    frames_after_load=10,
    frame_snapshot=10,
    console_value=25,
    webmcp=20,
    opened_address=10,
    page_tools=25,
    page_tool_count=20,
    page_world_tools=10,
)
# Tests leave no runs in the home of whoever runs them.
_RECORDS = TemporaryDirectory(prefix="tabmux-record-")


def running(
    settings: Settings, *, timings: dict[str, float] | None = None, **options: Any
) -> AbstractAsyncContextManager[app.App]:
    """Run a server; `timings` are those that differ from the patient ones."""
    options.setdefault("record_folder", Path(_RECORDS.name))
    return app.running(settings, timings=replace(PATIENT, **timings or {}), **options)
