"""Page: a tab that tabmux is attached to, and its parts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Listeners
from tabmux.errors import BrowserGone, PageGone, ProtocolFault, TabmuxError, closed
from tabmux.page.act.input_events import Input
from tabmux.page.activity import Activity, DocumentState
from tabmux.page.console.console_log import ConsoleLog
from tabmux.page.console.flood_control import FloodThrottle
from tabmux.page.dialogs import Dialogs
from tabmux.page.environment.emulation import Emulation
from tabmux.page.evaluation import Evaluation
from tabmux.page.frame_tree import Frame, FrameGone, FrameTree
from tabmux.page.library import ARRIVED
from tabmux.page.navigation import Navigation
from tabmux.page.network.interception import Interception
from tabmux.page.network.network_log import NetworkLog
from tabmux.page.noted_element import TakenStep
from tabmux.page.profiling.coverage import Coverage
from tabmux.page.profiling.heap_snapshots import HeapSnapshots
from tabmux.page.profiling.tracing import Tracing
from tabmux.page.secrets.secret_fields import SecretFields
from tabmux.page.see.drawing import Drawing
from tabmux.page.see.live_frames import LiveFrames
from tabmux.page.see.screencast import Screencast
from tabmux.page.see.screenshots import Screenshots
from tabmux.page.see.snapshots import Snapshots
from tabmux.page.webmcp import WebMcp
from tabmux.page.workers import Workers
from tabmux.policy.url_policy import UrlPolicy
from tabmux.record.hidden_input import HiddenInput

if TYPE_CHECKING:
    from tabmux.page.handle import PageHandle

CLOSING_SECONDS = 0.1


class Page:
    """A tab that tabmux is attached to, with all its parts.

    Args:
        handle: What is known of the tab, attached or not.
        channel: The tab's CDP channel.

    Attributes:
        gone: Whether the tab was closed, or its connection has ended.
    """

    # The document that a person has worked in, and whether one came since the action began.
    _person_loader, _person_came = "", False

    def __init__(self, handle: PageHandle, channel: Channel) -> None:
        self.handle, self.channel = handle, channel
        self.id, self.target_id = handle.id, handle.target_id
        self.signal, self.timings = handle.signal, handle.timings
        self.gone = False
        # Of the action under way.
        self.hidden_input = HiddenInput()
        self.taken_steps: list[TakenStep] = []
        self._closed = Listeners[[]]()
        self.frames = FrameTree(self.signal, self.timings)
        self.dialogs = Dialogs(channel, self.signal)
        self.activity = Activity(self.frames, self.signal)
        self.workers = Workers(self.frames, handle.worker_names)
        self.flood_throttle = FloodThrottle(
            lambda: self.emulation.current.cpu, lambda: self.tracing.recording
        )
        self.console = ConsoleLog(self.frames, self.workers, self.flood_throttle.note)
        self.network = NetworkLog(self.frames, self.workers)
        self.navigation = Navigation(self, channel)
        self.emulation = Emulation(self, channel)
        self.frames.on_channel(self.emulation.follow)
        self.workers.on_channel(self.emulation.follow_worker)
        self.snapshots = Snapshots(self)
        self.evaluation = Evaluation(self)
        self.drawing = Drawing(channel, self.timings.drawing, handle.drawing_tabs)
        self.screenshots = Screenshots(self, channel)
        self.screencast = Screencast(self, channel)
        self.live_frames = LiveFrames(self, channel)
        self.input = Input(self, channel)
        self.tracing = Tracing(self, channel, handle.trace_configs)
        self.coverage = Coverage(self)
        self.heap_snapshots = HeapSnapshots(self, channel)
        self.webmcp = WebMcp(self.frames, self.signal, self.timings)
        self.interception = Interception(self.frames, self.workers, lambda: self.urls)
        self.secrets = SecretFields(self)
        channel.on("Page.frameNavigated", self._on_navigated)
        channel.on("Runtime.bindingCalled", self._on_arrived)

    @property
    def urls(self) -> UrlPolicy:
        """Where the tab may go."""
        return self.handle.urls

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
        return self.handle.url

    @property
    def title(self) -> str:
        """The tab's title, as far as Chrome has told it."""
        return self.handle.title

    @property
    def isolated_context(self) -> str | None:
        """The name of the browser context that the tab is in, if it is not the usual one."""
        return self.handle.isolated_context

    async def prepare(self) -> None:
        """Set up what every page needs, and learn how far its document has come."""
        # Without focus emulation a tab in the background runs no animation frames,
        # slows its timers and never answers a mouse move.
        self.channel.send("Emulation.setFocusEmulationEnabled", {"enabled": True})
        await self.frames.attach(self.channel)
        while not await self._learn_document_state():
            pass  # a document that gives way to another while we ask; attaching has a deadline

    async def _learn_document_state(self) -> bool:
        """Ask the document how far it has come; tells whether it was still there to answer."""
        document = self.document
        document.loader = document.loader or self.main.loader
        try:
            state = (await self.refresh())["state"]
        except FrameGone:
            return False
        # What Chrome told by itself meanwhile is newer.
        document.ready = document.ready or state != "loading"
        document.loaded = document.loaded or state == "complete"
        return True

    async def refresh(self) -> Params:
        """Learn the title anew: Chrome does not tell when it changes."""
        standing: Params = await self.main.call("standing")
        self.handle.name(standing["title"])
        return standing

    def begin_action(self) -> None:
        """Note that an agent acts now, so that lists can be cut to what came of it."""
        self.hidden_input, self.taken_steps = HiddenInput(), []
        self._person_came = False
        self.console.records.begin_action()
        self.network.records.begin_action()

    def note_person(self) -> None:
        """Note that a person works in the document now: what it shows may be theirs."""
        main, self._person_came = self.frames.main, True
        self._person_loader = main.loader if main is not None else ""

    @property
    def is_personal(self) -> bool:
        """Whether a person works here, came in the last action, or worked in the document."""
        if self._person_came or self.handle.control.person:
            return True
        main = self.frames.main
        return main is not None and bool(main.loader) and main.loader == self._person_loader

    def close(self) -> None:
        """Note that the tab is gone; uids of its documents are stale then."""
        if self.gone:
            return
        self.gone = True
        for frame in self.frames:
            frame.loader = ""
        self._closed()

    def on_closed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the tab is gone; returns how to stop."""
        return self._closed.add(listener)

    def refuse_if_gone(self) -> None:
        """Fail when the tab was closed."""
        if self.gone:
            raise self._gone_error()

    @asynccontextmanager
    async def while_open(self) -> AsyncIterator[None]:
        """End the block soon after the tab is closed, whatever it waits for then."""
        loop, grace = asyncio.get_running_loop(), self.timings.after_closing
        limit = asyncio.timeout(None)
        try:
            async with limit:
                stop = self.on_closed(lambda: limit.reschedule(loop.time() + grace))
                try:
                    yield
                finally:
                    stop()
        except TimeoutError as error:
            if limit.expired():
                raise self._gone_error() from error
            raise
        except (FrameGone, PageGone, ProtocolFault) as error:
            # Chrome may refuse a command some time before it says that the tab is closed.
            if await self.signal.until(lambda: self.gone, CLOSING_SECONDS):
                raise self._gone_error() from error
            raise

    def _gone_error(self) -> TabmuxError:
        reason = self.channel.refusal("")
        return reason if isinstance(reason, BrowserGone) else closed(self.id)

    def recover(self) -> None:
        """Bring the page back to a usable state after a call was cut short."""
        if self.gone or not self.channel.is_open or self.channel.crashed:
            return
        if self.dialogs.current is None:
            for channel in {frame.channel for frame in self.frames}:
                self.evaluation.stop(channel)
        if self.activity.navigating:
            self.channel.send("Page.stopLoading")
        self.input.release()

    def _on_navigated(self, params: Params) -> None:
        if not params["frame"].get("parentId"):
            # Commands pass again after a crash.
            self.channel.revive()
            self.dialogs.forget()
            loader = params["frame"]["loaderId"]
            self.console.begin_document(lambda request: self.network.is_part(request, loader))
            self.network.begin_document(loader)
            self.secrets.begin_document()

    def _on_arrived(self, params: Params) -> None:
        if params["name"] == ARRIVED and params["executionContextId"] == self.main.world:
            self.handle.name(params["payload"])
            self.document.titled = True
            self.snapshots.prepare()
