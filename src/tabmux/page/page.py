"""One tab: its parts, and how tabmux takes hold of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import DeadlineExceeded, PageGone, PageTrouble, TabmuxError
from tabmux.page.act.input_events import Input
from tabmux.page.activity import Activity, DocumentState
from tabmux.page.console.console_log import ConsoleLog
from tabmux.page.console.flood_control import FloodThrottle
from tabmux.page.dialogs import Dialogs
from tabmux.page.environment.emulation import Emulation
from tabmux.page.evaluation import Evaluation
from tabmux.page.frame_tree import Frame, FrameTree
from tabmux.page.library import ARRIVED
from tabmux.page.navigation import Navigation
from tabmux.page.network.interception import Interception
from tabmux.page.network.network_log import NetworkLog
from tabmux.page.profiling.heap_snapshots import HeapSnapshots
from tabmux.page.profiling.tracing import TraceConfig, Tracing
from tabmux.page.rescue import rescue
from tabmux.page.see.screencast import Screencast
from tabmux.page.see.screenshots import Screenshots
from tabmux.page.see.snapshots import Snapshots
from tabmux.page.signal import Signal
from tabmux.page.webmcp import WebMcp
from tabmux.page.workers import WorkerNames, Workers
from tabmux.policy.url_policy import UrlPolicy
from tabmux.timings import Timings


class Page:
    """A tab of a browser. It costs nothing until `attach` is called.

    Args:
        ident: A small number, unique in the process and never used again.
        target: What Chrome says of the tab.
        attacher: Opens a CDP channel to the tab.
        urls: Where the tab may go.
        worker_names: What its service workers are called.
        plans: How pages of the browser have been recorded.
        timings: How long to wait for what.
    """

    def __init__(
        self,
        ident: int,
        target: Params,
        attacher: Callable[[str], Awaitable[Channel]],
        urls: UrlPolicy | None = None,
        worker_names: WorkerNames | None = None,
        plans: set[TraceConfig] | None = None,
        timings: Timings | None = None,
    ) -> None:
        self.id = ident
        self._plans = set() if plans is None else plans
        self._worker_names = worker_names
        self.timings = timings or Timings()
        self.urls = urls or UrlPolicy()
        self.target = target
        # One action at a time on a page, in the order they came; reads do not need it.
        self.lock = asyncio.Lock()
        self.signal = Signal()
        self.gone = False
        self.isolated_context: str | None = None
        self.opener: int | None = None
        self._attacher = attacher
        self._attaching = asyncio.Lock()
        self._channel: Channel | None = None
        self.frames: FrameTree
        self.dialogs: Dialogs
        self.activity: Activity
        self.emulation: Emulation
        self.workers: Workers
        self.brake: FloodThrottle
        self.console: ConsoleLog
        self.network: NetworkLog
        self.input: Input
        self.script: Evaluation
        self.capture: Screenshots
        self.recording: Screencast
        self.snapshots: Snapshots
        self.navigation: Navigation
        self.tracing: Tracing
        self.heap: HeapSnapshots
        self.interception: Interception
        self.webmcp: WebMcp

    @property
    def target_id(self) -> str:
        """Chrome's own id of the tab."""
        return str(self.target["targetId"])

    @property
    def attached(self) -> bool:
        """Whether tabmux holds a channel to the tab."""
        return self._channel is not None

    @property
    def channel(self) -> Channel:
        """The tab's CDP channel."""
        if self._channel is None:
            raise PageTrouble(f"Page {self.id} is not attached.")
        return self._channel

    @property
    def main(self) -> Frame:
        """The main frame."""
        frame = self.frames.main
        if frame is None:
            raise PageGone(f"Page {self.id} has no document.")
        return frame

    @property
    def document(self) -> DocumentState:
        """How far the current document has loaded."""
        return self.activity.document

    @property
    def url(self) -> str:
        """Where the tab is now."""
        if self._channel is not None and self.frames.main is not None:
            return self.frames.main.url
        return str(self.target.get("url", ""))

    @property
    def title(self) -> str:
        """The tab's title, as far as Chrome has told it."""
        title = str(self.target.get("title", ""))
        # Until a document has said its title, Chrome makes one of its address.
        address = self.url.partition("://")[2] or self.url
        return "" if address.startswith(title) else title

    async def attach(self) -> None:
        """Take hold of the tab, once."""
        if self._channel is not None:
            return
        async with self._attaching:
            try:
                async with asyncio.timeout(self.timings.attach):
                    await self._take_hold()
            except TimeoutError as error:
                raise DeadlineExceeded(
                    f"Chrome did not hand over page {self.id} within {self.timings.attach:g} s.",
                    hint="Try again; the machine may be busy.",
                ) from error

    async def _take_hold(self) -> None:
        if self._channel is None:
            channel = await self._attacher(self.target_id)
            self._assemble(channel)
            await self._prepare(channel)
            self._channel, self.gone = channel, False

    async def refresh(self) -> Params:
        """Learn the title anew: Chrome does not tell when it changes."""
        standing: Params = await self.main.call("standing")
        self.target = {**self.target, "title": standing["title"]}
        return standing

    def close(self, error: TabmuxError | None = None) -> None:
        """Note that the tab is gone; everything that waits on it wakes.

        Where tabs outlive their connection, the next call attaches it anew; uids are stale then.
        """
        self.gone = True
        self._channel = None
        for frame in getattr(self, "frames", ()):
            frame.loader = ""
        self.signal.ring()

    def recover(self) -> None:
        """Bring the page back to a usable state after a call was cut short."""
        if self._channel is None or not self._channel.is_open or self._channel.crashed:
            return
        if self.dialogs.current is None:
            for channel in {frame.channel for frame in self.frames}:
                rescue(channel)
        if self.activity.navigating:
            self._channel.send("Page.stopLoading")
        self.input.release()

    def _assemble(self, channel: Channel) -> None:
        self.frames = FrameTree(self.signal, self.timings)
        self.dialogs = Dialogs(channel, self.signal)
        self.activity = Activity(self.frames, self.signal)
        self.workers = Workers(self.frames, self._worker_names)
        self.brake = FloodThrottle(
            lambda: self.emulation.current.cpu, lambda: self.tracing.recording
        )
        self.console = ConsoleLog(self.frames, self.workers, self.brake.press)
        self.network = NetworkLog(self.frames, self.workers)
        self.navigation = Navigation(self, channel)
        self.emulation = Emulation(self, channel)
        self.frames.on_channel(self.emulation.follow)
        self.workers.on_channel(self.emulation.follow_worker)
        self.snapshots = Snapshots(self)
        self.script = Evaluation(self)
        self.capture = Screenshots(self, channel)
        self.recording = Screencast(self, channel)
        self.input = Input(self, channel)
        self.tracing = Tracing(self, channel, self._plans)
        self.heap = HeapSnapshots(self, channel)
        self.webmcp = WebMcp(self.frames, self.signal, self.timings)
        self.interception = Interception(self.frames, self.workers, self.urls)
        channel.on_close(self.close)
        channel.on("Page.frameNavigated", self._on_navigated)
        channel.on("Runtime.bindingCalled", self._on_arrived)

    async def _prepare(self, channel: Channel) -> None:
        # Without focus emulation a tab in the background runs no animation frames,
        # slows its timers and never answers a mouse move.
        channel.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await self.frames.attach(channel)
        document = self.document
        document.loader = self.main.loader
        state = (await self.refresh())["state"]
        # What Chrome told by itself meanwhile is newer.
        document.ready = document.ready or state != "loading"
        document.loaded = document.loaded or state == "complete"

    def _on_navigated(self, params: Params) -> None:
        if not params["frame"].get("parentId"):
            self.channel_revived()
            self.dialogs.forget()
            loader = params["frame"]["loaderId"]
            self.console.turn(lambda request: self.network.is_part(request, loader))
            self.network.turn(loader)

    def _on_arrived(self, params: Params) -> None:
        if params["name"] == ARRIVED and params["executionContextId"] == self.main.world:
            self.target = {**self.target, "title": params["payload"]}
            self.document.titled = True

    def channel_revived(self) -> None:
        """Let commands through again after a crash."""
        if self._channel is not None:
            self._channel.revive()
