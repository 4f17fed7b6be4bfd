"""Command daemon: start, stop, restart, status, install."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import click

from tabmux.cli import control_lines, daemon_client, terminal
from tabmux.cli.click_options import DaemonCommand, SettingsCommand, setting_options
from tabmux.cli.commands.autostart_commands import install_command, uninstall_command
from tabmux.cli.daemon_ending import end_daemon
from tabmux.daemon_connection import restarting
from tabmux.settings import flag_words, resolve_settings


@click.group()
def daemon() -> None:
    """The process that holds browsers and sessions."""


daemon.add_command(install_command)
daemon.add_command(uninstall_command)


@daemon.command("run", cls=SettingsCommand, hidden=True)
@setting_options
def run_command(**flags: Any) -> None:
    """Be the daemon, in the foreground."""
    from tabmux.daemon.process.daemon_process import run

    sys.exit(run(resolve_settings(flags)))


@daemon.command("run-for-client", cls=SettingsCommand, hidden=True)
@setting_options
def run_for_client_command(**flags: Any) -> None:
    """Be the daemon, with those of a client's flags that concern everybody."""
    from tabmux.daemon.client_settings import without_client_settings
    from tabmux.daemon.process.daemon_process import run

    sys.exit(run(without_client_settings(resolve_settings(flags))))


@daemon.command("start", cls=DaemonCommand)
@setting_options
def start_command(**flags: Any) -> None:
    """Start the daemon, unless it runs."""
    daemon_client.connect_or_start(flag_words(flags)).close()
    click.echo(control_lines.send_line("status")[0])


@daemon.command("stop")
def stop_command() -> None:
    """Stop the daemon, by force if need be; browsers that it started end with it, yours do not."""
    end_daemon()


@daemon.command("restart", cls=DaemonCommand)
@setting_options
def restart_command(**flags: Any) -> None:
    """Stop the daemon and start it anew; its sessions go on."""
    _refuse_what_would_not_start(flags)
    with restarting():
        end_daemon(for_another=True)
        daemon_client.connect_or_start(flag_words(flags)).close()
    click.echo(control_lines.send_line("status")[0])


def _refuse_what_would_not_start(flags: Mapping[str, Any]) -> None:
    """Raise what is wrong with the settings while the daemon of before still runs."""
    from tabmux.daemon.policy_settings import session_policies

    session_policies(resolve_settings(flags))


@daemon.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status_command(as_json: bool) -> None:
    """Show whether the daemon runs, its sessions, their pages and what is queued."""
    lines = control_lines.send_line("status", required=False)
    if as_json:
        parsed = [control_lines.read_words(line) for line in lines]
        found = {**parsed[0], "running": True, "sessions": parsed[1:]} if parsed else {}
        click.echo(json.dumps(found or {"running": False}))
    elif lines and terminal.is_terminal():
        terminal.print_table([control_lines.read_words(lines[0])], empty="")
        click.echo()
        terminal.print_table(
            [control_lines.read_words(line) for line in lines[1:]], empty="No sessions."
        )
    else:
        click.echo("\n".join(lines) or "No daemon runs.")
    sys.exit(0 if lines else 1)
