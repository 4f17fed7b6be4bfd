"""Policy explanation: which rule decides about a call, and what would have to change."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tabmux.errors import Refused, TabmuxError, UnknownTool
from tabmux.policy.policy import Policy
from tabmux.policy.rule_source import RuleSource
from tabmux.tools.pipeline import access, catalog
from tabmux.tools.pipeline.tool import Tool

# How a rule of the file is changed so that it no longer refuses.
_CHANGES = {
    "urls": "add a pattern that matches the address",
    "deny_urls": "take out the pattern that matches the address",
    "tools": "let the tool in",
    "scripts": "set it to true",
    "read_only": "set it to false",
}
# Says why a tool may not be called, if so.
Refusal = Callable[[Policy], Refused | None]
_LIMITS = ("calls", "minutes", "downloads", "secrets")


@dataclass(frozen=True)
class PolicyDecision:
    """What was decided about one side of a call.

    Args:
        about: The tool, or the address.
        allowed: Whether the call may be made, as far as this goes.
        reason: Why.
        rule: The rule of the policy file that decides; None where the file has none.
        change: What would have to change; empty where it is allowed.
    """

    about: str
    allowed: bool
    reason: str
    rule: RuleSource | None = None
    change: str = ""


@dataclass(frozen=True)
class PolicyExplanation:
    """All decisions about a call, and the limits that hold besides.

    Args:
        decisions: Those about the tool and the address.
        limits: What else holds in the session, in a line each.
    """

    decisions: tuple[PolicyDecision, ...]
    limits: tuple[str, ...]

    @property
    def allowed(self) -> bool:
        """Whether the call may be made."""
        return all(decision.allowed for decision in self.decisions)


def explain(
    policy: Policy, tool: str, url: str, others: Mapping[str, Refusal] = MappingProxyType({})
) -> PolicyExplanation:
    """Say what becomes of a call of a tool, with an address or on a page that is there.

    The checks are those of a call itself, so that the explanation cannot differ from it.

    Args:
        policy: What the session may do.
        tool: The name of the tool.
        url: The address; empty for none.
        others: The checks of tools that are no functions of tabmux's, by name.
    """
    decisions = [_about_tool(policy, tool, others)]
    if url:
        decisions.append(_about_url(policy, url))
    return PolicyExplanation(tuple(decisions), tuple(_limits(policy)))


def _about_tool(policy: Policy, name: str, others: Mapping[str, Refusal]) -> PolicyDecision:
    if found := _find(name):
        refused = access.refusal(policy, found)
    elif check := others.get(name):
        refused = check(policy)
    else:
        refused = access.name_refusal(policy, name)
    if refused is not None:
        return _refused("tool", refused)
    limits = [limit.source for limit in policy.tools]
    return _allowed("tool", limits[-1:], "no rule about tools is against it")


def _about_url(policy: Policy, url: str) -> PolicyDecision:
    try:
        policy.urls.check(url)
    except TabmuxError as error:
        return _refused("url", error)
    limits = [limit.source for limit in policy.urls.limits]
    return _allowed("url", limits[-1:], "no rule about addresses is against it")


def _allowed(about: str, sources: list[RuleSource], otherwise: str) -> PolicyDecision:
    if not sources:
        return PolicyDecision(about, True, otherwise)
    return PolicyDecision(about, True, f"{sources[0]} lets it pass", sources[0])


def _refused(about: str, error: TabmuxError) -> PolicyDecision:
    rule = error.rule if isinstance(error, Refused) else None
    if not isinstance(rule, RuleSource):
        return PolicyDecision(about, False, error.message, change=error.hint)
    change = f"In {rule.file}, line {rule.line}, `{rule.key}` of {rule.section}: "
    change += _CHANGES.get(rule.key, "change it")
    return PolicyDecision(about, False, error.message, rule, f"{change}; then restart tabmux.")


def _limits(policy: Policy) -> list[str]:
    shown: dict[str, Callable[[], str]] = {
        "calls": lambda: f"at most {policy.calls} calls",
        "minutes": lambda: f"at most {policy.minutes or 0:g} minutes",
        "downloads": lambda: "no downloads",
        "secrets": lambda: f"secrets: {', '.join(sorted(policy.secrets or ())) or 'none'}",
    }
    lines = [
        f"{shown[key]()}, by {policy.sources[key]}" for key in _LIMITS if key in policy.sources
    ]
    return lines + [
        f"files only in {', '.join(map(str, limit.roots))}, by {limit.source}"
        for limit in policy.files.limits
    ]


def _find(name: str) -> Tool | None:
    """Return a tool of tabmux's own; None for one of another kind that the policy file may name."""
    known = {tool.name: tool for tool in (*catalog.tools(), *catalog.tools_of(catalog.SLIM))}
    return known.get(name)


def refuse_unknown(name: str, known: set[str]) -> None:
    """Raise that there is no such tool."""
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f"Did you mean {close[0]}?" if close else "docs/tools.md lists them."
        raise UnknownTool(f"There is no tool {name}.", hint=hint)
