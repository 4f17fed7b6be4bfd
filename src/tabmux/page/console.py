"""What a page logged, warned about and threw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabmux.cdp.connection import Channel, Params
from tabmux.page.frames import Frames
from tabmux.page.history import History
from tabmux.page.issues import Issue
from tabmux.page.message import Message, place_of, reason_of, text_of
from tabmux.page.workers import Workers

KEPT = 1000
ISSUES_KEPT = 100
BLANK = "about:blank"
_TYPES: dict[str, str] = {"warning": "warn"}


class Console:
    """Collects what is logged, uncaught errors, the browser's own remarks, and issues."""

    def __init__(self, frames: Frames, workers: Workers) -> None:
        self.history: History[Message] = History(KEPT)
        self._workers = workers
        self._issues: dict[str, Message] = {}
        frames.on_channel(self._listen)
        frames.on_channel(self._listen_for_issues)
        workers.on_channel(self._listen)

    def turn(self, is_part: Callable[[str], bool]) -> None:
        """Begin a new document; issues with requests that are part of it come along."""
        self._issues = {
            kind: message
            for kind, message in self._issues.items()
            if message.issue and any(map(is_part, message.issue.requests))
        }
        self.history.turn(list(self._issues.values()))

    def find(self, ident: int) -> Message | None:
        """Return a message by id."""
        return next((m for m in self.history.items(preserved=True) if m.id == ident), None)

    def _listen(self, channel: Channel) -> None:
        worker = self._workers.of(channel)
        name = f"{worker.kind} {worker.url}" if worker else ""
        channel.on("Runtime.consoleAPICalled", lambda p: self._called(p, channel, name))
        channel.on("Runtime.exceptionThrown", lambda p: self._thrown(p, channel, name))
        channel.on("Log.entryAdded", lambda p: self._entry(p["entry"], channel, name))
        channel.on_skip(self.history.skip)
        channel.send("Log.enable")

    def _listen_for_issues(self, channel: Channel) -> None:
        channel.on("Audits.issueAdded", lambda p: self._issue(p["issue"], channel))
        channel.send("Audits.enable")

    def _called(self, params: Params, channel: Channel, worker: str) -> None:
        arguments, trace = params["args"], params.get("stackTrace")
        text = text_of(arguments)
        self._add(_kind(params["type"]), text, channel, worker, arguments, trace)

    def _thrown(self, params: Params, channel: Channel, worker: str) -> None:
        details = params["exceptionDetails"]
        arguments = [details["exception"]] if "exception" in details else []
        trace = details.get("stackTrace") or _trace(details)
        self._add("error", reason_of(details), channel, worker, arguments, trace)

    def _entry(self, entry: Params, channel: Channel, worker: str) -> None:
        if "workerId" in entry:
            return  # the worker itself tells it too, and better
        url, text = entry.get("url", ""), entry["text"]
        if url and url not in text:
            text = f"{text} ({url})"
        self._add(_kind(entry["level"]), text, channel, worker, [], entry.get("stackTrace"))

    def _add(
        self,
        kind: str,
        text: str,
        channel: Channel,
        worker: str,
        arguments: Sequence[Params],
        trace: Params | None,
    ) -> None:
        place, last = place_of(trace), self.history.last()
        if last is not None and (last.type, last.text, last.source) == (kind, text, place):
            last.count += 1
            return
        message = Message(self.history.next_id(), kind, text, place, channel, worker=worker)
        message.keep(arguments, trace)
        self.history.add(message)

    def _issue(self, raw: Params, channel: Channel) -> None:
        issue = Issue.of(raw)
        if issue.kind.endswith("EntryMarkedSkippable") and issue.resources[0].url == BLANK:
            return  # the blank page with which an extension opens a tab
        known = self._issues.get(issue.kind)
        if known is not None and known.issue is not None:
            grown = known.issue.merge(issue)
            known.count += bool(grown)
            self.history.grow(known, grown)
        elif len(self._issues) < ISSUES_KEPT:
            message = Message(self.history.next_id(), "issue", issue.title, "", channel)
            message.issue = issue
            message.weight += issue.weight
            self._issues[issue.kind] = message
            self.history.add(message)


def _kind(name: str) -> str:
    return _TYPES.get(name, name)


def _trace(details: Params) -> Params | None:
    """Make a stack of the only place that is known, of a script that could not be parsed."""
    if not details.get("url"):
        return None
    frame = {
        "functionName": "",
        "url": details["url"],
        "lineNumber": details.get("lineNumber", 0),
        "columnNumber": details.get("columnNumber", 0),
    }
    return {"callFrames": [frame]}
