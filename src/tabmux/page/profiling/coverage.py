"""Coverage: how much of a page's scripts and style sheets was used."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import Busy, Misuse
from tabmux.page.library import WORLD

if TYPE_CHECKING:
    from tabmux.page.page import Page

_PRECISE = {"callCount": False, "detailed": True}
Span = tuple[int, int]


@dataclass
class FileCoverage:
    """What was used of one file, in characters; a document's own scripts count together."""

    url: str
    kind: Literal["js", "css"]
    total: int = 0
    used: int = 0
    # Which parts of which script or style sheet of that address were used.
    spans: list[list[Span]] = field(default_factory=list)

    @property
    def unused(self) -> int:
        """How much nobody needed."""
        return self.total - self.used

    def add(self, total: int, spans: list[Span]) -> None:
        """Count one more script or style sheet."""
        self.total += total
        self.used += sum(end - start for start, end in spans)
        self.spans.append(spans)


class Coverage:
    """Records what is used of all frames' scripts and style sheets."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._recording = False
        # Style sheets by channel and id.
        self._sheets: dict[Channel, dict[str, Params]] = {}
        page.frames.on_channel(self._follow)

    def refuse_if_recording(self) -> None:
        """Fail while style sheets are watched: to look at them otherwise would end that."""
        if self._recording:
            raise Busy("The coverage of the page is being recorded.", hint="Call stop_coverage.")

    async def start(self) -> None:
        """Begin to record."""
        self.refuse_if_recording()
        self._recording = True
        channels = {frame.channel for frame in self._page.frames}
        await asyncio.gather(*(call for each in channels for call in self._begin(each)))

    async def stop(self) -> list[FileCoverage]:
        """End the recording and say what was used, the most wasteful file first."""
        if not self._recording:
            raise Misuse("No coverage is being recorded.", hint="Call start_coverage first.")
        self._recording = False
        sheets, self._sheets = self._sheets, {}
        open_channels = [each for each in sheets if each.is_open]
        found = await asyncio.gather(*(_end(each) for each in open_channels))
        files = dict[tuple[str, str], FileCoverage]()
        for channel, (scripts, rules) in zip(open_channels, found, strict=True):
            await asyncio.to_thread(_add_scripts, files, scripts)
            _add_sheets(files, sheets[channel], rules)
        return sorted(files.values(), key=lambda each: -each.unused)

    def _follow(self, channel: Channel) -> None:
        """Record a frame that comes later, too."""
        if self._recording:
            self._begin(channel)

    def _begin(self, channel: Channel) -> list[asyncio.Future[Params]]:
        known = self._sheets[channel] = {}

        def added(params: Params) -> None:
            if self._sheets.get(channel) is known:
                known[params["header"]["styleSheetId"]] = params["header"]

        def navigated(params: Params) -> None:
            frame = params["frame"]["id"]
            for ident in [each for each, header in known.items() if header["frameId"] == frame]:
                del known[ident]

        channel.on("CSS.styleSheetAdded", added)
        channel.on("Page.frameNavigated", navigated)
        return [
            channel.call("Profiler.enable"),
            channel.call("Profiler.startPreciseCoverage", _PRECISE),
            channel.call("DOM.enable"),
            channel.call("CSS.enable"),
            channel.call("CSS.startRuleUsageTracking"),
        ]


async def _end(channel: Channel) -> tuple[list[Params], list[Params]]:
    scripts = channel.call("Profiler.takePreciseCoverage")
    rules = channel.call("CSS.stopRuleUsageTracking")
    for command in (
        "Profiler.stopPreciseCoverage",
        "Profiler.disable",
        "CSS.disable",
        "DOM.disable",
    ):
        channel.send(command)
    return (await scripts)["result"], (await rules)["ruleUsage"]


def _add_scripts(files: dict[tuple[str, str], FileCoverage], scripts: Iterable[Params]) -> None:
    for script in scripts:
        url = script["url"]
        ranges = [each for function in script["functions"] for each in function["ranges"]]
        # Scripts without an address are tabmux's own, or evaluated ones.
        if url and url != WORLD and ranges:
            file = files.setdefault((url, "js"), FileCoverage(url, "js"))
            file.add(max(each["endOffset"] for each in ranges), list(used_spans(ranges)))


def _add_sheets(
    files: dict[tuple[str, str], FileCoverage], sheets: dict[str, Params], rules: Iterable[Params]
) -> None:
    used: dict[str, list[Span]] = {ident: [] for ident in sheets}
    for rule in rules:
        if rule["used"] and rule["styleSheetId"] in used:
            used[rule["styleSheetId"]].append((int(rule["startOffset"]), int(rule["endOffset"])))
    for ident, header in sheets.items():
        if url := header["sourceURL"]:
            file = files.setdefault((url, "css"), FileCoverage(url, "css"))
            file.add(int(header["length"]), list(_joined(sorted(used[ident]))))


def used_spans(ranges: Iterable[Params]) -> Iterator[Span]:
    """Return what was run: of ranges inside each other, the innermost decides."""
    ordered = sorted(ranges, key=lambda each: (each["startOffset"], -each["endOffset"]))
    points = list[tuple[int, bool]]()
    stack = list[tuple[int, bool]]()
    for each in ordered:
        while stack and stack[-1][0] <= each["startOffset"]:
            end, _ = stack.pop()
            points.append((end, stack[-1][1] if stack else False))
        points.append((each["startOffset"], each["count"] > 0))
        stack.append((each["endOffset"], each["count"] > 0))
    while stack:
        end, _ = stack.pop()
        points.append((end, stack[-1][1] if stack else False))
    return _joined(
        (start, end) for (start, is_used), (end, _) in pairwise(points) if is_used and end > start
    )


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Join spans that touch or overlap; they come in order."""
    last: Span | None = None
    for start, end in spans:
        if last is not None and start <= last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last
