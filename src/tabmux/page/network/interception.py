"""Interception: pauses requests; rules block, answer, change or delay those of a page."""

from __future__ import annotations

import asyncio
import base64
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import BadArguments
from tabmux.page.frame_tree import FrameTree
from tabmux.page.workers import Workers
from tabmux.page_text import address
from tabmux.patterns import TextPattern
from tabmux.policy.url_patterns import glob_matches
from tabmux.policy.url_policy import UrlPolicy

MOST_RULES = 50
_SHOWN = 5
EVERYTHING: Sequence[Params] = ({"urlPattern": "*"},)


@dataclass
class InterceptionRule:
    """Which requests are meant, and what happens to them.

    Args:
        url: A pattern in which a star stands for anything, or a /regular expression/.
        action: What happens, in a word.
        decision: The same as Chrome is told it.
        types: Only requests of these types, in lower case; any when empty.
        headers: Headers to set on requests that go on; an empty value removes one.
        times: How often it applies; 0 for always.
    """

    url: str
    action: str
    decision: RequestDecision
    types: frozenset[str] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 0
    id: int = 0
    used: int = 0

    def __post_init__(self) -> None:
        self._pattern = _pattern(self.url)

    @property
    def line(self) -> str:
        """Return the rule as a list shows it."""
        kinds = f" ({', '.join(sorted(self.types))})" if self.types else ""
        left = f" of {self.times}" if self.times else ""
        return f"{self.id}: {self.action} {address(self.url)}{kinds}, used {self.used}{left} times"

    @property
    def is_spent(self) -> bool:
        """Whether it has been used as often as it may."""
        return bool(self.times) and self.used >= self.times

    def matches(self, paused: PausedRequest) -> bool:
        """Whether a request is meant."""
        if self.types and not _kinds(paused.type) & self.types:
            return False
        if self._pattern is not None:
            return self._pattern.is_in(paused.url)
        return glob_matches(self.url, paused.url)

    def apply(self, paused: PausedRequest) -> RequestDecision:
        """Return what becomes of a request."""
        self.used += 1
        if not self.headers:
            return self.decision
        kept = {name.lower(): (name, value) for name, value in paused.headers.items()}
        kept |= {name.lower(): (name, value) for name, value in self.headers.items()}
        headers = {name: value for name, value in kept.values() if value}
        changes = {**self.decision.changes, "headers": pairs(headers)}
        return RequestDecision(changes=changes, delay=self.decision.delay)

    @property
    def chrome(self) -> Params:
        """Return the pattern by which Chrome knows which requests to hold."""
        if self._pattern is not None:
            return {"urlPattern": "*"}
        return {"urlPattern": re.sub(r"([?\\])", r"\\\1", self.url)}


class Interception:
    """The rules of one page; they hold in all its frames and workers, and over navigations."""

    def __init__(self, frames: FrameTree, workers: Workers, urls: Callable[[], UrlPolicy]) -> None:
        self._urls = urls
        # How many requests were altered so far.
        self.altered = 0
        self._rules: list[InterceptionRule] = []
        self._ids = itertools.count(1)
        self._channels: dict[str, Channel] = {}
        self._fetching: dict[str, PausedRequests] = {}
        frames.on_channel(self._add_channel)
        workers.on_channel(self._add_channel)

    @property
    def rules(self) -> Sequence[InterceptionRule]:
        """The rules that still apply, newest first."""
        return [rule for rule in reversed(self._rules) if not rule.is_spent]

    @property
    def lines(self) -> list[str]:
        """Say which rules are in force, for every reply while they are."""
        lines = [f"Routing requests by rule {rule.line}" for rule in self.rules[:_SHOWN]]
        more = len(self.rules) - _SHOWN
        return [*lines, f"… and {more} more rules"] if more > 0 else lines

    async def add(self, rule: InterceptionRule) -> InterceptionRule:
        """Put a rule into force, before all older ones."""
        if len(self.rules) >= MOST_RULES:
            raise BadArguments("There are too many rules.", hint="Remove some first.")
        if url := rule.decision.changes.get("url"):
            self._urls().check(url)
        rule.id = next(self._ids)
        self._rules = [each for each in self._rules if not each.is_spent] + [rule]
        await self._apply()
        return rule

    async def resume(self, rules: Sequence[InterceptionRule]) -> None:
        """Put rules into force that were so before the tab was attached anew, oldest first."""
        self._rules = list(rules)
        self._ids = itertools.count(max(rule.id for rule in rules) + 1)
        await self._apply()

    async def remove(self, idents: Sequence[int]) -> int:
        """Take rules out of force, all of them when none is named; returns how many."""
        before = len(self.rules)
        self._rules = [rule for rule in self._rules if idents and rule.id not in idents]
        await self._apply()
        return before - len(self.rules)

    async def _apply(self) -> None:
        changes = [self._update(channel) for channel in self._channels.values()]
        # A worker may not know of requests, or be gone by now.
        await asyncio.gather(*changes, return_exceptions=True)

    def _add_channel(self, channel: Channel) -> None:
        self._channels[channel.id] = channel
        channel.on_close(lambda _: self._remove_channel(channel))
        if self._rules:
            self._update(channel)

    def _update(self, channel: Channel) -> asyncio.Future[Params]:
        fetching = self._fetching.get(channel.id)
        if fetching is None:
            fetching = self._fetching[channel.id] = PausedRequests(channel, self._decide)
        if not self._rules:
            return fetching.stop()
        return fetching.start([rule.chrome for rule in self._rules])

    def _remove_channel(self, channel: Channel) -> None:
        self._channels.pop(channel.id, None)
        self._fetching.pop(channel.id, None)

    def _decide(self, paused: PausedRequest) -> RequestDecision:
        rule = next((rule for rule in self.rules if rule.matches(paused)), None)
        if rule is None:
            return RequestDecision()
        self.altered += 1
        return rule.apply(paused)


def answering(status: int, headers: Mapping[str, str], body: bytes, kind: str) -> RequestDecision:
    """Return the decision that answers in the server's place."""
    named = {name.lower() for name in headers}
    own = {} if "content-type" in named else {"Content-Type": kind}
    return RequestDecision(answer=MockResponse(status, {**own, **headers}, body))


def _kinds(kind: str) -> frozenset[str]:
    """Return the names of a type; Chrome tells fetch and XMLHttpRequest apart only later."""
    name = kind.lower()
    return frozenset({"xhr", "fetch"}) if name in ("xhr", "fetch") else frozenset({name})


def _pattern(url: str) -> TextPattern | None:
    is_expression = len(url) > 2 and url.startswith("/") and url.endswith("/")
    return TextPattern(url[1:-1]) if is_expression else None


@dataclass(frozen=True)
class PausedRequest:
    """A request that waits for a decision."""

    id: str
    url: str
    method: str
    type: str
    headers: Mapping[str, str]


@dataclass(frozen=True)
class RequestDecision:
    """What becomes of a request; without any more said, it goes on as it is.

    Args:
        error: Fail with this reason of Chrome's.
        answer: Answer in the server's place.
        changes: What is different when it goes on, as Chrome takes it.
        delay: Seconds to hold it before.
    """

    error: str = ""
    answer: MockResponse | None = None
    changes: Params = field(default_factory=dict)
    delay: float = 0.0


@dataclass(frozen=True)
class MockResponse:
    """A response that no server gave."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class PausedRequests:
    """Holds the requests of one channel until `decide` has said what becomes of each."""

    def __init__(
        self, channel: Channel, decide: Callable[[PausedRequest], RequestDecision]
    ) -> None:
        self._channel, self._decide = channel, decide
        channel.on("Fetch.requestPaused", self._paused)

    def start(self, patterns: Sequence[Params] = EVERYTHING) -> asyncio.Future[Params]:
        """Hold the requests that match one of Chrome's patterns."""
        return self._channel.call("Fetch.enable", {"patterns": list(patterns)})

    def stop(self) -> asyncio.Future[Params]:
        """Let every request pass."""
        return self._channel.call("Fetch.disable")

    def _paused(self, params: Params) -> None:
        request = params["request"]
        paused = PausedRequest(
            params["requestId"],
            request["url"] + request.get("urlFragment", ""),
            request["method"],
            params["resourceType"],
            request["headers"],
        )
        decision = self._decide(paused)
        method, command = _command(paused, decision)
        if decision.delay:
            asyncio.get_running_loop().call_later(
                decision.delay, self._channel.send, method, command
            )
        else:
            self._channel.send(method, command)


def _command(paused: PausedRequest, decision: RequestDecision) -> tuple[str, Params]:
    which: Params = {"requestId": paused.id}
    if decision.error:
        return "Fetch.failRequest", {**which, "errorReason": decision.error}
    if decision.answer is None:
        return "Fetch.continueRequest", {**which, **decision.changes}
    answer = decision.answer
    return "Fetch.fulfillRequest", {
        **which,
        "responseCode": answer.status,
        "responseHeaders": pairs(answer.headers),
        "body": base64.b64encode(answer.body).decode(),
    }


def pairs(headers: Mapping[str, str]) -> list[Params]:
    """Return headers as Chrome takes them."""
    return [{"name": name, "value": value} for name, value in headers.items()]
