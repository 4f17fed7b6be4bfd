"""The @tool decorator: a typed function with a docstring becomes a tool."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from tabmux.browsers.browser import Browser
from tabmux.browsers.browser_view import BrowserView
from tabmux.content import CallingClient, Progress, Reply
from tabmux.errors import BadArguments
from tabmux.page.page import Page
from tabmux.pagetools.catalogs import PageCatalogs
from tabmux.policy.header_redaction import Redaction
from tabmux.policy.policy import Policy
from tabmux.secrets.usable_secrets import UsableSecrets
from tabmux.sessions.human_requests import HumanRequests
from tabmux.sessions.session import Session
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.argument_types import (
    ArgumentContext,
    is_file,
    is_named,
    is_script,
    is_unlisted,
)
from tabmux.tools.pipeline.call import Caller
from tabmux.tools.pipeline.results import Result

F = TypeVar("F", bound=Callable[..., Awaitable[Reply]])

DEFAULT_SECONDS = 30.0
# What the pipeline hands to a tool by type; everything else is an argument of the caller's.
SUBJECTS: tuple[type, ...] = (
    Page, Session, BrowserView, Browser, AnalysisProcess, Caller, Progress, Redaction, PageCatalogs,
    Policy, UsableSecrets, CallingClient, HumanRequests,
)  # fmt: skip


@dataclass(frozen=True)
class Tool:
    """A function with all that the pipeline and the wire need to know of it."""

    name: str
    description: str
    function: Callable[..., Awaitable[Reply]]
    model: type[BaseModel]
    schema: dict[str, Any]
    subjects: Mapping[str, type]
    reads: bool
    read_only: bool
    destroys: bool
    repeatable: bool
    turn: bool
    exclusive: bool
    over_dialog: bool
    several: bool
    scripts: bool
    clipboard: bool
    anywhere: bool
    beside_person: bool
    lasts: bool
    seconds: float
    script_arguments: frozenset[str] = frozenset()
    file_arguments: frozenset[str] = frozenset()
    # Arguments that are taken, but left out of what clients are shown.
    unlisted_arguments: frozenset[str] = frozenset()
    # Optional arguments that name something, so that nothing is meant by an empty string.
    naming_arguments: frozenset[str] = frozenset()
    # What it answers as data.
    result: type[Result] | None = None

    def output(self) -> dict[str, Any]:
        """Return the schema of what it answers as data."""
        return _output(self.result) if self.result is not None else {}

    @property
    def on_page(self) -> bool:
        """Whether the tool acts on one page."""
        return Page in self.subjects.values()

    @property
    def on_browser(self) -> bool:
        """Whether the tool acts in one browser, so that a tag makes it act in several."""
        return self.on_page or Browser in self.subjects.values()

    def arguments(
        self, given: Mapping[str, Any], context: ArgumentContext | None
    ) -> dict[str, Any]:
        """Check and convert what the caller gave; `context` resolves uids, URLs and files."""
        try:
            values = self.model.model_validate(self._meant(given), context=context)
        except ValidationError as error:
            routing = ("pageId", "browserIndex") if self.on_page else ("browserIndex",)
            raise BadArguments(
                f"Invalid arguments for {self.name}: {_explain(error, self.schema, routing)}."
            ) from error
        return {name: getattr(values, name) for name in type(values).model_fields}

    def _meant(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Leave out what says nothing: strict clients must send every argument of a tool."""
        required = self.schema.get("required", ())
        return {
            name: value
            for name, value in given.items()
            if name in required
            or not (value is None or (value == "" and name in self.naming_arguments))
        }


def tool(
    *,
    reads: bool = False,
    read_only: bool = False,
    destroys: bool = False,
    repeatable: bool = False,
    turn: bool = True,
    exclusive: bool = False,
    over_dialog: bool = False,
    several: bool = False,
    scripts: bool = False,
    clipboard: bool = False,
    anywhere: bool = False,
    beside_person: bool = False,
    lasts: bool = False,
    seconds: float = DEFAULT_SECONDS,
    result: type[Result] | None = None,
) -> Callable[[F], F]:
    """Make a tool of a function, and leave the function as it is.

    Args:
        reads: It changes nothing.
        read_only: It is left by --read-only although it changes something: it gets to a page or
            looks at it in another way, but does not act on it.
        destroys: It may lose something that cannot be had back.
        repeatable: Doing it twice is the same as doing it once.
        turn: It waits for its turn on the page; reads of what was collected need not.
        exclusive: It concerns the whole browser, and runs while no other call on it does.
        over_dialog: It may run while a dialog is open.
        several: It is of use, and listed, only where there are several browsers.
        scripts: It runs what the caller wrote, in pages.
        clipboard: It reads or writes the clipboard.
        anywhere: It may be called while the page is where the policy would not let it go.
        beside_person: It may be called while a person has the page, or has paused the session.
        lasts: It may take longer than clients wait for a call.
        seconds: When it is given up, unless the caller sets a timeout.
        result: What it answers as data, for programs.
    """

    flags = {**locals(), "read_only": read_only or reads, "repeatable": repeatable or reads}

    def decorate(function: F) -> F:
        made = _make(function, **flags)
        function.__tool__ = made  # type: ignore[attr-defined]  # read back by tool_of()
        return function

    return decorate


def tool_of(function: object) -> Tool | None:
    """Return the tool that a function was made into."""
    found = getattr(function, "__tool__", None)
    return found if isinstance(found, Tool) else None


def _make(function: Callable[..., Awaitable[Reply]], **flags: Any) -> Tool:
    hints = get_type_hints(function, include_extras=True)
    text, notes = _docstring(function)
    subjects: dict[str, type] = {}
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if hints[name] in SUBJECTS:
            subjects[name] = hints[name]
        else:
            fields[name] = (hints[name], _field(name, parameter, notes.pop(name, None)))
    if notes:
        raise TypeError(f"{function.__name__} documents unknown arguments: {', '.join(notes)}")
    name = function.__name__
    model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)

    def marked(test: Callable[[Any], bool]) -> frozenset[str]:
        return frozenset(field.alias for each, (_, field) in fields.items() if test(hints[each]))

    return Tool(
        name,
        text,
        function,
        model,
        _schema(model),
        subjects,
        script_arguments=marked(is_script),
        file_arguments=marked(is_file),
        unlisted_arguments=marked(is_unlisted),
        naming_arguments=marked(is_named),
        **flags,
    )


def _field(name: str, parameter: inspect.Parameter, note: str | None) -> FieldInfo:
    if not note:
        raise TypeError(f"The argument {name} is not documented.")
    default = ... if parameter.default is inspect.Parameter.empty else parameter.default
    alias = name if name in ("from_uid", "to_uid") else to_camel(name)
    field: FieldInfo = Field(default, alias=alias, description=note)
    return field


def _docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Split a docstring into the description and the notes of its Args block."""
    text = inspect.getdoc(function) or ""
    description, _, block = text.partition("\nArgs:\n")
    notes: dict[str, str] = {}
    for entry in re.split(r"\n(?=    \S)", block.rstrip()):
        name, _, note = entry.strip().partition(":")
        if name:
            notes[name] = " ".join(note.split())
    return re.sub(r"(?<!\n)\n(?!\n)", " ", description.strip()), notes


@cache
def _output(result: type[Result]) -> dict[str, Any]:
    return {key: value for key, value in _schema(result).items() if key != "description"}


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return a lean JSON schema: no titles, no null branches, no references, no empty defaults.

    That unknown arguments are refused is left unsaid, for google-genai stumbles over
    `additionalProperties: false`; the model refuses them all the same.
    """
    raw = model.model_json_schema(by_alias=True)
    definitions = raw.pop("$defs", {})
    lean = _lean(raw, definitions)
    lean.setdefault("properties", {})
    return dict(lean)


def _lean(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_lean(each, definitions) for each in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        # What a class says of itself is for readers of the code.
        found = definitions[reference.rsplit("/", 1)[1]]
        return _lean({k: v for k, v in found.items() if k != "description"}, definitions)
    if branches := node.get("anyOf"):
        real = [branch for branch in branches if branch != {"type": "null"}]
        if len(real) == 1:
            rest = {k: v for k, v in node.items() if k != "anyOf"}
            node = {**rest, **_lean(real[0], definitions)}
    kept = {k: v for k, v in node.items() if not _is_noise(k, v)}
    if "properties" in kept:
        kept["properties"] = {k: _lean(v, definitions) for k, v in kept["properties"].items()}
    return {k: v if k == "properties" else _lean(v, definitions) for k, v in kept.items()}


def _is_noise(key: str, value: Any) -> bool:
    return (
        (key == "title" and isinstance(value, str))
        or (key == "default" and value in (None, False, "", [], ()))
        or (key == "additionalProperties" and value is False)
        or (key == "minimum" and value == 0)
    )


def _explain(error: ValidationError, schema: Mapping[str, Any], routing: Sequence[str]) -> str:
    problems = []
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"]) or "arguments"
        if problem["type"] == "extra_forbidden":
            *above, name = problem["loc"]
            known = list(_part_at(schema, above).get("properties", ()))
            problems.append(_unknown(place, str(name), known, () if above else routing))
        else:
            problems.append(f"{place}: {problem['msg'].removeprefix('Value error, ')}")
    return "; ".join(problems)


def _unknown(place: str, name: str, known: Sequence[str], routing: Sequence[str]) -> str:
    plain = {_plain(each): each for each in (*routing, *known)}
    close = difflib.get_close_matches(_plain(name), plain, 1)
    meant = f"; did you mean {plain[close[0]]}?" if close else ""
    return f'unknown argument "{place}" (known: {", ".join(known) or "none"}){meant}'


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _part_at(schema: Mapping[str, Any], place: Sequence[int | str]) -> Mapping[str, Any]:
    """Return the part of a schema that is about a value inside of the arguments."""
    for step in place:
        inside = schema.get("items") if isinstance(step, int) else schema["properties"].get(step)
        schema = inside or {}
    return schema
