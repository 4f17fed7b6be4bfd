"""Writes docs/tools.md from the tools themselves, or checks that it is fresh."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.tool import Tool

FILE = Path(__file__).parents[1] / "docs" / "tools.md"


def page() -> Iterator[str]:
    """Return the lines of the reference."""
    yield "# Tools\n"
    yield "This page is written by `scripts/docs.py` from the tools themselves.\n"
    yield "Tools that act on a page also take `pageId`; without it they mean the selected page."
    yield "While several browsers are registered every tool takes `browserIndex` (index or name).\n"
    for group, modules in catalog.GROUPS.items():
        state = "on" if group in catalog.DEFAULT_GROUPS else "off"
        yield f"## {group} ({state} by default)\n"
        for module in modules:
            for tool in catalog.tools_of(module):
                yield from section(tool)


def section(tool: Tool) -> Iterator[str]:
    """Return the lines of one tool."""
    yield f"### {tool.name}\n"
    yield f"{tool.description}\n"
    required = tool.schema.get("required", ())
    for name, about in tool.schema["properties"].items():
        need = "required" if name in required else "optional"
        yield f"- `{name}` ({kind(about)}, {need}): {about.get('description', '')}"
    if tool.schema["properties"]:
        yield ""


def kind(about: dict[str, Any]) -> str:
    """Name the type of an argument."""
    if "enum" in about:
        return " | ".join(f"`{value}`" for value in about["enum"])
    if about.get("type") == "array":
        return f"list of {kind(about['items'])}"
    return str(about.get("type", "any"))


def main() -> int:
    """Write the file, or with --check compare it."""
    text = "\n".join(page()).rstrip() + "\n"
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write("docs/tools.md is stale: run .venv/bin/python scripts/docs.py\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
