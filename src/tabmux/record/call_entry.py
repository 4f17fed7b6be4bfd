"""Call entry: one call as the record keeps it, and how it is written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import NoneType
from typing import Any


@dataclass(frozen=True)
class TouchedElement:
    """An element that a call named, by what finds it again in another session.

    Attributes:
        argument: Which argument named it, such as `uid` or `elements.1.uid`.
        locator: What can stand in the place of its uid; empty where nothing is known of it.
        role: Its role in the snapshot.
        name: Its name there.
        test_id: Its test id, where it was asked for.
        place: Which of several elements of this role and name is meant, from 1; 0 for the only one.
        frame: The address of the frame that it is in; empty for the page itself.
    """

    argument: str
    locator: str = ""
    role: str = ""
    name: str = ""
    test_id: str = ""
    place: int = 0
    frame: str = ""


@dataclass(frozen=True)
class RecordedRequest:
    """A network request that a call caused; neither its headers nor its bodies are kept.

    Attributes:
        method: Such as GET.
        url: Where to, without credentials.
        status: The status of the answer; 0 where there was none.
        type: What Chrome takes it for, such as Document.
        time: When it began, in seconds since 1970.
        milliseconds: How long it took; -1 where it had not ended with the call.
        bytes: How much came over the network; -1 where that is not known.
        mime: The kind of the answer.
        failure: Why there was no answer.
    """

    method: str
    url: str
    status: int = 0
    type: str = ""
    time: float = 0.0
    milliseconds: float = -1
    bytes: int = -1
    mime: str = ""
    failure: str = ""


@dataclass(frozen=True)
class RecordedMessage:
    """A message of the console that a call caused."""

    type: str
    text: str
    source: str = ""


@dataclass(frozen=True)
class CallEntry:
    """One call: what was asked, what was touched and what came of it; nothing secret is in it.

    Attributes:
        time: When it began, in seconds since 1970.
        trace: The trace id, 32 hexadecimal digits: the client's own, or one that was made.
        parent: The client's own span of that trace, which the call is a part of; else empty.
        session: What users call the session; never its handle.
        client: What the client calls itself.
        tool: The tool.
        arguments: What it was given; `<hidden NAME>` stands for what was left out.
        hidden: The names of what was left out, which a replay must be given.
        page: The page that it was about.
        url: Where that page was when the call ended, without credentials.
        elements: The elements that the arguments name.
        code: The error code; None when the call went well.
        error: What the agent was told went wrong.
        milliseconds: How long it took.
        characters: How long the reply was.
        diff: What changed in the page, as the agent was told.
        picture: The hash of the picture that was taken afterwards.
        reads: Whether the tool changes nothing.
        requests: What the page asked of the network meanwhile.
        console: What it wrote to the console meanwhile.
        steps: The calls that it made itself: those of a batch or of a page tool.
        run: Which run it belongs to.
        number: Which line of that run it is, from 1; 0 for a step.
        unsampled: Whether the client keeps nothing of that trace, so that no span is exported.
        before: The hash of the line before, once it is written.
    """

    time: float
    trace: str
    session: str
    client: str
    tool: str
    arguments: Mapping[str, Any]
    hidden: tuple[str, ...] = ()
    page: int | None = None
    url: str = ""
    elements: tuple[TouchedElement, ...] = ()
    code: str | None = None
    error: str = ""
    milliseconds: float = 0.0
    characters: int = 0
    diff: str = ""
    picture: str = ""
    reads: bool = False
    requests: tuple[RecordedRequest, ...] = ()
    console: tuple[RecordedMessage, ...] = ()
    steps: tuple[CallEntry, ...] = ()
    run: str = ""
    number: int = 0
    parent: str = ""
    unsampled: bool = False
    before: str = field(default="", compare=False)

    @property
    def failed(self) -> bool:
        """Whether the call failed."""
        return self.code is not None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of it; what says nothing is left out."""
        # Every call is written so; what is empty is so in all of these kinds.
        found = {key: value for key, value in vars(self).items() if value}
        for key in _PARTS.keys() & found.keys():
            found[key] = [_plain(part) for part in found[key]]
        if self.steps:
            found["steps"] = [step.as_json() for step in self.steps]
        return found

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> CallEntry:
        """Read the JSON object; what is of the wrong kind raises ValueError."""
        try:
            known = _plain_fields(cls, value)
            for key, kind in _PARTS.items():
                known[key] = tuple(_part(kind, each) for each in value.get(key, ()))
            known["steps"] = tuple(cls.of_json(each) for each in value.get("steps", ()))
            known["hidden"] = tuple(map(str, value.get("hidden", ())))
            return cls(**{**_DEFAULTS, **known})
        except (TypeError, AttributeError, RecursionError) as error:
            raise ValueError("It is no entry of a record.") from error


_DEFAULTS: dict[str, Any] = {
    "time": 0.0, "trace": "", "session": "", "client": "", "tool": "", "arguments": {},
}  # fmt: skip
_PARTS: dict[str, type] = {
    "elements": TouchedElement, "requests": RecordedRequest, "console": RecordedMessage,
}  # fmt: skip

# Runs are files, which anybody may have edited: what reads them trusts these kinds.
_KINDS: dict[str, tuple[type, ...]] = {
    "float": (int, float), "int": (int,), "str": (str,), "bool": (bool,),
    "int | None": (int, NoneType), "str | None": (str, NoneType), "Mapping[str, Any]": (dict,),
}  # fmt: skip


def _plain_fields(kind: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """Return those fields that hold no parts; one of the wrong kind raises TypeError."""
    known = {}
    for each in fields(kind):
        kinds = _KINDS.get(str(each.type))
        if kinds is None or each.name not in value:
            continue
        if not isinstance(value[each.name], kinds):
            raise TypeError(each.name)
        known[each.name] = value[each.name]
    return known


def _plain(part: Any) -> dict[str, Any]:
    return {key: value for key, value in vars(part).items() if value}


def _part(kind: Any, value: Mapping[str, Any]) -> Any:
    known = _plain_fields(kind, value)
    needed = dict.fromkeys((each.name for each in fields(kind) if each.default is MISSING), "")
    return kind(**{**needed, **known})
