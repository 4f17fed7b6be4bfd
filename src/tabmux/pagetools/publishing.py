"""On which terms page tools are offered: what is hidden, what asks for a confirmation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from tabmux.content import ToolSpec
from tabmux.pagetools.model import CONFIRM, PageTool
from tabmux.pagetools.secrets import Secrets
from tabmux.policy.file_policy import FilePolicy

PUBLISHED = 16
# Below this rank a tool is not shown, but can be called by its name.
FLOOR = 0.0
# A page that shows more than this is trying something.
MOST_TOOLS = 200

Destructive = Literal["allow", "confirm", "hide"]
_CONFIRM = {"type": "boolean", "const": True, "description": "This cannot be undone."}


@dataclass(frozen=True)
class PageToolPolicy:
    """What the user permits."""

    destructive: Destructive = "allow"
    secrets: Secrets = field(default_factory=Secrets)
    files: FilePolicy = field(default_factory=FilePolicy)
    read_only: bool = False

    def applied(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Return the tools that may be called, the most important first, names made unique."""
        allowed = [tool for tool in tools if self._allows(tool)]
        ordered = sorted(allowed, key=lambda tool: -tool.rank)[:MOST_TOOLS]
        if self.destructive == "confirm":
            ordered = [_confirmed(tool) if tool.destroys else tool for tool in ordered]
        return _apart(ordered)

    def _allows(self, tool: PageTool) -> bool:
        if self.read_only and not tool.reads:
            return False
        return not (tool.destroys and self.destructive == "hide")


def published(tools: Sequence[PageTool]) -> list[PageTool]:
    """Return the tools that clients are shown, by name: a steady order keeps their caches."""
    shown = [tool for tool in tools if tool.rank >= FLOOR][:PUBLISHED]
    return sorted(shown, key=lambda tool: tool.name)


def spec(tool: PageTool) -> ToolSpec:
    """Return a tool as a client sees it."""
    return ToolSpec(
        tool.name,
        tool.description,
        tool.schema,
        tool.reads,
        tool.destroys,
        tool.repeatable,
        explicit=True,
    )


def _confirmed(tool: PageTool) -> PageTool:
    properties = {**tool.schema.get("properties", {}), CONFIRM: _CONFIRM}
    required = [*tool.schema.get("required", ()), CONFIRM]
    return replace(tool, schema={**tool.schema, "properties": properties, "required": required})


def _apart(tools: Iterable[PageTool]) -> list[PageTool]:
    """Give names that are taken another form."""
    taken: set[str] = set()
    found = []
    for tool in tools:
        name = tool.name
        base, number = name[:36], 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        found.append(tool if name == tool.name else replace(tool, name=name))
    return found
