"""Replay plan: the actions of a run as they can be done again, with names for what was typed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabmux.errors import Misuse
from tabmux.json_text import json_object
from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.nested_arguments import filled, put, without
from tabmux.record.parameter_names import parameter_name, placeholder
from tabmux.record.redaction import REFERENCE
from tabmux.record.strict_locators import strict_locator
from tabmux.secrets.origins import origin_of

# Tools that change nothing and are done again all the same, since what follows depends on them.
_REPEATED_READS = frozenset({"wait_for"})
_NOT_REPEATED = frozenset({"request_human", "enable_tools"})
# The arguments that hold what was typed.
_TYPED = {"fill": ("value",), "type_text": ("text",), "handle_dialog": ("promptText",)}
# What only says how much of the page is shown.
_DISPLAY = ("includeSnapshot", "report")
# The arguments that say what a value is for.
_ABOUT = ("name", "key", "domain", "origin")


@dataclass(frozen=True)
class ReplayStep:
    """One action.

    Attributes:
        number: Which call of the run it is, such as 7, or 7.2 for a step of a batch.
        tool: The tool.
        arguments: With locators in the place of uids.
        page: The page of the run that it was about.
        parameters: The names of values by where they stand, such as `elements.0.value`.
        entry: What was recorded.
        hidden: The names of what was hidden elsewhere in the arguments.
    """

    number: str
    tool: str
    arguments: Mapping[str, Any]
    page: int | None
    parameters: Mapping[str, str]
    entry: CallEntry
    hidden: tuple[str, ...] = ()

    def given(self, values: Mapping[str, str]) -> dict[str, Any]:
        """Return the arguments with the values of parameters."""
        hidden = {name: values[name] for name in self.hidden if name in values}
        made: dict[str, Any] = filled(dict(self.arguments), hidden)
        for path, name in self.parameters.items():
            if name in values:
                put(made, path, values[name])
        return made


@dataclass(frozen=True)
class _TypedValue:
    """What was typed: where it stands, the text, what its field is called and found by."""

    path: str
    text: str
    label: str
    field: tuple[str, ...] = ()


@dataclass
class ReplayPlan:
    """The actions of a run, and its parameters: what was typed, or None where that is hidden."""

    steps: list[ReplayStep] = field(default_factory=list)
    parameters: dict[str, str | None] = field(default_factory=dict)
    # What each parameter stands for, and where the pages of the run were last.
    _meanings: dict[str, tuple[str | None, tuple[str, ...]]] = field(default_factory=dict)
    _urls: dict[int | None, str] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[CallEntry]) -> ReplayPlan:
        """Make the plan of a run; what failed or only read is left out."""
        plan = cls()
        for number, entry in _actions(entries):
            plan._add(number, entry)
        return plan

    @property
    def has_several_pages(self) -> bool:
        """Whether the run was on more than one page."""
        return len({step.page for step in self.steps} - {None}) > 1

    def values(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the value of every parameter; one that is hidden must be given."""
        values = self.known_values(given)
        if missing := [name for name, text in values.items() if text is None]:
            raise Misuse(
                f"The run does not hold the value of {', '.join(missing)}.",
                hint=f"Give it with --set {missing[0]}=….",
            )
        return {name: text for name, text in values.items() if text is not None}

    def known_values(self, given: Mapping[str, str]) -> dict[str, str | None]:
        """Return the values of parameters, None for those that are hidden and not given."""
        if unknown := [name for name in given if name not in self.parameters]:
            known = ", ".join(self.parameters) or "none"
            raise Misuse(f"The run has no parameter {unknown[0]!r}.", hint=f"It has: {known}.")
        return {**self.parameters, **given}

    def _add(self, number: str, entry: CallEntry) -> None:
        arguments, origins = _located(number, entry), self._origins(entry)
        parameters = {}
        for each in _typed_values(entry, arguments):
            parameters[each.path] = self._typed(each, entry.hidden, origins)
        names = self._elsewhere(entry, without(arguments, parameters), origins)
        arguments = filled(arguments, {old: placeholder(new) for old, new in names.items()})
        for path, name in parameters.items():
            if self.parameters[name] is None:
                put(arguments, path, placeholder(name))
        hidden = tuple(names.values())
        self.steps.append(
            ReplayStep(number, entry.tool, arguments, _page(entry), parameters, entry, hidden)
        )

    def _typed(self, value: _TypedValue, hidden: tuple[str, ...], origins: tuple[str, ...]) -> str:
        """Return the name of what was typed; of what is hidden, another for each field."""
        within = [name for name in hidden if placeholder(name) in value.text]
        if not within:
            return self._name(value.label, value.text)
        is_whole = value.text == placeholder(within[0])
        return self._name(within[0] if is_whole else value.label, None, (*value.field, *origins))

    def _elsewhere(
        self, entry: CallEntry, arguments: Mapping[str, Any], origins: tuple[str, ...]
    ) -> dict[str, str]:
        """Return the names of what is hidden in other arguments, by what they are called there."""
        text = json.dumps(arguments)
        about = tuple(str(arguments[each]) for each in _ABOUT if each in arguments)
        return {
            name: self._name(name, None, (*about, *origins))
            for name in entry.hidden
            if placeholder(name) in text
        }

    def _origins(self, entry: CallEntry) -> tuple[str, ...]:
        """Return whose a call's values were: what is typed may lead elsewhere at once."""
        before = self._urls.get(entry.page) or entry.url
        self._urls[entry.page] = entry.url
        named = entry.arguments.get("url")
        return _origin(named if isinstance(named, str) else before), _origin(entry.url)

    def _name(self, label: str, text: str | None, meant: tuple[str, ...] = ()) -> str:
        """Return the name of a value; another value under the same label gets a number.

        Of hidden ones nobody knows whether they are the same: those that were meant for another
        field or site are others, for no site may be given the password of another one.
        """
        base, number = parameter_name(label), 1
        name = base
        while self._meanings.setdefault(name, (text, meant)) != (text, meant):
            number += 1
            name = f"{base}_{number}"
        self.parameters[name] = text
        return name


def _actions(entries: Iterable[CallEntry]) -> Iterator[tuple[str, CallEntry]]:
    for entry in entries:
        if entry.tool == "batch":
            # Also of one that failed: what it had done until then, or in spite of that, is done.
            for number, step in enumerate(entry.steps, 1):
                if _is_repeated(step):
                    yield f"{entry.number}.{number}", step
        elif _is_repeated(entry):
            yield str(entry.number), entry


def _page(entry: CallEntry) -> int | None:
    """Return the page that a call was about, also of the tools that name one and act on none."""
    named = entry.arguments.get("pageId") if entry.tool == "close_page" else None
    return named if isinstance(named, int) else entry.page


def _is_repeated(entry: CallEntry) -> bool:
    is_action = not entry.reads or entry.tool in _REPEATED_READS
    return is_action and not entry.failed and entry.tool not in _NOT_REPEATED


def _arguments(entry: CallEntry) -> dict[str, Any]:
    found: dict[str, Any] = copy.deepcopy(dict(entry.arguments))
    for name in ("pageId", "browserIndex", *_DISPLAY):
        if entry.tool not in ("select_page", "close_page") or name != "pageId":
            found.pop(name, None)
    if entry.tool == "call_page_tool":
        found["arguments"] = json_object(found.get("arguments", {}))
    return found


def _located(number: str, entry: CallEntry) -> dict[str, Any]:
    """Return the arguments of a call with locators in the place of uids."""
    arguments = _arguments(entry)
    for each in entry.elements:
        if not each.locator:
            raise Misuse(
                f"Call {number} ({entry.tool}) touched an element that nothing is known of, "
                "so it cannot be found again."
            )
        put(arguments, each.argument, strict_locator(each))
    return arguments


def _typed_values(entry: CallEntry, arguments: Mapping[str, Any]) -> Iterator[_TypedValue]:
    fields = {each.argument.rpartition(".")[0]: each for each in entry.elements}
    for key in _TYPED.get(entry.tool, ()):
        if isinstance(text := arguments.get(key), str) and not text.startswith(REFERENCE):
            yield _typed_into(fields.get(""), key, text, key)
    if entry.tool == "fill_form":
        for number, each in enumerate(arguments.get("elements", ())):
            path, text = f"elements.{number}", str(each["value"])
            if not text.startswith(REFERENCE):
                yield _typed_into(fields.get(path), f"{path}.value", text, "value")
    if entry.tool == "call_page_tool":
        for key, text in arguments["arguments"].items():
            if isinstance(text, str):
                yield _TypedValue(f"arguments.{key}", text, key)


def _typed_into(
    element: TouchedElement | None, path: str, text: str, otherwise: str
) -> _TypedValue:
    if element is None:
        return _TypedValue(path, text, otherwise)
    return _TypedValue(
        path, text, element.name or otherwise, (element.locator, _origin(element.frame))
    )


def _origin(url: str) -> str:
    """Return whose an address is; one that has no origin is its own."""
    found = origin_of(url)
    return url if found == "null" else found
