"""Changelog: the notes of a release, and the section that it gets."""

from __future__ import annotations

import re

from tabmux.errors import Misuse

UNRELEASED = "Unreleased"
_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)


def section(text: str, title: str) -> str:
    """Return what stands below a heading, or nothing."""
    headings = [*_HEADING.finditer(text)]
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading["title"].split(" ")[0] == title:
            return text[heading.end() : following.start() if following else None].strip()
    return ""


def release_notes(text: str, version: str) -> str:
    """Return the notes of a version; before it is released, those of what is not released yet."""
    notes = section(text, version) or section(text, UNRELEASED)
    if not notes:
        raise Misuse(f"The changelog says nothing of {version}, and nothing is unreleased.")
    return notes + "\n"


def with_release(text: str, version: str, day: str) -> str:
    """Return the changelog with what was unreleased as the section of a version."""
    if section(text, version):
        raise Misuse(f"The changelog has a section {version} already.")
    if not section(text, UNRELEASED):
        raise Misuse("The changelog has nothing unreleased.")
    heading = f"## {UNRELEASED}"
    return text.replace(heading, f"{heading}\n\n## {version} ({day})", 1)
