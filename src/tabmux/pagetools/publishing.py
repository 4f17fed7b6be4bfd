"""Publishing: which tools of a page clients are shown, and under which policy."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tabmux.content import ToolSpec
from tabmux.pagetools.model import CONFIRM, PageTool
from tabmux.policy.file_policy import FilePolicy
from tabmux.policy.policy import Policy

if TYPE_CHECKING:
    from tabmux.pagetools.catalogs import Destructive

MOST_PUBLISHED = 16
# Of rows of tabs and other choices, so many keep their place where not everything is shown.
MOST_ALIKE = 2
_ALIKE = frozenset({"tabs", "choice"})
# Below this rank a tool is not shown, but can be called by its name.
LOWEST_RANK = 0.0
# What is above this one fills places that are free: so many of them, up to so many tools.
NEAR_RANK, MOST_FILLERS, MOST_FILLED = -3.0, 6, 12
_ACTING = frozenset({"action", "form", "menu"})
# A page that shows more than this is trying something.
MOST_TOOLS = 200

# What may differ between two looks at a page that offers the same.
_VOLATILE = frozenset({"default", "description", "examples"})
_CONFIRM = {"type": "boolean", "const": True, "description": "This cannot be undone."}


@dataclass(frozen=True)
class PageToolPolicy:
    """What the user permits."""

    destructive: Destructive = "allow"
    files: FilePolicy = field(default_factory=FilePolicy)
    read_only: bool = False

    def narrowed(self, policy: Policy | None) -> PageToolPolicy:
        """Return what is permitted to a session, of which a policy is known."""
        if policy is None:
            return self
        return replace(
            self,
            files=policy.files,
            read_only=self.read_only or policy.read_only,
        )

    def applied(self, tools: Iterable[PageTool]) -> list[PageTool]:
        """Return the tools that may be called, the most important first, names made unique."""
        allowed = [tool for tool in tools if self._allows(tool)]
        ordered = sorted(allowed, key=lambda tool: -tool.rank)[:MOST_TOOLS]
        if self.destructive == "confirm":
            ordered = [_with_confirmation(tool) if tool.destroys else tool for tool in ordered]
        return _with_unique_names(ordered)

    def _allows(self, tool: PageTool) -> bool:
        if self.read_only and not tool.reads:
            return False
        return not (tool.destroys and self.destructive == "hide")


def published(tools: Sequence[PageTool]) -> list[PageTool]:
    """Return the tools that clients are shown, by name: a steady order keeps their caches."""
    shown = [tool for tool in tools if tool.rank >= LOWEST_RANK]
    always = [tool for tool in shown if tool.source == "generic"]
    others = [tool for tool in shown if tool.source != "generic"]
    room = MOST_PUBLISHED - len(always)
    free = max(0, MOST_FILLED - len(others))
    kept = [*_varied(others)[:room], *_fillers(tools)[:free], *always]
    return sorted(kept, key=lambda tool: tool.name)


def _fillers(tools: Sequence[PageTool]) -> list[PageTool]:
    """Return what free places are for: what acts, and stands around the content."""
    near = [tool for tool in tools if NEAR_RANK <= tool.rank < LOWEST_RANK]
    acting = [tool for tool in near if tool.kind in _ACTING]
    return sorted(acting, key=lambda tool: (tool.reads, -tool.rank, tool.name))[:MOST_FILLERS]


def _varied(tools: Sequence[PageTool]) -> list[PageTool]:
    """Put the third row of tabs, and every further one, behind what a page offers only once."""
    met: Counter[str] = Counter()
    first: list[PageTool] = []
    further: list[PageTool] = []
    for tool in tools:
        met[tool.kind] += 1
        (further if tool.kind in _ALIKE and met[tool.kind] > MOST_ALIKE else first).append(tool)
    return first + further


def tool_spec(tool: PageTool) -> ToolSpec:
    """Return a tool as a client sees it."""
    return ToolSpec(
        tool.name, tool.description, tool.schema, tool.reads, tool.destroys, tool.repeatable
    )


def _with_confirmation(tool: PageTool) -> PageTool:
    properties = {**tool.schema.get("properties", {}), CONFIRM: _CONFIRM}
    required = [*tool.schema.get("required", ()), CONFIRM]
    return replace(tool, schema={**tool.schema, "properties": properties, "required": required})


def _with_unique_names(tools: Iterable[PageTool]) -> list[PageTool]:
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


def merge_tools(declared: Sequence[PageTool], derived: Iterable[PageTool]) -> list[PageTool]:
    """Return the declared tools, and the derived ones for whatever they leave out.

    A declared tool names its form by `plan.form` (the collector's number of the element), and
    takes the place of the derived tool of that form; a derived tool of the same name gives way.
    """
    forms = {(tool.frame, tool.plan.form) for tool in declared if tool.plan.form is not None}
    taken = {tool.name for tool in declared}
    merged = list(declared)
    for tool in derived:
        if tool.plan.form is not None and (tool.frame, tool.plan.form) in forms:
            continue
        if tool.name in taken:
            tool = replace(tool, name=_numbered_name(tool.name, taken))
        taken.add(tool.name)
        merged.append(tool)
    return merged


def _numbered_name(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name[:37]}_{number}" in taken:
        number += 1
    return f"{name[:37]}_{number}"


def signature(tools: Iterable[PageTool | ToolSpec]) -> str:
    """Return the same text for lists that a client need not read again."""
    rows = sorted(
        [tool.name, _without_volatile(tool.schema), [tool.reads, tool.destroys, tool.repeatable]]
        for tool in tools
    )
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def _without_volatile(value: Any) -> Any:
    if isinstance(value, dict):
        return json.dumps(
            {
                key: _without_volatile(each)
                for key, each in value.items()
                if key not in _VOLATILE or isinstance(each, dict)
            },
            sort_keys=True,
        )
    return [_without_volatile(each) for each in value] if isinstance(value, list) else value


def tools_line(tools: Sequence[PageTool]) -> str:
    """Return the line that names the tools of a page."""
    return f"Page tools: {', '.join(tool.name for tool in tools) or 'none'}"
