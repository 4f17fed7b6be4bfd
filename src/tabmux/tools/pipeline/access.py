"""Access: which tools and arguments the policy leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tabmux.errors import Refused
from tabmux.policy.policy import Policy

if TYPE_CHECKING:
    from tabmux.tools.pipeline.tool import Tool


def refusal(policy: Policy, tool: Tool) -> Refused | None:
    """Say why a tool may not be called, if so; such a tool is not listed either."""
    if tool.scripts and not policy.scripts:
        flag = "--read-only" if policy.read_only else "--no-javascript-evaluation"
    elif policy.read_only and not tool.read_only:
        flag = "--read-only"
    elif tool.clipboard and not policy.clipboard:
        return Refused(
            f"{tool.name} is switched off: tabmux was started without --allow-clipboard.",
            hint="Tell the user, if it is needed.",
        )
    else:
        return None
    return Refused(
        f"{tool.name} is switched off: tabmux was started with {flag}.",
        hint="See tools/list for what there is.",
    )


def arguments(policy: Policy, tool: Tool) -> Mapping[str, Any]:
    """Return the arguments that a tool is listed with."""
    left_out = tool.unlisted_arguments
    if not policy.scripts:
        left_out |= tool.script_arguments
    properties = tool.schema["properties"].items()
    return {name: about for name, about in properties if name not in left_out}
