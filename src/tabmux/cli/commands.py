"""Where each command lives; only the one that is called is imported."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

COMMANDS = {
    "batch": "tabmux.cli.call",
    "bridge": "tabmux.cli.bridge",
    "browser": "tabmux.cli.browser",
    "call": "tabmux.cli.call",
    "control": "tabmux.cli.session",
    "daemon": "tabmux.cli.daemon",
    "doctor": "tabmux.cli.doctor",
    "embed": "tabmux.cli.embed",
    "extension": "tabmux.cli.extension",
    "install": "tabmux.cli.install",
    "profile": "tabmux.cli.profile",
    "serve": "tabmux.cli.serve",
    "session": "tabmux.cli.session",
}
HELP = ["-h", "--help"]


def command(name: str) -> click.Command:
    """Import a command."""
    found: click.Command = getattr(importlib.import_module(COMMANDS[name]), name)
    return found


def run(name: str, arguments: Sequence[str]) -> None:
    """Run a command by itself, without the flags of all others around it: sooner by a fifth."""
    found = command(name)
    found.context_settings.setdefault("help_option_names", HELP)
    found.main(list(arguments), prog_name=f"tabmux {name}")
