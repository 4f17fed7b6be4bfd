"""Command logs: shows what the daemon has written down, and goes on as it writes more."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from tabmux.cli.log_file import last_lines, log_file, opened
from tabmux.errors import Misuse

LINES = 50
LOOK_SECONDS = 0.2
_CHUNK = 1 << 16


@click.command("logs")
@click.option("-f", "--follow", is_flag=True, help="Go on as the daemon writes more.")
@click.option(
    "-n",
    "--lines",
    "count",
    type=click.IntRange(0),
    default=LINES,
    show_default=True,
    help="How many of the last lines to show.",
)
@click.option("--path", "only_path", is_flag=True, help="Only print where the file is.")
def logs(follow: bool, count: int, only_path: bool) -> None:
    """Show the log of the daemon that runs, or of the last one that did."""
    file = log_file()
    if only_path:
        click.echo(str(file))
        return
    handle = opened(file)
    if handle is None and not follow:
        raise Misuse(f"There is no log at {file} yet.", hint="The daemon makes it when it starts.")
    for line in last_lines(file, count, handle):
        click.echo(line, nl=False)
    if follow:
        for chunk in _later_chunks(file, handle):
            click.echo(chunk, nl=False)


def _later_chunks(file: Path, handle: BinaryIO | None) -> Iterator[bytes]:
    """Yield what is written from now on, through rotations."""
    while True:
        while handle is not None and (chunk := handle.read(_CHUNK)):
            yield chunk
        if handle is None or _is_replaced(file, handle):
            # What was written between the last look and the rotation comes first.
            if handle is not None and (chunk := handle.read()):
                yield chunk
            if newer := opened(file):
                handle = newer
                continue
        time.sleep(LOOK_SECONDS)


def _is_replaced(file: Path, handle: BinaryIO) -> bool:
    try:
        now = file.stat()
    except FileNotFoundError:
        return False
    before = os.fstat(handle.fileno())
    return (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino) or now.st_size < handle.tell()
