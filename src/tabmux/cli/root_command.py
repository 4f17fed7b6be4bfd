"""Root command: help, version, completions and unknown commands of `tabmux` itself."""

from __future__ import annotations

from typing import Any

import click

from tabmux import __version__
from tabmux.cli.click_options import setting_options
from tabmux.cli.command_table import COMMANDS, HELP_OPTIONS, load_command


class CommandGroup(click.Group):
    """The commands, each imported when it is wanted."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names for the help text."""
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        return load_command(name) if name in COMMANDS else None


@click.group(
    cls=CommandGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)
@click.version_option(__version__, prog_name="tabmux")
@setting_options
def root(**flags: Any) -> None:
    """tmux for browsers: many agents, many browsers, every agent with tabs of its own.

    Without a command, tabmux serves MCP over standard input and output: it joins your daemon,
    and starts it if none runs.
    """
