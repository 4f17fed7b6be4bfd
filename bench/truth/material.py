"""Material: the pages that are measured, fetched or built where they are not there yet."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.trouble import BenchError
from bench.truth import bundles, downloads, frames, samples
from bench.truth.libraries import FURTHER, LIBRARIES, NEWER, Library
from bench.truth.saved_page import half_of
from bench.truth.saved_pages import SAVED


@dataclass(frozen=True)
class TruthPage:
    """A page to measure: its kind, its name and where it is served, and how often it was tried."""

    kind: str
    name: str
    address: str
    attempt: int = 1


@dataclass
class Material:
    """All pages of a run, those of our own among them, and what could not be had."""

    pages: list[TruthPage] = field(default_factory=list)
    ours: dict[str, str] = field(default_factory=lambda: {"/blank.html": "<title>Blank</title>"})
    left_out: dict[str, str] = field(default_factory=dict)


Gather = Callable[[Material, str, str, Path], Awaitable[None]]


async def gathered(kinds: Sequence[str], half: str, only: str, folder: Path) -> Material:
    """Fetch and build the pages of one half.

    Args:
        kinds: Some of sample, real, component, further, newer and frame.
        half: The half; frames and samples belong to both.
        only: Parts of the names, with commas.
        folder: Where packages are kept between runs.
    """
    material = Material()
    for kind in kinds:
        await _KINDS[kind](material, half, only, folder)
    return material


async def _real(material: Material, half: str, only: str, folder: Path) -> None:
    for page in SAVED:
        if page.half == half and _is_named(page.name, only):
            await _had(material, page.name, downloads.download, page, folder)
            if page.name not in material.left_out:
                material.pages.append(TruthPage("real", page.name, page.address))


def _built(kind: str, libraries: Sequence[Library]) -> Gather:
    async def build(material: Material, half: str, only: str, folder: Path) -> None:
        for library in libraries:
            if half_of(library.name) == half and _is_named(library.name, only):
                await _had(material, library.name, bundles.build, library, folder)
                if library.name not in material.left_out:
                    address = f"/{library.name}/page.html"
                    material.pages.append(TruthPage(kind, library.name, address))

    return build


def _is_named(name: str, only: str) -> bool:
    return any(part in name for part in only.split(","))


async def _had(
    material: Material, name: str, get: Callable[..., None], what: object, folder: Path
) -> None:
    try:
        await asyncio.to_thread(get, what, folder)
    except BenchError as error:
        material.left_out[name] = str(error)
        sys.stderr.write(f"left out: {name}: {error}\n")


def _own(kind: str, pages: Mapping[str, str]) -> Gather:
    async def take(material: Material, half: str, only: str, folder: Path) -> None:
        for number, (name, html) in enumerate(pages.items()):
            if _is_named(name, only):
                address = f"/{kind}-{number}.html"
                material.ours[address] = html
                material.pages.append(TruthPage(kind, name, address))

    return take


_KINDS: Mapping[str, Gather] = {
    "real": _real,
    "component": _built("component", LIBRARIES),
    "further": _built("further", FURTHER),
    "newer": _built("newer", NEWER),
    "frame": _own("frame", frames.PAGES),
    "sample": _own("sample", samples.PAGES),
}
