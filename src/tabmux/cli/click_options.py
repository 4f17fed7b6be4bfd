"""Click options: a flag for every setting, in both spellings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field
from typing import Any

import click

from tabmux.errors import Misuse
from tabmux.settings import flag_fields, parse_flags


class SettingsCommand(click.Command):
    """A command with a flag for every setting.

    The parser of the settings reads them, as it does for a relay, so that both understand the
    same; click only writes the help and completes words.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the flags."""
        if ctx.resilient_parsing or set(args) & set(ctx.help_option_names):
            return super().parse_args(ctx, args)
        try:
            ctx.params = parse_flags(args)
        except Misuse as error:
            raise click.UsageError(error.text, ctx) from error
        return []


class DaemonCommand(SettingsCommand):
    """A command that gives the daemon its settings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the flags; one that the daemon would not follow is refused."""
        rest = super().parse_args(ctx, args)
        if ctx.params.get("http") or ctx.params.get("cluster"):
            raise click.UsageError("The daemon serves no HTTP: tabmux serve --http does.", ctx)
        return rest


def setting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for every setting."""
    for each in reversed(flag_fields()):
        words = (each.name, *each.metadata["aliases"])
        names = [name for word in words for name in _spellings(word)]
        command = click.option(*names, each.name, **_option_type(each))(command)
    config = click.Path(dir_okay=False)
    return click.option("--config", type=config, help="A TOML file of settings.")(command)


def _spellings(name: str) -> list[str]:
    names = [f"--{name.replace('_', '-')}"]
    if "_" in name:
        first, *rest = name.split("_")
        names.append(f"--{first}{''.join(part.title() for part in rest)}")
    return names


def _option_type(each: Field[Any]) -> dict[str, Any]:
    kind, choices = str(each.type), each.metadata["choices"]
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
    return extra
