"""Matched styles: the rules that Chrome says match an element, logical properties made physical."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote

from tabmux.page_text import url_parts

StyleOrigin = Literal["transition", "animation", "inline", "author", "attributes", "user", "agent"]
DeclarationState = Literal["", "overloaded", "invalid", "disabled"]
Json = Mapping[str, Any]
_ORIGINS: Mapping[str, StyleOrigin] = {"user-agent": "agent", "injected": "user"}
_MEDIA_OF_LINK = ("linkedSheet", "inlineSheet")
_LONG_SELECTOR = 120
_LOGICAL_SIDE = re.compile(
    r"^(inset|(?:scroll-)?(?:margin|padding)|border)-(block|inline)-(start|end)(.*)$"
)
_LOGICAL_SIZE = re.compile(r"^((?:min-|max-|contain-intrinsic-|overflow-)?)(block|inline)(-size|)$")
_OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


@dataclass(frozen=True)
class Declaration:
    """One property of a rule.

    Attributes:
        longhands: The properties that it sets: its own, or all those of a shorthand.
        state: Why it has no effect; empty when it has one.
    """

    name: str
    value: str
    important: bool = False
    longhands: tuple[str, ...] = ()
    state: DeclarationState = ""

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the properties that it gives a value to."""
        return self.longhands or (self.name,)


@dataclass(frozen=True)
class StyleBlock:
    """A rule that matches the element, or a style that it carries itself.

    Attributes:
        title: The selector, or what stands for it.
        location: File and line; empty when there is none.
        wrappers: The at-rules around it, outermost first.
        layer: The cascade layer that it is in; empty when in none.
    """

    title: str
    origin: StyleOrigin
    declarations: tuple[Declaration, ...]
    location: str = ""
    wrappers: tuple[str, ...] = ()
    layer: str = ""


@dataclass(frozen=True)
class StyleGroup:
    """The blocks of one element or pseudo-element, strongest first."""

    title: str
    blocks: tuple[StyleBlock, ...]


@dataclass(frozen=True)
class MatchedStyles:
    """All that decides how an element looks."""

    own: StyleGroup
    inherited: tuple[StyleGroup, ...] = ()
    pseudo: tuple[StyleGroup, ...] = ()
    definitions: tuple[StyleBlock, ...] = field(default=())


@dataclass(frozen=True)
class StyleSheetSource:
    """Where a style sheet is written."""

    name: str
    line: int = 0

    @classmethod
    def of(cls, header: Json) -> StyleSheetSource:
        """Read what Chrome says of a style sheet."""
        url = url_parts(str(header.get("sourceURL", "")))
        name = unquote(url.path.rsplit("/", 1)[-1]) or url.netloc
        if header.get("isConstructed") or not (name or header.get("isInline")):
            return cls("constructed stylesheet")
        inline = bool(header.get("isInline"))
        return cls(name or "<style>", int(header["startLine"]) if inline else 0)


@dataclass(frozen=True)
class TextFlow:
    """How text runs in an element, in the words of CSS."""

    writing_mode: str = "horizontal-tb"
    direction: str = "ltr"

    @classmethod
    def of(cls, computed: Mapping[str, str]) -> TextFlow:
        """Read it from what a page's script found."""
        return cls(computed["writingMode"], computed["direction"])

    def physical(self, name: str) -> str:
        """Return the physical property that a logical one stands for, or the name itself."""
        if found := _LOGICAL_SIDE.match(name):
            box, axis, edge, rest = found.groups()
            side = self._start(axis)
            side = side if edge == "start" else _OPPOSITE[side]
            return f"{side}{rest}" if box == "inset" else f"{box}-{side}{rest}"
        if found := _LOGICAL_SIZE.match(name):
            before, axis, size = found.groups()
            across = self._horizontal == (axis == "inline")
            if before == "overflow-" and not size:
                return "overflow-x" if across else "overflow-y"
            return f"{before}{'width' if across else 'height'}" if size else name
        return name

    @property
    def _horizontal(self) -> bool:
        return self.writing_mode.startswith("horizontal")

    def _start(self, axis: str) -> str:
        if axis == "block":
            return {"vertical-rl": "right", "sideways-rl": "right"}.get(
                self.writing_mode, "top" if self._horizontal else "left"
            )
        start = "left" if self._horizontal else "top"
        upwards = self.writing_mode == "sideways-lr"
        return _OPPOSITE[start] if (self.direction == "rtl") != upwards else start


def read_matched_styles(
    matched: Json,
    animated: Json,
    sheets: Mapping[str, StyleSheetSource],
    lineage: Sequence[str],
    flow: TextFlow,
) -> MatchedStyles:
    """Put together what `CSS.getMatchedStylesForNode` and `getAnimatedStylesForNode` answered.

    Args:
        matched: The rules that match.
        animated: What animations and transitions set.
        sheets: Style sheets by Chrome's id.
        lineage: What the element and its ancestors are called, itself first.
        flow: How text runs in it.
    """
    title, *ancestors = lineage
    reader = _Reader(sheets, flow)
    own = [*reader.animated(animated), *reader.element_blocks(matched)]
    inherited = [
        StyleGroup(name, tuple(reader.element_blocks(entry)))
        for name, entry in zip(
            _with_default_names(ancestors), matched.get("inherited", ()), strict=False
        )
    ]
    return MatchedStyles(
        StyleGroup(title, tuple(own)),
        tuple(inherited),
        tuple(reader.pseudo(matched.get("pseudoElements", ()))),
        tuple(reader.definitions(matched)),
    )


def _with_default_names(names: Sequence[str]) -> Iterator[str]:
    yield from names
    while True:
        yield "an ancestor"


class _Reader:
    def __init__(self, sheets: Mapping[str, StyleSheetSource], flow: TextFlow) -> None:
        self._sheets, self._flow = sheets, flow

    def animated(self, answer: Json) -> Iterator[StyleBlock]:
        if style := answer.get("transitionsStyle"):
            yield from self._style("transition", "transition", style)
        for each in reversed(answer.get("animationStyles", ())):
            name = each.get("name") or "unnamed"
            yield from self._style(f"animation {name}", "animation", each["style"])

    def element_blocks(self, entry: Json) -> Iterator[StyleBlock]:
        """Return an element's style attribute, its rules and its presentational attributes."""
        yield from self._style("element.style", "inline", entry.get("inlineStyle"))
        rules = [self._rule(match) for match in reversed(entry.get("matchedCSSRules", ()))]
        strong = [rule for rule in rules if rule.origin != "agent"]
        yield from strong
        yield from self._style("attributes", "attributes", entry.get("attributesStyle"))
        yield from (rule for rule in rules if rule.origin == "agent")

    def pseudo(self, entries: Sequence[Json]) -> Iterator[StyleGroup]:
        for entry in entries:
            rules = tuple(self._rule(match) for match in reversed(entry.get("matches", ())))
            if any(rule.origin != "agent" for rule in rules):
                name = entry.get("pseudoIdentifier")
                yield StyleGroup(f"::{entry['pseudoType']}" + (f"({name})" if name else ""), rules)

    def definitions(self, matched: Json) -> Iterator[StyleBlock]:
        """Return the at-rules that the element's declarations refer to."""
        for rule in matched.get("cssKeyframesRules", ()):
            name = rule["animationName"]["text"]
            for frame in rule["keyframes"]:
                yield from self._style(
                    frame["keyText"]["text"], "author", frame["style"], (f"@keyframes {name}",)
                )
        active = matched.get("activePositionFallbackIndex", -1)
        for number, rule in enumerate(matched.get("cssPositionTryRules", ())):
            state = "" if rule.get("active", number == active) else " [inactive]"
            title = f"@position-try {rule['name']['text']}{state}"
            yield from self._style(title, "author", rule["style"])
        for rule in matched.get("cssPropertyRules", ()):
            title = f"@property {rule['propertyName']['text']}"
            yield from self._style(title, "author", rule["style"])
        for rule in matched.get("cssAtRules", ()):
            name = rule.get("name", {}).get("text", "")
            yield from self._style(f"@{rule['type']} {name}".rstrip(), "author", rule["style"])

    def _rule(self, match: Json) -> StyleBlock:
        rule: Json = match["rule"]
        layers = [layer["text"] for layer in rule.get("layers", ())]
        return StyleBlock(
            _selector(rule["selectorList"], match.get("matchingSelectors", ())),
            _ORIGINS.get(rule["origin"], "author"),
            self._declarations(rule["style"]),
            self._location(rule),
            tuple(_enclosing_rules(rule)),
            ".".join(reversed(layers)),
        )

    def _style(
        self, title: str, origin: StyleOrigin, style: Json | None, wrappers: tuple[str, ...] = ()
    ) -> Iterator[StyleBlock]:
        if style is not None and (declarations := self._declarations(style)):
            location = "" if origin == "inline" else self._location({"style": style})
            yield StyleBlock(title, origin, declarations, location, wrappers)

    def _declarations(self, style: Json) -> tuple[Declaration, ...]:
        properties = style["cssProperties"]
        # What stands in the source has a range; beside it Chrome lists the longhands it makes
        # of it, without a value while a var() in the shorthand leaves it open.
        written = [each for each in properties if each.get("range")]
        made = [each for each in properties if not each.get("range")]
        shown = written or [each for each in made if each["value"] and not each.get("implicit")]
        pending = [each["name"] for each in made if not each["value"]]
        return tuple(self._declaration(each, pending) for each in shown)

    def _declaration(self, each: Json, pending: Sequence[str]) -> Declaration:
        name, value = str(each["name"]), str(each["value"])
        name = name if name.startswith("--") else name.lower()
        longhands = [part["name"] for part in each.get("longhandProperties", ())]
        if not longhands and "var(" in value:
            longhands = [part for part in pending if part.startswith(f"{name}-")] or list(pending)
        return Declaration(
            name,
            value.removesuffix("!important").strip(),
            bool(each.get("important")),
            tuple(self._flow.physical(part) for part in longhands or (name,)),
            _state(each),
        )

    def _location(self, rule: Json) -> str:
        style: Json = rule["style"]
        sheet = self._sheets.get(rule.get("styleSheetId") or style.get("styleSheetId", ""))
        if sheet is None:
            return ""
        selectors = rule.get("selectorList", {}).get("selectors", ())
        span = (selectors[0].get("range") if selectors else None) or style.get("range")
        return f"{sheet.name}:{sheet.line + span['startLine'] + 1}" if span else sheet.name


def _state(each: Json) -> DeclarationState:
    if each.get("disabled"):
        return "disabled"
    return "invalid" if each.get("parsedOk") is False else ""


def _selector(selectors: Json, matching: Sequence[int]) -> str:
    """Return a rule's selectors, or of a long list those that match."""
    text = str(selectors["text"])
    parts = selectors["selectors"]
    if len(text) > _LONG_SELECTOR and 0 < len(matching) < len(parts):
        return ", ".join([parts[number]["text"] for number in matching] + ["…"])
    return text


def _enclosing_rules(rule: Json) -> Iterator[str]:
    """Name the at-rules around a rule, outermost first; Chrome lists each kind innermost first."""
    queues = {
        "MediaRule": [_media(each) for each in rule.get("media", ())],
        "ContainerRule": [_container(each) for each in rule.get("containerQueries", ())],
        "SupportsRule": [f"@supports {each['text']}" for each in rule.get("supports", ())],
        "LayerRule": [f"@layer {each['text']}".rstrip() for each in rule.get("layers", ())],
        "ScopeRule": [f"@scope {each['text']}".rstrip() for each in rule.get("scopes", ())],
        "StartingStyleRule": ["@starting-style" for _ in rule.get("startingStyles", ())],
        "StyleRule": list(rule.get("nestingSelectors", ())),
    }
    kinds = rule.get("ruleTypes", ())
    found = [queues[kind].pop(0) for kind in kinds if queues.get(kind)]
    rest = [wrapper for queue in queues.values() for wrapper in queue]
    yield from reversed([*found, *rest])


def _media(media: Json) -> str:
    if media["source"] in _MEDIA_OF_LINK:
        return f"media {media['text']}"
    return (
        f"@import {media['text']}" if media["source"] == "importRule" else f"@media {media['text']}"
    )


def _container(query: Json) -> str:
    return " ".join(filter(None, ("@container", query.get("name"), query["text"])))
