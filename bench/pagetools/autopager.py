"""Links between pages that people labelled: are they what the pager's tools press?

The pages are those of the repository TeamHG-Memex/autopager, in its folder `autopager/data`.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.packages import cache
from bench.pagetools.browser import open_tab, seal, show
from bench.pagetools.formasaurus import registrable_domain
from bench.pagetools.output import say
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.collector_scripts import run_script, scripts_source
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.model import PageTool
from tabmux.pagetools.publishing import published

# The tools, and the column of each.
TOOLS = {"next_page": "NEXT", "previous_page": "PREV", "go_to_page": "PAGE"}
MATCHES = """function (selectors) {
  const found = {};
  for (const [name, selector] of Object.entries(selectors)) {
    try {
      found[name] = [...document.querySelectorAll(selector)].flatMap((each) =>
        [each, each.closest("a"), ...each.querySelectorAll("a")].filter(Boolean))
        .map(tabmux.toolRef);
    } catch { found[name] = []; }
  }
  return found;
}"""


@dataclass(frozen=True)
class LabelledPage:
    """One saved page, and the selectors of its links."""

    ident: str
    url: str
    html: str
    selectors: Mapping[str, str]

    @property
    def is_even(self) -> bool:
        """Whether it is for development."""
        return sum(registrable_domain(self.url).encode()) % 2 == 0


@dataclass
class PagerScore:
    """How often one tool was right."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    notes: list[str] = field(default_factory=list)

    def row(self) -> str:
        """Return a line of the table."""
        precision = self.right / max(1, self.right + self.wrong)
        recall = self.right / max(1, self.right + self.missed)
        f1 = 2 * precision * recall / ((precision + recall) or 1)
        return f"precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f} ({self.right} right)"


def labelled_pages(folder: Path) -> Iterator[LabelledPage]:
    """Yield the pages of the repository."""
    with (folder / "data.csv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            file = folder / "html" / f"{row['File Name']}.html"
            if not file.exists() or row["failed"]:
                continue
            html = file.read_bytes().decode(row["Encoding"] or "utf-8", "replace")
            selectors = {name: row[name] for name in TOOLS.values() if row[name].strip()}
            yield LabelledPage(row["File Name"], row["Page URL"], html, selectors)


async def collect(pages: Sequence[LabelledPage], folder: Path) -> None:
    """Save a report of each page, unless it is there already."""
    missing = [page for page in pages if not (folder / f"{page.ident}.json").exists()]
    if not missing:
        return
    async with open_tab() as tab:
        await seal(tab)
        for page in missing:
            place = folder / f"{page.ident}.json"
            try:
                await show(tab, f"<base href='{page.url}'>{page.html}")
                answer = json.loads(await run_script(tab.main, "toolsCollect"))
                answer["url"] = page.url
                answer["labelled"] = await _matches(tab, page)
                place.write_text(json.dumps(answer))
            except (TabmuxError, TimeoutError) as error:
                say(f"{page.ident}: {error}")


async def _matches(tab: Page, page: LabelledPage) -> Any:
    command = {
        "functionDeclaration": MATCHES,
        "executionContextId": tab.main.world,
        "arguments": [{"value": dict(page.selectors)}],
        "returnByValue": True,
    }
    return (await tab.channel.call("Runtime.callFunctionOn", command))["result"]["value"]


def score(pages: Sequence[LabelledPage], folder: Path) -> dict[str, PagerScore]:
    """Compare the published tools of some pages with their labels."""
    scores = {name: PagerScore() for name in TOOLS}
    for page in pages:
        place = folder / f"{page.ident}.json"
        if not place.exists():
            continue
        answer = json.loads(place.read_text())
        document = document_tree.read(answer)
        seen = {node.ref: node.get("href") for node in document.nodes if not node.hidden}
        tools = {tool.name: tool for tool in published(derive_tools([document]))}
        for name, column in TOOLS.items():
            truth = set(answer["labelled"].get(column, ())) & seen.keys()
            _compare(scores[name], page, name, truth, seen, tools.get(name))
    return scores


def _compare(
    result: PagerScore,
    page: LabelledPage,
    name: str,
    truth: set[int],
    seen: Mapping[int, str],
    tool: PageTool | None,
) -> None:
    pressed = _pressed(tool) if tool is not None else set()
    hrefs = {seen[ref] for ref in truth} - {"", "#"}
    hits = sum(ref in truth or seen.get(ref, "") in hrefs for ref in pressed)
    if pressed and 2 * hits > len(pressed):
        result.right += 1
        return
    if pressed:
        result.wrong += 1
        result.notes.append(f"{page.ident} {page.url} {name} wrong")
    # A single number is no choice of pages.
    if truth and not (name == "go_to_page" and len(hrefs) < 2):
        result.missed += 1
        result.notes.append(f"{page.ident} {page.url} {name} missed")


def _pressed(tool: PageTool) -> set[int]:
    found = {option.ref for control in tool.plan.controls for option in control.options}
    return {ref for ref in found | {tool.plan.submit} if ref}


def run(arguments: Sequence[str]) -> int:
    """Score the half that is for development, or the other."""
    parser = argparse.ArgumentParser(prog="bench.pagetools autopager", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--odd", action="store_true", help="the half that is not for development")
    parser.add_argument("--wrong", action="store_true", help="show what failed")
    parser.add_argument("--last", action="store_true", help="do not collect again")
    parser.add_argument("--quick", action="store_true", help="the first page: a smoke test")
    options = parser.parse_args(arguments)
    pages = [page for page in labelled_pages(options.folder) if page.is_even != options.odd]
    if options.quick:
        pages = list(labelled_pages(options.folder))[:1]
        with TemporaryDirectory() as folder:
            asyncio.run(collect(pages, Path(folder)))
            _report(score(pages, Path(folder)), wrong=options.wrong)
        return 0
    place = cache() / "pagetools"
    reports = place / f"pagers-{hashlib.sha256(scripts_source().encode()).hexdigest()[:8]}"
    if options.last:
        reports = max(place.glob("pagers-*"), key=lambda each: each.stat().st_mtime)
    else:
        reports.mkdir(parents=True, exist_ok=True)
        asyncio.run(collect(pages, reports))
    _report(score(pages, reports), wrong=options.wrong)
    return 0


def _report(scores: Mapping[str, PagerScore], *, wrong: bool) -> None:
    for name, result in scores.items():
        say(f"{name}: {result.row()}")
        if wrong:
            say(*result.notes)
