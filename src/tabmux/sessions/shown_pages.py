"""Shown pages: what a session was shown of its pages, and the uids of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.handle import PageHandle
from tabmux.page.see.diff import diff
from tabmux.page.see.labels import Labels, label_elements
from tabmux.page.see.snapshots import Shot, SnapshotOptions
from tabmux.sessions.uids import UidScope

if TYPE_CHECKING:
    from tabmux.page.page import Page

# What a reply says besides the page that it shows.
_ROOM_FOR_WORDS = 500


class ShownPages:
    """Renders pages with the uids of a session.

    Args:
        uids: Those that it was shown.
        pages: Its pages, by id.
        reply_limit: Says how long a reply may be now; 0 where there is no limit.
    """

    def __init__(
        self, uids: UidScope, pages: Mapping[int, PageHandle], reply_limit: Callable[[], int]
    ) -> None:
        self._uids, self._pages, self._reply_limit = uids, pages, reply_limit

    @property
    def epochs(self) -> int:
        """How many snapshots there were."""
        return self._uids.epochs

    def forget(self, page: PageHandle) -> None:
        """Drop a page that is gone."""
        self._uids.forget(page.id)

    async def snapshot(
        self,
        page: Page,
        options: SnapshotOptions,
        root: Element | None = None,
        *,
        limited: bool = True,
    ) -> str:
        """Render a page with uids of this session; a whole snapshot makes older uids stale.

        Args:
            page: The page.
            options: What to show.
            root: Only what is inside this element.
            limited: Whether it is to fit into a reply.
        """
        if limited and (limit := self._reply_limit()):
            most = max(limit - _ROOM_FOR_WORDS, limit // 2)
            options = replace(options, budget=min(options.budget or most, most))
        labels = self._uids.current(page.id)
        if root is None or labels is None:
            labels = self._uids.begin(page.id)
        start = (root.frame, root.label) if root is not None else None
        return await page.snapshots.take(labels, options, start)

    def epoch(self, page: PageHandle | None) -> int:
        """Return which snapshot of a page is the current one; 0 when it was never shown."""
        labels = self._uids.current(page.id) if page is not None else None
        return labels.epoch if labels is not None else 0

    async def look(self, page: Page) -> str:
        """Render a page whole in its current epoch: uids that were shown stay valid."""
        labels = self._uids.current(page.id) or self._uids.begin(page.id)
        return await page.snapshots.take(labels, SnapshotOptions())

    async def search(self, page: Page) -> str:
        """Render all that can be looked for in a page, in its current epoch."""
        if self.labels(page) is None:
            # What an action changes is told from here on.
            await self.look(page)
        labels = self._uids.current(page.id) or self._uids.begin(page.id)
        return await page.snapshots.take(labels, SnapshotOptions(search=True))

    async def glance(self, page: Page) -> str:
        """Do the same for tabmux itself: changes are still told from what was shown last."""
        shown = self.labels(page)
        before = (shown.text, shown.loader) if shown is not None else None
        text = await self.look(page)
        if shown is not None and before is not None and shown.loader == before[1]:
            shown.text = before[0]
        return text

    def labels(self, page: Page) -> Labels | None:
        """Return the labels by which the page's document was last shown, if it was."""
        labels, main = self._uids.current(page.id), page.frames.main
        if labels is None or not labels.text or main is None or labels.loader != main.loader:
            return None
        return labels

    async def changes(self, page: Page, shot: Shot = None) -> str | None:
        """Return what is different since the page was last shown; None when it never was.

        Args:
            page: The page.
            shot: What its main frame shows now, where that is known.
        """
        labels = self.labels(page)
        return await self.changes_since(page, labels.text, shot) if labels is not None else None

    async def changes_since(self, page: Page, before: str, shot: Shot = None) -> str | None:
        """Return what is different from an earlier rendering; None in another document."""
        labels = self._uids.current(page.id)
        if labels is None or labels.loader != page.main.loader:
            return None
        return diff(before, await page.snapshots.take(labels, SnapshotOptions(), shot=shot))

    def element(self, text: str) -> Element:
        """Return the element that a uid means, or say why it means none."""
        place = self._uids.resolve(text)
        return Element(self._pages[place.page_id], place.frame, place.epoch, place.label, text)

    async def name_elements(
        self, page: Page, found: Mapping[Frame, Sequence[str]]
    ) -> dict[Frame, list[str]]:
        """Give uids to elements found otherwise than by a snapshot; older uids stay valid.

        Args:
            page: Where they are.
            found: Handles of elements by frame, as `mark` takes them.
        """
        labels = self._uids.current(page.id) or self._uids.begin(page.id)
        names = {frame: await label_elements(labels, frame, found[frame]) for frame in found}
        if None in names.values():
            labels = self._uids.begin(page.id)
            names = {frame: await label_elements(labels, frame, found[frame]) for frame in found}
        return {frame: given or [] for frame, given in names.items()}
