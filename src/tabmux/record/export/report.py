"""Report: a run as Markdown, with the pictures beside it."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tabmux.page_text import visible_line
from tabmux.record.call_entry import CallEntry
from tabmux.record.export.playwright_trace import Picture, title


def write_report(file: Path, run: str, entries: Iterable[CallEntry], picture: Picture) -> None:
    """Write the report, and the pictures into a folder beside it."""
    folder = file.with_name(f"{file.stem}-pictures")
    saved: dict[str, str] = {}
    calls = list(entries)
    for entry in calls:
        if entry.picture and entry.picture not in saved:
            if (data := picture(entry.picture)) is None:
                continue
            folder.mkdir(exist_ok=True)
            name = f"{len(saved) + 1:03}.webp"
            (folder / name).write_bytes(data)
            saved[entry.picture] = f"{folder.name}/{name}"
    file.write_text("\n".join(_lines(run, calls, saved)) + "\n", encoding="utf-8")


def _lines(run: str, calls: list[CallEntry], pictures: dict[str, str]) -> Iterator[str]:
    failed = sum(entry.failed for entry in calls)
    taken = sum(entry.milliseconds for entry in calls) / 1000
    yield f"# Run {run}"
    yield ""
    if calls:
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(calls[0].time))
        yield f"Session {_code(calls[0].session)}, client {_code(calls[0].client)}, {when}. "
    yield f"{len(calls)} calls, {failed} failed, {taken:.1f} s in calls."
    for entry in calls:
        yield ""
        yield from _call(entry, pictures)


def _call(entry: CallEntry, pictures: dict[str, str]) -> Iterator[str]:
    mark = f" — **{entry.code}**" if entry.failed else ""
    yield f"## {entry.number}. {_code(visible_line(title(entry), 150))}{mark}"
    yield ""
    yield f"{entry.milliseconds:.0f} ms, page {entry.page or '–'} {_code(entry.url)}"
    for step in entry.steps:
        yield f"- {_code(visible_line(title(step), 150))}{' — ' + step.code if step.code else ''}"
    for text in (entry.error, entry.diff):
        if text:
            yield from ("", *_block(text))
    if name := pictures.get(entry.picture):
        yield ""
        yield f"![After call {entry.number}]({name})"


def _code(text: str) -> str:
    """Return what a page or an agent wrote so that Markdown takes it for plain text."""
    line = visible_line(text, 300).replace("`", "ˋ")
    return f"`{line}`" if line else "–"


def _block(text: str) -> Iterator[str]:
    yield "````text"
    yield text.replace("````", "ˋˋˋˋ")
    yield "````"
