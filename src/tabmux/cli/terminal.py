"""Terminal output: tables, and a spinner while something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

# What is quicker than this needs no spinner.
SPINNER_SECONDS = 0.4

_COLOURS = {
    "connected": "green",
    "active": "green",
    "connecting": "yellow",
    "detached": "yellow",
    "disconnected": "red",
    "unreachable": "red",
}


def is_terminal() -> bool:
    """Whether somebody is looking; pipes and files get plain lines."""
    return sys.stdout.isatty()


def print_table(rows: Sequence[Mapping[str, Any]], *, empty: str) -> None:
    """Print rows under the names of their columns."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        Console().print(empty, style="italic", highlight=False)
        return
    made = Table(box=None, header_style="bold", pad_edge=False)
    for name in rows[0]:
        made.add_column(name, overflow="fold")
    for row in rows:
        texts = ["" if value is None else str(value) for value in row.values()]
        made.add_row(*(Text(text, style=_COLOURS.get(text, "")) for text in texts))
    Console().print(made)


@contextmanager
def spinner(text: str, after: float = SPINNER_SECONDS) -> Iterator[Callable[[str], None]]:
    """Show a spinner on a terminal when the block takes long; yields how to change its text."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    import threading

    texts, shown = [text], list[Any]()
    timer = threading.Timer(after, _show_spinner, (texts, shown))
    timer.daemon = True
    timer.start()
    try:
        yield lambda new: _change_text(new, texts, shown)
    finally:
        timer.cancel()
        timer.join()
        for status in shown:
            status.stop()


def _change_text(text: str, texts: list[str], shown: Sequence[Any]) -> None:
    texts.append(text)
    for status in shown:
        status.update(text)


def _show_spinner(texts: Sequence[str], shown: list[Any]) -> None:
    from rich.console import Console

    status = Console(stderr=True).status(texts[-1])
    status.start()
    shown.append(status)
    status.update(texts[-1])  # there may be news since
