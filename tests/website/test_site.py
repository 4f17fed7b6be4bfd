from __future__ import annotations

from pathlib import Path

from website.links import troubles
from website.navigation import navigation, with_links_outside
from website.terminal import draw

ROOT = Path(__file__).parents[2]
SOURCE = "https://example.com/repository"


def test_every_document_has_a_place_in_the_menu() -> None:
    menu = navigation(ROOT / "docs")
    entries = [entry for section in menu for pages in section.values() for entry in pages]
    named = {entry for entry in entries if isinstance(entry, str)}
    assert named == {file.name for file in (ROOT / "docs").glob("*.md")}


def test_links_out_of_the_documents_lead_to_the_repository(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    (docs / "decisions").mkdir(parents=True)
    (tmp_path / "extension").mkdir()
    text = "[a](../SECURITY.md#x) [b](../extension) [c](start.md)"
    assert with_links_outside(text, docs, docs, SOURCE) == (
        f"[a]({SOURCE}/blob/main/SECURITY.md) [b]({SOURCE}/tree/main/extension) [c](start.md)"
    )
    inside = "[d](../start.md)"
    assert with_links_outside(inside, docs / "decisions", docs, SOURCE) == inside


def test_dead_links_and_foreign_hosts_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there">1</a><a href="b.html#gone">2</a><a href="none.html">3</a>'
        '<a href="https://example.com">4</a><script src="https://cdn.example/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="there">')
    assert {*troubles(tmp_path)} == {
        "a.html: dead link b.html#gone",
        "a.html: dead link none.html",
        "a.html: fetches https://cdn.example/x.js",
    }


def test_a_terminal_shows_commands_before_what_they_print() -> None:
    drawn = draw([("echo <a>", ["<a>"])])
    assert drawn.index("echo &lt;a&gt;") < drawn.index(">&lt;a&gt;<")
    assert "<a>" not in drawn
