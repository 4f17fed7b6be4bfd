"""Row: something that is done to tabmux, what it promises then, and the tests that try it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of a table.

    Args:
        number: Its name in the table.
        done: What is done.
        promised: What tabmux does then.
        tests: Node ids below `tests/` of what tries it; all of them must pass.
    """

    number: str
    done: str
    promised: str
    tests: tuple[str, ...]


def row(number: str, done: str, promised: str, *tests: str) -> Row:
    """Make a row; a test without a file is in the file of the one before it."""
    nodes: list[str] = []
    for test in tests:
        file, separator, name = test.rpartition("::")
        nodes.append(f"{file or nodes[-1].partition('::')[0]}::test_{name}")
        assert separator or nodes[:-1], test
    return Row(number, done, promised, tuple(nodes))
