"""The steps that every client takes; what came of each is printed as a line of JSON."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

# A picture of a page is not smaller than this, in characters of base64.
PICTURE_CHARACTERS = 1000
TOOLS = ("navigate_page", "take_snapshot", "click", "take_screenshot", "list_pages")


@dataclass(frozen=True)
class Task:
    """What a driver is told by the runner."""

    name: str
    way: str
    # Where tabmux is served over HTTP.
    server: str
    page: str
    heading: str
    manner: str
    # The name of its session, for TABMUX_SESSION.
    session: str
    # Before the last step, wait for the others.
    hold: bool


@dataclass(frozen=True)
class Answer:
    """What a client's own code made of a tool's reply."""

    text: str
    pictures: int = 0


Call = Callable[..., Awaitable[Answer]]


class StepFailed(Exception):
    """A step did not come to what it should."""


def report(step: str, saw: str = "") -> None:
    """Say that a step succeeded, or add a note."""
    sys.stdout.write(json.dumps({"step": step, "saw": saw}) + "\n")
    sys.stdout.flush()


async def walk(task: Task, tools: Iterable[str], call: Call) -> None:
    """Use the browser through a connected client, whose driver has reported that it is."""
    expect(set(TOOLS) <= set(tools), "no tools")
    report("tools", str(len(list(tools))))
    await call("navigate_page", url=task.page)
    report("navigate")
    seen = (await call("take_snapshot")).text
    expect(task.heading in seen, seen)
    report("snapshot")
    await call("click", uid=uid_of_button(seen))
    seen = (await call("take_snapshot")).text
    expect(f"Pressed: {task.heading}" in seen, seen)
    report("click")
    picture = await call("take_screenshot")
    expect(picture.pictures == 1, f"{picture.pictures} pictures: {picture.text}")
    report("picture")
    if task.hold:
        report("hold")
        await asyncio.to_thread(sys.stdin.readline)
        report("pages", (await call("list_pages")).text)


def uid_of_button(snapshot: str) -> str:
    """Return the uid of the page's only button."""
    found = re.search(r"uid=(\w+) button", snapshot)
    expect(found is not None, snapshot)
    return found[1] if found else ""


def expect(holds: bool, saw: str) -> None:
    """Fail the step with what was seen instead, unless it holds."""
    if not holds:
        raise StepFailed(saw)


def mcp_answer(result: Any) -> Answer:
    """Read a result as both major versions of the Python SDK give it."""
    text = "\n".join(part.text for part in result.content if part.type == "text")
    is_error = getattr(result, "is_error", None) or getattr(result, "isError", None)
    expect(not is_error, text)
    return Answer(text, sum(is_picture(part) for part in result.content))


def is_picture(part: Any) -> bool:
    """Whether a part of a result is an image with something in it."""
    return part.type == "image" and len(part.data) > PICTURE_CHARACTERS


def run(drive: Callable[[Task], Awaitable[None]]) -> None:
    """Drive a client as the runner says; what fails is the last line."""
    task = Task(**json.loads(sys.argv[1]))
    try:
        asyncio.run(_within(drive(task)))
    except Exception as error:  # noqa: BLE001 the runner shows it
        sys.stdout.write(json.dumps({"error": _innermost(error)}) + "\n")
        sys.exit(1)


async def _within(work: Awaitable[None]) -> None:
    await work


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, StepFailed) else f"{type(error).__name__}: {error}"
