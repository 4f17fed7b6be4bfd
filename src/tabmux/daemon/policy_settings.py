"""Policy settings: the policy file that the settings name, with the tools that it may speak of."""

from __future__ import annotations

from tabmux.policy.policy_file import PolicyFile, ToolGroups, read_policy_file
from tabmux.policy.session_policies import SessionPolicies
from tabmux.settings import Settings


def session_policies(settings: Settings) -> SessionPolicies:
    """Return what agents may do in each session; raises what is wrong in the policy file."""
    if settings.policy is None:
        return SessionPolicies(settings)
    return SessionPolicies(settings, policy_file(settings.policy).checked())


def policy_file(path: str) -> PolicyFile:
    """Read a policy file, with all that is wrong in it."""
    return read_policy_file(path, tool_groups())


def tool_groups() -> ToolGroups:
    """Return the names of all tools, by group; those of other toolsets are groups of their own."""
    from tabmux.daemon.bridge.command_tools import COMMAND_TOOLS
    from tabmux.focus import states
    from tabmux.tools.pipeline import catalog

    groups = {group: [tool.name for tool in catalog.tools([group])] for group in catalog.GROUPS}
    slim = [tool.name for tool in catalog.tools_of(catalog.SLIM)]
    focus = [spec.name for spec in states.ALL]
    return {**groups, "slim": slim, "focus": focus, "session extension": list(COMMAND_TOOLS)}
