"""Which browser is meant, and how to reach it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tabmux.browsers.launch import LaunchOptions

Kind = Literal["url", "ws", "launch"]


@dataclass(frozen=True)
class BrowserSpec:
    """A browser as the user named it."""

    kind: Kind
    address: str = ""
    name: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    launch: LaunchOptions = field(default_factory=LaunchOptions)
    start_command: str = ""
    tags: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        if self.kind != "launch":
            return self.address
        return self.name or ("launched (headless)" if self.launch.headless else "launched")

    def same_as(self, other: BrowserSpec) -> bool:
        """Whether both mean one browser: the same address is the same browser."""
        return self.kind == other.kind != "launch" and self.address == other.address
