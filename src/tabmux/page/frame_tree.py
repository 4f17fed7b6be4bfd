"""Frame tree: the frames of a tab, whichever process each of them lives in."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tabmux.cdp.channel import CALL_SECONDS, Channel, Params
from tabmux.concurrency import Listeners, Signal
from tabmux.errors import PageTrouble, ProtocolFault, ScriptFailed, TabmuxError
from tabmux.page.library import ARRIVED, WORLD, library, source
from tabmux.timings import Timings

_CALL = "function (name, ...args) { return tabmux[name](...args) }"
_APPLY = "function (name, ...args) { return tabmux[name](this, ...args) }"
_LOST_CONTEXT = ("Cannot find context", "context was destroyed", "Inspected target navigated")
# How many frames Chrome takes down at every message and request; its own 200 cost twice the time.
STACK = {"size": 20}
# What Chrome shows us of a tab beside itself, and holds until we have listened.
AUTO_ATTACH = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": kind} for kind in ("iframe", "worker", "shared_worker", "service_worker")],
}


class FrameGone(PageTrouble):
    """The frame, or its document, went away while a script ran in it."""

    code = "page_navigated"


def is_lost_context(error: ProtocolFault) -> bool:
    """Whether Chrome says that the document a script was to run in has gone."""
    return any(text in error.message for text in _LOST_CONTEXT)


class Frame:
    """One frame and the two script worlds of its current document."""

    def __init__(
        self,
        ident: str,
        parent: Frame | None,
        channel: Channel,
        timings: Timings,
    ) -> None:
        self.id, self.parent, self.channel, self.timings = ident, parent, channel, timings
        self.children: dict[str, Frame] = {}
        self.url = ""
        self.loader = ""
        self.page_world: int | None = None
        self.adopted = False
        self._world: int | None = None
        # Of its own: a thousand frames that wait must not all be woken by each that is ready.
        self._world_known = Signal()
        if parent is not None:
            parent.children[ident] = self

    @property
    def world(self) -> int | None:
        """The id of the script world that the library is in, once Chrome has told of it."""
        return self._world

    @world.setter
    def world(self, ident: int | None) -> None:
        self._world = ident
        self._world_known.notify()

    @property
    def is_remote(self) -> bool:
        """Whether the frame lives in another process than its parent."""
        return self.parent is not None and self.parent.channel is not self.channel

    async def call(self, name: str, *args: Any, timeout: float = CALL_SECONDS) -> Any:
        """Call a function of the library in this frame and return its value."""
        scope = {"executionContextId": await self.ready(), "returnByValue": True}
        return (await self._invoke(_CALL, scope, name, args, timeout)).get("value")

    def post(self, name: str, *args: Any) -> asyncio.Future[Params] | None:
        """Call a function of the library right behind what was sent last; see `posted`."""
        if self.world is None:
            return None
        scope = {"executionContextId": self.world, "returnByValue": True}
        answer = self._sent(_CALL, scope, name, args)
        # Nobody may look at it.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    async def posted(self, answer: asyncio.Future[Params]) -> Any:
        """Return what a function said that was posted."""
        return (await self._run(answer)).get("value")

    async def element(self, name: str, *args: Any) -> str | None:
        """Call a function of the library that returns an element; gives its object id."""
        scope = {"executionContextId": await self.ready()}
        return (await self._invoke(_CALL, scope, name, args)).get("objectId")

    async def apply(self, object_id: str, name: str, *args: Any) -> Any:
        """Call a function of the library with a node as its first argument."""
        scope = {"objectId": object_id, "returnByValue": True}
        return (await self._invoke(_APPLY, scope, name, args)).get("value")

    async def run(self, script: str, *args: Any, on: str | None = None) -> Any:
        """Run a script that is not part of the library, because few pages ever need it.

        Args:
            script: The name of its file.
            args: Plain values.
            on: The object id of what is `this` in it.
        """
        world = await self.ready()
        command = {
            "functionDeclaration": source(script),
            "arguments": [{"value": value} for value in args],
            "awaitPromise": True,
            "returnByValue": True,
            **({"executionContextId": world} if on is None else {"objectId": on}),
        }
        result = await self._run(self.channel.call("Runtime.callFunctionOn", command))
        return result.get("value")

    def begin(self, script: str, *args: Any) -> asyncio.Future[Params] | None:
        """Have a script run before all that is sent next, for who need not wait for its answer."""
        if self.world is None:
            return None
        command = {
            "functionDeclaration": source(script),
            "arguments": [{"value": value} for value in args],
            "returnByValue": True,
            "executionContextId": self.world,
        }
        answer = self.channel.call("Runtime.callFunctionOn", command)
        # Nobody may look at it.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    async def _invoke(
        self,
        function: str,
        scope: Params,
        name: str,
        args: tuple[Any, ...],
        timeout: float = CALL_SECONDS,
    ) -> Params:
        return await self._run(self._sent(function, scope, name, args, timeout))

    def _sent(
        self,
        function: str,
        scope: Params,
        name: str,
        args: tuple[Any, ...],
        timeout: float = CALL_SECONDS,
    ) -> asyncio.Future[Params]:
        command = {
            "functionDeclaration": function,
            "arguments": [{"value": value} for value in (name, *args)],
            "awaitPromise": True,
            **scope,
        }
        return self.channel.call("Runtime.callFunctionOn", command, timeout=timeout)

    async def resolve(self, backend_node: int, *, page_world: bool = False) -> str:
        """Return the object id of a node in one of the frame's worlds."""
        await self.ready()
        world = self.page_world if page_world else self.world
        found = await self.channel.call(
            "DOM.resolveNode", {"backendNodeId": backend_node, "executionContextId": world}
        )
        # Where the node is of another document than the world, Chromium 156 answers with null.
        if "objectId" not in found["object"]:
            raise FrameGone("The element is no longer in the document.", hint="Try again.")
        return str(found["object"]["objectId"])

    async def ready(self, timeout: float | None = None) -> int:
        """Wait for the script world of the document, and return its id."""
        if self.world is None:
            seconds = self.timings.script_world if timeout is None else timeout
            await self._world_known.until(lambda: self.world is not None, seconds)
        if self.world is None:
            raise FrameGone("The page has no document to work with yet.", hint="Try again.")
        return self.world

    async def _run(self, call: asyncio.Future[Params]) -> Params:
        try:
            answer = await call
        except ProtocolFault as error:
            if is_lost_context(error):
                raise FrameGone("The page navigated meanwhile.", hint="Try again.") from error
            raise
        if details := answer.get("exceptionDetails"):
            thrown = details.get("exception", {})
            raise ScriptFailed(str(thrown.get("description") or details.get("text")))
        result: Params = answer["result"]
        return result


class FrameTree:
    """All frames of one tab, kept up to date by the events of its channels."""

    def __init__(self, signal: Signal, timings: Timings) -> None:
        self._signal, self._timings = signal, timings
        self._frames: dict[str, Frame] = {}
        # The same, by where they live; and whose each world is.
        self._on_channel: dict[Channel, dict[str, Frame]] = {}
        self._of_world: dict[tuple[Channel, int], Frame] = {}
        self._channel_listeners = Listeners[[Channel]]()
        self._expected: set[Channel] = set()
        self.main: Frame | None = None

    def __iter__(self) -> Iterator[Frame]:
        return iter(list(self._frames.values()))

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def complete(self) -> bool:
        """Whether every out-of-process frame that Chrome told of is known."""
        return not self._expected

    def get(self, ident: str) -> Frame | None:
        """Return a frame by Chrome's id."""
        return self._frames.get(ident)

    def on_channel(self, prepare: Callable[[Channel], None]) -> None:
        """Let another part of the page listen to every channel, present and future."""
        self._channel_listeners.add(prepare)

    async def attach(self, channel: Channel) -> None:
        """Take over a channel: the tab's own, or that of an out-of-process frame."""
        tree = self._listen(channel)
        self._add_tree((await tree)["frameTree"], channel)

    def _listen(self, channel: Channel) -> asyncio.Future[Params]:
        """Subscribe and send all the set-up in one flight."""
        for event, handler in (
            ("Page.frameAttached", lambda p: self._attached(p, channel)),
            ("Page.frameNavigated", lambda p: self._navigated(p["frame"], channel)),
            ("Page.navigatedWithinDocument", self._moved_within),
            ("Page.frameDetached", lambda p: self._detached(p, channel)),
            (
                "Runtime.executionContextCreated",
                lambda p: self._world_created(p["context"], channel),
            ),
            ("Runtime.executionContextDestroyed", lambda p: self._world_destroyed(p, channel)),
            ("Runtime.executionContextsCleared", lambda _: self._worlds_cleared(channel)),
            ("Target.attachedToTarget", lambda p: self._attach_child(p, channel)),
        ):
            channel.on(event, handler)
        channel.on_close(lambda _: self._closed(channel))
        self._channel_listeners(channel)
        channel.send("Page.enable")
        channel.send("Runtime.enable")
        channel.send("Runtime.setMaxCallStackSizeToCapture", STACK)
        channel.send("Page.setLifecycleEventsEnabled", {"enabled": True})
        channel.send("Runtime.addBinding", {"name": ARRIVED, "executionContextName": WORLD})
        channel.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": library(), "worldName": WORLD, "runImmediately": True},
        )
        channel.send("Target.setAutoAttach", AUTO_ATTACH)
        tree = channel.call("Page.getFrameTree")
        channel.send("Runtime.runIfWaitingForDebugger")
        return tree

    def _add_tree(self, tree: Params, channel: Channel) -> None:
        """Take over what Chrome said when asked; what it told by itself meanwhile is newer."""
        info = tree["frame"]
        known = self._frames.get(info["id"])
        if known and known.channel is channel and known.loader not in ("", info["loaderId"]):
            return
        self._navigated(info, channel)
        for child in tree.get("childFrames", ()):
            self._add_tree(child, channel)

    def _frame(self, ident: str, parent: str | None, channel: Channel) -> Frame:
        frame = self._frames.get(ident)
        if frame is None:
            above = self._frames.get(parent) if parent else self.main
            frame = self._frames[ident] = Frame(ident, above, channel, self._timings)
            self._on_channel.setdefault(channel, {})[ident] = frame
            if self.main is None:
                self.main = frame
        return frame

    def _attached(self, params: Params, channel: Channel) -> None:
        self._frame(params["frameId"], params["parentFrameId"], channel)
        self._signal.notify()

    def _navigated(self, info: Params, channel: Channel) -> None:
        frame = self._frame(info["id"], info.get("parentId"), channel)
        if frame.channel is not channel:
            self._move(frame, channel)
            frame.adopted = False
        frame.url = info.get("unreachableUrl") or info["url"] + info.get("urlFragment", "")
        frame.loader = info["loaderId"]
        for child in [each for each in frame.children.values() if not each.is_remote]:
            self._remove(child)
        self._signal.notify()

    def _moved_within(self, params: Params) -> None:
        if frame := self._frames.get(params["frameId"]):
            frame.url = params["url"]
            self._signal.notify()

    def _detached(self, params: Params, channel: Channel) -> None:
        frame = self._frames.get(params["frameId"])
        if frame is not None and frame.channel is channel and params.get("reason") != "swap":
            self._remove(frame)
            self._signal.notify()

    def _remove(self, frame: Frame) -> None:
        for child in list(frame.children.values()):
            self._remove(child)
        if frame is self.main:
            return
        self._forget_worlds(frame)
        self._frames.pop(frame.id, None)
        self._on_channel.get(frame.channel, {}).pop(frame.id, None)
        if frame.parent is not None:
            frame.parent.children.pop(frame.id, None)

    def _move(self, frame: Frame, channel: Channel) -> None:
        """Note that a frame lives in another process now."""
        self._forget_worlds(frame)
        self._on_channel.get(frame.channel, {}).pop(frame.id, None)
        self._on_channel.setdefault(channel, {})[frame.id] = frame
        frame.channel, frame.world, frame.page_world = channel, None, None

    def _forget_worlds(self, frame: Frame) -> None:
        for world in (frame.world, frame.page_world):
            if world is not None:
                self._of_world.pop((frame.channel, world), None)

    def _world_created(self, context: Params, channel: Channel) -> None:
        extra = context.get("auxData", {})
        frame = self._frames.get(extra.get("frameId", ""))
        if frame is None:
            frame = self._frame(extra["frameId"], None, channel)
        if frame.channel is not channel:
            self._move(frame, channel)
            frame.loader = ""  # not known of the document in the other process
        if extra.get("isDefault"):
            frame.page_world = context["id"]
        elif context.get("name") == WORLD:
            frame.world = context["id"]
        self._of_world[channel, context["id"]] = frame
        self._signal.notify()

    def _world_destroyed(self, params: Params, channel: Channel) -> None:
        gone = params["executionContextId"]
        if frame := self._of_world.pop((channel, gone), None):
            frame.world = None if frame.world == gone else frame.world
            frame.page_world = None if frame.page_world == gone else frame.page_world

    def _worlds_cleared(self, channel: Channel) -> None:
        for frame in self._on_channel.get(channel, {}).values():
            self._forget_worlds(frame)
            frame.world = frame.page_world = None

    def _attach_child(self, params: Params, channel: Channel) -> None:
        """Set up an out-of-process frame; Chrome holds it until it is let go."""
        child = channel.child(params["sessionId"])
        if child is None or params["targetInfo"]["type"] != "iframe":
            return
        self._expected.add(child)
        tree = self._listen(child)
        tree.add_done_callback(lambda done: self._tree_received(done, child))

    def _tree_received(self, tree: asyncio.Future[Params], channel: Channel) -> None:
        self._expected.discard(channel)
        with contextlib.suppress(TabmuxError, asyncio.CancelledError):
            self._add_tree(tree.result()["frameTree"], channel)
        self._signal.notify()

    def _closed(self, channel: Channel) -> None:
        for frame in list(self._on_channel.get(channel, {}).values()):
            self._remove(frame)
        if self.main is None or self.main.channel is not channel:
            self._on_channel.pop(channel, None)
        self._signal.notify()
