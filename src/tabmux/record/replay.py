"""Replay: does the actions of a run again, without a model, up to the first that ends otherwise."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from tabmux.record.replay_plan import ReplayPlan, ReplayStep
from tabmux.record.strict_locators import plain_locator

# A model takes seconds between two calls, in which pages go on; a replay does not.
PATIENCE_SECONDS = 5.0
PAUSE_SECONDS = 0.2
_NOT_YET = frozenset(
    {
        "not_found", "stale_uid", "element_hidden", "element_disabled", "no_dialog",
        "unknown_tool", "page_changed",
    }
)  # fmt: skip
# An address has no blanks in it, whatever the title before it says.
_PAGE = re.compile(
    r"^(\d+): (?:.* \()?(\S+?)\)?(?: \[selected\])?(?: isolatedContext=.*)?$", re.MULTILINE
)
_ALERT = re.compile(r"^\s*[+~] (?:uid=\S+ )?alert\b.*$", re.MULTILINE)
NOTHING = "Nothing visible changed."
_FENCES = re.compile(r"</?page \w+>\n?")


class ToolCaller(Protocol):
    """Calls tools in a new session."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result, as MCP has it."""


@dataclass(frozen=True)
class ReplayReply:
    """What a call answered."""

    text: str
    code: str | None

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> ReplayReply:
        """Read a result of MCP's."""
        texts = [each["text"] for each in result.get("content", ()) if each.get("type") == "text"]
        meta = result.get("_meta") or {}
        code = str(meta.get("code", "failed")) if result.get("isError") else None
        return cls(_FENCES.sub("", "\n".join(texts)), code)


@dataclass(frozen=True)
class Divergence:
    """Where a replay stopped: what was expected, and what is there."""

    step: ReplayStep
    expected: str
    found: str

    def __str__(self) -> str:
        return (
            f"Call {self.step.number} ({self.step.tool}) ended otherwise than it was recorded.\n"
            f"Expected: {self.expected}\nThere is: {self.found}"
        )


@dataclass
class Replay:
    """One replay of a plan in a new session.

    Args:
        plan: What to do.
        caller: Calls tools in the session.
        values: The values of the parameters.
        replaced: Texts that stand for others in addresses, values and names.
        patience: How long an element may take to appear.
    """

    plan: ReplayPlan
    caller: ToolCaller
    values: Mapping[str, str]
    replaced: Mapping[str, str] = field(default_factory=dict)
    patience: float = PATIENCE_SECONDS
    pause: Callable[[float], None] = time.sleep
    # The pages of the run and those that stand for them.
    _pages: dict[int, int] = field(default_factory=dict)

    def run(self) -> Iterator[tuple[ReplayStep, Divergence | None]]:
        """Do step by step; the last one told is the one that diverged, if any did."""
        for number, step in enumerate(self.plan.steps):
            later = self.plan.steps[number + 1 :]
            divergence = self._take(step, later)
            yield step, divergence
            if divergence is not None:
                return

    def _take(self, step: ReplayStep, later: list[ReplayStep]) -> Divergence | None:
        reply = self._called(step)
        if reply.code is not None:
            return Divergence(step, _success(step), f"{reply.text} [{reply.code}]")
        if (alert := _ALERT.search(reply.text)) and not _ALERT.search(step.entry.diff):
            return Divergence(step, _success(step), f"the page says {alert[0].strip()}")
        if step.entry.diff and step.entry.diff != NOTHING and NOTHING in reply.text:
            return Divergence(step, f"a change: {_first_line(step.entry.diff)}", NOTHING)
        return self._compared_address(step, later)

    def _called(self, step: ReplayStep) -> ReplayReply:
        """Call the tool; what is not there yet is waited for a while."""
        arguments = self._replaced(step.given(self.values))
        self._wait_for_page(step)
        if isinstance(named := arguments.get("pageId"), int):
            arguments["pageId"] = self._pages.get(named, named)
        elif step.page in self._pages and step.tool != "new_page":
            arguments["pageId"] = self._pages[step.page]
        end = time.monotonic() + self.patience
        while True:
            reply = ReplayReply.of(self.caller.call(step.tool, arguments))
            if reply.code not in _NOT_YET or time.monotonic() > end:
                return reply
            self.pause(PAUSE_SECONDS)

    def _wait_for_page(self, step: ReplayStep) -> None:
        """Wait for the page of a step that the steps before have opened."""
        if step.page is None or not self._pages or step.tool == "new_page":
            return
        end = time.monotonic() + self.patience
        while step.page not in self._pages and time.monotonic() < end:
            self._match(step, [], self._open_pages())
            if step.page not in self._pages:
                self.pause(PAUSE_SECONDS)

    def _compared_address(self, step: ReplayStep, later: list[ReplayStep]) -> Divergence | None:
        """Look where the pages are now, and which of them stands for which of the run."""
        if step.page is None or not step.entry.url or step.tool == "close_page":
            return None
        end = time.monotonic() + self.patience
        wanted = _place(self._replaced(step.entry.url))
        while True:
            open_pages = self._open_pages()
            self._match(step, later, open_pages)
            there = open_pages.get(self._pages.get(step.page, 0), "")
            if not there or _is_at(there, wanted):
                return None
            if time.monotonic() > end:
                return Divergence(step, f"the page at {wanted}", f"it is at {_place(there)}")
            self.pause(PAUSE_SECONDS)

    def _match(
        self, step: ReplayStep, later: list[ReplayStep], open_pages: Mapping[int, str]
    ) -> None:
        """Give every page of the run that is known by now the newest page that has none."""
        free = [ident for ident in open_pages if ident not in self._pages.values()]
        for page in dict.fromkeys(each.page for each in (step, *later[:1])):
            if page is not None and page not in self._pages and free:
                self._pages[page] = free.pop()

    def _open_pages(self) -> dict[int, str]:
        """Return the addresses of the session's pages."""
        reply = ReplayReply.of(self.caller.call("list_pages", {}))
        return {int(found[1]): found[2] for found in _PAGE.finditer(reply.text)}

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, str):
            for old, new in self.replaced.items():
                value = value.replace(old, new)
            return value
        if isinstance(value, dict):
            return {key: self._replaced(each) for key, each in value.items()}
        return [self._replaced(each) for each in value] if isinstance(value, list) else value


def _success(step: ReplayStep) -> str:
    named = ", ".join(plain_locator(each.locator) for each in step.entry.elements)
    return f"{step.tool} on {named}" if named else f"{step.tool} to succeed"


def _place(url: str) -> str:
    """Return what of an address a replay must meet: parameters may change its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.scheme in ("data", "blob", "about"):
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _is_at(there: str, wanted: str) -> bool:
    """Whether a page is where it should be; long addresses are shown cut."""
    if there.endswith("…"):
        return wanted.startswith(_place(there[:-1])) or _place(there[:-1]).startswith(wanted)
    return _place(there) == wanted


def _first_line(text: str) -> str:
    return text.strip().split("\n")[0][:200]
