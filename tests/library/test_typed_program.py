"""Programs that use the library are checked by types: every method, in both twins."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabmux
from tabmux.library.async_methods import AsyncToolMethods
from tabmux.library.sync_methods import SyncToolMethods
from tabmux.tools.pipeline import catalog

VALUES = {
    "int": "1",
    "float": "1.5",
    "str": '"text"',
    "bool": "True",
    "FilePath": 'Path("file")',
    "Any": "None",
    "Sequence[Mapping[str, Any]]": '[{"uid": "a1_1", "value": "text"}]',
    "Sequence[FilePath]": '["file", Path("other")]',
    "Sequence[str]": '["text"]',
    "Sequence[int]": "[1]",
    "Mapping[str, Any]": '{"a": 1}',
    "Mapping[str, str]": '{"a": "b"}',
}


def methods(kind: type) -> list[str]:
    return [name for name in vars(kind) if not name.startswith("_")]


def value_of(kind: str) -> str:
    first = kind.removesuffix(" | None").split(" | ")[0]
    if "Literal[" in first:
        choice = first.split("Literal[")[1].split(",")[0].rstrip("]")
        return f"[{choice}]" if first.startswith("Sequence") else choice
    return VALUES[first]


def calls(kind: type, waits: str) -> Iterator[str]:
    for name in methods(kind):
        parameters = list(inspect.signature(getattr(kind, name)).parameters.values())[1:]
        given = ", ".join(f"{each.name}={value_of(str(each.annotation))}" for each in parameters)
        yield f"    {waits}tab.{name}({given})"


def program() -> str:
    return "\n".join(
        [
            "from pathlib import Path",
            "import tabmux",
            "from tabmux import exceptions",
            "async def main() -> None:",
            '    async with tabmux.session("work", browser="http://127.0.0.1:9222") as tab:',
            "        async with tabmux.sessions(8) as tabs:",
            "            reveal_type(tabs)",
            "        try:",
            "            change = await tab.click('button \"Save\"')",
            "            reveal_type(change.diff)",
            "            reveal_type(change.opened[0].url)",
            '            reveal_type((await tab.tools.search_products(query="tea")).text)',
            "            reveal_type(tab.cdp_url)",
            "        except exceptions.StaleUid as error:",
            "            reveal_type(error.code + error.hint)",
            "async def each(tab: tabmux.Tab) -> None:",
            *calls(AsyncToolMethods, "await "),
            "def blocking() -> None:",
            '    with tabmux.sync.session(url="http://127.0.0.1:3000/mcp?token=t") as tab:',
            "        reveal_type(tab.click('button \"Save\"').dialog)",
            "def each_blocking(tab: tabmux.sync.Tab) -> None:",
            *calls(SyncToolMethods, ""),
            "",
        ]
    )


def test_twins_have_the_same_methods_and_every_tool() -> None:
    assert methods(AsyncToolMethods) == methods(SyncToolMethods)
    assert {tool.name for tool in catalog.tools()} <= set(methods(AsyncToolMethods))
    for name in methods(AsyncToolMethods):
        one = inspect.signature(getattr(AsyncToolMethods, name))
        assert one == inspect.signature(getattr(SyncToolMethods, name))


@pytest.mark.timeout(300)
def test_program_that_uses_every_method_is_typed(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(program())
    source = Path(tabmux.__file__).parents[1]
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(file)],
        cwd=tmp_path,
        env={"MYPYPATH": str(source), "PATH": "", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    revealed = [line.split("type is ")[1] for line in result.stdout.splitlines() if "note" in line]
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr
    assert revealed == [
        '"list[tabmux.library.async_tab.Tab]"',
        '"str"',
        '"str"',
        '"str"',
        '"str"',
        '"str"',
        '"tabmux.library.tool_results.PageDialog | None"',
    ]


def test_generated_modules_are_fresh() -> None:
    script = Path(__file__).parents[2] / "scripts" / "library.py"
    result = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert result.stderr == ""


def test_import_loads_neither_library_nor_server() -> None:
    code = "import sys, tabmux; print([n for n in sys.modules if n.startswith('tabmux.')])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"


def test_library_loads_no_server() -> None:
    code = (
        "import sys, tabmux, tabmux.sync; tabmux.session; tabmux.sessions\n"
        "server = ('daemon', 'mcp', 'tools', 'page', 'sessions', 'browsers', 'bridge', 'cdp')\n"
        "print([name for name in server if f'tabmux.{name}' in sys.modules], 'pydantic' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[] False\n"
