"""Gold score: the published tools of pages against what was written down from their pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.pagetools.driving.published import Listing, PublishedTool


@dataclass
class GoldScore:
    """How many tools are right, and how many of those that must be there are."""

    published: int = 0
    right: int = 0
    must: int = 0
    found: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: GoldScore) -> None:
        """Add up."""
        self.published += other.published
        self.right += other.right
        self.must += other.must
        self.found += other.found

    def row(self) -> str:
        """Return a line of the table."""
        return (
            f"precision {self.right}/{self.published} = {self.right / max(1, self.published):.2f}, "
            f"must-have {self.found}/{self.must} = {self.found / max(1, self.must):.2f}"
        )


def score(listing: Listing, ideals: Sequence[Mapping[str, Any]]) -> GoldScore:
    """Compare what a page publishes with what it should; generic tools are neither right nor wrong.

    Each ideal fits one tool, unless it says `many`.
    """
    tools = [each for each in listing.tools if not each.is_generic]
    result, left = GoldScore(published=len(tools)), list(tools)
    for ideal in ideals:
        fitting = [tool for tool in left if _fits(tool, ideal)]
        taken = fitting if ideal.get("many") else fitting[:1]
        left = [tool for tool in left if tool not in taken]
        result.right += len(taken)
        if ideal.get("must"):
            result.must += 1
            result.found += bool(taken)
            if not taken:
                result.notes.append(f"  missing {ideal['name']} {ideal.get('params', '')}")
    result.notes += [f"  extra   {tool.name}: {tool.label[:70]}" for tool in left]
    return result


def _fits(tool: PublishedTool, ideal: Mapping[str, Any]) -> bool:
    if re.search(ideal["name"], tool.name) is None:
        return False
    return all(_has(tool, pattern) for pattern in ideal.get("params", ()))


def _has(tool: PublishedTool, pattern: str) -> bool:
    said = (f"{key} {about.get('description', '')}" for key, about in tool.parameters.items())
    return any(re.search(pattern, each, re.IGNORECASE) for each in said)
