"""The command line: parses, and hands over to the one command that is wanted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from tabmux import __version__
from tabmux.cli.profile import profile
from tabmux.config import Settings, options, resolve
from tabmux.errors import TabmuxError


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


def with_settings(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a flag for every setting, in both spellings."""
    for each in reversed(options()):
        if each.name == "browser":
            continue  # a table of the file
        names = [f"--{each.name.replace('_', '-')}"]
        if "_" in each.name:
            names.append(f"--{_camel(each.name)}")
        choices = each.metadata["choices"]
        kind = str(each.type)
        extra: dict[str, Any] = {"help": each.metadata["help"]}
        if kind == "bool":
            extra["is_flag"] = True
        elif choices:
            extra["type"] = click.Choice(choices)
        elif kind == "int":
            extra["type"] = int
        if each.metadata["metavar"]:
            extra["metavar"] = each.metadata["metavar"]
        if kind.startswith("tuple"):
            extra["multiple"] = True
        command = click.option(*names, each.name, **extra)(command)
    return click.option(
        "--config", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file of settings."
    )(command)


def _settings(flags: dict[str, Any]) -> Settings:
    file = flags.pop("config")
    return resolve(flags, file=file)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tabmux")
@with_settings
@click.pass_context
def cli(context: click.Context, /, **flags: Any) -> None:
    """tmux for browsers: many agents, many browsers, every agent with tabs of its own.

    Without a command, tabmux serves MCP over standard input and output.
    """
    if context.invoked_subcommand is None:
        from tabmux.daemon.serve import serve

        sys.exit(serve(_settings({**flags, "stdio": True})))


@cli.command("serve")
@with_settings
def serve_command(**flags: Any) -> None:
    """Serve MCP in this process, over --stdio or --http."""
    settings = _settings(flags)
    if settings.stdio == settings.http:
        raise click.UsageError("Say either --stdio or --http.")
    from tabmux.daemon.serve import serve

    sys.exit(serve(settings))


@cli.command("embed", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def embed_command(arguments: tuple[str, ...]) -> None:
    """Serve MCP over HTTP for one running browser: --cdp-port=N --mcp-port=M."""
    from tabmux.daemon.embed import embed

    sys.exit(embed(arguments))


cli.add_command(profile)


def main() -> None:
    """Run the command line; what goes wrong becomes one line on standard error."""
    try:
        cli()
    except TabmuxError as error:
        click.echo(f"Error: {error.message} {error.hint}".rstrip(), err=True)
        sys.exit(1)
