"""Audit: looks for what is wrong with a page, in all its frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabmux.errors import ScriptFailed, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import source

if TYPE_CHECKING:
    from tabmux.page.page import Page

FRAMES = 20
# How many elements of a finding are shown; all are counted.
ELEMENTS = 5
FRAME_SECONDS = 30.0


@dataclass(frozen=True)
class AuditFinding:
    """Something that is wrong, and where.

    Attributes:
        impact: How bad it is, in the words of axe; empty for our own checks.
        frame: Whose document it is in.
        total: How many elements it concerns.
        shown: The start of the HTML of some of them.
        first: The place of the first of these in what the frame's script left in `tabmux.found`.
    """

    category: str
    id: str
    impact: str
    text: str
    frame: Frame
    total: int
    shown: tuple[str, ...]
    first: int


async def audit(page: Page, categories: Sequence[str], axe: str) -> list[AuditFinding]:
    """Examine every frame of a page.

    Args:
        page: The page.
        categories: accessibility, seo, best-practices.
        axe: The source of axe-core, which accessibility needs; empty to do without.
    """
    findings = await _examine(page.main, categories, axe, is_main=True)
    for frame in [each for each in page.frames if each is not page.main][:FRAMES]:
        try:
            findings += await _examine(frame, categories, axe, is_main=False)
        except TabmuxError:
            continue  # a frame may go at any time
    return findings


async def find_elements(frame: Frame, paths: Sequence[str]) -> None:
    """Leave the elements at some paths in the frame, to be named."""
    await _call(frame, source("find_elements"), list(paths))


async def _examine(
    frame: Frame, categories: Sequence[str], axe: str, *, is_main: bool
) -> list[AuditFinding]:
    if axe and "accessibility" in categories:
        await _inject_axe(frame, axe)
    findings, first = list[AuditFinding](), 0
    for raw in await _call(frame, source("audit"), list(categories), is_main, ELEMENTS):
        findings.append(
            AuditFinding(
                raw["category"],
                raw["id"],
                raw["impact"],
                raw["text"],
                frame,
                raw["total"],
                tuple(raw["shown"]),
                first,
            )
        )
        first += len(raw["shown"])
    return findings


async def _inject_axe(frame: Frame, axe: str) -> None:
    """Give our own world axe; the page's scripts cannot see it there."""
    known = {"expression": "typeof axe", "contextId": frame.world, "returnByValue": True}
    found = await frame.channel.call("Runtime.evaluate", known)
    if found["result"].get("value") != "object":
        command = {"expression": f"{axe}\nundefined", "contextId": frame.world}
        await frame.channel.call("Runtime.evaluate", command)


async def _call(frame: Frame, function: str, *args: Any) -> Any:
    command = {
        "functionDeclaration": function,
        "executionContextId": frame.world,
        "arguments": [{"value": value} for value in args],
        "awaitPromise": True,
        "returnByValue": True,
    }
    answer = await frame.channel.call("Runtime.callFunctionOn", command, timeout=FRAME_SECONDS)
    if details := answer.get("exceptionDetails"):
        thrown = details.get("exception", {})
        raise ScriptFailed(str(thrown.get("description") or details.get("text")))
    return answer["result"].get("value")
