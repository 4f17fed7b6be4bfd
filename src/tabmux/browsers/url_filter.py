"""URL filter: holds the pages of a browser to the policy, below every tool."""

from __future__ import annotations

import asyncio
import logging

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


class UrlFilter:
    """Watches tabs that tabmux has taken hold of, what they open, and the workers beside them.

    Chrome holds every new tab, frame and worker until the filter has seen it, so that not even
    a first request gets away. It has channels of its own: nothing that is emulated or
    intercepted for an agent can loosen it. Tabs that are the user's own are left alone.

    Args:
        channel: The browser's.
        urls: What may be asked for.
        every_tab: Whether every tab is held to it, because the browser is tabmux's own.
    """

    def __init__(self, channel: Channel, urls: UrlPolicy, *, every_tab: bool = False) -> None:
        self._channel, self._urls, self._every_tab = channel, urls, every_tab
        self._channels: dict[str, Channel] = {}
        self._watched: set[str] = set()
        self._attachments = Signal()

    async def start(self) -> None:
        """Have Chrome show what is open, and hold what comes."""
        self._channel.on("Target.attachedToTarget", self._attached)
        try:
            await self._channel.call("Target.setAutoAttach", _auto_attach("page", *_SITE_WORKERS))
        except ProtocolFault as error:
            raise BrowserTrouble(
                f"This browser cannot be held to --allow-url and --deny-url: {error.message}"
            ) from error

    async def watch(self, target: str) -> None:
        """Hold a tab to the policy from now on; fails when that cannot be done."""
        if not await self._attachments.until(lambda: target in self._channels, ATTACH_SECONDS):
            raise BrowserTrouble("The tab cannot be held to --allow-url and --deny-url.")
        if target not in self._watched:
            self._watched.add(target)
            await asyncio.gather(*self._restrict(self._channels[target], "page"))

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
        channel.on_close(lambda _: self._forget(target))
        if self._is_restricted(info):
            self._watched.add(target)
            self._restrict(channel, info["type"])
        channel.send("Runtime.runIfWaitingForDebugger")
        self._attachments.notify()

    def _is_restricted(self, info: Params) -> bool:
        if self._every_tab:
            return True
        if info["type"] in _SITE_WORKERS:
            return self._urls.may_host(info["url"])
        return info.get("openerId") in self._watched or info.get("subtype") == "prerender"

    def _forget(self, target: str) -> None:
        self._channels.pop(target, None)
        self._watched.discard(target)

    def _restrict(self, channel: Channel, kind: str) -> list[asyncio.Future[Params]]:
        """Send all that holds a target; returns what must succeed for a tab to be safe."""
        sent = [PausedRequests(channel, self._decide).start()]
        # Sockets and peer connections are not requests to hold, but the network service knows them.
        sent.append(channel.call("Network.enable", {"maxTotalBufferSize": 0}))
        rules = {"matchedNetworkConditions": self._urls.conditions()}
        sent.append(channel.call("Network.emulateNetworkConditionsByRule", rules))
        if kind == "shared_worker":
            # The network service does not know the sockets of these.
            sent.append(channel.call("Runtime.evaluate", {"expression": source("remove_sockets")}))
        channel.on("Target.attachedToTarget", lambda params: self._child_attached(params, channel))
        sent.append(channel.call("Target.setAutoAttach", _auto_attach("iframe", "worker")))
        return sent

    def _child_attached(self, params: Params, parent: Channel) -> None:
        channel, target = parent.child(params["sessionId"]), params["targetInfo"]["targetId"]
        if channel is not None:
            # What a frame opens is known by the frame, where that has a process of its own.
            self._watched.add(target)
            channel.on_close(lambda _: self._watched.discard(target))
            self._restrict(channel, params["targetInfo"]["type"])
            channel.send("Runtime.runIfWaitingForDebugger")

    def _decide(self, paused: PausedRequest) -> RequestDecision:
        if self._urls.permits(paused.url):
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
