"""Navigation: a hook of MkDocs with the menu, and with links and addresses of the project."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

# The ladder of the site: every page has its place here.
SECTIONS = {
    "Start": ("index.md", "start.md", "tasks.md", "clients.md", "troubleshooting.md"),
    "Guides": (
        "many.md",
        "extension.md",
        "logins-and-files.md",
        "focus.md",
        "performance.md",
        "library.md",
        "live-view.md",
        "record.md",
        "durable-sessions.md",
        "fleet.md",
        "embedding.md",
    ),
    "Reference": (
        "tools.md",
        "command-line.md",
        "commands.md",
        "settings.md",
        "errors.md",
        "library-reference.md",
        "http.md",
        "bridge.md",
    ),
    "Explanations": (
        "how-it-works.md",
        "page-tools.md",
        "security.md",
        "architecture.md",
        "glossary.md",
        "specification.md",
        "decisions",
    ),
    "Comparison": (
        "comparison.md",
        "benchmarks.md",
        "benchmark-results.md",
        "tabbench.md",
        "differences.md",
    ),
}
_OUTSIDE = re.compile(r"\]\((?:\.\./)+(?P<path>[^)\s]+)\)")


def navigation(docs: Path) -> list[dict[str, Any]]:
    """Return the menu; MkDocs says which page of it is not there, and which has no place."""
    return [{title: [_entry(docs, page) for page in pages]} for title, pages in SECTIONS.items()]


def with_links_outside(text: str, folder: Path, docs: Path, source: str) -> str:
    """Let links to files that are no documents lead to the repository."""

    def rewritten(found: re.Match[str]) -> str:
        target = (folder / found.group(0)[2:-1].partition("#")[0]).resolve()
        if target.is_relative_to(docs):
            return found.group(0)
        kind = "tree" if target.is_dir() else "blob"
        return f"]({source}/{kind}/main/{target.relative_to(docs.parent).as_posix()})"

    return _OUTSIDE.sub(rewritten, text)


def project_addresses(root: Path) -> dict[str, str]:
    """Return the addresses of the project, which pyproject.toml names, as MkDocs calls them."""
    urls = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    repository = "/".join(urls["Source"].split("/")[-2:])
    return {
        "site_url": urls["Documentation"],
        "repo_url": urls["Source"],
        "repo_name": repository,
    }


def on_config(config: Any) -> Any:
    """Give MkDocs the menu and the addresses."""
    docs = Path(config["docs_dir"])
    config["nav"] = navigation(docs)
    config.update(project_addresses(docs.parent))
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Rewrite the links of one page."""
    docs = Path(config["docs_dir"])
    folder = Path(page.file.abs_src_path).parent
    return with_links_outside(markdown, folder, docs, config["repo_url"])


def _entry(docs: Path, page: str) -> Any:
    if not (docs / page).is_dir():
        return page
    files = sorted((docs / page).glob("*.md"), key=lambda file: (file.name != "README.md", file))
    return {page.capitalize(): [f"{page}/{file.name}" for file in files]}
