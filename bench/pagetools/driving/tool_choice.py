"""Tool choice: which published tool an agent takes for what it wants, by rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.pagetools.driving.driver import Field, Value, cell
from bench.pagetools.driving.published import GENERIC, Listing, PublishedTool, has_words, words_of
from tabmux.pagetools.language.words import slug

_TOOLS = "Page tools: "
# What leads out of a question without saying yes.
WAYS_OUT = ("cancel", "close", "dismiss", "no", "back", "go")
OPENING = ("open", "select", "click", "choose", "toggle", "view", "show", "press")
GO_TO_PAGE = "go_to_page"
LONG_WORD = 5
# How a text ends that is too long for the list, and how much of its last word tells which it was.
CUT, LEAST_LEFT = "…", 3
# As much of an entry tells which it is.
LEAST_CUT = 12
# What labels of fields mean, the likeliest first.
TRANSLATIONS: Mapping[str, Sequence[str]] = {
    "search": ("query",),
    "zoeken": ("query", "search"),
    "suche": ("query", "search"),
    "cerca": ("query", "search"),
    "busca": ("query", "search"),
    "busqueda": ("query", "search"),
    "usuario": ("username", "user", "login", "query"),
    "benutzername": ("username", "user", "login"),
    "nome": ("first_name", "name"),
    "nombre": ("name",),
    "sobrenome": ("last_name", "surname"),
    "correo": ("email", "mail"),
    "emailadresse": ("email", "mail"),
    "email": ("email", "mail"),
    "senha": ("password", "new_password"),
    "confirmacao": ("confirm_password", "password_confirmation", "confirmation", "password_2"),
    "comentario": ("comment", "message"),
    "comment": ("comment", "message"),
    "titulo": ("title", "subject"),
    "descricao": ("description",),
    "cantidad": ("quantity", "amount"),
    "blogtitel": ("title", "blog_title"),
    "limite": ("limit",),
    "密码": ("password",),
    "主题": ("subject",),
    "内容": ("body", "content"),
    "姓名": ("name",),
}
IN_ALL = re.compile(r"… \d+ in all")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
Arguments = dict[str, Any]
Call = tuple[PublishedTool, Arguments]


def pressing(listing: Listing, text: str, within: str = "") -> Call | None:
    """Return the call of a tool of this page that presses something."""
    if within:
        return _in_entry(listing, text, within)
    for way in (_by_label, _by_option, _by_page, _by_entry, _by_words):
        if (found := way(listing, text)) is not None:
            return found
    return None


def submitting(listing: Listing, values: Mapping[Field, Value], button: str = "") -> Call | None:
    """Return the call that fills and sends; of several, the one that is named like the button."""
    fitting = []
    for tool in (each for each in listing.tools if not each.is_generic):
        arguments = _assigned(tool, values) or _only_line(tool, values, button)
        if (
            arguments is None
            or tool.takes_entry
            or not tool.required <= {*arguments, *_filled(tool)}
        ):
            continue
        named = has_words(button, (tool.name, tool.label)) or cell(button) in _buttons(tool)
        arguments |= _button(tool, button)
        # Nobody destroys something to send a form.
        order = (not named, not named and tool.destructive, len(tool.parameters) - len(arguments))
        fitting.append((order, tool, arguments))
    if not fitting:
        return None
    _, tool, arguments = min(fitting, key=lambda each: each[0])
    return tool, arguments


def _only_line(tool: PublishedTool, values: Mapping[Field, Value], button: str) -> Arguments | None:
    """Return the one line of a tool that is called as the button, whatever the line is called."""
    line = next(iter(values.values()), None)
    if len(values) != 1 or len(tool.parameters) != 1 or cell(tool.label) != cell(button):
        return None
    key, about = next(iter(tool.parameters.items()))
    return {key: line} if isinstance(line, str) and _is_text(about) else None


def _buttons(tool: PublishedTool) -> dict[str, Any]:
    """Return the ways to send a form that has several."""
    return {cell(str(each)): each for each in _enum(tool.parameters.get("button", {}))}


def _button(tool: PublishedTool, button: str) -> Arguments:
    given = _buttons(tool).get(cell(button))
    return {} if given is None else {"button": given}


def _filled(tool: PublishedTool) -> Iterable[str]:
    return (key for key, about in tool.parameters.items() if "default" in about)


def _assigned(tool: PublishedTool, values: Mapping[Field, Value]) -> Arguments | None:
    arguments: Arguments = {}
    for label, value in values.items():
        found = _assignment(tool, label, value, arguments)
        if found is None:
            ticks = _all_ticked(tool, value)
            if ticks is None:
                return None
            arguments |= ticks
            continue
        key, given = found
        held = arguments.get(key)
        arguments[key] = (
            [*held, *given] if isinstance(held, list) and isinstance(given, list) else given
        )
    return arguments


def _assignment(
    tool: PublishedTool, label: Field, value: Value, taken: Mapping[str, Any]
) -> tuple[str, Any] | None:
    if isinstance(label, int):
        keys = [key for key, about in tool.parameters.items() if _is_text(about)]
        if not 0 < label <= len(keys) or not isinstance(value, str):
            return None
        if not _fits(tool.parameters[keys[label - 1]], [value]):
            return None
        return keys[label - 1], _typed(tool.parameters[keys[label - 1]], value, [value])
    if isinstance(value, bool):
        return _ticked(tool, label, value)
    wanted = [value] if isinstance(value, str) else list(value)
    fitting = [
        key for key, about in tool.parameters.items() if key not in taken and _fits(about, wanted)
    ]
    called = [key for key in fitting if _is_called(tool, key, label)]
    key = next(iter(sorted(called, key=lambda k: (not _is_exactly(tool, k, label), len(k)))), None)
    if key is None and label:
        key = _translated(fitting, label)
    if key is None and label:
        key = _most_alike(tool, fitting, label)
    if key is None and (not label or _only(tool, fitting, wanted)):
        key = next(iter(fitting), None)
    if key is None:
        return None
    return key, _typed(tool.parameters[key], value, wanted)


def _only(tool: PublishedTool, fitting: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the value itself says where it goes: one list of options has it."""
    options = _enum(tool.parameters[fitting[0]]) if len(fitting) == 1 else ()
    return bool(wanted) and bool(options) and not IN_ALL.fullmatch(str(options[-1]))


def _typed(about: Mapping[str, Any], value: Value, wanted: Sequence[str]) -> Any:
    options = {cell(str(each)): each for each in _enum(about)}
    exact = [options.get(cell(each), each) for each in wanted]
    if about.get("type") == "array":
        return exact
    if about.get("type") in ("integer", "number") and isinstance(value, str):
        return float(value) if "." in value else int(value)
    return exact[0]


def _fits(about: Mapping[str, Any], wanted: Sequence[str]) -> bool:
    options = [cell(str(each)) for each in _enum(about)]
    if about.get("type") == "boolean":
        return False
    if options and not IN_ALL.fullmatch(options[-1]):  # where the list is cut, there are more
        return all(cell(each) in options for each in wanted)
    if about.get("type") in ("integer", "number"):
        return all(NUMBER.fullmatch(each) for each in wanted)
    return about.get("type") == "array" or len(wanted) == 1


def _ticked(tool: PublishedTool, label: str, value: bool) -> tuple[str, Any] | None:
    for key, about in tool.parameters.items():
        if about.get("type") == "boolean" and _is_called(tool, key, label):
            return key, value
        exact = [each for each in _enum(about) if cell(str(each)) == cell(label)]
        if exact and value:
            return key, exact if about.get("type") == "array" else exact[0]
    return None


def _all_ticked(tool: PublishedTool, value: Value) -> Arguments | None:
    """Return the checkboxes of several options, where each has a parameter of its own."""
    if isinstance(value, str | bool):
        return None
    ticks = [_ticked(tool, each, True) for each in value]
    return None if None in ticks else dict(each for each in ticks if each is not None)


def _is_called(tool: PublishedTool, key: str, label: str) -> bool:
    about = tool.parameters[key]
    texts = (key, str(about.get("title", "")), str(about.get("description", "")))
    # Names are in Latin letters; who knows the language reads them all the same.
    latin = (label, slug(label))
    joined = any("".join(words_of(key)) == "".join(words_of(each)) != "" for each in latin)
    alone = len(tool.parameters) == 1 and has_words(label, (tool.name, tool.label))
    return joined or has_words(label, texts) or alone


def _is_exactly(tool: PublishedTool, key: str, label: str) -> bool:
    """Whether a parameter says the label and nothing else: one of two may say more."""
    about = tool.parameters[key]
    texts = (key, str(about.get("title", "")), str(about.get("description", "")))
    return any(words_of(text) == words_of(label) for text in texts)


def _translated(keys: Sequence[str], label: str) -> str | None:
    """Return the parameter that is called so in English: an agent knows the page's language."""
    for meaning in TRANSLATIONS.get("".join(words_of(label)), ()):
        for key in keys:
            if words_of(key) == words_of(meaning):
                return key
    return None


def _most_alike(tool: PublishedTool, keys: Sequence[str], label: str) -> str | None:
    """Return the parameter that says the most of the long words of a label.

    A word that the list has cut says as much as is left of it.
    """
    words = [word for word in words_of(label) if len(word) >= LONG_WORD]
    shared = {key: sum(_is_said(tool, key, word) for word in words) for key in keys}
    best = max(keys, key=lambda key: shared[key], default=None)
    return best if best is not None and shared[best] else None


def _is_said(tool: PublishedTool, key: str, word: str) -> bool:
    about = tool.parameters[key]
    texts = (key, str(about.get("title", "")), str(about.get("description", "")))
    said = {each for text in texts for each in words_of(text)}
    cut = [words_of(text)[-1:] for text in texts if text.endswith(CUT)]
    return word in said or any(len(end) >= LEAST_LEFT and word.startswith(end) for (end,) in cut)


def _is_text(about: Mapping[str, Any]) -> bool:
    return about.get("type") in ("string", "integer", "number") and not _enum(about)


def _enum(about: Mapping[str, Any]) -> Sequence[Any]:
    options = about.get("enum") or about.get("items", {}).get("enum") or ()
    return options if isinstance(options, list) else ()


def examples_of(tool: PublishedTool) -> list[str]:
    """Return what a tool of every page says that it could press."""
    about = tool.parameters.get("text", {}) if tool.is_generic else {}
    return [str(each) for each in about.get("examples", ())]


def confirming(said: str, tool: PublishedTool) -> str | None:
    """Return the tool that says yes, if a reply tells of a way out and of the same once more."""
    line = next((each for each in said.splitlines() if each.startswith(_TOOLS)), "")
    names = line.removeprefix(_TOOLS).split(", ")
    own = [name for name in names if name and name not in GENERIC]
    rest = [name for name in own if words_of(name)[0] not in WAYS_OUT]
    same = len(rest) == 1 and words_of(rest[0])[0] == words_of(tool.name)[0]
    return rest[0] if same and len(own) > len(rest) else None


def options_of(tool: PublishedTool) -> list[str]:
    return [str(option) for about in tool.parameters.values() for option in _enum(about)]


def _by_label(listing: Listing, text: str) -> Call | None:
    for tool in listing.tools:
        same = cell(tool.label) == cell(text) or words_of(tool.name) == words_of(text)
        if same and words_of(text) and not tool.required:
            return tool, {}
    return None


def _by_option(listing: Listing, text: str) -> Call | None:
    for tool in listing.tools:
        for key, about in tool.parameters.items():
            for option in _enum(about):
                if cell(str(option)) == cell(text) and tool.required <= {key}:
                    return tool, {key: [option] if about.get("type") == "array" else option}
    return None


def _by_page(listing: Listing, text: str) -> Call | None:
    """A number that stands alone is that of a page, where a tool goes to pages by their number."""
    for tool in listing.tools:
        if tool.name == GO_TO_PAGE and text.isdecimal() and len(tool.parameters) == 1:
            key, about = next(iter(tool.parameters.items()))
            if about.get("type") == "integer" and not tool.takes_entry:
                return tool, {key: int(text)}
    return None


def _by_entry(listing: Listing, text: str) -> Call | None:
    number = _entry(listing, text)
    # The numbers are those of one list, whose tools all say its noun.
    noun = listing.opener.partition("_")[2]
    tools = [
        tool
        for tool in listing.tools
        if tool.takes_entry and tool.required <= {"index"} and tool.name.endswith(noun)
    ]
    tools.sort(key=lambda tool: tool.name != listing.opener)
    for verb in OPENING:
        for tool in tools:
            if number is not None and words_of(tool.name)[0] == verb:
                return tool, {"index": number}
    return None


def _in_entry(listing: Listing, text: str, within: str) -> Call | None:
    number = _entry(listing, within)
    for tool in listing.tools:
        said = (tool.name, tool.label)
        if number is not None and tool.takes_entry and has_words(text, said):
            return tool, {"index": number}
    return None


def _entry(listing: Listing, text: str) -> int | None:
    """Return the number of the entry that is this text, begins with it or alone has it."""
    distinct = len(words_of(text)) > 1 or any(each.isdecimal() for each in text)
    ways = (str.__eq__, str.startswith, _is_cut_of, *([str.__contains__] if distinct else ()))
    for fits in ways:
        for number, entry in listing.entries.items():
            if fits(cell(entry), cell(text)):
                return number
    having = [number for number, entry in listing.entries.items() if has_words(text, [entry])]
    return having[0] if len(having) == 1 else None


def _is_cut_of(entry: str, text: str) -> bool:
    """Whether an entry that is too long for the list begins, or ends, as the text begins."""
    start = entry.removesuffix("…").strip()
    if not entry.endswith("…") or len(start) < LEAST_CUT:
        return False
    ends = (start[at:] for at in range(len(start) - LEAST_CUT + 1))
    return any(text.startswith(end) for end in ends)


def _by_words(listing: Listing, text: str) -> Call | None:
    """Return the tool without required parameters that says little more than the text."""
    found = [
        tool
        for tool in listing.tools
        if not tool.required and not tool.is_generic and has_words(text, (tool.name, tool.label))
    ]
    best = min(found, key=lambda tool: len(words_of(tool.name)), default=None)
    return None if best is None else (best, {})


def generic(listing: Listing, text: str) -> Call | None:
    """Return the call that presses anything by its text, where the page publishes one."""
    for tool in listing.tools:
        if tool.name in ("click_element", "open_link") and "text" in tool.parameters:
            return tool, {"text": text}
    return None
