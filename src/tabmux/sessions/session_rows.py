"""Session rows: what a session is, as it is written down and read again; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec

from tabmux.browsers.addressed import ProfileSpec, UrlSpec, WebSocketSpec
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.launched import LaunchedSpec
from tabmux.errors import Misuse
from tabmux.page.environment.page_overrides import PageOverrides

# Makes a spec of what was written down.
SpecReader = Callable[[Mapping[str, Any]], BrowserSpec]

# The kinds of browsers whose specs can be read back as they are.
SPEC_KINDS: dict[str, type[BrowserSpec]] = {
    kind.__name__: kind for kind in (LaunchedSpec, UrlSpec, WebSocketSpec, ProfileSpec)
}


class BrowserRow(msgspec.Struct, frozen=True):
    """A browser that a client named.

    Attributes:
        kind: The class of its spec.
        spec: The fields of the spec, or what else it can be made of again.
    """

    kind: str
    spec: dict[str, Any]

    @classmethod
    def of(cls, spec: BrowserSpec, placement: Mapping[str, Any] | None = None) -> BrowserRow:
        """Write a spec down.

        Args:
            spec: The browser as the client named it.
            placement: What the next server needs besides; see `BrowserKind.placement`.
        """
        kind = type(spec).__name__
        if kind in SPEC_KINDS:
            return cls(kind, msgspec.to_builtins(spec, enc_hook=str))
        own = {"token": getattr(spec, "token", ""), "placement": placement}
        return cls(kind, own)

    def read(self, readers: Mapping[str, SpecReader] | None = None) -> BrowserSpec:
        """Return the spec.

        Args:
            readers: What makes specs of further kinds, by the name of the kind.
        """
        if self.kind in SPEC_KINDS:
            return msgspec.convert(self.spec, SPEC_KINDS[self.kind], dec_hook=_decoded)
        if readers is None or self.kind not in readers:
            raise Misuse(f"Browsers of the kind {self.kind} are not set up in this server.")
        return readers[self.kind](self.spec)


class PageRow(msgspec.Struct, frozen=True):
    """A page of a session.

    Attributes:
        id: The number by which agents know it.
        target: Chrome's id of the tab.
        browser: The key of the browser that it is in.
        url: Where it was.
        created: Whether it was made for the session.
        context: The name of its isolated context, if it is in one.
        context_id: Chrome's id of its context, isolated or not.
        state: What was set for it.
        had_secret: Whether a secret may stand in it, which the next server does not know.
    """

    id: int
    target: str
    browser: str
    url: str
    created: bool
    context: str | None = None
    context_id: str = ""
    state: PageOverrides = PageOverrides()
    had_secret: bool = False


class SessionRow(msgspec.Struct, frozen=True):
    """A session.

    Attributes:
        handle: Its unguessable id.
        name: Its letters.
        label: What the user calls it.
        client: Who used it last.
        aliases: Further names.
        settings: What its client wants otherwise than the server's settings say.
        browsers: The browsers that its client named.
        own: The server's own browsers that it has pages in, by key; the next server may have been
            started without them.
        numbers: The numbers by which it knows browsers, by key.
        hidden: The keys of the server's browsers that it has let go of.
        default: The key of the browser that it has chosen.
        groups: The groups of tools that it has switched on.
        pages: Its pages.
        selected: The id of the selected one.
        epochs: No snapshot that was shown has a higher epoch.
        made: How many calls it had made, at least.
        opened: When it was opened, in seconds since 1970.
        used: When it was last used.
        was_left: Whether its client had hung up.
        paused: Whether a person has it wait, or has one of its pages: the next server does not know
            that person, and another one decides when the session goes on.
    """

    handle: str
    name: str
    label: str = ""
    client: str = ""
    aliases: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    browsers: tuple[BrowserRow, ...] = ()
    own: dict[str, BrowserRow] = {}
    numbers: dict[str, int] = {}
    hidden: tuple[str, ...] = ()
    default: str = ""
    groups: tuple[str, ...] = ()
    pages: tuple[PageRow, ...] = ()
    selected: int | None = None
    epochs: int = 0
    made: int = 0
    opened: float = 0.0
    used: float = 0.0
    was_left: bool = False
    paused: bool = False

    def encoded(self) -> bytes:
        """Write the row as JSON."""
        return _ENCODER.encode(self)

    @classmethod
    def decoded(cls, data: bytes) -> SessionRow:
        """Read a row; raises ValueError for what is none."""
        return _DECODER.decode(data)


def weight(value: Any) -> int:
    """Return about how many characters a value takes in a row."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return sum(weight(key) + weight(each) for key, each in value.items())
    if isinstance(value, list | tuple | frozenset):
        return sum(map(weight, value))
    if is_dataclass(value):
        return sum(weight(getattr(value, each.name)) for each in fields(value))
    return 8


def _decoded(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind)


_ENCODER = msgspec.json.Encoder(enc_hook=str)
_DECODER = msgspec.json.Decoder(SessionRow, dec_hook=_decoded)
