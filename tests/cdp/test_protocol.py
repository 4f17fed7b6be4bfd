"""Every CDP name in our source, held against what the browser itself serves."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

import tabmux
from tabmux.cdp.discovery import fetch
from tests.chromium import chromium

SOURCE = Path(tabmux.__file__).parent
NAME = re.compile(r"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+")
# Ours is served without a description of parameters here: hidden in the protocol of Chromium 156.
HIDDEN: set[str] = set()


@pytest.fixture(scope="module")
async def protocol(anyio_backend: str) -> AsyncIterator[dict[str, Any]]:
    async with chromium() as browser:
        yield json.loads(await fetch(f"{browser.url}/json/protocol", {}))


def calls() -> Iterator[tuple[str, str, set[str]]]:
    """Return each CDP name in the source: where, which, and the keys of a literal that follows."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            for index, argument in enumerate(node.args):
                name = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(name, str) and NAME.fullmatch(name):
                    place = f"{file.relative_to(SOURCE)}:{node.lineno}"
                    yield place, name, _keys(node.args[index + 1 :])


def _keys(arguments: list[ast.expr]) -> set[str]:
    if arguments and isinstance(arguments[0], ast.Dict):
        return {str(k.value) for k in arguments[0].keys if isinstance(k, ast.Constant)}
    return set()


async def test_every_name_we_use_is_served(protocol: dict[str, Any]) -> None:
    known = {
        f"{domain['domain']}.{item['name']}": {p["name"] for p in item.get("parameters", ())}
        for domain in protocol["domains"]
        for item in (*domain.get("commands", ()), *domain.get("events", ()))
    }
    found = [call for call in calls() if call[1].split(".")[0] in {n.split(".")[0] for n in known}]
    assert len(found) > 50
    wrong = [(place, name) for place, name, _ in found if name not in known]
    assert wrong == []
    unknown = [
        (place, name, keys - known[name])
        for place, name, keys in found
        if keys - known[name] and name not in HIDDEN
    ]
    assert unknown == []
