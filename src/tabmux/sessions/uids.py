"""Uids: how the names of elements are spelled, and which of them are still good."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tabmux.errors import NotOwned, StaleUid, UnknownUid
from tabmux.page.frame_tree import Frame
from tabmux.page.see.labels import Labels

Style = Literal["short", "long"]

_SHORT = re.compile(r"([a-z]+)(\d+)_(\d+)")
_LONG = re.compile(r"u:([a-z]+):(\d+):(\d+)")
_AGAIN = "Call take_snapshot and use the new uids."


@dataclass(frozen=True)
class Uid:
    """A session, one of its snapshots, and the number of a node in it."""

    session: str
    epoch: int
    number: int

    def spell(self, style: Style = "short") -> str:
        """Write the uid in one of its two forms."""
        return f"{prefix(self.session, self.epoch, style)}{self.number}"


@dataclass(frozen=True)
class UidTarget:
    """Where the element of a uid is."""

    page_id: int
    frame: Frame
    epoch: int
    label: int


class UidScope:
    """The uids that one session was shown: those of the newest snapshot of each page.

    Args:
        session: The letters of the session.
        style: How they are spelled.
        before: The last epoch that a server before this one may have shown.
    """

    def __init__(self, session: str, style: Style = "short", before: int = 0) -> None:
        self._session, self._style = session, style
        self._epochs = self._before = before
        self._labels: dict[int, Labels] = {}

    @property
    def epochs(self) -> int:
        """How many epochs were begun so far."""
        return self._epochs

    def begin(self, page_id: int) -> Labels:
        """Start a new epoch for a page; its older uids are stale from now on."""
        self._epochs += 1
        start = prefix(self._session, self._epochs, self._style)
        labels = self._labels[page_id] = Labels(start, self._epochs)
        return labels

    def current(self, page_id: int) -> Labels | None:
        """Return the labels of the newest snapshot of a page."""
        return self._labels.get(page_id)

    def forget(self, page_id: int) -> None:
        """Drop a page that is gone."""
        self._labels.pop(page_id, None)

    def resolve(self, text: str) -> UidTarget:
        """Return what a uid means, or say why it means nothing; Chrome is not asked."""
        uid = parse(text)
        if uid is None:
            raise UnknownUid(
                f"{text!r} is not a uid.",
                hint='Call take_snapshot; uids look like a1_5. Or write button "Save".',
            )
        if uid.session != self._session:
            raise NotOwned(
                f"The uid {text} was not shown to this session.",
                hint="Call take_snapshot to get uids of your own.",
            )
        for page_id, labels in self._labels.items():
            if labels.epoch == uid.epoch:
                return self._in(labels, uid, page_id, text)
        if 0 < uid.epoch <= self._before:
            raise StaleUid(
                f"The uid {text} was shown before tabmux was started anew; the page is still "
                "known.",
                hint=_AGAIN,
            )
        if 0 < uid.epoch <= self._epochs:
            raise StaleUid(f"The uid {text} is from an older snapshot.", hint=_AGAIN)
        raise UnknownUid(f"No element has the uid {text}.", hint=_AGAIN)

    def _in(self, labels: Labels, uid: Uid, page_id: int, text: str) -> UidTarget:
        if found := labels.find(uid.number):
            frame, label = found
            return UidTarget(page_id, frame, uid.epoch, label)
        if 0 < uid.number <= labels.last:
            raise StaleUid(f"The document of the element with uid {text} has gone.", hint=_AGAIN)
        raise UnknownUid(f"No element has the uid {text}.", hint=_AGAIN)


def parse(text: str) -> Uid | None:
    """Read a uid in either form; None when it is no uid at all."""
    match = _SHORT.fullmatch(text) or _LONG.fullmatch(text)
    return Uid(match[1], int(match[2]), int(match[3])) if match else None


def prefix(session: str, epoch: int, style: Style = "short") -> str:
    """Return what stands before the number in every uid of a snapshot."""
    return f"{session}{epoch}_" if style == "short" else f"u:{session}:{epoch}:"


def letters(index: int) -> str:
    """Return the short name of the session with this number: a to z, aa, ab, …"""
    name = ""
    while index >= 0:
        name = chr(ord("a") + index % 26) + name
        index = index // 26 - 1
    return name


def number_of(name: str) -> int:
    """Return the number of the session with this short name."""
    number = -1
    for letter in name:
        number = (number + 1) * 26 + ord(letter) - ord("a")
    return number
