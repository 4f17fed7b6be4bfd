"""Workers: the web workers of a tab, which log and request as the page does."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Listeners
from tabmux.page.frame_tree import AUTO_ATTACH, STACK, FrameTree

KINDS = {"worker": "worker", "shared_worker": "shared worker", "service_worker": "service worker"}
DEDICATED, SERVICE = "worker", "service worker"
NAME = re.compile(r"sw-\d+")
NAMES_KEPT = 1000


@dataclass
class Worker:
    """A script that runs beside the page.

    Attributes:
        id: What agents call it; only service workers have one.
        page_world: Chrome's id of the only script world that it has.
    """

    id: str
    kind: str
    url: str
    channel: Channel
    page_world: int | None = None

    @property
    def label(self) -> str:
        """Say which one it is."""
        return f"{self.kind} {self.url}" + (f" ({self.id})" if self.id else "")

    def set_world(self, created: Params) -> None:
        """Learn of its world."""
        self.page_world = created["context"]["id"]


class WorkerNames:
    """Short names of service workers: the same one has the same name in every tab."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def of(self, target: str) -> str:
        """Return the name of a worker by Chrome's id; no name is given twice."""
        if target not in self._names:
            while len(self._names) >= NAMES_KEPT:
                del self._names[next(iter(self._names))]
            self._names[target] = f"sw-{next(self._numbers)}"
        return self._names[target]


class Workers:
    """Follows workers as they come and go; a page without any costs nothing."""

    def __init__(self, frames: FrameTree, names: WorkerNames | None = None) -> None:
        self._names = names or WorkerNames()
        self._workers: dict[str, Worker] = {}
        self._channel_listeners = Listeners[[Channel]]()
        frames.on_channel(self._listen)
        frames.on_channel(self._listen_for_shared)

    def on_channel(self, prepare: Callable[[Channel], None]) -> None:
        """Let another part of the page listen to every worker, before its script runs."""
        self._channel_listeners.add(prepare)

    def of(self, channel: Channel) -> Worker | None:
        """Return the worker that a channel leads to."""
        return self._workers.get(channel.id)

    @property
    def running(self) -> Sequence[Worker]:
        """All that run now; a service worker of several frames is there several times."""
        return list(self._workers.values())

    def named(self, name: str) -> Worker | None:
        """Return a service worker by its name."""
        return next((each for each in self.running if each.id and each.id == name), None)

    def _listen(self, channel: Channel) -> None:
        channel.on("Target.attachedToTarget", lambda p: self._attached(p, channel))

    def _attached(self, params: Params, parent: Channel) -> None:
        child, info = parent.child(params["sessionId"]), params["targetInfo"]
        if child is not None and info["type"] in KINDS:
            self._prepare(child, info)

    def _prepare(self, channel: Channel, info: Params) -> None:
        """Set a worker up; Chrome holds a new one until it is let go."""
        kind = KINDS[info["type"]]
        name = self._names.of(info["targetId"]) if kind == SERVICE else ""
        worker = self._workers[channel.id] = Worker(name, kind, info["url"], channel)
        channel.on("Runtime.executionContextCreated", worker.set_world)
        channel.on_close(lambda _: self._closed(channel))
        self._listen(channel)
        self._channel_listeners(channel)
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
        asking.add_done_callback(lambda done: self._found_shared(done, parent))

    def _found_shared(self, asking: asyncio.Future[Params], parent: Channel) -> None:
        if asking.cancelled() or asking.exception() is not None:
            return
        info = asking.result()["targetInfo"]
        if info["type"] == "shared_worker" and parent.is_open:
            command = {"targetId": info["targetId"], "flatten": True}
            attaching = parent.browser.call("Target.attachToTarget", command)
            attaching.add_done_callback(lambda done: self._attached_to_shared(done, info, parent))

    def _attached_to_shared(
        self, attaching: asyncio.Future[Params], info: Params, parent: Channel
    ) -> None:
        if attaching.cancelled() or attaching.exception() is not None:
            return
        session = attaching.result()
        child = parent.child(session["sessionId"])
        if child is not None:
            self._prepare(child, info)
            # It may outlive the page, with others.
            parent.on_close(lambda _: parent.browser.send("Target.detachFromTarget", session))
