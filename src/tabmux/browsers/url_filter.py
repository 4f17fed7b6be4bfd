"""URL filter: holds the pages of a browser to the policy, below every tool."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import partial, reduce
from typing import Protocol

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Signal
from tabmux.errors import BrowserTrouble, ProtocolFault
from tabmux.page.library import source
from tabmux.page.network.interception import PausedRequest, PausedRequests, RequestDecision
from tabmux.policy.url_policy import UrlPolicy

logger = logging.getLogger(__name__)

ATTACH_SECONDS = 5.0
_BLOCKED = RequestDecision(error="BlockedByClient")
_ALLOWED = RequestDecision()
# Workers that belong to a site rather than to a tab.
_SITE_WORKERS = ("shared_worker", "service_worker")


class SessionUrls(Protocol):
    """What is known of the rules of sessions; tabs are named by Chrome's ids."""

    def urls_of(self, target: str) -> UrlPolicy | None:
        """Return where a tab may go; None for one that belongs to nobody, or is not known yet."""

    def session_urls(self) -> Iterable[UrlPolicy]:
        """Return where the tabs of sessions may go."""


class UrlFilter:
    """Watches tabs that tabmux has taken hold of, what they open, and the workers beside them.

    Chrome holds every new tab, frame and worker until the filter has seen it, so that not even
    a first request gets away. It has channels of its own: nothing that is emulated or
    intercepted for an agent can loosen it. Tabs that are the user's own are left alone.

    A tab, its frames and its own workers are held to the rules of the session that the tab
    belongs to. A worker that belongs to a site may be the doing of any session that can be on that
    site, and is held to the rules of them all.

    Args:
        channel: The browser's.
        urls: What may be asked for in the whole browser.
        sessions: Knows the rules of sessions.
        every_tab: Whether every tab is held to `urls`, because the browser is tabmux's own.
    """

    def __init__(
        self,
        channel: Channel,
        urls: UrlPolicy,
        sessions: SessionUrls,
        *,
        every_tab: bool = False,
    ) -> None:
        self._channel, self._urls, self._sessions = channel, urls, sessions
        self._every_tab = every_tab
        # The addresses of workers that belong to a site.
        self._site_workers: dict[str, str] = {}
        self._channels: dict[str, Channel] = {}
        self._watched: set[str] = set()
        # The tab that a frame or worker is in, and the one that opened a tab.
        self._parents: dict[str, str] = {}
        # What Chrome was told about sockets, for each channel of a tab.
        self._told: dict[str, dict[Channel, UrlPolicy]] = {}
        self._attachments = Signal()
        self._unable = ""

    async def start(self) -> None:
        """Have Chrome show what is open, and hold what comes."""
        self._channel.on("Target.attachedToTarget", self._attached)
        try:
            await self._channel.call("Target.setAutoAttach", _auto_attach("page", *_SITE_WORKERS))
        except ProtocolFault as error:
            self._unable = f"This browser cannot be held to patterns of addresses: {error.message}"
            if self._urls.is_restricted:
                raise BrowserTrouble(self._unable) from error

    async def watch(self, target: str) -> None:
        """Hold a tab to the policy from now on; fails when that cannot be done."""
        if target not in self._watched and not self._urls_for(target).is_restricted:
            return
        if self._unable:
            raise BrowserTrouble(self._unable)
        if not await self._attachments.until(lambda: target in self._channels, ATTACH_SECONDS):
            raise BrowserTrouble("The tab cannot be held to patterns of addresses.")
        if target not in self._watched:
            self._watched.add(target)
            await asyncio.gather(*self._restrict(self._channels[target], "page", target))
        self.update(target)

    def update(self, target: str) -> None:
        """Hold a tab that is watched, and workers beside it, to the policy that it has now."""
        for each in (target, *self._site_workers):
            urls, told = self._urls_for(each), self._told.get(each, {})
            for channel in [channel for channel, known in told.items() if known != urls]:
                self._tell(channel, each)

    def renew(self, target: str) -> None:
        """Tell Chrome once more: it forgets rules when another client lets go of the tab."""
        for channel in list(self._told.get(target, ())):
            self._tell(channel, target)

    def _attached(self, params: Params) -> None:
        info, target = params["targetInfo"], params["targetInfo"]["targetId"]
        channel = self._channel.child(params["sessionId"])
        # Further channels to the same target are somebody else's.
        if (
            channel is None
            or target in self._channels
            or info["type"] not in ("page", *_SITE_WORKERS)
        ):
            return
        self._channels[target] = channel
        if opener := info.get("openerId"):
            self._parents[target] = opener
        if info["type"] in _SITE_WORKERS:
            self._site_workers[target] = info["url"]
        channel.on_close(lambda _: self._forget(target))
        if self._is_restricted(info):
            self._watched.add(target)
            self._restrict(channel, info["type"], target)
        channel.send("Runtime.runIfWaitingForDebugger")
        self._attachments.notify()

    def _is_restricted(self, info: Params) -> bool:
        if self._every_tab and self._urls.is_restricted:
            return True
        if info["type"] in _SITE_WORKERS:
            # Where the browser has no rules, sessions have: one may come to the worker's site yet.
            return self._urls.may_host(info["url"])
        return info.get("openerId") in self._watched or info.get("subtype") == "prerender"

    def _forget(self, target: str) -> None:
        self._channels.pop(target, None)
        self._watched.discard(target)
        self._parents.pop(target, None)
        self._told.pop(target, None)
        self._site_workers.pop(target, None)

    def _forget_told(self, channel: Channel, tab: str) -> None:
        self._told.get(tab, {}).pop(channel, None)

    def _urls_for(self, target: str) -> UrlPolicy:
        """Return what holds for a target; a tab that is not a session's yet is like its opener."""
        if (worker := self._site_workers.get(target)) is not None:
            sharing = (urls for urls in self._sessions.session_urls() if urls.may_host(worker))
            return reduce(UrlPolicy.narrowed, sharing, self._urls)
        if (urls := self._sessions.urls_of(target)) is not None:
            # What it is of its own it stays, also when the session lets go of it.
            self._parents.pop(target, None)
            return urls
        seen = set[str]()
        while target not in seen:
            if (urls := self._sessions.urls_of(target)) is not None:
                return urls
            seen.add(target)
            target = self._parents.get(target, target)
        return self._urls

    def _restrict(self, channel: Channel, kind: str, tab: str) -> list[asyncio.Future[Params]]:
        """Send all that holds a target; returns what must succeed for a tab to be safe."""
        sent = [PausedRequests(channel, partial(self._decide, tab)).start()]
        # Sockets and peer connections are not requests to hold, but the network service knows them.
        sent.append(channel.call("Network.enable", {"maxTotalBufferSize": 0}))
        sent += self._tell(channel, tab)
        channel.on_close(lambda _: self._forget_told(channel, tab))
        if kind == "page" and self._urls_for(tab) is not self._urls:
            # A page that is rendered ahead is a target of its own, of which no session is known.
            channel.send("Page.setPrerenderingAllowed", {"isAllowed": False})
        if kind == "shared_worker" and self._urls_for(tab).is_restricted:
            # The network service does not know the sockets of these.
            sent.append(channel.call("Runtime.evaluate", {"expression": source("remove_sockets")}))
        channel.on(
            "Target.attachedToTarget", lambda params: self._child_attached(params, channel, tab)
        )
        sent.append(channel.call("Target.setAutoAttach", _auto_attach("iframe", "worker")))
        return sent

    def _tell(self, channel: Channel, target: str) -> list[asyncio.Future[Params]]:
        """Tell Chrome's network service what a channel of a target may reach."""
        urls = self._urls_for(target)
        self._told.setdefault(target, {})[channel] = urls
        conditions = {"matchedNetworkConditions": urls.conditions()}
        sent = [channel.call("Network.emulateNetworkConditionsByRule", conditions)]
        if target in self._site_workers:
            # Seen in Chromium 156 on a busy machine: requests of a shared worker that was about to
            # start when it was asked to show them are not shown. The worker itself can refuse them.
            patterns = {"urlPatterns": urls.blocked_patterns()}
            sent.append(channel.call("Network.setBlockedURLs", patterns))
        return sent

    def _child_attached(self, params: Params, parent: Channel, tab: str) -> None:
        channel, target = parent.child(params["sessionId"]), params["targetInfo"]["targetId"]
        if channel is not None:
            # What a frame opens is known by the frame, where that has a process of its own.
            self._watched.add(target)
            self._parents[target] = tab
            channel.on_close(lambda _: self._forget_child(target))
            self._restrict(channel, params["targetInfo"]["type"], tab)
            channel.send("Runtime.runIfWaitingForDebugger")

    def _forget_child(self, target: str) -> None:
        self._watched.discard(target)
        self._parents.pop(target, None)

    def _decide(self, tab: str, paused: PausedRequest) -> RequestDecision:
        if self._urls_for(tab).permits(paused.url):
            return _ALLOWED
        logger.info("The policy blocked %s %s", paused.method, paused.url)
        return _BLOCKED


def _auto_attach(*kinds: str) -> Params:
    return {
        "autoAttach": True,
        "waitForDebuggerOnStart": True,
        "flatten": True,
        "filter": [{"type": kind} for kind in kinds],
    }
