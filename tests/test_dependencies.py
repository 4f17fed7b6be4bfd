from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUNTIME = [*PROJECT["project"]["dependencies"]]
OPTIONAL = PROJECT["project"]["optional-dependencies"]
EXTRAS = [line for extra, lines in OPTIONAL.items() if extra != "all" for line in lines]
DEVELOPMENT = PROJECT["dependency-groups"]["dev"]
OURS = {"tabmux", "tests", "bench", "release", "website"}
# Each runs in an environment of its own, with the client that it drives.
ELSEWHERE = (ROOT / "tests" / "clients" / "drivers", ROOT / "tests" / "examples" / "frameworks")


def names(requirements: Iterable[str]) -> set[str]:
    return {normal(re.split(r"[<>=~!;\[ ]", line)[0]) for line in requirements}


def normal(name: str) -> str:
    return name.lower().replace("_", "-")


def imported(folder: Path) -> set[str]:
    files = [file for file in folder.rglob("*.py") if not set(file.parents) & set(ELSEWHERE)]
    found = {module.partition(".")[0] for file in files for module in modules(file)}
    return found - OURS - set(sys.stdlib_module_names)


def modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize(
    ("folder", "declared"),
    [
        ("src", [*RUNTIME, *EXTRAS]),
        ("tests", [*RUNTIME, *EXTRAS, *DEVELOPMENT]),
        ("bench", [*RUNTIME, *EXTRAS, *DEVELOPMENT]),
    ],
)
def test_what_is_imported_is_declared(folder: str, declared: list[str]) -> None:
    owners = packages_distributions()
    missing = {
        module
        for module in imported(ROOT / folder)
        if not {normal(each) for each in owners.get(module, [module])} & names(declared)
    }
    assert missing == set()


def test_what_is_declared_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert names([*RUNTIME, *EXTRAS, *DEVELOPMENT]) <= names(lines)


def test_the_extra_all_names_every_other_one() -> None:
    assert OPTIONAL["all"] == [f"tabmux[{','.join(sorted(OPTIONAL.keys() - {'all'}))}]"]
