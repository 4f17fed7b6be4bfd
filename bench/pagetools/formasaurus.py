"""Real forms that people labelled: is each recognised for what it is, with all its fields?

Three times: all forms, those that can be seen, and the tools that clients would be shown.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.packages import cache
from bench.pagetools.browser import open_tab, seal, show
from bench.pagetools.gold import elements
from bench.pagetools.output import say
from bench.trouble import BenchError
from tabmux.errors import TabmuxError
from tabmux.page.page import Page
from tabmux.pagetools.collect import document_tree
from tabmux.pagetools.collect.collector_scripts import run_script, scripts_source
from tabmux.pagetools.collect.document_tree import DocumentTree
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.derive.form_tools import unique_forms
from tabmux.pagetools.derive.forms import Form, forms
from tabmux.pagetools.model import PageTool
from tabmux.pagetools.publishing import published

QUICK_PAGES = 10
FORMS = Path(__file__).with_name("forms.js")
PACKAGE = "formasaurus==0.10.0"
TYPES = {
    "s": "search", "l": "login", "r": "register", "p": "recover", "m": "subscribe", "c": "contact",
    "b": "cart", "o": "other", "P": "other", "V": "other", "N": "other", "C": "other",
}  # fmt: skip
NAMES = {
    "search": re.compile(
        r"^(?:search|find|filter|sort|browse|look|go_to|show|list|set|select|choose|view)"
    ),
    "login": re.compile(r"^(?:log_?in|log_?on|sign_in|login)"),
    "register": re.compile(
        r"^(?:sign_up|register|join|create_(?:\w+_)*(?:account|profile|user)|enrol)"
    ),
    "recover": re.compile(
        r"password|^(?:recover|reset|forgot|retrieve|remind|restore|resend|send_(?:reset|instruct))"
    ),
    "subscribe": re.compile(r"subscri|newsletter|updates|^(?:sign_up|join|notify|keep|get)"),
    "contact": re.compile(
        r"message|comment|contact|review|reply|feedback|enquir|inquir|question|request|quote|^(?:send|ask|post|write)"
    ),
    "cart": re.compile(r"cart|basket|bag|^(?:buy|order|checkout|purchase|add)"),
}
# What no form is called that is for something else.
PURPOSES = re.compile(
    r"^(?:search|log_in|sign_up|reset_password|subscribe|send_message|post_comment|add_to_cart)"
)
# Buttons are no parameters, and honeypots must not be.
NO_FIELDS = frozenset({"Bs", "Bc", "Br", "Bo", "hp", "OR", "XX"})
TWO_LEVELS = frozenset(
    ["co", "com", "org", "net", "gov", "edu", "ac", "or", "ne", "gob", "gov", "govt", "nom", "in"]
)


@dataclass(frozen=True)
class Saved:
    """One saved page with its labels."""

    ident: str
    url: str
    html: str
    types: Sequence[str]
    fields: Sequence[Mapping[str, str]]

    @property
    def is_even(self) -> bool:
        """Whether it is for development: the bytes of its domain add up to an even number."""
        return sum(registrable_domain(self.url).encode()) % 2 == 0


@dataclass(frozen=True)
class Found:
    """What was made of a form: its purpose, and the names of the fields that it takes."""

    form: Form
    names: frozenset[str]

    @classmethod
    def whole(cls, form: Form) -> Found:
        """Take a form with all fields that were recognised."""
        nodes = (node for each in form.fields for node in each.nodes or [each.node])
        return cls(form, frozenset(node.get("name") for node in nodes))


# Finds the forms of a document, by their refs.
Finder = Callable[[DocumentTree], Mapping[int, Found]]


def _of_all(document: DocumentTree) -> Mapping[int, Found]:
    found = forms(document, hidden=True)
    return {form.node.ref: Found.whole(form) for form in found if form.is_form}


def _of_visible(document: DocumentTree) -> Mapping[int, Found]:
    return {form.node.ref: Found.whole(form) for form in forms(document) if form.is_form}


def _of_published(document: DocumentTree) -> Mapping[int, Found]:
    """Keep the forms that clients are shown a tool for; equal forms have one between them."""
    tools = published(derive_tools([document]))
    visible = [form for form in forms(document) if form.is_form]
    shown = {form.node.ref: tool for form in visible if (tool := _tool_of(form, tools))}
    found = {}
    for form in visible:
        equal = (each for each in visible if len(unique_forms([each, form])) == 1)
        tool = next((shown[each.node.ref] for each in equal if each.node.ref in shown), None)
        if tool is not None:
            found[form.node.ref] = Found(form, Found.whole(form).names & _set_by(tool))
    return found


def _tool_of(form: Form, tools: Sequence[PageTool]) -> PageTool | None:
    """Return the tool of a form, or the one of a list whose entries hold it."""
    inside = {node.ref for node in form.node.walk()}
    own = (tool for tool in tools if tool.plan.form == form.node.ref)
    return next(own, None) or next((t for t in tools if inside & set(elements(t))), None)


@dataclass
class NameScore:
    """What became of forms that can be seen, in the tools that clients are shown."""

    forms: int = 0
    named: int = 0
    without: int = 0
    in_entries: int = 0
    wrong: list[str] = field(default_factory=list)

    def row(self) -> str:
        """Return a line of the table."""
        share = self.named / max(1, self.forms)
        return (
            f"forms that can be seen {self.forms}: named after what they do {share:.3f}, "
            f"without a tool {self.without / max(1, self.forms):.3f}, "
            f"actions of list entries {self.in_entries / max(1, self.forms):.3f}"
        )


def name_score(pages: Iterable[Saved], folder: Path) -> NameScore:
    """Say how the forms of some pages end: as which tool, under which name."""
    result = NameScore()
    for page in pages:
        place = _place(folder, page)
        if not place.exists() or not place.stat().st_size:
            continue
        answer: dict[str, Any] = json.loads(place.read_text())
        document = document_tree.read(answer)
        visible = {form.node.ref: form for form in forms(document) if form.is_form}
        tools = published(derive_tools([document]))
        for at, ref in enumerate(_aligned(answer["forms"], page)):
            if at < len(page.types) and page.types[at] in TYPES and ref in visible:
                _note_name(result, page, TYPES[page.types[at]], visible, ref, tools)
    return result


def _note_name(
    result: NameScore,
    page: Saved,
    truth: str,
    visible: Mapping[int, Form],
    ref: int,
    tools: Sequence[PageTool],
) -> None:
    form = visible[ref]
    result.forms += 1
    equal = [each for each in visible.values() if len(unique_forms([each, form])) == 1]
    tool = next((made for each in (form, *equal) if (made := _tool_of(each, tools))), None)
    if tool is None:
        result.without += 1
        result.wrong.append(f"{page.ident} {page.url} {truth}: no tool")
        return
    result.in_entries += tool.kind == "item_action"
    if is_named_after(tool.name, truth):
        result.named += 1
    else:
        result.wrong.append(f"{page.ident} {page.url} {truth}: {tool.name}")


def is_named_after(name: str, truth: str) -> bool:
    """Whether a tool's name says what its form is for; for others, that it is none of those."""
    if truth in NAMES:
        return NAMES[truth].search(name) is not None
    return not PURPOSES.match(name)


def _set_by(tool: PageTool) -> frozenset[str]:
    controls = [*tool.plan.controls, *(c for item in tool.plan.items for c in item.controls)]
    return frozenset(control.name for control in controls)


FINDERS: Mapping[str, Finder] = {
    "all forms": _of_all,
    "visible forms only": _of_visible,
    "published tools": _of_published,
}


@dataclass
class Score:
    """What was found of what was labelled."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    known_fields: int = 0
    found_fields: int = 0
    honeypots: int = 0
    exposed: int = 0
    misses: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[str]:
        """Yield the lines of a table."""
        scores = []
        for kind in sorted({truth for truth, _ in self.pairs}):
            precision, recall, f1 = _f1(self.pairs, kind)
            total = sum(truth == kind for truth, _ in self.pairs)
            yield f"{kind:10} {total:5} {precision:6.3f} {recall:6.3f} {f1:6.3f}"
            scores.append(f1)
        right = sum(truth == made for truth, made in self.pairs)
        yield f"forms {len(self.pairs)}, accuracy {right / len(self.pairs):.3f}"
        yield f"macro-F1 {sum(scores) / len(scores):.3f}"
        recall = self.found_fields / max(1, self.known_fields)
        yield f"field recall {recall:.3f} of {self.known_fields}"
        yield f"honeypots exposed {self.exposed} of {self.honeypots}"


def _f1(pairs: Sequence[tuple[str, str]], kind: str) -> tuple[float, float, float]:
    right = sum(truth == made == kind for truth, made in pairs)
    made = sum(each == kind for _, each in pairs) or 1
    known = sum(each == kind for each, _ in pairs) or 1
    precision, recall = right / made, right / known
    return precision, recall, 2 * precision * recall / ((precision + recall) or 1)


def registrable_domain(url: str) -> str:
    """The registrable part of a host's name."""
    parts = (urlsplit(url).hostname or "").split(".")
    keep = 3 if len(parts) > 2 and parts[-2] in TWO_LEVELS and len(parts[-1]) == 2 else 2
    return ".".join(parts[-keep:])


def saved_pages(folder: Path) -> Iterator[Saved]:
    """Yield the pages of the package, which is downloaded once."""
    wheel = next(folder.glob("formasaurus-*.whl"), None)
    if wheel is None:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            "-d",
            str(folder),
            PACKAGE,
        ]
        if subprocess.run(command, check=False).returncode:
            raise BenchError("formasaurus could not be downloaded")
        wheel = next(folder.glob("formasaurus-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        index = json.loads(archive.read("formasaurus/data/index.json"))
        for ident, entry in index.items():
            raw = archive.read(f"formasaurus/data/{ident}").decode("utf-8", "replace")
            yield Saved(
                ident, entry["url"], raw, entry["forms"], entry.get("visible_html_fields") or []
            )


async def collect(pages: Iterable[Saved], folder: Path) -> None:
    """Save a report of each page, unless it is there already."""
    missing = [page for page in pages if not _place(folder, page).exists()]
    if not missing:
        return
    async with open_tab() as tab:
        await seal(tab)
        for page in missing:
            try:
                await show(tab, page.html)
                answer = json.loads(await run_script(tab.main, "toolsCollect"))
                answer["forms"] = await _forms(tab)
                _place(folder, page).write_text(json.dumps(answer))
            except (TabmuxError, TimeoutError) as error:
                say(f"{page.ident}: {error}")
                _place(folder, page).write_text("")


async def _forms(tab: Page) -> Any:
    command = {
        "functionDeclaration": FORMS.read_text().partition("\n")[2],
        "executionContextId": tab.main.world,
        "returnByValue": True,
    }
    return (await tab.channel.call("Runtime.callFunctionOn", command))["result"]["value"]


def _place(folder: Path, page: Saved) -> Path:
    return folder / f"{Path(page.ident).stem}.json"


def score(pages: Iterable[Saved], folder: Path, find: Finder) -> Score:
    """Compare the reports of some pages with their labels."""
    result = Score()
    for page in pages:
        place = _place(folder, page)
        if not place.exists() or not place.stat().st_size:
            continue
        answer: dict[str, Any] = json.loads(place.read_text())
        found = find(document_tree.read(answer))
        for at, ref in enumerate(_aligned(answer["forms"], page)):
            if at < len(page.types) and page.types[at] in TYPES:
                _compare(result, page, at, found.get(ref))
    return result


def _aligned(present: Sequence[Mapping[str, Any]], page: Saved) -> list[int]:
    """Which form of the document is which of the labelled ones; parsers drop different ones."""
    if len(present) == len(page.types):
        return [form["ref"] for form in present]
    left = list(present)
    found = []
    for labels in page.fields:
        best = max(left, key=lambda form: len(set(form["names"]) & set(labels)), default=None)
        if best is None or (labels and not set(best["names"]) & set(labels)):
            found.append(0)
            continue
        left.remove(best)
        found.append(best["ref"])
    return found


def _compare(result: Score, page: Saved, at: int, found: Found | None) -> None:
    truth = TYPES[page.types[at]]
    made = found.form.type if found is not None else "other"
    result.pairs.append((truth, made))
    if truth != made:
        scores = found.form.evidence.scores if found is not None else {}
        top = {k: v for k, v in scores.items() if v > 0}
        result.wrong.append(f"{page.ident} {page.url} #{at} {truth} -> {made} {top}")
    labels = page.fields[at] if at < len(page.fields) else {}
    names = found.names if found is not None else frozenset()
    for name, label in labels.items():
        if label == "hp":
            result.honeypots += 1
            result.exposed += name in names
        if label in NO_FIELDS:
            continue
        result.known_fields += 1
        result.found_fields += name in names
        if name not in names:
            result.misses[f"{page.ident} {at} {name} {label}"] += 1


def run(arguments: Sequence[str]) -> int:
    """Score the half that is for development, or the other."""
    parser = argparse.ArgumentParser(prog="bench.pagetools formasaurus", description=__doc__)
    parser.add_argument("--odd", action="store_true", help="the half that is not for development")
    parser.add_argument("--wrong", action="store_true", help="show what failed")
    parser.add_argument("--last", action="store_true", help="do not collect again")
    parser.add_argument("--quick", action="store_true", help="a few pages: a smoke test")
    options = parser.parse_args(arguments)
    folder = cache() / "pagetools"
    folder.mkdir(exist_ok=True)
    pages = [page for page in saved_pages(folder) if page.is_even != options.odd]
    pages = pages[:QUICK_PAGES] if options.quick else pages
    reports = folder / f"reports-{hashlib.sha256(scripts_source().encode()).hexdigest()[:8]}"
    if options.last:  # tune what comes after the collector without collecting again
        reports = max(folder.glob("reports-*"), key=lambda each: len(list(each.iterdir())))
    else:
        reports.mkdir(parents=True, exist_ok=True)
        asyncio.run(collect(pages, reports))
    for title, find in FINDERS.items():
        result = score(pages, reports, find)
        say(title, *result.rows())
        if options.wrong:
            say(*result.wrong, *result.misses)
    names = name_score(pages, reports)
    say(names.row(), *(names.wrong if options.wrong else ()))
    return 0
