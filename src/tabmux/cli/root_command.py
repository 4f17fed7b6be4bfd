"""The command line: parses, and hands over to the one command that is wanted."""

from __future__ import annotations

import sys
from typing import Any

import click

from tabmux import __version__
from tabmux.cli.command_table import COMMANDS, HELP, command
from tabmux.cli.setting_options import flags_of, with_settings


class CommandGroup(click.Group):
    """The commands, each imported when it is wanted."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names for the help text."""
        return sorted([*super().list_commands(context), *COMMANDS])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        return command(name) if name in COMMANDS else super().get_command(context, name)


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": HELP},
)
@click.version_option(__version__, prog_name="tabmux")
@with_settings
@click.pass_context
def cli(context: click.Context, /, **flags: Any) -> None:
    """tmux for browsers: many agents, many browsers, every agent with tabs of its own.

    Without a command, tabmux serves MCP over standard input and output: it joins your daemon,
    and starts it if none runs.
    """
    if context.invoked_subcommand is None:
        from tabmux.cli.stdio_relay import relay

        sys.exit(relay(flags_of(flags)))
