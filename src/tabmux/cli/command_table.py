"""Command table: which module has which command; only the one that is called is imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabmux.cli import failures
from tabmux.errors import BadArguments

if TYPE_CHECKING:
    import click

COMMANDS = {
    "batch": "tabmux.cli.commands.call_command",
    "bridge": "tabmux.cli.commands.server_commands",
    "browser": "tabmux.cli.commands.browser_profile_commands",
    "call": "tabmux.cli.commands.call_command",
    "completion": "tabmux.cli.commands.completion_command",
    "control": "tabmux.cli.commands.session_command",
    "daemon": "tabmux.cli.commands.daemon_command",
    "doctor": "tabmux.cli.commands.doctor_command",
    "embed": "tabmux.cli.commands.server_commands",
    "extension": "tabmux.cli.commands.extension_command",
    "install": "tabmux.cli.commands.install_command",
    "logs": "tabmux.cli.commands.logs_command",
    "mcp": "tabmux.cli.commands.call_command",
    "policy": "tabmux.cli.commands.policy_command",
    "profile": "tabmux.cli.commands.browser_profile_commands",
    "record": "tabmux.cli.commands.record_command",
    "serve": "tabmux.cli.commands.server_commands",
    "session": "tabmux.cli.commands.session_command",
    "tools": "tabmux.cli.commands.tools_command",
    "ui": "tabmux.cli.commands.ui_command",
    "url": "tabmux.cli.commands.url_command",
    "watch": "tabmux.cli.commands.watch_command",
}
HELP_OPTIONS = ["-h", "--help"]


def load_command(name: str) -> click.Command:
    """Import a command."""
    found: click.Command = getattr(importlib.import_module(COMMANDS[name]), name)
    return found


def run_command(name: str, arguments: Sequence[str]) -> None:
    """Run a command by itself, without the flags of all others around it: sooner by a fifth."""
    import click

    found = load_command(name)
    found.context_settings.setdefault("help_option_names", HELP_OPTIONS)
    try:
        code = found.main(list(arguments), prog_name=f"tabmux {name}", standalone_mode=False)
    except click.ClickException as error:
        sys.exit(_report(error, arguments))
    except click.Abort as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None
        click.echo("Aborted!", err=True)
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def _report(error: click.ClickException, arguments: Sequence[str]) -> int:
    """Show what is wrong with a command line; returns the exit code."""
    if failures.wants_json(arguments):
        failures.report(BadArguments(error.format_message()), arguments)
    else:
        error.show()
    return error.exit_code
