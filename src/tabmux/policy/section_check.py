"""Section check: sections that can never apply, and those that would allow more than they may."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tabmux.policy.policy_section import PolicySection
from tabmux.policy.url_patterns import UrlPattern

Problem = tuple[int, str, str]

# More than any client or session is called.
LONGEST_NAME = 200
_WIDENS = "Leave it out, or say `widens = true` in the section."


def problems(sections: Sequence[PolicySection]) -> Iterator[Problem]:
    """Find what is wrong with sections beside each other; the least specific come first."""
    default = next((each for each in sections if each.kind == "default"), None)
    for section in sections:
        yield from _never_applies(section)
        yield from _allows_nothing(section)
        if section.kind == "default" and section.widens:
            yield section.line, "[default] is what others widen.", "Leave `widens` out there."
        elif section.widens and not section.sources.keys() - {"widens"}:
            yield section.line, f"{section.title} widens nothing.", "Give it a rule that differs."
        elif default is not None and section is not default and not section.widens:
            yield from _widening(section, default)


def _never_applies(section: PolicySection) -> Iterator[Problem]:
    name = section.name
    if section.kind == "default":
        return
    wrong = ""
    if not name.strip() or name != name.strip():
        wrong = "no name begins or ends with a blank, or is empty"
    elif len(name) > LONGEST_NAME:
        wrong = "no name is so long"
    elif re.search(r"[\x00-\x1f]", name) or (section.kind == "session" and "/" in name):
        wrong = "no name has such characters"
    if wrong:
        yield section.line, f"{section.title} can never apply: {wrong}.", "Correct the name."


def _allows_nothing(section: PolicySection) -> Iterator[Problem]:
    """Find patterns that the section's own denials leave nothing of."""
    for pattern in section.urls or ():
        if any(denied.covers(pattern) for denied in section.deny_urls or ()):
            line = section.sources["urls"].line
            text = f"{section.title} allows {pattern.text!r}, and `deny_urls` denies all of it."
            yield line, text, "Leave one of them out."
    if section.tools is not None and not section.tools.allowed:
        line = section.sources["tools"].line
        yield line, f"{section.title} leaves no tool.", "A list that begins with - begins with all."


def _widening(section: PolicySection, default: PolicySection) -> Iterator[Problem]:
    """Find what a section says that [default] does not let it have."""
    for key in section.sources:
        if beyond := _beyond(key, section, default):
            rule = default.sources[key]
            text = f"{section.title} {key}: {beyond} is more than [default] allows in {rule.place}."
            yield section.sources[key].line, text, _WIDENS


def _beyond(key: str, section: PolicySection, default: PolicySection) -> str:
    """Return what is too much; empty when nothing is."""
    mine, theirs = getattr(section, key), getattr(default, key)
    if theirs is None:
        return ""
    match key:
        case "urls":
            return _first(p.text for p in mine if not _any_common(p, theirs))
        case "files":
            outside = (p for p in mine if not any(_overlap(p, each) for each in theirs))
            return _first(map(str, outside))
        case "secrets":
            return _first(sorted(mine - theirs))
        case "tools":
            # What a list leaves because it names other tools is no wish for it.
            named = {t for lets_in, names in mine.steps if lets_in for t in names}
            wanted = (named & mine.allowed) - theirs.allowed
            return ", ".join(sorted(wanted)[:3]) if named and wanted else ""
        case "calls" | "minutes":
            return f"{mine:g}" if mine > theirs else ""
        case "scripts" | "downloads":
            return "true" if mine and not theirs else ""
        case "read_only":
            return "false" if theirs and not mine else ""
    return ""


def _any_common(pattern: UrlPattern, others: Iterable[UrlPattern]) -> bool:
    return any(pattern.common(other) is not None for other in others)


def _overlap(one: Path, other: Path) -> bool:
    return one.is_relative_to(other) or other.is_relative_to(one)


def _first(texts: Iterable[str]) -> str:
    found = next(iter(texts), None)
    return repr(found) if found is not None else ""
