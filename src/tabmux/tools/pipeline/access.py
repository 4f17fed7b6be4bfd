"""Access: which tools and arguments the policy leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tabmux.errors import Refused
from tabmux.policy.policy import Policy
from tabmux.policy.rule_source import RuleSource

if TYPE_CHECKING:
    from tabmux.tools.pipeline.tool import Tool


class ToolTraits(Protocol):
    """What decides whether a tool may be called, whoever offers it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def read_only(self) -> bool:
        """Whether --read-only leaves it."""

    @property
    def scripts(self) -> bool:
        """Whether it runs what the caller wrote, in pages."""

    @property
    def clipboard(self) -> bool:
        """Whether it reads or writes the clipboard."""


def refusal(policy: Policy, tool: ToolTraits) -> Refused | None:
    """Say why a tool may not be called, if so; such a tool is not listed either."""
    if refused := name_refusal(policy, tool.name):
        return refused
    if tool.scripts and not policy.scripts:
        flag, key = "--no-javascript-evaluation", "scripts"
        if policy.read_only:
            flag, key = "--read-only", "read_only"
    elif policy.read_only and not tool.read_only:
        flag, key = "--read-only", "read_only"
    elif tool.clipboard and not policy.clipboard:
        return Refused(
            f"{tool.name} is switched off: tabmux was started without --allow-clipboard.",
            hint="Tell the user, if it is needed.",
        )
    else:
        return None
    if source := policy.sources.get(key):
        return _by_rule(tool.name, source)
    return Refused(
        f"{tool.name} is switched off: tabmux was started with {flag}.",
        hint="See tools/list for what there is.",
    )


def name_refusal(policy: Policy, name: str) -> Refused | None:
    """Say why no tool of a name may be called, whoever offers it."""
    limit = policy.tool_limit_against(name)
    return _by_rule(name, limit.source) if limit is not None else None


def _by_rule(name: str, source: RuleSource) -> Refused:
    return Refused(
        f"{name} is switched off: {source.setter}.",
        hint="See tools/list for what there is.",
        rule=source,
    )


def arguments(policy: Policy, tool: Tool) -> Mapping[str, Any]:
    """Return the arguments that a tool is listed with."""
    left_out = tool.unlisted_arguments
    if not policy.scripts:
        left_out |= tool.script_arguments
    properties = tool.schema["properties"].items()
    return {name: about for name, about in properties if name not in left_out}
