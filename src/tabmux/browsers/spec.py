"""Which browser is meant, and how to reach it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from tabmux.browsers.chrome_process import LaunchOptions
from tabmux.cdp.transport import Transport
from tabmux.errors import Misuse

Kind = Literal["url", "ws", "launch", "auto", "extension"]


@dataclass(frozen=True)
class BrowserSpec:
    """A browser as the user named it.

    `address` is a URL for the kinds url and ws, a profile folder for auto, and the name of a
    profile for extension, which is reached by `dial`; that is told how to see whether anybody
    still waits.
    """

    kind: Kind
    address: str = ""
    name: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    launch: LaunchOptions = field(default_factory=LaunchOptions)
    start_command: str = ""
    tags: tuple[str, ...] = ()
    allow_url: tuple[str, ...] = ()
    deny_url: tuple[str, ...] = ()
    dial: Callable[[Callable[[], bool]], Awaitable[Transport]] | None = field(
        default=None, compare=False
    )
    # Nobody named it: it is there so that there is one, and gives way to one that comes by itself.
    stand_in: bool = False

    @property
    def label(self) -> str:
        """What lists and errors call it."""
        if self.kind in ("url", "ws"):
            return self.address
        if self.kind == "auto":
            return f"running browser of {self.address}"
        if self.kind == "extension":
            return f"extension {self.name}"
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
