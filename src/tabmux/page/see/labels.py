"""Labels: which element each number of a uid stands for, over all frames of a page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.library import source


@dataclass(frozen=True)
class LabelSpan:
    """A run of numbers that stand for consecutive labels of one frame."""

    first: int
    frame: Frame
    loader: str
    label: int
    count: int

    def covers(self, frame: Frame) -> bool:
        """Whether the labels are those of the document that the frame shows now."""
        return self.frame is frame and self.loader == frame.loader


@dataclass
class Labels:
    """Which node each number of an epoch stands for, over all frames of a page."""

    prefix: str
    epoch: int
    spans: list[LabelSpan] = field(default_factory=list)
    last: int = 0
    # The whole page as it was shown last; what a difference is taken from.
    text: str = ""
    loader: str = ""
    # The spans of each frame, of all documents that it has shown.
    _of_frame: dict[int, list[LabelSpan]] = field(default_factory=dict)

    def find(self, number: int) -> tuple[Frame, int] | None:
        """Return the frame and label that a number stands for, while its document is there."""
        place = bisect_right(self.spans, number, key=lambda span: span.first) - 1
        if place < 0:
            return None
        span = self.spans[place]
        if number >= span.first + span.count or not span.covers(span.frame):
            return None
        return span.frame, span.label + number - span.first

    def known(self, frame: Frame) -> int:
        """Return the highest label of the frame that already has a number."""
        return max((s.label + s.count - 1 for s in self._spans(frame)), default=0)

    def add(self, frame: Frame, last: int) -> None:
        """Give numbers to the labels of a frame that have none yet."""
        known = self.known(frame)
        if last > known:
            span = LabelSpan(self.last + 1, frame, frame.loader, known + 1, last - known)
            self.spans.append(span)
            self._of_frame.setdefault(id(frame), []).append(span)
            self.last += last - known

    def number(self, frame: Frame, label: int) -> int:
        """Return the number of a label."""
        for span in self._spans(frame):
            if span.label <= label < span.label + span.count:
                return span.first + label - span.label
        raise KeyError(label)

    def is_plain(self, frame: Frame) -> bool:
        """Whether the frame's numbers are its labels, so that its text needs no rewriting."""
        return all(span.first == span.label for span in self._spans(frame))

    def _spans(self, frame: Frame) -> list[LabelSpan]:
        """Return the spans of the document that a frame shows now."""
        return [span for span in self._of_frame.get(id(frame), ()) if span.covers(frame)]


async def resolve_nodes(frame: Frame, nodes: Sequence[int]) -> dict[int, str]:
    """Find the nodes that Chrome's ids mean, as far as they are still there."""
    handles = dict[int, str]()
    for node in nodes:
        try:
            handles[node] = await frame.resolve(node)
        except TabmuxError:
            continue  # it has gone, or is in another frame
    return handles


async def label_elements(
    labels: Labels, frame: Frame, handles: Sequence[str] = ()
) -> list[str] | None:
    """Name elements of a frame; an element that has a uid keeps it.

    Args:
        labels: The session's labels of the page; the elements are added to them.
        frame: Whose document the elements are in.
        handles: Chrome's handles of them, in our world; those that a script left in
            `tabmux.found` when there are none.

    Returns:
        Their uids, "" where one is not in the document; None when the frame has loaded
        another document since the labels were given.
    """
    command = {
        "functionDeclaration": source("label_nodes"),
        "executionContextId": frame.world,
        "arguments": [
            {"value": labels.epoch},
            {"value": not labels.known(frame)},
            *({"objectId": handle} for handle in handles),
        ],
        "returnByValue": True,
    }
    answer = (await frame.channel.call("Runtime.callFunctionOn", command))["result"].get("value")
    if answer is None:
        return None
    labels.add(frame, answer["last"])
    return [
        f"{labels.prefix}{labels.number(frame, label)}" if label else ""
        for label in answer["labels"]
    ]
