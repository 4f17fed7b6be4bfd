"""Session tabs: a session's pages by the numbers that its extension knows them by."""

from __future__ import annotations

from collections.abc import Sequence

from tabmux.bridge.messages import Message
from tabmux.errors import ElementTrouble
from tabmux.page.handle import PageHandle
from tabmux.page.library import source
from tabmux.sessions import uids
from tabmux.sessions.session import Session


class SessionTabs:
    """The tabs of one session that an extension lends."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def select(self, tab: int) -> None:
        """Make a tab the selected page, so that the session's other tools mean it, too."""
        for page in self.pages(tab)[:1]:
            self._session.select(page)

    def pages(self, tab: int | None) -> Sequence[PageHandle]:
        """Return the page of a tab; every page of an extension's where no tab is named."""
        lent = [page for page in self._session.pages.values() if _number(page) is not None]
        return lent if tab is None else [page for page in lent if _number(page) == tab]

    async def place_of(self, ref: str) -> Message:
        """Return what names an element for the extension; what is no uid, it finds itself."""
        if uids.parse(ref) is None:
            return {}
        element = self._session.element(ref)
        page = await element.page.attach()
        call = {
            "functionDeclaration": source("css_path"),
            "objectId": await element.object_id(),
            "returnByValue": True,
        }
        answer = await element.frame.channel.call("Runtime.callFunctionOn", call)
        selector, tab = answer["result"].get("value"), _number(element.page)
        if selector is None or tab is None or element.frame is not page.main:
            raise ElementTrouble(
                f"The extension cannot reach the element with uid {ref}.",
                hint="Use click, fill or the other tools that take uids.",
            )
        return {"selector": selector, "tabId": tab}


def _number(page: PageHandle) -> int | None:
    number = page.target.get("tabId")
    return number if isinstance(number, int) else None
