"""Command record: runs of the past; read from their files, without a daemon but for replays."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tabmux.cli import terminal
from tabmux.folders import record_folder
from tabmux.record.call_entry import CallEntry
from tabmux.record.run_files import find_run, picture_file, read_run, runs

FORMATS = ("trace", "har", "report", "python", "playwright", "batch", "json")
# The forms that do a run again.
_SCRIPTS = ("python", "playwright", "batch")
_ENDINGS = {
    "trace": "-trace.zip", "har": ".har", "report": ".md", "python": ".py",
    "playwright": "_test.py", "batch": ".batch", "json": ".json",
}  # fmt: skip

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_RUN = click.argument("run", default="last")
_SET = click.option(
    "--set", "given", multiple=True, metavar="NAME=VALUE", help="Another value for what was typed."
)


@click.group()
def record() -> None:
    """What agents did: every call of every session."""


@record.command("list")
@_JSON
@click.option("-n", "count", type=click.IntRange(1), default=50, help="How many at most.")
def list_command(as_json: bool, count: int) -> None:
    """List the runs, the newest first."""
    found = runs(_folder())[:count]
    rows = [
        {
            "run": each.run,
            "session": each.session,
            "client": each.client,
            "started": _moment(each.started),
            "bytes": each.bytes,
        }
        for each in found
    ]
    if as_json:
        click.echo(json.dumps(rows))
    elif terminal.is_terminal():
        terminal.print_table(rows, empty="No runs.")
    else:
        for row in rows:
            click.echo(" ".join(str(value) for value in row.values()))


@record.command("show")
@_RUN
@_JSON
def show_command(run: str, as_json: bool) -> None:
    """Show the calls of a run; without a name, of the newest."""
    from tabmux.record.entry_lines import entry_lines

    for entry in read_run(_folder(), find_run(_folder(), run)):
        if as_json:
            click.echo(json.dumps(entry.as_json(), ensure_ascii=False))
        else:
            click.echo("\n".join(entry_lines(entry)))


@record.command("export")
@_RUN
@click.option(
    "--as",
    "kind",
    type=click.Choice(FORMATS),
    default="trace",
    show_default=True,
    help="The form to write.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to.")
@_SET
def export_command(run: str, kind: str, output: Path | None, given: tuple[str, ...]) -> None:
    """Write a run as a Playwright trace, HAR, report, script, test or batch."""
    if given and kind not in _SCRIPTS:
        raise click.UsageError(f"--set needs --as {', '.join(_SCRIPTS)}: {kind} tells what was.")
    name = find_run(_folder(), run)
    stem = name.replace("-", "_") if kind in ("python", "playwright") else name
    prefix = "run_" if kind in ("python", "playwright") else ""
    file = output or Path(f"{prefix}{stem}{_ENDINGS[kind]}")
    _keep_private(file)
    _write(file, kind, name, list(read_run(_folder(), name)), _values(given))
    click.echo(str(file))


@record.command("replay")
@_RUN
@_SET
@click.option(
    "--replace", "texts", multiple=True, metavar="OLD=NEW", help="Another text, wherever it stands."
)
@click.option("--session", default="", help="A name for the new session.")
@click.option("--dry-run", is_flag=True, help="Only show the steps and the parameters.")
def replay_command(
    run: str, given: tuple[str, ...], texts: tuple[str, ...], session: str, dry_run: bool
) -> None:
    """Do the actions of a run again in a new session, up to the first that ends otherwise."""
    from tabmux.cli.run_replay import replay_run
    from tabmux.record.replay_plan import ReplayPlan

    plan = ReplayPlan.of(read_run(_folder(), find_run(_folder(), run)))
    if dry_run:
        for step in plan.steps:
            click.echo(
                f"{step.number} {step.tool} {json.dumps(step.arguments, ensure_ascii=False)}"
            )
        for name, text in plan.parameters.items():
            click.echo(f"--set {name}={'…' if text is None else text}")
        return
    sys.exit(replay_run(plan, _values(given), _values(texts), session))


@record.command("verify")
@_RUN
def verify_command(run: str) -> None:
    """Look whether the lines of a run are those that were written."""
    from tabmux.record.hash_chain import verify

    name = find_run(_folder(), run)
    check = verify(_folder(), name)
    for text in (*check.faults, *check.notes):
        click.echo(text)
    if check.faults:
        click.echo(f"{name}: NOT as it was written.")
        sys.exit(1)
    click.echo(f"{name}: {check.lines} lines, as they were written.")


@record.command("prune")
@click.option("--days", type=click.FloatRange(0), help="Keep runs of so many days.")
@click.option("--megabytes", type=click.FloatRange(0), help="Keep so much.")
@click.option("--all", "everything", is_flag=True, help="Keep nothing.")
def prune_command(days: float | None, megabytes: float | None, everything: bool) -> None:
    """Remove runs that are too old, and the oldest of those that take too much room."""
    from tabmux.record.pruning import Limits, prune
    from tabmux.settings import resolve_settings

    settings = resolve_settings({})
    limits = Limits(
        settings.record_days if days is None else days,
        settings.record_megabytes if megabytes is None else megabytes,
    )
    gone = prune(_folder(), Limits(0, 0) if everything else limits)
    click.echo(f"Removed {gone.runs} runs and {gone.pictures} pictures, {gone.bytes} bytes.")
    if gone.written:
        click.echo(
            f"Left {gone.written} runs that are being written; they end with their sessions."
        )


def _keep_private(file: Path) -> None:
    """Let nobody else read what is written now: a run shows pages of people who are logged in."""
    os.umask(0o077)
    if file.is_file():
        file.chmod(0o600)


def _write(
    file: Path, kind: str, name: str, entries: list[CallEntry], given: Mapping[str, str]
) -> None:
    folder = _folder()

    def picture(ident: str) -> bytes | None:
        found = picture_file(folder, ident)
        return found.read_bytes() if found.exists() else None

    if kind == "trace":
        from tabmux.record.export.playwright_trace import write_trace

        write_trace(file, entries, picture)
    elif kind == "report":
        from tabmux.record.export.report import write_report

        write_report(file, name, entries, picture)
    else:
        file.write_text(_text(kind, name, entries, given), encoding="utf-8")


def _text(kind: str, name: str, entries: list[CallEntry], given: Mapping[str, str]) -> str:
    if kind == "har":
        from tabmux.record.export.http_archive import archive_of

        return json.dumps(archive_of(entries), indent=1)
    if kind == "json":
        return json.dumps([entry.as_json() for entry in entries], indent=1, ensure_ascii=False)
    from tabmux.record.replay_plan import ReplayPlan

    plan = ReplayPlan.of(entries)
    plan.parameters = plan.known_values(given)
    if kind == "python":
        from tabmux.record.export.library_script import library_script

        return library_script(plan, name)
    if kind == "playwright":
        from tabmux.record.export.playwright_test import playwright_test

        return playwright_test(plan, name)
    from tabmux.record.export.batch_calls import batch_calls

    return batch_calls(plan, plan.values({}))


def _values(words: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"{word!r} is not of the form NAME=VALUE.")
        found[name] = value
    return found


def _folder() -> Path:
    return Path(record_folder())


def _moment(when: float) -> Any:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(when))
