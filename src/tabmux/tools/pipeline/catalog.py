"""Catalog: every tool, by group."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tabmux.errors import Misuse

if TYPE_CHECKING:
    from tabmux.tools.pipeline.tool import Tool

# The modules of each group; only those of groups that are wanted are imported.
GROUPS: dict[str, tuple[str, ...]] = {
    "navigation": ("core.pages", "core.navigation", "core.waiting"),
    "input": ("core.input", "core.scrolling", "core.dialogs", "core.batch"),
    "debugging": (
        "capture.snapshot",
        "capture.reading",
        "capture.find",
        "capture.screenshot",
        "debugging.script",
        "debugging.console",
    ),
    "network": ("debugging.network",),
    "emulation": ("debugging.emulation",),
    "styles": ("debugging.styles",),
    "performance": ("profiling.performance", "profiling.audits"),
    "memory": ("profiling.memory", "profiling.memory_objects"),
    "storage": ("storage.cookies", "storage.storage", "storage.storage_state"),
    "files": ("storage.downloads", "capture.printing", "debugging.har_export"),
    "secrets": ("secret_tools",),
    "recording": ("capture.recording",),
    "testing": ("profiling.coverage", "capture.comparison"),
    "interception": ("debugging.interception",),
    "clipboard": ("core.selection", "browser.clipboard"),
    "contexts": ("browser.isolated_contexts", "browser.permissions"),
    "extensions": ("browser.extensions",),
    "pwa": ("browser.web_apps",),
    "browsers": ("browser.browsers",),
    "page tools": ("page_tools",),
    "human": ("core.human",),
    "webmcp": ("webmcp",),
    "toolsets": ("browser.enable_tools",),
}
# The module of --toolset slim, which is in no group.
SLIM = "browser.slim"
# Tools that chrome-devtools-mcp has merged into others, and what they are called now. They can be
# called wherever their successor can, and are never listed.
OLD_NAMES = {
    "emulate_cpu": "emulate",
    "emulate_network": "emulate",
    "navigate_page_history": "navigate_page",
}
_OLD = "old_names"
# Groups that are listed unless the user leaves them out.
DEFAULT_GROUPS = (
    "navigation",
    "input",
    "debugging",
    "network",
    "emulation",
    "browsers",
    "page tools",
    "toolsets",
)


def chosen(changes: str) -> list[str]:
    """Return the groups that remain after changes such as "+memory,-performance"."""
    groups = list(DEFAULT_GROUPS)
    for change in filter(None, (part.strip() for part in changes.split(","))):
        sign, name = (change[0], change[1:]) if change[0] in "+-" else ("+", change)
        if name not in GROUPS:
            raise Misuse(f"There is no group of tools {name!r}.", hint=f"Use {', '.join(GROUPS)}.")
        if sign == "+" and name not in groups:
            groups.append(name)
        elif sign == "-" and name in groups:
            groups.remove(name)
    return groups


def tools(groups: list[str] | None = None) -> Iterator[Tool]:
    """Return the tools of some groups, or of all, in the order of the code."""
    for group, modules in GROUPS.items():
        if groups is None or group in groups:
            for module in modules:
                yield from tools_of(module)


def old_tool(name: str) -> Tool:
    """Return a tool by one of the old names."""
    return next(tool for tool in tools_of(_OLD) if tool.name == name)


def tools_of(name: str) -> Iterator[Tool]:
    """Return the tools of one module."""
    from tabmux.tools.pipeline.tool import tool_of

    module = importlib.import_module(f"tabmux.tools.{name}")
    for value in vars(module).values():
        found = tool_of(value)
        if found is not None and found.function.__module__ == module.__name__:
            yield found
