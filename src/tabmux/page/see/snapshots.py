"""Snapshots: the page as text, over all its frames."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabmux.concurrency import turn_amid
from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.see import custom_elements
from tabmux.page.see.labels import Labels
from tabmux.page.see.listening import ListeningElements
from tabmux.page.see.shortening import shortened
from tabmux.page_text import visible
from tabmux.secrets.filled_values import FILLED

if TYPE_CHECKING:
    from tabmux.page.page import Page

# A page of a million elements may first have to be laid out; then it is walked for five seconds.
MAIN_SECONDS = 25.0
# For all frames below the main one together, and how many of them are asked at once: a renderer
# answers one after the other, and those at the end of a long queue would be taken for silent.
FRAMES_SECONDS = 10.0
FRAMES_AT_ONCE = 32
MAX_OPAQUE = 50
# How often components are looked into and asked for one snapshot, as long as that brings anything.
MOST_ROUNDS = 5

# What a frame shows; None where it does not answer.
# A longer snapshot takes more than a few milliseconds to be shortened.
_SHORTENED_AT_ONCE = 20_000
Shot = dict[str, Any] | None


@dataclass(frozen=True)
class SnapshotOptions:
    """What to show of a page."""

    verbose: bool = False
    depth: int = 0
    budget: int = 0
    # Everything that somebody could look for: every option and address, texts with uids.
    search: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the page is shown whole, as differences are taken from it."""
        return not (self.verbose or self.depth or self.search)

    def request(self, labels: Labels, root: int = 0) -> dict[str, Any]:
        """Return what the walker in a frame is asked for."""
        return {
            "prefix": labels.prefix,
            "epoch": labels.epoch,
            "verbose": self.verbose,
            "depth": self.depth,
            "root": root,
            "search": self.search,
        }


class Snapshots:
    """Takes snapshots of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._turns = asyncio.Semaphore(FRAMES_AT_ONCE)
        self._listening = ListeningElements()

    def prepare(self) -> None:
        """Get ready for the first snapshot of a document that has just loaded."""
        self._listening.prepare(self._page.main)

    async def take(
        self,
        labels: Labels,
        options: SnapshotOptions,
        root: tuple[Frame, int] | None = None,
        shot: Shot = None,
    ) -> str:
        """Render the page, or the part below `root`, and note the labels it shows.

        Args:
            labels: The session's labels; the nodes shown are added to them.
            options: What to show.
            root: A frame and a label in it; the whole page when absent.
            shot: What the main frame shows by these labels and options, where that is known.
        """
        frame, label = root or (self._page.main, 0)
        text, note = await self._render(frame, labels, options, label, shot)
        # Before anything is cut, compared or searched, each of which could tell of a value.
        text = await FILLED.long_text(text)
        await turn_amid(text)
        if root is None and options.is_plain:
            labels.text, labels.loader = text, frame.loader
        return await _shortened(text, options.budget) + note

    async def _render(
        self, top: Frame, labels: Labels, options: SnapshotOptions, root: int, shot: Shot
    ) -> tuple[str, str]:
        """Return the text, and what is to be said of what is missing in it."""
        end = time.monotonic() + FRAMES_SECONDS
        below = _descendants(top, self._page.frames)
        if new := [frame for frame in below if not frame.adopted]:
            # Where their iframes are is told only by what the page shows from now on.
            await self._adopt(new, end)
            shot = None
        wanted = [(top, root), *((frame, 0) for frame in below)]
        known = [shot, *(None for _ in below)]
        shots = await self._unless_dialog(
            asyncio.gather(
                *(
                    self._shoot(frame, labels, options, label, given, end)
                    for (frame, label), given in zip(wanted, known, strict=True)
                )
            )
        )
        found = {f.id: each for (f, _), each in zip(wanted, shots, strict=True) if each}
        if not (whole := found.get(top.id)):
            raise FrameGone("The page navigated meanwhile.", hint="Take the snapshot again.")
        for frame, _ in wanted:
            if frame.id in found:
                labels.add(frame, found[frame.id]["last"])
        text = "\n".join(self._splice(top, whole, found, labels, 0))
        missing = sum(self._page.frames.get(f.id) is f for f in below if f.id not in found)
        return text, _note(missing) + _cut_note(found.values()) + _closed_note(found.values())

    async def _unless_dialog(self, shots: asyncio.Future[list[Shot]]) -> list[Shot]:
        """Await the shots; fails at once when a dialog opens that keeps the page from answering."""
        page = self._page
        try:
            while not (shots.done() or page.dialogs.current):
                await page.signal.or_done(shots)
            if not shots.done():
                page.dialogs.refuse_if_open()
            return await shots
        finally:
            # Nobody awaits what is given up here, so asyncio would log it as an error.
            shots.add_done_callback(lambda done: done.cancelled() or done.exception())
            shots.cancel()

    async def _shoot(
        self,
        frame: Frame,
        labels: Labels,
        options: SnapshotOptions,
        root: int,
        given: Shot,
        end: float,
    ) -> Shot:
        request = options.request(labels, root)
        if frame is self._page.main:
            return await self._ask(frame, labels, request, given, MAIN_SECONDS)
        seconds = self._page.timings.frame_snapshot
        try:
            await frame.ready(seconds)
            async with self._turns:
                late = time.monotonic() > end
                return None if late else await self._ask(frame, labels, request, given, seconds)
        except TabmuxError:
            return None

    async def _ask(
        self, frame: Frame, labels: Labels, request: dict[str, Any], given: Shot, seconds: float
    ) -> Shot:
        more = False
        if given is not None:
            shot = given
            # What an action has brought may be usable by its listeners alone.
            more = bool(given.get("grown")) and await self._listening.learn(frame, anew=True)
        else:
            # In one flight: most often nothing is learned, and the snapshot is good as it is.
            shot, more = await asyncio.gather(
                frame.call("snapshot", request, timeout=seconds), self._listening.learn(frame)
            )
        questions = shot["questions"]
        for _ in range(MOST_ROUNDS):
            more = await self._look_inside(frame, labels, shot["opaque"], questions) or more
            # What took all the time that there is would take it again.
            if not more or shot["cut"]:
                return {**shot, "closed": False}
            shot = await frame.call("snapshot", request, timeout=seconds)
            # What was inside may hold more of its kind; what was asked just now says the same.
            questions, more = shot["questions"][: shot["unasked"]], False
        return {**shot, "closed": bool(shot["opaque"])}

    async def _look_inside(
        self, frame: Frame, labels: Labels, opaque: list[int], questions: list[int]
    ) -> bool:
        """Look into closed components and ask what others are; tells whether anything is new."""
        opened = bool(opaque) and await self._open_shadows(frame, labels, opaque)
        learned = bool(questions) and await custom_elements.learn(frame, questions)
        return opened or learned

    def _splice(
        self, frame: Frame, shot: dict[str, Any], found: dict[str, Any], labels: Labels, indent: int
    ) -> list[str]:
        """Put the text of child frames below the lines of their iframes."""
        # Uids, diffs and locators then mean what agents are shown.
        text = visible(shot["text"])
        if not labels.is_plain(frame):
            text = _renumbered(text, frame, labels)
        pad = " " * indent
        lines = [pad + line for line in text.split("\n")] if indent else text.split("\n")
        spliced, at = list[str](), 0
        for place in sorted(shot["frames"], key=lambda f: f["line"]):
            child = self._page.frames.get(place["frame"])
            if child is not None and (inner := found.get(place["frame"])):
                spliced += lines[at : place["line"] + 1]
                spliced += self._splice(child, inner, found, labels, indent + place["indent"])
                at = place["line"] + 1
        return spliced + lines[at:]

    async def _adopt(self, frames: Iterable[Frame], end: float) -> None:
        """Tell the parents which iframe element holds which frame."""
        await asyncio.gather(*(self._adopt_in_turn(frame, end) for frame in frames))

    async def _adopt_in_turn(self, frame: Frame, end: float) -> None:
        async with self._turns:
            if time.monotonic() < end and frame.parent is not None:
                await self._adopt_one(frame, frame.parent)

    async def _adopt_one(self, frame: Frame, parent: Frame) -> None:
        try:
            owner = await parent.channel.call("DOM.getFrameOwner", {"frameId": frame.id})
            element = await parent.resolve(owner["backendNodeId"])
            await parent.apply(element, "adoptFrame", frame.id)
        except TabmuxError:
            return  # the frame has just gone; the snapshot does without it
        frame.adopted = True

    async def _open_shadows(self, frame: Frame, labels: Labels, opaque: list[int]) -> bool:
        """Hand closed shadow roots to the walker; script alone cannot see them."""
        found = await asyncio.gather(
            *(self._open_shadow(frame, labels.epoch, label) for label in opaque[:MAX_OPAQUE])
        )
        return any(found)

    async def _open_shadow(self, frame: Frame, epoch: int, label: int) -> bool:
        try:
            host = await frame.element("lookUp", epoch, label)
            if host is None:
                return False
            node = await frame.channel.call("DOM.describeNode", {"objectId": host, "depth": 1})
            await frame.call("examined", label)
            roots = [
                r for r in node["node"].get("shadowRoots", ()) if r["shadowRootType"] == "closed"
            ]
            for root in roots:
                shadow = await frame.resolve(root["backendNodeId"])
                await self._adopt_shadow(frame, host, shadow)
        except TabmuxError:
            return False
        return bool(roots)

    async def _adopt_shadow(self, frame: Frame, host: str, shadow: str) -> None:
        await frame.channel.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": "function (root) { tabmux.adoptShadow(this, root) }",
                "objectId": host,
                "arguments": [{"objectId": shadow}],
            },
        )


async def _shortened(text: str, budget: int) -> str:
    """Shorten a snapshot; one of very many lines in a thread, for it takes long."""
    if len(text) <= max(budget, _SHORTENED_AT_ONCE):
        return shortened(text, budget)
    return await asyncio.to_thread(shortened, text, budget)


def _note(missing: int) -> str:
    if not missing:
        return ""
    frames = "One frame has" if missing == 1 else f"{missing} frames have"
    return f"\n({frames} not answered in time and {'is' if missing == 1 else 'are'} left out.)"


def _cut_note(shots: Iterable[dict[str, Any]]) -> str:
    if not any(shot["cut"] for shot in shots):
        return ""
    return (
        "\n(The page has too many elements to be read in time; those at its end are left out. "
        "evaluate_script reaches them.)"
    )


def _closed_note(shots: Iterable[dict[str, Any]]) -> str:
    if not any(shot["closed"] for shot in shots):
        return ""
    return "\n(Not all closed components were looked into; the next snapshot shows more of them.)"


def _descendants(top: Frame, frames: Iterable[Frame]) -> list[Frame]:
    found = []
    for frame in frames:
        above = frame.parent
        while above is not None and above is not top:
            above = above.parent
        if above is top:
            found.append(frame)
    return found


def _renumbered(text: str, frame: Frame, labels: Labels) -> str:
    head = f"uid={labels.prefix}"
    return re.sub(
        rf"^( *){re.escape(head)}(\d+)",
        lambda m: f"{m[1]}{head}{labels.number(frame, int(m[2]))}",
        text,
        flags=re.MULTILINE,
    )
