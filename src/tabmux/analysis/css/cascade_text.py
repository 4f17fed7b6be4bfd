"""Cascade text: the styles of an element, as paragraphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabmux.analysis.css.matched_styles import Declaration, MatchedStyles, StyleBlock, StyleGroup

INDENT = "  "


def cascade_paragraphs(styles: MatchedStyles) -> list[str]:
    """Return one text for each block, strongest first; the browser's own rules are one."""
    found = [*_group(styles.own)]
    for group in styles.inherited:
        found += _with_heading(f"Inherited from {group.title}:", _group(group, agent=False))
    for group in styles.pseudo:
        found += _with_heading(f"Pseudo-element {group.title}:", _group(group))
    return found + ["\n".join(_block(block)) for block in styles.definitions]


def _group(group: StyleGroup, *, agent: bool = True) -> list[str]:
    found = ["\n".join(_block(block)) for block in group.blocks if block.origin != "agent"]
    if agent and (user_agent := _user_agent_line(group.blocks)):
        found.append(user_agent)
    return found


def _with_heading(title: str, texts: Sequence[str]) -> list[str]:
    return [f"{title}\n{texts[0]}", *texts[1:]] if texts else []


def _user_agent_line(blocks: Sequence[StyleBlock]) -> str:
    """Say in one line what the browser's own style sheet still decides."""
    active = [
        _declaration_text(declaration)
        for block in blocks
        if block.origin == "agent"
        for declaration in block.declarations
        if not declaration.state
    ]
    return f"user agent stylesheet {{ {' '.join(active)} }}" if active else ""


def _block(block: StyleBlock) -> Iterator[str]:
    depth = 0
    for wrapper in block.wrappers:
        yield f"{INDENT * depth}{wrapper} {{"
        depth += 1
    location = f" ({block.location})" if block.location else ""
    yield f"{INDENT * depth}{block.title}{location} {{"
    for declaration in block.declarations:
        mark = f"[{declaration.state}] " if declaration.state else ""
        yield f"{INDENT * (depth + 1)}{mark}{_declaration_text(declaration)}"
    for left in range(depth, -1, -1):
        yield f"{INDENT * left}}}"


def _declaration_text(declaration: Declaration) -> str:
    important = " !important" if declaration.important else ""
    return f"{declaration.name}: {declaration.value}{important};"
