"""Project: what pyproject.toml says of it, for all that is made from it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tabmux import __version__

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Project:
    """The facts that every listing of the project repeats."""

    name: str
    version: str
    description: str
    source: str
    documentation: str
    keywords: tuple[str, ...]
    python: str

    @property
    def registry_name(self) -> str:
        """Its name in the MCP registry; the owner of the repository is who may publish it."""
        owner, _, repository = self.source.removeprefix("https://github.com/").partition("/")
        return f"io.github.{owner}/{repository}"


def read_project() -> Project:
    """Read the facts."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Project(
        name=table["name"],
        version=__version__,
        description=table["description"],
        source=table["urls"]["Source"],
        documentation=table["urls"]["Documentation"],
        keywords=tuple(table["keywords"]),
        python=table["requires-python"],
    )
