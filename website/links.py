"""Links: looks through a built site for dead links and for anything fetched from other hosts."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself when it shows a page.
FETCHED = {
    ("script", "src"),
    ("img", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("source", "src"),
    ("iframe", "src"),
    ("object", "data"),
}
FETCHED_RELATIONS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload"}


class PageLinks(HTMLParser):
    """The addresses and anchors of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.linked: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what an element names."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "link":
            fetches = set(values.get("rel", "").split()) & FETCHED_RELATIONS
            (self.fetched if fetches else self.linked).append(values.get("href", ""))
        elif tag == "a" and "href" in values:
            self.linked.append(values["href"])
        self.fetched += [values[name] for kind, name in FETCHED if kind == tag and name in values]


def read_page(file: Path) -> PageLinks:
    """Read one page."""
    page = PageLinks()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def troubles(site: Path) -> Iterator[str]:
    """Say what is wrong in a folder of pages."""
    pages = {file.resolve(): read_page(file) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        for address in page.fetched:
            if urlsplit(address).netloc:
                yield f"{file.name}: fetches {address}"
        # The page for what is not found does not know where it is shown.
        if file.name == "404.html":
            continue
        for address in {*page.linked, *page.fetched}:
            if _is_dead(address, file, pages):
                yield f"{file.name}: dead link {address}"


def _is_dead(address: str, file: Path, pages: dict[Path, PageLinks]) -> bool:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return False
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return True
    anchor = unquote(parts.fragment)
    return bool(anchor) and target in pages and anchor not in pages[target].anchors


def main() -> int:
    """Print what is wrong; returns the exit code."""
    found = [*troubles(Path(sys.argv[1]))]
    sys.stderr.write("".join(f"{line}\n" for line in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
