"""The tables are whole, and point at tests that exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.hostile.attacks import ATTACKS
from tests.hostile.faults import FAULTS
from tests.hostile.row import Row

TESTS = Path(__file__).parents[1]


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def test_there_is_a_row_for_every_fault_and_every_attack() -> None:
    assert [row.number for row in FAULTS] == [str(number) for number in range(1, 106)]
    assert [row.number for row in ATTACKS] == [f"S-{number:02}" for number in range(1, 57)]


@pytest.mark.parametrize("row", [*FAULTS, *ATTACKS], ids=lambda row: row.number)
def test_every_row_is_tried(row: Row) -> None:
    assert row.tests
    for node in row.tests:
        file, _, name = node.partition("::")
        assert name in names_in(file), node
