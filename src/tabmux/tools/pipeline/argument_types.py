"""Argument types that carry their own check, so that no tool can forget it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema
from pydantic_core import CoreSchema
from pydantic_core.core_schema import str_schema, with_info_after_validator_function

from tabmux.errors import BadArguments
from tabmux.json_text import decoded
from tabmux.page.element import Element
from tabmux.sessions.locators import Locator

MOST_MILLISECONDS = 3_600_000


class ArgumentContext(Protocol):
    """What the pipeline knows when it reads arguments."""

    def element(self, text: str) -> Element | Locator:
        """Return the element of a uid that the session was shown, or how else it is named."""

    def url(self, url: str) -> str:
        """Return a URL that may be visited."""

    def readable(self, path: str) -> Path:
        """Return a file that may be read."""

    def writable(self, path: str) -> Path:
        """Return a file that may be written."""

    def script(self, text: str) -> str:
        """Return a script that may be run."""

    def worker(self, name: str) -> str:
        """Return the name of a service worker, and note which page it is of."""


@dataclass(frozen=True)
class Unlocated:
    """An element that the pipeline looks for once it has the page; no tool is given one."""

    locator: Locator


@dataclass(frozen=True)
class _Text:
    """A string on the wire that a check turns into something else."""

    check: Callable[[str, Any], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        return with_info_after_validator_function(self._checked, str_schema())

    def _checked(self, value: str, info: ValidationInfo) -> Any:
        return self.check(value, info.context)


def _element(value: str, context: Any) -> Element | Unlocated:
    found = context.element(value)
    return Unlocated(found) if isinstance(found, Locator) else found


def _url(value: str, info: ValidationInfo) -> str:
    context: Any = info.context
    return str(context.url(value))


def _script(value: str, info: ValidationInfo) -> str:
    context: Any = info.context
    return str(context.script(value))


def _worker(value: str, info: ValidationInfo) -> str:
    context: Any = info.context
    return str(context.worker(value))


def is_unlisted(hint: Any) -> bool:
    """Whether an argument of this type is left out of what clients are shown."""
    return UNLISTED in getattr(hint, "__metadata__", ())


def is_named(hint: Any) -> bool:
    """Whether a value of this type names an element, a URL, a file or the like."""
    optional = get_origin(hint) in (Union, UnionType)
    return NAMED in getattr(hint, "__metadata__", ()) or (
        optional and any(map(is_named, get_args(hint)))
    )


def _decoded(value: Any) -> Any:
    """Read a JSON object that was sent as text."""
    if not isinstance(value, str):
        return value
    try:
        return decoded(value or "{}")
    except ValueError as error:
        raise ValueError(f"not a JSON object ({error})") from error


def _milliseconds(value: int) -> int:
    # Not in the schema, where every character costs every client.
    if value > MOST_MILLISECONDS:
        raise ValueError(f"at most {MOST_MILLISECONDS} ms, not {str(value)[:20]}")
    return value


def is_script(hint: Any) -> bool:
    """Whether an argument of this type is a script that the caller wrote."""
    notes = getattr(hint, "__metadata__", ())
    return _SCRIPT in notes or any(map(is_script, get_args(hint)))


def is_file(hint: Any) -> bool:
    """Whether an argument of this type names a file or a folder."""
    return hint is Path or any(map(is_file, get_args(hint)))


def _folder(value: str, context: Any) -> Path:
    """A folder may be written to when a file in it may be."""
    inside: Path = context.writable(str(Path(value) / "file"))
    if inside.parent.exists() and not inside.parent.is_dir():
        raise BadArguments(f"{value} is not a folder.")
    return inside.parent


def _extension(value: str, context: Any) -> Path:
    """A folder holds an extension when its manifest may be read."""
    manifest: Path = context.readable(str(Path(value) / "manifest.json"))
    return manifest.parent


# Marks an argument that few need: it is taken, and explained in docs/tools.md, but not listed.
UNLISTED = "unlisted"
# Marks what names something, so that an empty string means nothing.
NAMED = "named"
# What clients are shown as text, for they know no objects of any shape and no unions, or for
# there are so many choices; whoever sends a wrong one is told all of them.
AS_TEXT = WithJsonSchema({"type": "string"})
_SCRIPT = AfterValidator(_script)
Script = Annotated[str, _SCRIPT, NAMED]
WorkerName = Annotated[str, AfterValidator(_worker), NAMED]
Target = Annotated[Element, _Text(_element), NAMED]
# For tools that look for it themselves, because it need not be there yet.
LateTarget = Annotated[
    Element | Locator, _Text(lambda value, context: context.element(value)), NAMED
]
Url = Annotated[str, AfterValidator(_url), NAMED]
InputFile = Annotated[Path, _Text(lambda value, context: context.readable(value)), NAMED]
OutputFile = Annotated[Path, _Text(lambda value, context: context.writable(value)), NAMED]
OutputFolder = Annotated[Path, _Text(lambda value, context: _folder(value, context)), NAMED]
ExtensionFolder = Annotated[Path, _Text(lambda value, context: _extension(value, context)), NAMED]
BrowserName = Annotated[int | str, AS_TEXT, NAMED]
JsonObject = Annotated[dict[str, Any], BeforeValidator(_decoded), AS_TEXT]
TextMap = Annotated[dict[str, str], BeforeValidator(_decoded), AS_TEXT]
Positive = Annotated[int, Field(gt=0)]
Milliseconds = Annotated[int, Field(ge=0), AfterValidator(_milliseconds)]
