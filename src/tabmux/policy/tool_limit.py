"""Tool limits: which tools a section of the policy file leaves."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tabmux.errors import Misuse
from tabmux.policy.rule_source import RuleSource

# Every tool that a page offers is called by this one, by whichever name a client sees it.
PAGE_TOOL = "call_page_tool"


@dataclass(frozen=True)
class ToolLimit:
    """A list of names and groups, read from left to right: the last that means a tool decides.

    Args:
        source: Where it stands.
        steps: Whether tools are let in or left out, and which.
        known: Every tool that has a name of its own.
    """

    source: RuleSource
    steps: tuple[tuple[bool, frozenset[str]], ...]
    known: frozenset[str]

    def allows(self, tool: str) -> bool:
        """Whether a tool may be called; a list that begins by leaving out begins with them all."""
        name = tool if tool in self.known else PAGE_TOOL
        allowed = bool(self.steps) and not self.steps[0][0]
        for lets_in, names in self.steps:
            if name in names:
                allowed = lets_in
        return allowed

    @property
    def allowed(self) -> frozenset[str]:
        """The tools that are left."""
        return frozenset(filter(self.allows, self.known))


def parse_tools(
    entries: Iterable[str], groups: Mapping[str, Collection[str]], source: RuleSource
) -> ToolLimit:
    """Read the list of a section, or raise which entry is no tool and no group."""
    known = frozenset(name for names in groups.values() for name in names)
    steps = []
    for entry in entries:
        lets_in, word = not entry.startswith("-"), entry.lstrip("+-").strip()
        if word in groups:
            steps.append((lets_in, frozenset(groups[word])))
        elif word in known:
            steps.append((lets_in, frozenset({word})))
        else:
            close = difflib.get_close_matches(word, [*groups, *known], 1)
            raise Misuse(
                f"There is no tool and no group of tools {word!r}.",
                hint=f"Did you mean {close[0]}?" if close else f"Groups are {', '.join(groups)}.",
            )
    return ToolLimit(source, tuple(steps), known)
