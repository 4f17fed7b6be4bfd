"""Generic tools: to press, open, fill and read whatever has no tool of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabmux.pagetools.collect.document_tree import DocumentTree, Node
from tabmux.pagetools.derive import landmarks
from tabmux.pagetools.derive.fields import is_honeypot, kind_of
from tabmux.pagetools.derive.form_controls import is_button
from tabmux.pagetools.derive.landmarks import SITE_LANDMARKS
from tabmux.pagetools.language import words
from tabmux.pagetools.model import ITS_TEXT, WHICH, DerivedTool, ToolControl

MOST_EXAMPLES = 10
LONGEST_EXAMPLE = 30
_NUMBER = {"type": "integer", "minimum": 1, "description": WHICH}
# Last among what is published, and always there.
_READ_RANK, _CLICK_RANK, _LINK_RANK, _FILL_RANK = 5.0, 4.0, 3.0, 2.0


def generic_tools(document: DocumentTree, found: Sequence[DerivedTool]) -> list[DerivedTool]:
    """Return what can be done with the rest of a page by the words that stand on it.

    Args:
        document: The page's own document.
        found: The tools that it has already.
    """
    shown = [tool for tool in found if tool.rank >= 0]
    covered = {ref for tool in shown for ref in _refs(tool)}
    rest = [n for n in document.nodes.usable.all if not n.hidden and n.ref not in covered]
    made = [_press_tool(document, [n for n in rest if is_button(n)])]
    links = [n for n in rest if n.role == "link" and n.name and n.get("href")]
    if links:
        made.append(_link_tool(links))
    fields = [n for n in rest if kind_of(n) and not n.has("d") and not is_honeypot(n)]
    if fields or not shown:
        made.append(_fill_tool())
    if not shown:
        made.append(_read_tool())
    return made


def _refs(tool: DerivedTool) -> Iterable[int]:
    yield from (node.ref for node in tool.nodes)
    yield from (control.ref for control in tool.controls)


def _press_tool(document: DocumentTree, buttons: list[Node]) -> DerivedTool:
    return DerivedTool(
        "click",
        "click",
        ["click_element"],
        "Click what has this text" if not document.modal else "Click what has this text here",
        _CLICK_RANK,
        controls=[_text_control("text", ITS_TEXT, _names(buttons)), _number_control()],
    )


def _link_tool(links: list[Node]) -> DerivedTool:
    content = [n for n in links if not landmarks.landmarks_around(n) & SITE_LANDMARKS]
    around = [n for n in links if landmarks.landmarks_around(n) & {"navigation", "banner"}]
    return DerivedTool(
        "link",
        "link",
        ["open_link"],
        "Open a link by its text",
        _LINK_RANK,
        controls=[
            _text_control("text", "", _names([*around[: MOST_EXAMPLES // 2], *content])),
            _number_control(),
        ],
        reads=True,
        repeatable=True,
    )


def _fill_tool() -> DerivedTool:
    return DerivedTool(
        "fill",
        "fill",
        ["fill_field"],
        "Fill a field",
        _FILL_RANK,
        controls=[
            _text_control("field", "Its label"),
            _text_control("value", ""),
            _number_control(),
        ],
        repeatable=True,
    )


def _read_tool() -> DerivedTool:
    return DerivedTool(
        "read",
        "read",
        ["get_page_content"],
        "Read the text of the page",
        _READ_RANK,
        reads=True,
        repeatable=True,
    )


def _names(nodes: Iterable[Node]) -> list[str]:
    """Return some of what stands on elements, each once and short."""
    found: dict[str, None] = {}
    for node in nodes:
        if node.name and len(node.name) <= LONGEST_EXAMPLE:
            found.setdefault(words.clean(node.name, LONGEST_EXAMPLE))
        if len(found) >= MOST_EXAMPLES:
            break
    return list(found)


def _text_control(key: str, about: str, examples: Sequence[str] = ()) -> ToolControl:
    schema: dict[str, object] = {"type": "string"}
    if about:
        schema["description"] = about
    if examples:
        schema["examples"] = list(examples)
    return ToolControl(key, 0, "text", about, required=True, schema=schema)


def _number_control() -> ToolControl:
    return ToolControl("number", 0, "number", "", schema=dict(_NUMBER))
