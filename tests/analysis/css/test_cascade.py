from __future__ import annotations

from tabmux.analysis.css.cascade import cascade_paragraphs, resolve_cascade
from tabmux.analysis.css.matched_styles import (
    Declaration,
    MatchedStyles,
    StyleBlock,
    StyleGroup,
    StyleOrigin,
)


def block(title: str, origin: StyleOrigin, *declarations: str, layer: str = "") -> StyleBlock:
    made = []
    for text in declarations:
        name, value = text.removesuffix("!").split(": ")
        made.append(Declaration(name, value, text.endswith("!"), _longhands(name)))
    return StyleBlock(title, origin, tuple(made), layer=layer)


def _longhands(name: str) -> tuple[str, ...]:
    return tuple(f"margin-{side}" for side in ("top", "left")) if name == "margin" else ()


def states(*blocks: StyleBlock) -> list[str]:
    """Return the titles of the blocks whose only declaration has an effect."""
    styles = resolve_cascade(MatchedStyles(StyleGroup("p", blocks)))
    return [each.title for each in styles.own.blocks if not each.declarations[0].state]


def test_stronger_rule_wins() -> None:
    assert states(
        block("b", "author", "color: red"),
        block("a", "author", "color: blue"),
        block("ua", "agent", "color: black"),
    ) == ["b"]


def test_important_turns_the_origins_around() -> None:
    important = "color: red!"
    blocks = [block(origin, origin, important) for origin in ("inline", "author", "user", "agent")]
    assert states(*blocks) == ["agent"]
    assert states(*blocks[:3]) == ["user"]
    assert states(*blocks[:2]) == ["inline"]
    assert states(block("inline", "inline", "color: red"), blocks[1]) == ["author"]


def test_animation_beats_all_but_important_and_transition_beats_everything() -> None:
    animation = block("animation", "animation", "color: red")
    inline = block("inline", "inline", "color: red")
    strong = block("strong", "author", "color: red!")
    transition = block("transition", "transition", "color: red")
    assert states(animation, inline) == ["animation"]
    assert states(animation, strong) == ["strong"]
    assert states(transition, strong) == ["transition"]


def test_important_in_an_earlier_layer_beats_later_layers_and_none() -> None:
    blocks = (
        block("none", "author", "color: red!"),
        block("later", "author", "color: red!", layer="b"),
        block("earlier", "author", "color: red!", layer="a"),
    )
    assert states(*blocks) == ["earlier"]


def test_later_declaration_of_a_block_wins() -> None:
    (own,) = resolve_cascade(
        MatchedStyles(StyleGroup("p", (block("a", "author", "top: 1", "top: 2"),)))
    ).own.blocks
    assert [each.state for each in own.declarations] == ["overloaded", ""]


def test_shorthand_stays_while_one_of_its_parts_has_an_effect() -> None:
    part = block("part", "author", "margin-top: 1")
    whole = block("whole", "author", "margin: 2")
    rest = block("rest", "author", "margin-left: 3")
    assert states(part, whole) == ["part", "whole"]
    assert states(part, rest, whole) == ["part", "rest"]


def test_only_what_is_inherited_comes_from_ancestors_and_the_nearest_wins() -> None:
    parent = StyleGroup("div", (block("div", "author", "color: red", "border: 1"),))
    root = StyleGroup("html", (block("html", "author", "color: blue", "--x: 1"),))
    plain = StyleGroup("nav", (block("nav", "author", "border: 1"),))
    styles = resolve_cascade(MatchedStyles(StyleGroup("p", ()), (parent, plain, root)))
    assert [group.title for group in styles.inherited] == ["div", "html"]
    texts = cascade_paragraphs(styles)
    assert texts == [
        "Inherited from div:\ndiv {\n  color: red;\n}",
        "Inherited from html:\nhtml {\n  [overloaded] color: blue;\n  --x: 1;\n}",
    ]


def test_inherit_leaves_the_decision_to_the_parent() -> None:
    own = StyleGroup("a", (block("a", "author", "color: inherit"),))
    parent = StyleGroup("div", (block("div", "author", "color: red"),))
    (above,) = resolve_cascade(MatchedStyles(own, (parent,))).inherited
    assert above.blocks[0].declarations[0].state == ""


def test_pseudo_elements_have_a_contest_of_their_own() -> None:
    own = StyleGroup("p", (block("p", "author", "color: red"),))
    before = StyleGroup("::before", (block("p::before", "author", "color: blue"),))
    assert cascade_paragraphs(resolve_cascade(MatchedStyles(own, pseudo=(before,))))[1] == (
        "Pseudo-element ::before:\np::before {\n  color: blue;\n}"
    )


def test_rules_of_the_browser_are_folded_to_what_they_still_decide() -> None:
    own = StyleGroup(
        "p",
        (
            block("p", "author", "display: flex"),
            block("p", "agent", "display: block", "cursor: text"),
            block("div, p", "agent", "display: block", "top: 1!"),
        ),
    )
    assert cascade_paragraphs(resolve_cascade(MatchedStyles(own)))[1] == (
        "user agent stylesheet { cursor: text; top: 1 !important; }"
    )
