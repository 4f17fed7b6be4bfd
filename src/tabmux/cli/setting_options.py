"""Setting options: a click option for every setting, in both spellings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from tabmux.settings import Settings, resolve_settings, setting_fields


def setting_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command a flag for every setting."""
    for each in reversed(setting_fields()):
        if each.name == "browser":
            continue  # a table of the file
        names = [name for word in (each.name, *each.metadata["aliases"]) for name in _names(word)]
        command = click.option(*names, each.name, **_kind(each))(command)
    return click.option(
        "--config", type=click.Path(dir_okay=False, path_type=Path), help="A TOML file of settings."
    )(command)


def resolve_flags(flags: Mapping[str, Any]) -> Settings:
    """Put the settings together from the flags of a command."""
    rest = dict(flags)
    return resolve_settings(rest, file=rest.pop("config", None))


def flag_words(flags: Mapping[str, Any]) -> list[str]:
    """Write flags as they stand on a command line, for a process that is to be started."""
    words: list[str] = []
    for name, value in flags.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif isinstance(value, tuple):
            words += [word for each in value for word in (flag, str(each))]
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return words


def _names(name: str) -> list[str]:
    names = [f"--{name.replace('_', '-')}"]
    if "_" in name:
        first, *rest = name.split("_")
        names.append(f"--{first}{''.join(part.title() for part in rest)}")
    return names


def _kind(each: Any) -> dict[str, Any]:
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
