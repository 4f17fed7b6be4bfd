"""Writes the references in docs/ from the code itself, or checks that they are fresh."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabmux.errors import CODES
from tabmux.mcp.tool_messages import listing
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.arguments import listed
from tabmux.tools.pipeline.tool import Tool

DOCS = Path(__file__).parents[1] / "docs"


def tools() -> Iterator[str]:
    """Return the lines of the reference of tools."""
    yield "# Tools\n"
    yield "This page is written by `scripts/docs.py` from the tools themselves.\n"
    yield "Tools that act on a page also take `pageId`; without it they mean the selected page."
    yield (
        'Where a tool takes a uid, it also takes a role and name (`button "Save"`), a test id '
        "(`testid=save`) or CSS (`css=.save`), which must mean one element."
    )
    yield "While several browsers are registered every tool takes `browserIndex` (index or name)."
    yield "Arguments marked as unlisted are taken, but left out of `tools/list`.\n"
    yield from costs()
    for group, modules in catalog.GROUPS.items():
        state = "on" if group in catalog.DEFAULT_GROUPS else "off"
        yield f"## {group} ({state} by default)\n"
        for module in modules:
            for tool in catalog.tools_of(module):
                yield from section(tool)


def costs() -> Iterator[str]:
    """Return the table of what each group adds to `tools/list`."""
    yield "`enable_tools` and `--tools +group` switch groups on, `--tools -group` off.\n"
    yield "| group | by default | tools | characters of `tools/list` |"
    yield "| --- | --- | --- | --- |"
    for group in catalog.GROUPS:
        specs = [listed(tool, Policy(), browser=False) for tool in catalog.tools([group])]
        tools = listing(specs, {})["tools"]
        cost = sum(len(compact(each)) + 1 for each in tools)
        state = "on" if group in catalog.DEFAULT_GROUPS else "off"
        yield f"| {group} | {state} | {len(tools)} | {cost:,} |"
    yield ""


def compact(value: Any) -> str:
    """Return JSON as clients get it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def section(tool: Tool) -> Iterator[str]:
    """Return the lines of one tool."""
    yield f"### {tool.name}\n"
    yield f"{tool.description}\n"
    required = tool.schema.get("required", ())
    for name, about in tool.schema["properties"].items():
        need = "required" if name in required else "optional"
        if name in tool.unlisted_arguments:
            need += ", unlisted"
        if "default" in about:
            need += f", default `{about['default']}`"
        yield f"- `{name}` ({kind(about)}, {need}): {about['description']}"
    if tool.schema["properties"]:
        yield ""


def kind(about: dict[str, Any]) -> str:
    """Name the type of an argument."""
    if "enum" in about:
        return " | ".join(f"`{value}`" for value in about["enum"])
    if about.get("type") == "array":
        return f"list of {kind(about['items'])}"
    return str(about.get("type", "any"))


def errors() -> Iterator[str]:
    """Return the lines of the reference of error codes."""
    yield "# Errors\n"
    yield "This page is written by `scripts/docs.py` from `errors.py`.\n"
    yield "A call that fails sets `isError`; its text begins with `Error [code]:` and ends with"
    yield "what to do; `_meta.code` is the code. Codes are stable: programs may rely on them."
    yield "The focus toolset's own tools answer JSON, `{error, code, hint}`, when they fail, too;"
    yield "a `batch` begins with its steps, and a page tool that the page refused with"
    yield "`validation_error`.\n"
    yield "| code | what it means | what to do |"
    yield "| --- | --- | --- |"
    for code, about in sorted(CODES.items()):
        yield f"| `{code}` | {about.meaning} | {about.next_step} |"


PAGES = {"tools.md": tools, "errors.md": errors}


def main() -> int:
    """Write the files, or with --check compare them."""
    stale = []
    for name, lines in PAGES.items():
        file, text = DOCS / name, "\n".join(lines()).rstrip() + "\n"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.stderr.write(f"{', '.join(stale)}: stale; run .venv/bin/python scripts/docs.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
