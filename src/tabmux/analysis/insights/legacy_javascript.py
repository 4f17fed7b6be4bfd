"""LegacyJavaScript: code that stands in for what every current browser can do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabmux.analysis.insights.insight import Insight, size
from tabmux.analysis.trace.call_frames import short_url
from tabmux.analysis.trace.handlers.documents_and_scripts import TraceScript
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count
from tabmux.page_text import address

NAME = "LegacyJavaScript"
SHORTEST = 5000
EXTENSION = "chrome-extension:"
ROWS = 10

# What became common to all browsers by 2023, by the object it belongs to.
STATIC = {
    "Array": "from of",
    "Math": "acosh asinh atanh cbrt clz32 cosh expm1 fround hypot imul log10 log1p log2 sign "
    "sinh tanh trunc",
    "Number": "isFinite isInteger isNaN isSafeInteger parseFloat parseInt",
    "Object": "assign entries fromEntries getOwnPropertyDescriptors getOwnPropertySymbols "
    "hasOwn is setPrototypeOf values",
    "Promise": "all allSettled any race",
    "Reflect": "apply construct defineProperty deleteProperty get getOwnPropertyDescriptor "
    "getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf",
    "String": "fromCodePoint raw",
}
METHODS = {
    "Array": "at copyWithin entries fill find findIndex findLast findLastIndex flat flatMap "
    "includes keys toReversed toSorted toSpliced values with",
    "Promise": "finally",
    "String": "at codePointAt endsWith includes matchAll normalize padEnd padStart repeat "
    "replaceAll startsWith trimEnd trimStart",
}
FEATURES = frozenset(
    [f"{owner}.{name}" for owner, names in STATIC.items() for name in names.split()]
    + [f"{owner}.prototype.{name}" for owner, names in METHODS.items() for name in names.split()]
)

_OWNERS = "|".join(STATIC)
# Array.prototype.at = …
_ASSIGNED = re.compile(rf"\b({_OWNERS})(\.prototype)?\.(\w+)\s*=(?![=>])")
# Object.defineProperty(Array.prototype, "at", …
_DEFINED = re.compile(rf"defineProperty\(\s*({_OWNERS})(\.prototype)?\s*,\s*[\"'](\w+)[\"']")
# How core-js registers a feature: $({target: "Array", proto: true}, {at: …
_REGISTERED = re.compile(
    rf"\{{\s*target:\s*[\"']({_OWNERS})[\"']([^{{}}]*)\}}\s*,\s*\{{\s*[\"']?(\w+)"
)
# Sentences and names that compilers to old JavaScript leave in their helpers.
_COMPILED = re.compile(
    r"(?P<classes>Cannot call a class as a function)"
    r"|(?P<generators>\bregeneratorRuntime\b|Generator is already running)"
    r"|(?P<spread>Invalid attempt to spread non-iterable instance)"
)


@dataclass(frozen=True, slots=True)
class LegacyMatch:
    """A piece of legacy code; line and column count from 1."""

    feature: str
    line: int
    column: int


def analyse(part: InsightSet) -> Insight:
    """List the scripts with legacy code, the one with most of it first."""
    scripts = _scripts(part)
    if not scripts:
        return Insight(NAME, "not known, because the trace holds no text of scripts")
    found = [(script, list(matches(script.text))) for script in scripts if _is_worth_it(script)]
    guilty = sorted((each for each in found if each[1]), key=lambda each: -len(each[1]))
    if not guilty:
        return Insight(NAME, f"none in {count(len(scripts), 'script')}")
    total = sum(len(several) for _, several in guilty)
    found_text = count(total, "polyfill or transform", "polyfills or transforms")
    return Insight(
        NAME,
        f"{found_text} that current browsers do not need, in {count(len(guilty), 'script')}",
        noteworthy=True,
        details=tuple(
            line for script, several in guilty[:ROWS] for line in _lines(part, script, several)
        ),
        resources=tuple(dict.fromkeys(script.url for script, _ in guilty)),
    )


def matches(text: str) -> Iterator[LegacyMatch]:
    """Find legacy code in a script, each feature once, in the order of the text."""
    found: dict[str, int] = {}
    for pattern in (_ASSIGNED, _DEFINED, _REGISTERED):
        for match in pattern.finditer(text):
            is_method = "proto" in (match[2] or "")
            feature = f"{match[1]}{'.prototype' if is_method else ''}.{match[3]}"
            if feature in FEATURES:
                found.setdefault(feature, match.start())
    for match in _COMPILED.finditer(text):
        found.setdefault(f"compiled {match.lastgroup}", match.start())
    for feature, at in sorted(found.items(), key=lambda item: item[1]):
        yield LegacyMatch(feature, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _scripts(part: InsightSet) -> list[TraceScript]:
    # The same script may be listed once for each time it was compiled, and the scripts inside
    # a document share its URL.
    found = {(script.url, script.text): script for script in part.scripts}
    return [script for script in found.values() if not script.url.startswith(EXTENSION)]


def _is_worth_it(script: TraceScript) -> bool:
    return len(script.text) >= SHORTEST


def _lines(part: InsightSet, script: TraceScript, several: list[LegacyMatch]) -> Iterator[str]:
    # What was loaded before the recording has no request, but a text.
    weight = next((r.encoded for r in part.requests if r.url == script.url), len(script.text))
    yield f"{count(len(several), 'match', 'matches')} in {size(weight)}: {address(script.url)}"
    for match in several:
        yield f"  {match.feature} at {short_url(script.url)}:{match.line}:{match.column}"
