"""The command line: parses, and hands over to the one command that is wanted."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from tabmux import __version__
from tabmux.cli.settings import flags_of, with_settings
from tabmux.errors import TabmuxError

# Where each command lives; only the one that is called is imported.
_COMMANDS = {
    "batch": "tabmux.cli.call",
    "bridge": "tabmux.cli.bridge",
    "browser": "tabmux.cli.browser",
    "call": "tabmux.cli.call",
    "control": "tabmux.cli.session",
    "daemon": "tabmux.cli.daemon",
    "doctor": "tabmux.cli.doctor",
    "extension": "tabmux.cli.extension",
    "install": "tabmux.cli.install",
    "profile": "tabmux.cli.profile",
    "serve": "tabmux.cli.serve",
    "session": "tabmux.cli.session",
}


class Commands(click.Group):
    """The commands, each imported when it is wanted."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names for the help text."""
        return sorted([*super().list_commands(context), *_COMMANDS])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        if name not in _COMMANDS:
            return super().get_command(context, name)
        found: click.Command = getattr(importlib.import_module(_COMMANDS[name]), name)
        return found


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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
        from tabmux.cli.relay import relay

        sys.exit(relay(flags_of(flags)))


@cli.command("embed", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def embed_command(arguments: tuple[str, ...]) -> None:
    """Serve MCP over HTTP for one running browser: --cdp-port=N --mcp-port=M."""
    from tabmux.daemon.embed import embed

    sys.exit(embed(arguments))


def main() -> None:
    """Run the command line; what goes wrong becomes one line on standard error."""
    try:
        cli(prog_name="tabmux")
    except TabmuxError as error:
        click.echo(f"Error: {error.message} {error.hint}".rstrip(), err=True)
        sys.exit(1)
