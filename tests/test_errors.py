"""Every error code is declared, and every declared one is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import tabmux
from tabmux.content import Reply
from tabmux.errors import CODES, Misuse, TabmuxError

SOURCE = Path(tabmux.__file__).parent


def codes_of(tree: ast.AST) -> Iterator[str]:
    """Return the codes that a module names: of classes, and of single errors and replies."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
            yield from texts(node.value)
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "code":
                    yield from texts(keyword.value)


def texts(value: ast.AST) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from texts(value.body)
        yield from texts(value.orelse)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
        yield value.value


def found() -> set[str]:
    codes = {
        code
        for file in SOURCE.rglob("*.py")
        for code in codes_of(ast.parse(file.read_text(encoding="utf-8")))
    }
    for script in (SOURCE / "page" / "js").glob("*.js"):
        text = script.read_text(encoding="utf-8")
        codes |= {f"element_{code}" for code in re.findall(r'complaint\(\s*\w+,\s*"(\w+)"', text)}
    return codes


def test_every_code_is_declared() -> None:
    assert found() - CODES.keys() == set()


def test_every_declared_code_is_used() -> None:
    assert CODES.keys() - found() == set()


def test_every_code_says_what_it_means_and_what_to_do() -> None:
    for code, about in CODES.items():
        assert about.meaning.endswith("."), code
        assert about.next_step.endswith("."), code


def test_an_error_is_one_text_everywhere() -> None:
    error = Misuse("There is no page 7.", hint="Call list_pages.", code="no_such_page")

    assert error.text == "There is no page 7. Call list_pages."
    assert error.labelled == "Error [no_such_page]: There is no page 7. Call list_pages."
    assert Reply.failure(error) == Reply(
        error.labelled, code="no_such_page", hint="Call list_pages."
    )
    assert TabmuxError("It failed.").text == "It failed."
