"""Browser spec: a browser as the user named it, before anybody has connected to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BrowserSpec(ABC):
    """Which browser is meant; each kind of browser adds how it is reached."""

    name: str = ""
    tags: tuple[str, ...] = ()
    allow_url: tuple[str, ...] = ()
    deny_url: tuple[str, ...] = ()
    # Nobody named it: it is there so that there is one, and gives way to one that comes by itself.
    stand_in: bool = False

    @property
    @abstractmethod
    def label(self) -> str:
        """What lists and errors call it."""

    @property
    @abstractmethod
    def identity(self) -> Hashable | None:
        """What two specs of one kind share when they mean one browser; None is like no other."""

    def same_as(self, other: BrowserSpec) -> bool:
        """Whether both mean one browser: the same address or profile is the same browser."""
        same = type(self) is type(other) and self.identity == other.identity
        return same and self.identity is not None
