"""The workers of a tab: what they log and request is part of what the page does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from tabmux.cdp.connection import Channel, Params
from tabmux.page.frames import AUTO_ATTACH, STACK, Frames

KINDS = {"worker": "worker", "shared_worker": "shared worker", "service_worker": "service worker"}


@dataclass(frozen=True)
class Worker:
    """A script that runs beside the page."""

    kind: str
    url: str


class Workers:
    """Follows workers as they come and go; a page without any costs nothing."""

    def __init__(self, frames: Frames) -> None:
        self._workers: dict[str, Worker] = {}
        self._prepared: list[Callable[[Channel], None]] = []
        frames.on_channel(self._listen)
        frames.on_channel(self._listen_for_shared)

    def on_channel(self, prepare: Callable[[Channel], None]) -> None:
        """Let another part of the page listen to every worker, before its script runs."""
        self._prepared.append(prepare)

    def of(self, channel: Channel) -> Worker | None:
        """Return the worker that a channel leads to."""
        return self._workers.get(channel.id)

    def _listen(self, channel: Channel) -> None:
        channel.on("Target.attachedToTarget", lambda p: self._attached(p, channel))

    def _attached(self, params: Params, parent: Channel) -> None:
        child, info = parent.child(params["sessionId"]), params["targetInfo"]
        if child is not None and info["type"] in KINDS:
            self._prepare(child, info)

    def _prepare(self, channel: Channel, info: Params) -> None:
        """Set a worker up; Chrome holds a new one until it is let go."""
        self._workers[channel.id] = Worker(KINDS[info["type"]], info["url"])
        channel.on_close(lambda _: self._closed(channel))
        self._listen(channel)
        for prepare in self._prepared:
            prepare(channel)
        channel.send("Runtime.enable")
        channel.send("Runtime.setMaxCallStackSizeToCapture", STACK)
        channel.send("Target.setAutoAttach", AUTO_ATTACH)
        channel.send("Runtime.runIfWaitingForDebugger")

    def _closed(self, channel: Channel) -> None:
        self._workers.pop(channel.id, None)

    def _listen_for_shared(self, channel: Channel) -> None:
        """Seen in Chromium 156: a tab is not told of its shared workers, but of their requests."""
        channel.on("Network.requestWillBeSent", lambda p: self._requested(p, channel))

    def _requested(self, params: Params, parent: Channel) -> None:
        # The script of a worker is requested under the worker's own id.
        if params.get("loaderId") or params.get("type") != "Script":
            return
        target = {"targetId": params["requestId"]}
        asking = parent.browser.call("Target.getTargetInfo", target)
        asking.add_done_callback(lambda done: self._found(done, parent))

    def _found(self, asking: asyncio.Future[Params], parent: Channel) -> None:
        if asking.cancelled() or asking.exception() is not None:
            return
        info = asking.result()["targetInfo"]
        if info["type"] == "shared_worker" and parent.is_open:
            command = {"targetId": info["targetId"], "flatten": True}
            attaching = parent.browser.call("Target.attachToTarget", command)
            attaching.add_done_callback(lambda done: self._joined(done, info, parent))

    def _joined(self, attaching: asyncio.Future[Params], info: Params, parent: Channel) -> None:
        if attaching.cancelled() or attaching.exception() is not None:
            return
        session = attaching.result()
        child = parent.child(session["sessionId"])
        if child is not None:
            self._prepare(child, info)
            # It may outlive the page, with others.
            parent.on_close(lambda _: parent.browser.send("Target.detachFromTarget", session))
