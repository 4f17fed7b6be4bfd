"""Libraries: releases of component libraries, each with a small page of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """A page in `components/`, and the packages that it is bundled from.

    Attributes:
        name: That of the page's file, too.
        packages: Names and versions, as npm takes them.
    """

    name: str
    packages: tuple[str, ...]


LIBRARIES: tuple[Library, ...] = ()
