"""What a page logged, warned about and threw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tabmux.cdp.connection import Channel, Params
from tabmux.page.frames import Frames
from tabmux.page.history import History
from tabmux.page.preview import preview

KEPT = 1000
TEXT_LIMIT = 2000
FRAMES_KEPT = 20
_TYPES: dict[str, str] = {"warning": "warn"}


@dataclass
class Message:
    """One line of the console; repeats are counted, not kept."""

    id: int
    type: str
    text: str
    source: str = ""
    arguments: list[Params] = field(default_factory=list)
    stack: list[Params] = field(default_factory=list)
    channel: Channel | None = None
    count: int = 1

    @property
    def line(self) -> str:
        """Return the message as a list shows it."""
        times = f" [{self.count} times]" if self.count > 1 else ""
        return f"msgid={self.id} [{self.type}] {self.text}{times}"

    def repeats(self, other: Message) -> bool:
        """Whether the other message says the same once more."""
        return (self.type, self.text, self.source) == (other.type, other.text, other.source)


class Console:
    """Collects console messages, uncaught errors and the browser's own remarks."""

    def __init__(self, frames: Frames) -> None:
        self.history: History[Message] = History(KEPT)
        frames.on_channel(self._listen)

    def turn(self) -> None:
        """Begin a new document."""
        self.history.turn()

    def find(self, ident: int) -> Message | None:
        """Return a message by id."""
        return next((m for m in self.history.items(preserved=True) if m.id == ident), None)

    def _listen(self, channel: Channel) -> None:
        channel.on("Runtime.consoleAPICalled", lambda p: self._called(p, channel))
        channel.on("Runtime.exceptionThrown", lambda p: self._thrown(p, channel))
        channel.on("Log.entryAdded", lambda p: self._entry(p["entry"], channel))
        channel.send("Log.enable")

    def _called(self, params: Params, channel: Channel) -> None:
        kind = _kind(params["type"])
        arguments = params["args"]
        text = " ".join(preview(each, top=True) for each in _formatted(arguments))
        self._add(kind, text, _stack(params.get("stackTrace")), arguments, channel)

    def _thrown(self, params: Params, channel: Channel) -> None:
        details = params["exceptionDetails"]
        thrown = details.get("exception", {})
        reason = thrown.get("description") or preview(thrown, top=True) if thrown else ""
        first = reason.split("\n", 1)[0]
        text = details.get("text", "Uncaught")
        stack = _stack(details.get("stackTrace")) or _place(details)
        self._add("error", f"{text} {first}".strip(), stack, [thrown] if thrown else [], channel)

    def _entry(self, entry: Params, channel: Channel) -> None:
        kind = _kind(entry["level"])
        url = entry.get("url", "")
        text = f"{entry['text']} ({url})" if url and url not in entry["text"] else entry["text"]
        self._add(kind, text, _stack(entry.get("stackTrace")), [], channel)

    def _add(
        self, kind: str, text: str, stack: list[Params], arguments: list[Params], channel: Channel
    ) -> None:
        source = _source(stack)
        message = Message(0, kind, text[:TEXT_LIMIT], source, arguments, stack, channel)
        last = self.history.last()
        if last is not None and last.repeats(message):
            last.count += 1
            return
        message.id = self.history.next_id()
        self.history.add(message)


def _kind(name: str) -> str:
    return _TYPES.get(name, name)


def _formatted(arguments: list[Params]) -> list[Params]:
    """Put arguments into a format string such as "%s has %d", as consoles do."""
    if not arguments or arguments[0].get("type") != "string" or "%" not in arguments[0]["value"]:
        return arguments
    text, rest = arguments[0]["value"], list(arguments[1:])
    out = ""
    while "%" in text:
        head, _, text = text.partition("%")
        code, text = text[:1], text[1:]
        if code == "c" and rest:
            rest.pop(0)
            out += head
        elif code in "sdifoO" and code and rest:
            out += head + preview(rest.pop(0), top=True)
        else:
            out += f"{head}%{code if code != '%' else ''}"
    return [{"type": "string", "value": out + text}, *rest]


def _stack(trace: Params | None) -> list[Params]:
    """Return the frames of a trace and of what it was called from."""
    frames: list[Params] = []
    while trace is not None and len(frames) < FRAMES_KEPT:
        if frames and trace.get("description"):
            frames.append({"async": trace["description"]})
        frames += trace.get("callFrames", ())
        trace = trace.get("parent")
    return frames[:FRAMES_KEPT]


def _place(details: Params) -> list[Params]:
    frame: dict[str, Any] = {
        "functionName": "",
        "url": details.get("url", ""),
        "lineNumber": details.get("lineNumber", 0),
        "columnNumber": details.get("columnNumber", 0),
    }
    return [frame] if frame["url"] else []


def _source(stack: list[Params]) -> str:
    if not stack or "url" not in stack[0]:
        return ""
    return f"{stack[0]['url']}:{stack[0]['lineNumber']}:{stack[0]['columnNumber']}"
