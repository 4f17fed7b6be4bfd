"""A stranger finds the way: names are unique, folders are small, modules say what they are."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import tabmux

SOURCE = Path(tabmux.__file__).parent
MODULES = [file for file in SOURCE.rglob("*.py") if file.name not in ("__init__.py", "__main__.py")]

# A tool topic and the part of the page behind it may share a noun; they mean the same thing.
MOST_SHARED_NAMES = 10
MOST_IN_A_FOLDER = 24
LONGEST_FUNCTION = 40


def trees() -> dict[Path, ast.Module]:
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in MODULES}


def test_a_class_name_has_one_meaning() -> None:
    # What the server raises, programs see as the exception of the same name.
    names = Counter(
        node.name
        for file, tree in trees().items()
        if file.name != "exceptions.py"
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_few_file_names_occur_in_two_folders() -> None:
    names = Counter(file.name for file in MODULES)
    shared = sorted(name for name, count in names.items() if count > 1)
    assert len(shared) <= MOST_SHARED_NAMES, shared


def test_no_folder_shows_more_than_a_screen_of_modules() -> None:
    folders = Counter(file.parent for file in MODULES)
    assert [str(folder) for folder, count in folders.items() if count > MOST_IN_A_FOLDER] == []


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{file.relative_to(SOURCE)}: {node.name}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and code_lines(node) > LONGEST_FUNCTION
    ]
    assert long == []


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function without its docstring, which is a tool's schema."""
    first = function.body[0]
    is_docstring = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def test_every_module_says_first_what_it_is() -> None:
    silent = [
        str(file.relative_to(SOURCE))
        for file, tree in trees().items()
        if not (ast.get_docstring(tree) or "").split("\n")[0].strip()
    ]
    assert silent == []
