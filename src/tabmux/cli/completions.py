"""Completions: the words that a shell offers for tools, sessions, clients and profiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tabmux.errors import TabmuxError

if TYPE_CHECKING:
    import click

# Somebody is waiting at the prompt.
ANSWER_SECONDS = 0.5
_TOOL = re.compile(r"^@tool\b(?:[^\n]|\n(?!async def))*\nasync def (\w+)", re.MULTILINE)
# In no group: they stand in for others in --toolset slim, or are other names of theirs.
_UNLISTED = ("slim.py", "old_names.py")


def complete_tools(context: click.Context, option: click.Parameter, word: str) -> list[str]:
    """Offer the tools of all groups."""
    return _beginning(word, tool_names())


def complete_sessions(context: click.Context, option: click.Parameter, word: str) -> list[str]:
    """Offer the sessions of a daemon that runs; none is started for it."""
    from tabmux.cli.control_lines import read_answer, send_line

    try:
        lines = send_line("session_list", required=False, seconds=ANSWER_SECONDS)
        return _beginning(word, [str(each["session"]) for each in read_answer(lines)])
    except (TabmuxError, OSError):
        return []


def complete_clients(context: click.Context, option: click.Parameter, word: str) -> list[str]:
    """Offer the clients that tabmux can be installed in."""
    from tabmux.cli.client_programs import client_programs

    return _beginning(word, client_programs())


def tool_names() -> list[str]:
    """Find the names in the sources of the tools: to import them takes seconds."""
    folder = Path(__file__).parents[1] / "tools"
    return sorted(
        name
        for file in folder.rglob("*.py")
        if file.name not in _UNLISTED
        for name in _TOOL.findall(file.read_text(encoding="utf-8"))
    )


def _beginning(word: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(word)]
