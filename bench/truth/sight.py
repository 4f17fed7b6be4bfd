"""Sight: snapshots and `find`, judged by Chrome's accessibility tree."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bench.truth.browser_tab import BrowserTab
from bench.truth.facts import INTERACTIVE, Node, differences, role_of
from bench.truth.lines import Line, read
from bench.truth.tally import Tally

TEXTS = 3
SHOWN_OF_NAMES = 14
# Parts of native controls, which the snapshot shows as one: their root is none that a page made.
_IS_NATIVE_PART = """function () {
  const root = this.getRootNode?.();
  return !(root instanceof Document) && root.host?.shadowRoot !== root
    && !(globalThis.truthRoots?.has(root) ?? false);
}"""


async def look(tab: BrowserTab, page: str, tally: Tally) -> str:
    """Compare the snapshot of a loaded page with Chrome's tree; returns the whole snapshot."""
    short = await tab.call("take_snapshot")
    text = await tab.snapshot()
    lines = read(text)
    _cut(short.text, lines, page, tally)
    nodes = [node for node in await tab.witness.accessibility() if not node.get("ignored")]
    by_id = {node["backendDOMNodeId"]: node for node in nodes if "backendDOMNodeId" in node}
    shown = await tab.backend_ids(lines)
    _compare(lines, shown, by_id, page, tally)
    await _lost(tab, by_id, set(shown.values()), page, tally)
    await _find(tab, nodes, page, tally)
    tally.count("pages")
    tally.count("characters", len(text))
    tally.count("reply characters", len(short.text))
    return text


def _cut(reply: str, lines: Sequence[Line], page: str, tally: Tally) -> None:
    """How many controls of a page that is cut are still shown."""
    controls = [line for line in lines if line.is_control]
    shown = [line for line in read(reply) if line.is_control]
    if len(shown) >= len(controls) and not re.search(r"^\(Cut to \d+", reply, re.MULTILINE):
        return
    tally.count("pages cut")
    tally.count("controls of cut pages", len(controls))
    tally.count("controls of cut pages shown", min(len(shown), len(controls)))
    # One of several links with one name that lead to one place stands for them all.
    kinds = {_kind(line) for line in controls}
    tally.count("names of controls of cut pages", len(kinds))
    tally.count(
        "names of controls of cut pages shown", len(kinds & {_kind(line) for line in shown})
    )


def _kind(line: Line) -> tuple[str, str]:
    """Its role and how its name begins, which is what a reply keeps of long ones."""
    return line.role, line.name[:SHOWN_OF_NAMES].rstrip()


def _compare(
    lines: Sequence[Line],
    shown: Mapping[str, int],
    by_id: Mapping[int, Node],
    page: str,
    tally: Tally,
) -> None:
    for line in lines:
        # What reacts to clicks without a role is shown on purpose, documents are Chrome's roots.
        if line.role in ("RootWebArea", "clickable", "option") or line.uid not in shown:
            continue
        node = by_id.get(shown[line.uid])
        tally.count("elements")
        found = list(differences(line, node)) if node else [("shown", line.role, "ignored")]
        if found:
            said = "; ".join(f"{what} {ours!r}, Chrome {chrome!r}" for what, ours, chrome in found)
            tally.miss("elements that differ", page, f"{line.text[:120]}: {said}")


async def _lost(
    tab: BrowserTab, by_id: Mapping[int, Node], shown: set[int], page: str, tally: Tally
) -> None:
    for ident, node in by_id.items():
        if role_of(node) not in INTERACTIVE or ident in shown:
            continue
        if await tab.witness.on_node(ident, _IS_NATIVE_PART):
            continue
        tally.count("elements")
        tally.count("elements that differ")
        name = node.get("name", {}).get("value")
        html = await tab.witness.on_node(ident, "function () { return this.outerHTML }")
        tally.miss("controls lost", page, f"{role_of(node)} {name!r} {str(html)[:200]}")


async def _find(tab: BrowserTab, nodes: Sequence[Node], page: str, tally: Tally) -> None:
    """Whether plain text leads to a uid whose element holds it."""
    controls = {node["nodeId"] for node in nodes if role_of(node) in INTERACTIVE}
    texts = [
        " ".join(str(node["name"]["value"]).split())
        for node in nodes
        if role_of(node) == "StaticText" and node.get("parentId") not in controls
    ]
    plain = [text for text in dict.fromkeys(texts) if re.fullmatch(r"[A-Za-z][\w ,.-]{11,}", text)]
    for text in plain[:: max(1, len(plain) // TEXTS)][:TEXTS]:
        query = text[:40].rpartition(" ")[0] or text[:40]
        answer = await tab.call("find", query=query)
        tally.count("texts looked for")
        rows = [row for row in answer.text.splitlines() if query.lower() in row.lower()]
        if any(re.match(r"\s*uid=", row) for row in rows):
            tally.count("texts found with a uid")
        else:
            tally.miss("texts without a uid", page, f"{query!r}: {answer.text[:120]!r}")
