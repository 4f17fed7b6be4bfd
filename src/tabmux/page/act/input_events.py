"""Input events: the real mouse and keyboard, aimed at elements."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import ElementTrouble, Misuse, TabmuxError
from tabmux.page import reactions
from tabmux.page.act.aiming import Aim, InputPoint, Obstacle, aim_at, give_up, landed_inside
from tabmux.page.act.fill.control_input import ControlInput
from tabmux.page.act.fill.offer_input import OfferInput
from tabmux.page.act.hovering import Hovering
from tabmux.page.act.keyboard import KEYS, KeyCombination, parse
from tabmux.page.act.other_frames import OtherFrames
from tabmux.page.act.patience import once_usable
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.settling import unless_blocked
from tabmux.secrets.secret import SecretText

if TYPE_CHECKING:
    from tabmux.page.page import Page

DRAG_SECONDS = 0.3
CHOOSER_SECONDS = 3.0
DRAG_STEPS = 5
# What is wrong with an element, and may soon be right by itself.
_PASSING = frozenset({"element_covered", "element_disabled"})


class Input:
    """The mouse and keyboard of one tab."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self._pressed_at: InputPoint | None = None
        self.hovering = Hovering()

    async def click(self, element: Element, count: int = 1, *, patient: bool = True) -> str:
        """Click an element; an option of a drop-down list is chosen instead.

        Returns a remark where it was not the mouse on the element itself that did it.

        Args:
            element: The element.
            count: 2 for a double click.
            patient: Whether to wait a moment for an element that cannot be used yet.
        """
        seconds = self._page.timings.usable if patient else 0.0
        obstacles: list[Obstacle] = []
        if element.frame is not self._page.frames.main:
            # Which frame gets a press is decided by where Chrome has drawn them last.
            self._page.drawing.keep()
        self.hovering.moved_to(element.uid)
        others = OtherFrames(self._page, element)
        with _guarded(element, others):
            while True:
                options = {"enabled": True, "pick": count == 1, "presses": count}
                others.guard(count)
                aim = await self._aimed(element, obstacles, seconds, **options)
                if aim.done:
                    return ""
                if aim.point is None:
                    return await self._press_instead(aim.key)
                press = self._click(aim.point, count)
                obstacle = await self._landed(element, aim, press, others)
                if obstacle is None:
                    return aim.remark
                obstacles.append(obstacle)

    async def click_at(self, x: float, y: float, count: int = 1) -> None:
        """Click a point of the viewport."""
        self.hovering.moved_to("")
        await self._click(InputPoint(self._channel, x, y, (x, y)), count)

    async def slide(self, element: Element, x: float, y: float) -> None:
        """Drag an element by a distance, in one flight."""
        point, _ = await self._point(element)
        end = replace(point, x=point.x + x, y=point.y + y)
        self._pressed_at = end
        await self.deliver(
            [
                point.mouse("mouseMoved"),
                point.mouse("mousePressed", button="left", clickCount=1),
                end.mouse("mouseMoved", button="left", buttons=1),
                end.mouse("mouseReleased", button="left", clickCount=1),
            ]
        )
        self._pressed_at = None

    async def _click(self, point: InputPoint, count: int = 1) -> None:
        """Move, press and release in one flight: the press flushes the move."""
        calls = [point.mouse("mouseMoved")]
        for nth in range(1, count + 1):
            self._pressed_at = point
            calls.append(point.mouse("mousePressed", button="left", clickCount=nth))
            calls.append(point.mouse("mouseReleased", button="left", clickCount=nth))
        await self.deliver(calls)
        self._pressed_at = None

    async def _landed(
        self, element: Element, aim: Aim, press: Coroutine[Any, Any, None], others: OtherFrames
    ) -> Obstacle | None:
        """Press the mouse where was aimed; returns what was in the way, and was not pressed."""
        if aim.framed:
            others.lift()
        await others.told()
        verdict = await (self._judged_after if aim.framed else self._judged)(element, press)
        if verdict is None:
            return None
        if verdict["elsewhere"] and not aim.framed:
            if not (cover := await others.caught()):
                raise _went_elsewhere(element)
            self._page.drawing.keep()
            return Obstacle(*aim.inside, cover, passes=True)
        landed_inside(element)
        return Obstacle(*aim.inside, verdict["cover"]) if verdict["cover"] else None

    async def _judged(self, element: Element, press: Coroutine[Any, Any, None]) -> Params | None:
        """Press, and return what the document judged before the page heard of it.

        That the pointer is there may have changed the page, and asking between the two would take
        a round trip more. None where what the press did keeps the document from answering.
        """
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_verdict(element, is_over=False))
            await group.create_task(press)
            if not self._is_interrupted:
                await asyncio.wait({asking}, timeout=self._page.timings.press)
            if not asking.done():
                asking.cancel()
        if not asking.cancelled():
            return asking.result()
        return await self._verdict_now(element)

    async def _judged_after(
        self, element: Element, press: Coroutine[Any, Any, None]
    ) -> Params | None:
        """Press what is in a frame: the document around it hears only of what is in the way."""
        await press
        return await self._verdict_now(element)

    async def _verdict_now(self, element: Element) -> Params | None:
        return None if self._is_interrupted else await _verdict(element, is_over=True)

    @property
    def _is_interrupted(self) -> bool:
        page = self._page
        return bool(page.dialogs.current) or page.activity.leaving or page.gone

    async def _press_instead(self, key: str) -> str:
        if not key:
            return "It has the focus; the mouse cannot reach it."
        await self.press(parse(key))
        return f"{key} was pressed on it, since the mouse cannot reach it."

    async def hover(self, element: Element) -> str:
        """Move the mouse onto an element; returns a remark where something else got it."""
        # Chrome tells the page of a movement with its next frame; a press does not wait for one.
        self._page.drawing.keep()
        self.hovering.moved_to(element.uid)
        point, by = await self._point(element)
        await self.deliver([point.mouse("mouseMoved")])
        return f"{by} lies over it." if by else ""

    async def wheel(self, element: Element, x: float, y: float) -> None:
        """Turn the wheel over an element."""
        self._page.drawing.keep()
        point, _ = await self._point(element)
        await self.deliver(
            [point.mouse("mouseMoved"), point.mouse("mouseWheel", deltaX=x, deltaY=y)]
        )

    async def fill(self, element: Element, value: str, *, choose: bool = True) -> str:
        """Give a control a value; returns a remark when it did not take it literally.

        Args:
            element: The control, its label, or the component around it.
            value: As the tool takes it.
            choose: Whether to choose what a combobox offers for the text.
        """
        self._page.activity.filling()
        if isinstance(value, SecretText):
            await self._page.secrets.fill(element, value)
            return ""
        return await ControlInput(self._page, self).fill(element, value, choose=choose)

    async def take_offer(self, element: Element, value: str, offers: Params) -> str:
        """Choose what a page offers for a text that was filled, or say what it offers instead."""
        return await OfferInput(self._page, self).take(element, value, offers)

    async def press(self, keys: KeyCombination) -> None:
        """Press a key or a combination of keys."""
        self.see_who_listens()
        await self.deliver(self.key(event) for event in keys.events())

    async def press_often(self, name: str, count: int = 1) -> None:
        """Press a key several times, in one flight."""
        events = list(KeyCombination((), KEYS[name]).events())
        self.see_who_listens()
        await self.deliver(self.key(event) for _ in range(count) for event in events)

    async def watch_keys(self, keys: str) -> None:
        """Start to watch what keys do; those that nobody is meant to read are noted as such."""
        hides = await self._page.main.call("watchKeys")
        if hides == "frame":
            answers = [await _secret_focus(each) for each in self._page.frames]
            hides = True in answers
        if hides and keys and not isinstance(keys, SecretText):
            self._page.hidden_input.values.append(keys)

    async def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        if isinstance(text, SecretText):
            await self._page.secrets.type_focused(text)
            return
        self.see_who_listens()
        calls: list[Awaitable[Any]] = []
        for char in text:
            name = "Enter" if char == "\n" else char
            if key := KEYS.get(name):
                calls += [self.key(key.event("down", 0)), self.key(key.event("up", 0))]
            else:
                calls.append(self.insert(char))
        await self.deliver(calls)

    async def drag(self, source: Element, target: Element) -> None:
        """Drag one element onto another, by the page's own drag and drop or by the mouse alone."""
        self._page.drawing.keep()
        await self._channel.call("Input.setInterceptDrags", {"enabled": True})
        try:
            with self._channel.expecting("Input.dragIntercepted") as caught:
                await self._drag(source, target, caught)
        finally:
            self._channel.send("Input.setInterceptDrags", {"enabled": False})
            self.release()

    async def upload(self, element: Element, paths: Sequence[str]) -> None:
        """Give files to a file input, or to the chooser that a click opens."""
        if (send := self._page.handle.send_files) is not None:
            paths = await send(paths)
        state = await element.call("fileInput")
        if state["direct"]:
            _refuse_many(paths, state["multiple"])
            handle = await element.frame.element("fileTarget", element.epoch, element.label)
            await element.frame.channel.call(
                "DOM.setFileInputFiles", {"files": list(paths), "objectId": handle}
            )
            return
        await self._choose_files(element, paths)

    def release(self) -> None:
        """Let go of the mouse button, if a call was cut short with it down."""
        if self._pressed_at is not None:
            self._pressed_at.mouse("mouseReleased", button="left", clickCount=1)
            self._pressed_at = None

    async def _aimed(
        self, element: Element, obstacles: list[Obstacle], seconds: float, **options: Any
    ) -> Aim:
        """Aim at an element, as soon as it can be used."""

        def may_pass(error: ElementTrouble) -> bool:
            # Where something was in the way, it may have come because of the mouse.
            return error.code in _PASSING and not obstacles

        aim = functools.partial(aim_at, element, obstacles, **options)
        return await once_usable(self._page, element, aim, may_pass, seconds)

    async def _point(self, element: Element) -> tuple[InputPoint, str]:
        aim = await self._aimed(element, [], self._page.timings.usable)
        if aim.point is None:
            raise _unreachable(element)
        return aim.point, aim.by

    async def deliver(self, calls: Iterable[Awaitable[Any]]) -> None:
        """Wait until events are handled; a dialog or a navigation they caused ends it too."""
        sent = asyncio.gather(*calls)
        await unless_blocked(self._page, lambda: sent)

    def see_who_listens(self) -> None:
        """Ask, in the flight of the keys that follow, who listens to them.

        After a key Chromium 156 holds back all that a page has to do until it has drawn, or for
        50 ms where it does not draw. Only where a script has something to do is that waited for.
        """
        if self._page.main.page_world is not None:
            reactions.asked(self._page.main).add_done_callback(self._note_reactions)

    def _note_reactions(self, answer: asyncio.Future[Params]) -> None:
        if answer.cancelled() or answer.exception() is not None:
            return
        self._page.activity.heard(reactions.told(answer.result()))

    def key(self, event: Params) -> Awaitable[Any]:
        """Send a key event."""
        return self._channel.call("Input.dispatchKeyEvent", event)

    def insert(self, text: str) -> Awaitable[Any]:
        """Insert text as an input method does, without keys."""
        return self._channel.call("Input.insertText", {"text": text})

    async def _drag(self, source: Element, target: Element, caught: asyncio.Future[Params]) -> None:
        start, draggable = await self._grab(source)
        await asyncio.wait({caught}, timeout=DRAG_SECONDS if draggable else 0.02)
        end, _ = await self._point(target)
        self._pressed_at = end
        if caught.done():
            await self._drop(end, caught.result()["data"])
            return
        for step in range(1, DRAG_STEPS + 1):
            part = step / DRAG_STEPS
            x, y = start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part
            await replace(end, x=x, y=y).mouse("mouseMoved", button="left", buttons=1)

    async def _grab(self, source: Element) -> tuple[InputPoint, bool]:
        """Press the mouse on what is to be dragged, and move it a little."""
        obstacles: list[Obstacle] = []
        others = OtherFrames(self._page, source)
        with _guarded(source, others):
            while True:
                seconds = self._page.timings.usable
                others.guard(1)
                aim = await self._aimed(source, obstacles, seconds, enabled=True, presses=1)
                if aim.point is None:
                    raise _unreachable(source)
                obstacle = await self._landed(source, aim, self._pull(aim.point), others)
                if obstacle is None:
                    return aim.point, aim.draggable
                self.release()
                obstacles.append(obstacle)

    async def _pull(self, start: InputPoint) -> None:
        self._pressed_at = start
        await self.deliver(
            [
                start.mouse("mouseMoved"),
                start.mouse("mousePressed", button="left", clickCount=1),
                start.moved(3).mouse("mouseMoved", button="left", buttons=1),
                start.moved(6).mouse("mouseMoved", button="left", buttons=1),
            ]
        )

    async def _drop(self, end: InputPoint, data: Params) -> None:
        await self.deliver(
            end.send("Input.dispatchDragEvent", type=kind, data=data)
            for kind in ("dragEnter", "dragOver", "drop")
        )

    async def _choose_files(self, element: Element, paths: Sequence[str]) -> None:
        channel = element.frame.channel
        await channel.call("Page.setInterceptFileChooserDialog", {"enabled": True})
        try:
            with channel.expecting("Page.fileChooserOpened") as chooser:
                await self.click(element)
                async with asyncio.timeout(CHOOSER_SECONDS):
                    opened = await chooser
        except TimeoutError as error:
            raise ElementTrouble(
                f"The element (uid {element.uid}) takes no file, nor did a click open a chooser.",
                hint="Name the file input itself, or the button that opens the chooser.",
                code="element_not_fillable",
            ) from error
        finally:
            channel.send("Page.setInterceptFileChooserDialog", {"enabled": False})
        _refuse_many(paths, opened["mode"] == "selectMultiple")
        await channel.call(
            "DOM.setFileInputFiles",
            {"files": list(paths), "backendNodeId": opened["backendNodeId"]},
        )


@contextmanager
def _guarded(element: Element, others: OtherFrames) -> Iterator[None]:
    """Let presses through again once the one that was aimed has come or was given up."""
    try:
        yield
    except BaseException:
        give_up(element)
        raise
    finally:
        others.lift()


async def _secret_focus(frame: Frame) -> object:
    with suppress(TabmuxError):
        return await frame.call("secretFocus")
    return False


async def _verdict(element: Element, *, is_over: bool) -> Params:
    """Ask what a press came to; it reached its element where the document went away by it."""
    with suppress(TabmuxError):
        found: Params = await element.frame.call("landed", is_over)
        return found
    return {"cover": "", "elsewhere": False}


def _went_elsewhere(element: Element) -> ElementTrouble:
    return ElementTrouble(
        f"The press did not reach the element (uid {element.uid}): another frame came over it.",
        hint="Take a snapshot to see what happened.",
        code="element_covered",
    )


def _unreachable(element: Element) -> ElementTrouble:
    return ElementTrouble(
        f"The element (uid {element.uid}) cannot be reached by the mouse.",
        hint="Take a snapshot to see what is visible now.",
        code="element_hidden",
    )


def _refuse_many(paths: Sequence[str], multiple: bool) -> None:
    if len(paths) > 1 and not multiple:
        raise Misuse("The file input takes one file only.", hint="Upload a single file.")
