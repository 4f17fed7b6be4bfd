"""Which browser is meant, and how to reach it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from tabmux.browsers.launch import LaunchOptions
from tabmux.errors import Misuse

Kind = Literal["url", "ws", "launch", "auto"]


@dataclass(frozen=True)
class BrowserSpec:
    """A browser as the user named it.

    `address` is a URL for the kinds url and ws, and a profile folder for auto.
    """

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
        if self.kind in ("url", "ws"):
            return self.address
        if self.kind == "auto":
            return f"running browser of {self.address}"
        profile = self.launch.user_data_dir
        where = f" on {profile.name}" if profile is not None else ""
        return f"launched{' headless' if self.launch.headless else ''}{where}"

    def same_as(self, other: BrowserSpec) -> bool:
        """Whether both mean one browser: the same address or profile is the same browser."""
        if self.kind != other.kind:
            return False
        if self.kind == "launch":
            folder = self.launch.user_data_dir
            return folder is not None and folder == other.launch.user_data_dir
        return self.address.rstrip("/") == other.address.rstrip("/")


def parse_address(
    kind: Literal["url", "ws"], text: str, headers: Mapping[str, str] | None = None
) -> BrowserSpec:
    """Read `[NAME=]URL[|start command]`."""
    address, _, command = text.partition("|")
    name, equals, rest = address.partition("=")
    if equals and "/" not in name and ":" not in name:
        address = rest
    else:
        name = ""
    address = address.strip()
    schemes = ("http", "https") if kind == "url" else ("ws", "wss")
    if not address.isdigit() and urlsplit(address).scheme not in schemes:
        raise Misuse(
            f"{text!r} is not a browser's address.", hint=f"It starts with {schemes[0]}://."
        )
    return BrowserSpec(kind, address, name.strip(), headers or {}, start_command=command.strip())
