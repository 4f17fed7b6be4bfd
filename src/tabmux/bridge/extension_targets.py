"""Extension targets: lent tabs as the CDP targets of a browser; values only."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabmux.bridge.messages import Message

# No commands of Chrome's: they tell the extension who uses a tab, and what is asked for in it.
SHOW_SESSION = "Extension.showSession"
SHOW_REQUEST = "Extension.showRequest"
# The user wants to show something in a tab to its agent.
POINT = "Extension.point"

TargetEvent = tuple[str, Message]


@dataclass
class LentTab:
    """A tab that was lent: its lasting name, Chrome's number of it, and the CDP sessions in it."""

    key: str
    number: int
    info: Message
    session: str = ""
    # Sessions of frames in other processes, which Chrome names itself.
    children: set[str] = field(default_factory=set)


class ExtensionTargets:
    """Every tab that was lent, by name and by number."""

    def __init__(self) -> None:
        self._tabs: dict[str, LentTab] = {}
        self._numbers: dict[int, LentTab] = {}
        self._sessions: dict[str, LentTab] = {}
        self._serial = itertools.count(1)

    def all(self) -> list[Message]:
        """Return what the browser's `Target.getTargets` says."""
        return [tab.info for tab in self._tabs.values()]

    def find(self, key: object) -> LentTab | None:
        """Return a tab by the id of its target."""
        return self._tabs.get(key) if isinstance(key, str) else None

    def numbered(self, number: object) -> LentTab | None:
        """Return a tab by Chrome's number."""
        return self._numbers.get(number) if isinstance(number, int) else None

    def of_session(self, session: str) -> LentTab | None:
        """Return the tab that a CDP session belongs to."""
        return self._sessions.get(session)

    def replace(self, tabs: list[Message]) -> Iterator[TargetEvent]:
        """Begin anew with these tabs."""
        self._tabs.clear()
        self._numbers.clear()
        self._sessions.clear()
        for given in tabs:
            yield from self.note(given)

    def note(self, given: Message, *, opened: bool = False) -> Iterator[TargetEvent]:
        """Take in what the extension says of a tab.

        Args:
            given: What it says.
            opened: Whether the tab has just been opened or lent; only then the name of the
                session can be relied upon, since another may have it after a restart.
        """
        info = _info(given)
        if opened and given.get("lent") == "agent":
            info["openedFor"] = str(given.get("session") or "")
        tab = self._tabs.get(info["targetId"])
        if tab is None:
            tab = LentTab(info["targetId"], given["id"], info)
            self._tabs[tab.key] = self._numbers[tab.number] = tab
            yield "Target.targetCreated", {"targetInfo": info}
        else:
            # Only the first news of a tab says who opened it.
            tab.info = {**tab.info, "title": info["title"], "url": info["url"]}
            yield "Target.targetInfoChanged", {"targetInfo": tab.info}

    def attach(self, tab: LentTab) -> Iterator[TargetEvent]:
        """Give a tab a session, in the place of one that it may have."""
        yield from self.detach(tab)
        tab.session = f"{tab.key}.{next(self._serial)}"
        tab.info = {**tab.info, "attached": True}
        self._sessions[tab.session] = tab
        yield (
            "Target.attachedToTarget",
            {
                "sessionId": tab.session,
                "targetInfo": tab.info,
                "waitingForDebugger": False,
            },
        )

    def detach(self, tab: LentTab) -> Iterator[TargetEvent]:
        """End the sessions of a tab, those of its frames first."""
        ended = [*tab.children, *([tab.session] if tab.session else [])]
        tab.children.clear()
        tab.session = ""
        tab.info = {**tab.info, "attached": False}
        for session in ended:
            self._sessions.pop(session, None)
            yield "Target.detachedFromTarget", {"sessionId": session, "targetId": tab.key}

    def remove(self, tab: LentTab, reason: str) -> Iterator[TargetEvent]:
        """Forget a tab that is closed or was taken back; its last news say which."""
        yield "Target.targetInfoChanged", {"targetInfo": {**tab.info, "removal": reason}}
        yield from self.detach(tab)
        self._tabs.pop(tab.key, None)
        self._numbers.pop(tab.number, None)
        yield "Target.targetDestroyed", {"targetId": tab.key}

    def follow(self, tab: LentTab, method: str, params: Message) -> None:
        """Keep count of the sessions that Chrome opens and ends by itself inside a tab."""
        session = params.get("sessionId")
        if not isinstance(session, str):
            return
        if method == "Target.attachedToTarget":
            tab.children.add(session)
            self._sessions[session] = tab
        elif method == "Target.detachedFromTarget":
            tab.children.discard(session)
            self._sessions.pop(session, None)


def _info(given: Message) -> Message:
    # An extension that names its tabs by number alone has no lasting names.
    info: Message = {
        "tabId": given["id"],
        "targetId": str(given.get("key") or f"tab-{given['id']}"),
        "type": "page",
        "title": str(given.get("title") or ""),
        "url": str(given.get("url") or ""),
        "attached": False,
    }
    if opener := given.get("openerKey"):
        info["openerId"] = str(opener)
    return info
