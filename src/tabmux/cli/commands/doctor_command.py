"""Command doctor: checks everything tabmux needs, and says how to mend what is missing."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial

import click

from tabmux.cli.checks import (
    browser_checks,
    daemon_checks,
    grid_checks,
    installation_checks,
)
from tabmux.cli.checks.check import Check
from tabmux.errors import TabmuxError
from tabmux.settings import Settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check clients, browser, daemon, log, ports and permissions, and say how to fix each."""
    checks = run_checks()
    healthy = all(check.state != "problem" for check in checks)
    if as_json:
        click.echo(json.dumps({"ok": healthy, "checks": [asdict(check) for check in checks]}))
    elif sys.stdout.isatty():
        _print_table(checks)
    else:
        _print_lines(checks)
    context.exit(0 if healthy else 1)


def run_checks() -> list[Check]:
    """Look at everything, in the order in which trouble comes."""
    port = daemon_checks.check_port
    looks: dict[str, Callable[[str], Check]] = {
        "python": installation_checks.check_python,
        "tabmux": installation_checks.check_tabmux,
        "dependencies": installation_checks.check_dependencies,
        "clients": installation_checks.check_clients,
        "browser": browser_checks.check_browser,
        "sandbox": browser_checks.check_sandbox,
        "display": browser_checks.check_display,
        "runtime-folder": daemon_checks.check_runtime_folder,
        "daemon": daemon_checks.check_daemon,
        "log": daemon_checks.check_log,
        f"port-{Settings.port}": partial(port, port=Settings.port, flag="--port"),
        f"port-{Settings.bridge_port}": partial(
            port, port=Settings.bridge_port, flag="--bridge-port"
        ),
        "token": daemon_checks.check_token,
        "extension": browser_checks.check_extension,
        "grid": grid_checks.check_grid,
        "profiles": browser_checks.check_profiles,
        "node": installation_checks.check_node,
        "memory": installation_checks.check_extra,
        "audits": installation_checks.check_extra,
    }
    return [_run_check(name, look) for name, look in looks.items()]


def _run_check(name: str, look: Callable[[str], Check]) -> Check:
    try:
        return look(name)
    except (OSError, TabmuxError) as error:
        return Check(name, "problem", f"Could not look: {error}.", "See what it names.")


def _print_table(checks: Sequence[Check]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "warning": "yellow", "problem": "bold red"}
    table = Table.grid(padding=(0, 2))
    for check in checks:
        found = Text(check.detail)
        if check.fix:
            found.append(f"\n{check.fix}", style="italic")
        table.add_row(Text(check.state, style=colours[check.state]), Text(check.name), found)
    Console().print(table)


def _print_lines(checks: Sequence[Check]) -> None:
    for check in checks:
        fix = f" Fix: {check.fix}" if check.fix else ""
        click.echo(f"{check.state:<8} {check.name}: {check.detail}{fix}")
