"""DuplicatedJavaScript: modules that were sent more than once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tabmux.analysis.insights.insight import Insight, Savings, size
from tabmux.analysis.source_map import SourceMap, inline_source_map, parse_source_map
from tabmux.analysis.trace.call_frames import short_url
from tabmux.analysis.trace.handlers.documents_and_scripts import TraceScript
from tabmux.analysis.trace.insight_sets import InsightSet
from tabmux.content import count

NAME = "DuplicatedJavaScript"
LEAST_BYTES = 512
# A copy far smaller than the largest is a stub and not the same module.
LEAST_SHARE = 0.1
GENERATED = ("webpack/", "(webpack)", "external ")
ROWS = 15


@dataclass(frozen=True, slots=True)
class ModuleCopy:
    """A module inside a script; bytes as they went over the wire."""

    script: str
    bytes: float


def analyse(part: InsightSet) -> Insight:
    """List the modules that several scripts carry, the most wasteful first."""
    maps = [(script, _source_map(part, script)) for script in _scripts(part)]
    mapped = [(script, known) for script, known in maps if known is not None]
    if not mapped:
        return Insight(NAME, "no source map was found for the page's scripts")
    found = duplicates(part, mapped)
    if not found:
        return Insight(NAME, f"no module is in {count(len(mapped), 'script')} twice")
    ranked = sorted(found.items(), key=lambda item: -wasted_bytes(item[1]))
    total = sum(wasted_bytes(copies) for copies in found.values())
    return Insight(
        NAME,
        f"{count(len(found), 'module')} sent more than once, {size(total)} too much",
        noteworthy=True,
        details=tuple(_line(module, copies) for module, copies in ranked[:ROWS]),
        savings=Savings(bytes=total),
        resources=tuple(dict.fromkeys(c.script for _, copies in ranked for c in copies)),
    )


def duplicates(
    part: InsightSet, mapped: list[tuple[TraceScript, SourceMap]]
) -> dict[str, list[ModuleCopy]]:
    """Find the modules of which there are several real copies."""
    ratios = {r.url: r.encoded / r.decoded for r in part.requests if r.encoded and r.decoded}
    copies: defaultdict[str, list[ModuleCopy]] = defaultdict(list)
    for script, found in mapped:
        for source, length in found.sizes(script.text).items():
            module = module_path(source)
            if module:
                copies[module].append(ModuleCopy(script.url, length * ratios.get(script.url, 1)))
    real = {module: _real_copies(several) for module, several in copies.items()}
    return {module: several for module, several in real.items() if len(several) > 1}


def module_path(source: str) -> str:
    """Reduce a source's path to what is the same in every bundle; "" for bundlers' own code."""
    path = source.split("?")[0].split("://", 1)[-1].lstrip("./")
    if path.startswith(GENERATED):
        return ""
    # Packages nested in one another are still the same package.
    return path.rpartition("node_modules/")[2]


def wasted_bytes(copies: list[ModuleCopy]) -> float:
    """Count the bytes of all copies but the largest."""
    return sum(copy.bytes for copy in copies) - max(copy.bytes for copy in copies)


def _real_copies(copies: list[ModuleCopy]) -> list[ModuleCopy]:
    largest = max(copy.bytes for copy in copies)
    kept = [c for c in copies if c.bytes > LEAST_BYTES and c.bytes >= LEAST_SHARE * largest]
    return sorted(kept, key=lambda copy: -copy.bytes)


def _scripts(part: InsightSet) -> list[TraceScript]:
    urls = {request.url for request in part.requests}
    # The same script may be listed once for each time it was compiled.
    return list({script.url: script for script in part.scripts if script.url in urls}.values())


def _source_map(part: InsightSet, script: TraceScript) -> SourceMap | None:
    given = part.source_maps.get(script.url)
    return parse_source_map(given) if given else inline_source_map(script.text)


def _line(module: str, copies: list[ModuleCopy]) -> str:
    where = ", ".join(f"{short_url(copy.script)} {size(copy.bytes)}" for copy in copies)
    return f"{size(wasted_bytes(copies))} {module}: {where}"
