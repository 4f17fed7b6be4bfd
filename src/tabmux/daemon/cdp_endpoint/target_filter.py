"""Target filter: which kinds of targets a CDP client wants to hear of, in CDP's own terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# What Chrome takes where a client gives no filter.
_USUAL: tuple[Mapping[str, Any], ...] = (
    {"type": "browser", "exclude": True},
    {"type": "tab", "exclude": True},
    {},
)


@dataclass(frozen=True)
class TargetFilter:
    """The first entry that fits a type decides; what none fits is left out."""

    entries: tuple[Mapping[str, Any], ...] = _USUAL

    @classmethod
    def of(cls, value: Any) -> TargetFilter:
        """Read the filter of a command."""
        if not isinstance(value, list):
            return cls()
        return cls(tuple(each for each in value if isinstance(each, dict)))

    def includes(self, kind: str) -> bool:
        """Whether the client wants targets of a type."""
        for entry in self.entries:
            if entry.get("type") in (None, kind):
                return not entry.get("exclude")
        return False


def tab_id(page: str) -> str:
    """Return the id of the tab around a page, as Puppeteer wants to see it."""
    return f"tab:{page}"


def target_info(info: Mapping[str, Any], *, attached: bool, kind: str = "page") -> dict[str, Any]:
    """Return what a client is told of a page, or of the tab around it."""
    known = {
        key: info[key]
        for key in ("title", "url", "browserContextId", "openerId", "canAccessOpener")
        if key in info
    }
    target = str(info["targetId"])
    ident = target if kind == "page" else tab_id(target)
    usual = {"title": "", "url": "", "canAccessOpener": False}
    return {**usual, **known, "targetId": ident, "type": kind, "attached": attached}


def browser_info() -> dict[str, Any]:
    """Return what a client is told of the browser itself."""
    about = {"targetId": "browser", "type": "browser", "title": "", "url": ""}
    return {**about, "attached": True, "canAccessOpener": False}
