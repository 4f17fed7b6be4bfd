"""Documents name only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|js|md|toml|json|yml|html))`")
LINKED = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
# Files of other programs.
FOREIGN = ("Claude/claude_desktop_config.json", "Code/User/mcp.json", "config.toml")


def existing() -> set[str]:
    """Return every file by its name and by every end of its path."""
    found = set()
    for file in ROOT.rglob("*"):
        parts = file.relative_to(ROOT).parts
        if parts[0] not in (".git", ".venv") and file.is_file():
            found |= {"/".join(parts[start:]) for start in range(len(parts))}
    return found


def test_every_file_that_a_document_names_exists() -> None:
    known = existing()
    missing = [
        f"{document.relative_to(ROOT)}: {name}"
        for document in DOCUMENTS
        if document.name != "CHANGELOG.md"
        for name in NAMED.findall(document.read_text(encoding="utf-8"))
        if name not in known and name not in FOREIGN
    ]
    assert missing == []


def test_every_link_between_documents_leads_somewhere() -> None:
    dead = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in DOCUMENTS
        for target in LINKED.findall(document.read_text(encoding="utf-8"))
        if not (document.parent / target).exists()
    ]
    assert dead == []
