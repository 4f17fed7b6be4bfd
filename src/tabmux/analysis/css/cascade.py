"""Cascade: decides which declarations have an effect, and writes them as paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from tabmux.analysis.css.matched_styles import (
    Declaration,
    MatchedStyles,
    StyleBlock,
    StyleGroup,
    StyleOrigin,
)

# From the weakest to the strongest; "important" turns agent, user and author around.
_NORMAL: Mapping[StyleOrigin, int] = {
    "agent": 0, "user": 1, "attributes": 2, "author": 3, "inline": 4, "animation": 5,
    "transition": 10,
}  # fmt: skip
_IMPORTANT: Mapping[StyleOrigin, int] = {"author": 6, "inline": 7, "user": 8, "agent": 9}
# Values that hand the decision on to the parent.
_INHERITING_VALUES = frozenset({"inherit", "unset", "revert", "revert-layer"})
Rank = tuple[int, int, int, int]
_NAMES = """
accent-color border-collapse border-spacing caption-side caret-color clip-rule color color-
interpolation color-interpolation-filters color-rendering color-scheme cursor direction
dominant-baseline dynamic-range-limit empty-cells fill fill-opacity fill-rule font-family font-
feature-settings font-kerning font-optical-sizing font-palette font-size font-size-adjust font-
stretch font-style font-synthesis font-synthesis-small-caps font-synthesis-style font-synthesis-
weight font-variant-alternates font-variant-caps font-variant-east-asian font-variant-emoji
font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-
weight forced-color-adjust hyphenate-character hyphenate-limit-chars hyphens image-orientation
image-rendering interpolate-size line-break line-height list-style-image list-style-position
list-style-type marker-end marker-mid marker-start math-depth math-shift math-style orphans
overflow-wrap paint-order pointer-events print-color-adjust quotes ruby-align ruby-position
shape-rendering speak stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
stroke-miterlimit stroke-opacity stroke-width tab-size text-align text-align-last text-anchor
text-autospace text-box-edge text-combine-upright text-decoration-skip-ink text-emphasis-color
text-emphasis-position text-emphasis-style text-indent text-orientation text-rendering text-
shadow text-size-adjust text-spacing-trim text-transform text-underline-offset text-underline-
position text-wrap-mode text-wrap-style user-select visibility white-space-collapse widows word-
break word-spacing writing-mode -webkit-border-horizontal-spacing -webkit-border-vertical-
spacing -webkit-font-smoothing -webkit-line-break -webkit-locale -webkit-print-color-adjust
-webkit-ruby-position -webkit-tap-highlight-color -webkit-text-fill-color -webkit-text-
orientation -webkit-text-security -webkit-text-stroke-color -webkit-text-stroke-width -webkit-
user-modify -webkit-user-select -webkit-writing-mode font font-variant list-style marker text-
emphasis text-spacing text-wrap white-space
"""
_INHERITED = frozenset(_NAMES.split())
_INDENT = "  "


def resolve_cascade(styles: MatchedStyles) -> MatchedStyles:
    """Mark every declaration that another one beats."""
    taken: set[str] = set()
    own = _resolve_group(styles.own, taken, inherited=False)
    inherited = []
    for group in styles.inherited:
        resolved = _resolve_group(group, taken, inherited=True)
        if resolved.blocks:
            inherited.append(resolved)
    pseudo = tuple(_resolve_group(group, set(), inherited=False) for group in styles.pseudo)
    return replace(styles, own=own, inherited=tuple(inherited), pseudo=pseudo)


def cascade_paragraphs(styles: MatchedStyles) -> list[str]:
    """Return one text for each block, strongest first; the browser's own rules are one."""
    found = _group_paragraphs(styles.own)
    for group in styles.inherited:
        found += _with_heading(
            f"Inherited from {group.title}:", _group_paragraphs(group, agent=False)
        )
    for group in styles.pseudo:
        found += _with_heading(f"Pseudo-element {group.title}:", _group_paragraphs(group))
    return found + ["\n".join(_block_lines(block)) for block in styles.definitions]


def _resolve_group(group: StyleGroup, taken: set[str], *, inherited: bool) -> StyleGroup:
    """Decide one element's own contest; `taken` are decided nearer to the element, and grow."""
    blocks = (
        [_inherited_declarations(block) for block in group.blocks]
        if inherited
        else list(group.blocks)
    )
    blocks = [block for block in blocks if block is not None]
    winners = _winners(blocks)
    resolved = [
        replace(block, declarations=tuple(_mark_overloaded(block, number, winners, taken)))
        for number, block in enumerate(blocks)
    ]
    taken.update(_decided_properties(resolved))
    return replace(group, blocks=tuple(resolved))


def _winners(blocks: Sequence[StyleBlock]) -> dict[str, tuple[int, int]]:
    """Return where the winning declaration of each property is."""
    best: dict[str, tuple[Rank, tuple[int, int]]] = {}
    layers = _layer_ranks(blocks)
    for number, block in enumerate(blocks):
        for place, declaration in enumerate(block.declarations):
            if declaration.state:
                continue
            # Blocks come strongest first; later declarations of one block beat earlier ones.
            strength = len(blocks) - number
            rank = _rank(block, declaration, layers, strength, place)
            for name in declaration.sets:
                if name not in best or rank > best[name][0]:
                    best[name] = (rank, (number, place))
    return {name: place for name, (_, place) in best.items()}


def _rank(
    block: StyleBlock,
    declaration: Declaration,
    layers: Mapping[str, int],
    strength: int,
    place: int,
) -> Rank:
    if declaration.important and block.origin in _IMPORTANT:
        return _IMPORTANT[block.origin], -layers[block.layer], strength, place
    return _NORMAL[block.origin], 0, strength, place


def _layer_ranks(blocks: Sequence[StyleBlock]) -> dict[str, int]:
    """Number the layers from the weakest: rules outside all layers come before them."""
    ranks: dict[str, int] = {}
    for block in reversed(blocks):
        ranks.setdefault(block.layer, len(ranks))
    ranks[""] = len(ranks)
    return ranks


def _mark_overloaded(
    block: StyleBlock, number: int, winners: Mapping[str, tuple[int, int]], taken: Set[str]
) -> Iterator[Declaration]:
    for place, declaration in enumerate(block.declarations):
        effective = any(
            winners.get(name) == (number, place) and name not in taken for name in declaration.sets
        )
        lost = not declaration.state and not effective
        yield replace(declaration, state="overloaded") if lost else declaration


def _decided_properties(blocks: Iterable[StyleBlock]) -> Iterator[str]:
    """Return the properties that need no ancestor any more."""
    for block in blocks:
        for declaration in block.declarations:
            if not declaration.state and declaration.value not in _INHERITING_VALUES:
                yield from declaration.sets


def _inherited_declarations(block: StyleBlock) -> StyleBlock | None:
    """Keep what children take over."""
    kept = []
    for declaration in block.declarations:
        names = tuple(n for n in declaration.sets if n.startswith("--") or n in _INHERITED)
        if names:
            kept.append(replace(declaration, longhands=names))
    return replace(block, declarations=tuple(kept)) if kept else None


def _group_paragraphs(group: StyleGroup, *, agent: bool = True) -> list[str]:
    found = ["\n".join(_block_lines(block)) for block in group.blocks if block.origin != "agent"]
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


def _block_lines(block: StyleBlock) -> Iterator[str]:
    depth = 0
    for wrapper in block.wrappers:
        yield f"{_INDENT * depth}{wrapper} {{"
        depth += 1
    location = f" ({block.location})" if block.location else ""
    yield f"{_INDENT * depth}{block.title}{location} {{"
    for declaration in block.declarations:
        mark = f"[{declaration.state}] " if declaration.state else ""
        yield f"{_INDENT * (depth + 1)}{mark}{_declaration_text(declaration)}"
    for left in range(depth, -1, -1):
        yield f"{_INDENT * left}}}"


def _declaration_text(declaration: Declaration) -> str:
    important = " !important" if declaration.important else ""
    return f"{declaration.name}: {declaration.value}{important};"
