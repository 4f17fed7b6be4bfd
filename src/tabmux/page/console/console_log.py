"""Console log: what a page logged, warned about and threw."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from tabmux.cdp.channel import Channel, Params
from tabmux.page.bounded_log import BUDGET, BoundedLog
from tabmux.page.console.flood_control import MessageBacklog, Step
from tabmux.page.console.issues import Issue
from tabmux.page.console.message import ConsoleMessage, place_of, reason_of, text_of
from tabmux.page.frame_tree import FrameTree
from tabmux.page.workers import Workers
from tabmux.page_text import address

KEPT = 1000
ISSUES_KEPT = 100
# How many messages of a flood are read before others have their turn.
PIECE = 50
# What a message that was read already is taken to weigh while it waits.
READ_WEIGHT = 1000
BLANK = "about:blank"
_TYPES: dict[str, str] = {"warning": "warn"}


class ConsoleLog:
    """Collects what is logged, uncaught errors, the browser's own remarks, and issues.

    Args:
        frames: The page's frames.
        workers: Its workers.
        flooded: Told of every message of a frame's process that comes too fast to be read.
    """

    def __init__(
        self,
        frames: FrameTree,
        workers: Workers,
        flooded: Callable[[Channel], None] = lambda _: None,
    ) -> None:
        self.records: BoundedLog[ConsoleMessage] = BoundedLog(KEPT)
        self._workers, self._tell_flood = workers, flooded
        self._backlog = MessageBacklog(KEPT, BUDGET)
        self._flooded = False
        self._loop = asyncio.get_running_loop()
        self._issues: dict[str, ConsoleMessage] = {}
        frames.on_channel(self._listen)
        frames.on_channel(self._listen_for_issues)
        workers.on_channel(self._listen)

    async def catch_up(self) -> None:
        """Read what came too fast to be read at once, and let others have their turn meanwhile."""
        left = len(self._backlog)
        while left > 0:
            self._read_some(PIECE)
            left -= PIECE
            await asyncio.sleep(0)

    def begin_document(self, is_part: Callable[[str], bool]) -> None:
        """Begin a new document; issues with requests that are part of it come along."""
        self._read_some(len(self._backlog))
        self._issues = {
            kind: message
            for kind, message in self._issues.items()
            if message.issue and any(map(is_part, message.issue.requests))
        }
        self.records.begin_document(list(self._issues.values()))

    def find(self, ident: int) -> ConsoleMessage | None:
        """Return a message by id."""
        return next((m for m in self.records.items(preserved=True) if m.id == ident), None)

    def _listen(self, channel: Channel) -> None:
        worker = self._workers.of(channel)
        name = worker.label if worker else ""
        self._on_event(
            channel, "Runtime.consoleAPICalled", lambda p: self._called(p, channel, name)
        )
        self._on_event(channel, "Runtime.exceptionThrown", lambda p: self._thrown(p, channel, name))
        self._on_event(channel, "Log.entryAdded", lambda p: self._entry(p["entry"], channel, name))
        channel.on_flood(lambda raw: self._postpone(raw, channel, name))
        channel.send("Log.enable")

    def _listen_for_issues(self, channel: Channel) -> None:
        self._on_event(channel, "Audits.issueAdded", lambda p: self._issue(p["issue"], channel))
        channel.send("Audits.enable")

    def _on_event(self, channel: Channel, event: str, note: Callable[[Params], None]) -> None:
        channel.on(event, lambda params: self._run_in_order(partial(note, params)))

    def _postpone(self, raw: bytes, channel: Channel, worker: str) -> None:
        self._flooded = True
        if not worker:
            self._tell_flood(channel)
        self._backlog.add(lambda: self._called(channel.read(raw), channel, worker), len(raw))

    def _run_in_order(self, step: Step) -> None:
        """Note something now, or after what is left unread and came before it."""
        if not self._backlog:
            step()
            return
        self._backlog.add(step, READ_WEIGHT)
        if self._flooded:
            self._flooded = False
            self._loop.call_soon(self._read_in_pieces)

    def _read_in_pieces(self) -> None:
        """Read piece by piece, unless there is another flood."""
        if not self._flooded:
            self._read_some(PIECE)
            if self._backlog:
                self._loop.call_soon(self._read_in_pieces)

    def _read_some(self, count: int) -> None:
        lost, self._backlog.lost = self._backlog.lost, 0
        if lost:
            self.records.skip(lost)
        self._backlog.run(count)

    def _called(self, params: Params, channel: Channel, worker: str) -> None:
        arguments, trace = params["args"], params.get("stackTrace")
        text = text_of(arguments)
        self._add(_type_of(params["type"]), text, channel, worker, arguments, trace)

    def _thrown(self, params: Params, channel: Channel, worker: str) -> None:
        details = params["exceptionDetails"]
        arguments = [details["exception"]] if "exception" in details else []
        trace = details.get("stackTrace") or _trace_of(details)
        self._add("error", reason_of(details), channel, worker, arguments, trace)

    def _entry(self, entry: Params, channel: Channel, worker: str) -> None:
        if "workerId" in entry:
            return  # the worker itself tells it too, and better
        url, text = entry.get("url", ""), entry["text"]
        if url and url not in text:
            text = f"{text} ({address(url)})"
        self._add(_type_of(entry["level"]), text, channel, worker, [], entry.get("stackTrace"))

    def _add(
        self,
        kind: str,
        text: str,
        channel: Channel,
        worker: str,
        arguments: Sequence[Params],
        trace: Params | None,
    ) -> None:
        place, last = place_of(trace), self.records.last()
        if last is not None and (last.type, last.text, last.source) == (kind, text, place):
            last.count += 1
            return
        message = ConsoleMessage(self.records.next_id(), kind, text, place, channel, worker=worker)
        message.keep(arguments, trace)
        self.records.add(message)

    def _issue(self, raw: Params, channel: Channel) -> None:
        issue = Issue.of(raw)
        if issue.kind.endswith("EntryMarkedSkippable") and issue.resources[0].url == BLANK:
            return  # the blank page with which an extension opens a tab
        known = self._issues.get(issue.kind)
        if known is not None and known.issue is not None:
            grown = known.issue.merge(issue)
            known.count += bool(grown)
            self.records.grow(known, grown)
        elif len(self._issues) < ISSUES_KEPT:
            message = ConsoleMessage(self.records.next_id(), "issue", issue.title, "", channel)
            message.issue = issue
            message.weight += issue.weight
            self._issues[issue.kind] = message
            self.records.add(message)


def _type_of(name: str) -> str:
    return _TYPES.get(name, name)


def _trace_of(details: Params) -> Params | None:
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
