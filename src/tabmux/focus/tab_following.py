"""Tab following: finds out to which tab the user switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from weakref import WeakSet

from tabmux.cdp.channel import Params
from tabmux.concurrency import TaskOwner
from tabmux.page.handle import PageHandle
from tabmux.page.library import WORLD, source

BINDING = "tabmuxCame"


class TabFollowing:
    """Watches tabs for the moment in which they come to the front.

    Args:
        background: Where tabs are taken hold of.
        came: Told the id of the tab that the user went to.
    """

    def __init__(self, background: TaskOwner, came: Callable[[int], None]) -> None:
        self._background, self._came = background, came
        self._pages: WeakSet[PageHandle] = WeakSet()

    def watch(self, pages: Iterable[PageHandle]) -> None:
        """Watch these tabs too."""
        for page in pages:
            if page not in self._pages:
                self._pages.add(page)
                self._background.start_quietly(self._watch_page(page))

    async def _watch_page(self, page: PageHandle) -> None:
        channel = (await page.attach()).channel
        channel.on("Runtime.bindingCalled", lambda params: self._binding_called(page, params))
        # A tab that is told it has the focus never learns that the user came or went.
        channel.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
        channel.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
        await channel.call(
            "Page.addScriptToEvaluateOnNewDocument",
            {
                "source": source("tab_activation", "tabmux.focus"),
                "worldName": WORLD,
                "runImmediately": True,
            },
        )

    def _binding_called(self, page: PageHandle, params: Params) -> None:
        if params["name"] == BINDING:
            self._came(page.id)
