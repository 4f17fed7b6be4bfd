"""Command watch: shows the calls of all sessions as they are made, from the record's files."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import click

from tabmux.folders import record_folder
from tabmux.record.call_entry import CallEntry
from tabmux.record.entry_lines import entry_lines
from tabmux.record.followed_runs import FollowedRuns

LOOK_SECONDS = 0.2


@click.command("watch")
@click.option("--session", default="", help="Only the calls of this session.")
@click.option("--failed", is_flag=True, help="Only calls that failed.")
@click.option("--diff/--no-diff", default=True, help="Also what changed in the page.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one call a line.")
def watch(session: str, failed: bool, diff: bool, as_json: bool) -> None:
    """Show every call of every session as it is made."""
    for entry in _entries(Path(record_folder())):
        if (session and entry.session != session) or (failed and not entry.failed):
            continue
        if as_json:
            click.echo(json.dumps(entry.as_json(), ensure_ascii=False))
        else:
            first, *rest = entry_lines(entry, diff=diff)
            click.echo(click.style(first, fg="red") if entry.failed else first)
            for line in rest:
                click.echo(click.style(line, dim=True))


def _entries(folder: Path) -> Iterator[CallEntry]:
    followed = FollowedRuns(folder)
    click.echo(f"Watching {folder}", err=True)
    while True:
        yield from followed.news()
        time.sleep(LOOK_SECONDS)
