"""Downloads: the files that pages save."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Signal
from tabmux.errors import TabmuxError
from tabmux.page_text import address, visible
from tabmux.temporary_folder import OF_THIS_PROCESS

logger = logging.getLogger(__name__)

MAX_KEPT = 100
MAX_NAME_LENGTH = 120

DownloadState = Literal["in progress", "completed", "canceled"]


@dataclass
class Download:
    """A file on its way, or there.

    Attributes:
        frame: Chrome's id of the frame that it came from.
        pages: The ids of the tab that it came from, and of the tab that opened that one.
        announced: Whether a reply has told of it.
        awaited: Whether somebody has waited for it.
        refusal: Why it was stopped, if the policy forbids it.
    """

    id: int
    guid: str
    url: str
    name: str
    frame: str
    pages: tuple[int, ...]
    state: DownloadState = "in progress"
    received: int = 0
    total: int = 0
    path: Path | None = None
    announced: bool = False
    awaited: bool = False
    refusal: str = ""

    @property
    def line(self) -> str:
        """Return it as a list shows it."""
        size = f"{self.received} bytes"
        if self.state == "in progress" and self.total:
            size = f"{self.received} of {self.total} bytes"
        why = f" ({self.refusal})" if self.refusal else ""
        return f"{self.id}: {self.name} [{self.state}] {size} from {address(self.url)}{why}"


class DownloadRefusal(NamedTuple):
    """Why a tab may not download, and the browser context that the tab is in."""

    reason: str
    context: str | None


Fetched = Callable[[TabmuxError | None], None]


class RemoteDownloads(Protocol):
    """The files of a browser that runs on another machine."""

    @property
    def folder(self) -> str:
        """Where it keeps them there."""

    def fetch(self, name: str, target: Path, done: Fetched) -> None:
        """Bring one of them here, in the background; `done` is told what went wrong, or None."""


class Downloads:
    """What the tabs of one browser download.

    A browser without a window saves into a folder of ours that goes with it; one that a
    person may be using keeps saving where that person wants it.

    Args:
        pages_of: Tells which tab a frame belongs to, and which tab opened that one.
        refusal: Says why some tabs may not download; None where they may.
    """

    def __init__(
        self,
        pages_of: Callable[[str], tuple[int, ...]],
        refusal: Callable[[tuple[int, ...]], DownloadRefusal | None] = lambda pages: None,
    ) -> None:
        self.signal = Signal()
        self._refusal = refusal
        self._pages_of = pages_of
        self._known: dict[str, Download] = {}
        self._last = 0
        self._folder: Path | None = None
        self._channel: Channel | None = None
        # Where the browser keeps files, if it runs on another machine.
        self.remote: RemoteDownloads | None = None

    @asynccontextmanager
    async def received(self, *, in_own_folder: bool) -> AsyncIterator[None]:
        """Have somewhere to save to for the length of the block."""
        if in_own_folder:
            self._folder = await asyncio.to_thread(OF_THIS_PROCESS.make, "downloads")
        try:
            yield
        finally:
            self._known.clear()
            self.signal.notify()
            folder, self._folder, self._channel = self._folder, None, None
            if folder is not None:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    def listen(self, channel: Channel) -> None:
        """Hear of every download from now on."""
        self._channel = channel
        channel.on("Browser.downloadWillBegin", self._on_begin)
        channel.on("Browser.downloadProgress", self._on_progress)
        self.include(None)

    def include(self, context: str | None) -> None:
        """Hear of the downloads of a browser context too; None is the profile itself."""
        if self._channel is None:
            return
        command: Params = {"behavior": "default", "eventsEnabled": True}
        if self._folder is not None:
            path = str(self._folder) if self.remote is None else self.remote.folder
            command |= {"behavior": "allowAndName", "downloadPath": path}
        if context is not None:
            command["browserContextId"] = context
        self._channel.send("Browser.setDownloadBehavior", command)

    def of(self, pages: Iterable[int]) -> list[Download]:
        """Return the downloads of some tabs, oldest first."""
        wanted = set(pages)
        return [each for each in self._known.values() if wanted.intersection(each.pages)]

    def news(self, page: int) -> list[Download]:
        """Return the downloads of a tab that no reply has told of yet."""
        found = [each for each in self.of([page]) if not each.announced]
        for each in found:
            each.announced = True
        return found

    def claim(self, frame: str, pages: tuple[int, ...]) -> None:
        """Say whose a download was that began before its tab was known."""
        for each in self._known.values():
            if each.frame == frame:
                each.pages = pages
                self._refuse_forbidden(each)

    async def cancel(self, download: Download, context: str | None) -> None:
        """Stop a download."""
        if self._channel is not None:
            await self._channel.call("Browser.cancelDownload", _which(download, context))

    def _on_begin(self, params: Params) -> None:
        self._last += 1
        frame = params["frameId"]
        self._known[params["guid"]] = Download(
            self._last,
            params["guid"],
            params["url"],
            _safe_name(params["suggestedFilename"]),
            frame,
            self._pages_of(frame),
        )
        self._refuse_forbidden(self._known[params["guid"]])
        while len(self._known) > MAX_KEPT:
            self._drop(next(iter(self._known)))
        self.signal.notify()

    def _refuse_forbidden(self, download: Download) -> None:
        """Stop what a tab may not download; a small file may have come before that."""
        refusal = self._refusal(download.pages)
        if refusal is None or download.refusal or self._channel is None:
            return
        download.refusal, download.state = refusal.reason, "canceled"
        self._channel.send("Browser.cancelDownload", _which(download, refusal.context))

    def _on_progress(self, params: Params) -> None:
        download = self._known.get(params["guid"])
        if download is not None and download.refusal and params["state"] == "completed":
            self._unlink(download, params.get("filePath", ""))
        if download is None or download.state != "in progress":
            return
        download.received, download.total = int(params["receivedBytes"]), int(params["totalBytes"])
        if params["state"] == "completed" and self.remote is not None and self._folder is not None:
            there = self._folder / download.guid
            self.remote.fetch(download.guid, there, partial(self._fetched, download))
            return
        if params["state"] == "completed":
            download.path = self._restore_name(download, params.get("filePath", ""))
            download.state = "completed"
        elif params["state"] == "canceled":
            download.state = "canceled"
        self.signal.notify()

    def _fetched(self, download: Download, error: TabmuxError | None) -> None:
        """Take a file that was brought here from the machine that the browser runs on."""
        if error is None and self._folder is not None:
            download.path = self._restore_name(download, "")
            download.state = "completed"
        else:
            logger.warning("A download could not be fetched: %s", error)
            download.state = "canceled"
        self.signal.notify()

    def _restore_name(self, download: Download, path: str) -> Path:
        """Give a file in our own folder its name back."""
        if self._folder is None:
            return Path(path)
        there = self._folder / download.guid
        place = self._folder / str(download.id)
        with suppress(OSError):
            place.mkdir()
            there = there.rename(place / download.name)
        return there

    def _unlink(self, download: Download, path: str) -> None:
        """Delete a forbidden file that came all the same."""
        own = self._folder / download.guid if self._folder is not None else None
        if own is not None or path:
            (own or Path(path)).unlink(missing_ok=True)

    def _drop(self, guid: str) -> None:
        dropped = self._known.pop(guid)
        if self._folder is not None and dropped.path is not None:
            dropped.path.unlink(missing_ok=True)


def _which(download: Download, context: str | None) -> Params:
    which = {"guid": download.guid}
    return which if context is None else {**which, "browserContextId": context}


def _safe_name(name: str) -> str:
    """Return a file name without anything that could lead elsewhere."""
    plain = visible(re.sub(r"[\x00-\x1f\x7f/\\:\"]", "_", name)).strip(". ")
    return plain[-MAX_NAME_LENGTH:].lstrip(". ") or "download"
