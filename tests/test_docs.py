"""Documents name only files that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|js|md|toml|json|yml|html))`")
ROW = re.compile(r"^\| (?P<asked>.+) \| (?P<state>works|differs|open) \| (?P<shown>.+) \|$")
TEST = re.compile(r"`((?:\w+/)*test_\w+\.py)`")
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


def test_everything_that_works_as_specified_is_shown_by_a_test_that_exists() -> None:
    text = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    rows = [
        ROW.match(line) for line in lines if not re.search(r"^\| (---|requirement|rule) ", line)
    ]
    assert None not in rows
    named = [(row["asked"], row["state"], TEST.findall(row["shown"])) for row in rows if row]
    assert [asked for asked, state, tests in named if state == "works" and not tests] == []
    assert {
        test for _, _, tests in named for test in tests if not (ROOT / "tests" / test).is_file()
    } == set()
