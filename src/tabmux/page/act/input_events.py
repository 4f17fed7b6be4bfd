"""Input events: the real mouse and keyboard, aimed at elements."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tabmux.cdp.channel import Channel, Params
from tabmux.errors import ElementTrouble, Misuse
from tabmux.page.act.keyboard import KEYS, KeyCombination
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame
from tabmux.page.settling import unless_blocked
from tabmux.secrets.secret import SecretText

if TYPE_CHECKING:
    from tabmux.page.page import Page

DRAG_SECONDS = 0.3
CHOOSER_SECONDS = 3.0
DRAG_STEPS = 5


@dataclass(frozen=True)
class InputPoint:
    """A point, and the channel through which events reach it."""

    channel: Channel
    x: float
    y: float
    on_page: tuple[float, float]

    def mouse(self, kind: str, **extra: Any) -> Awaitable[Any]:
        """Send a mouse event."""
        return self.send("Input.dispatchMouseEvent", type=kind, **extra)

    def send(self, method: str, **extra: Any) -> Awaitable[Any]:
        """Send a command with the point's coordinates."""
        return self.channel.call(method, {"x": self.x, "y": self.y, **extra})

    def moved(self, distance: float) -> InputPoint:
        """Return a point nearby."""
        return replace(self, x=self.x + distance, y=self.y + distance)


class Input:
    """The mouse and keyboard of one tab."""

    def __init__(self, page: Page, channel: Channel) -> None:
        self._page, self._channel = page, channel
        self._pressed_at: InputPoint | None = None

    async def click(self, element: Element, count: int = 1) -> None:
        """Click an element; an option of a drop-down list is chosen instead."""
        found = await element.call("aim", {"enabled": True, "pick": count == 1})
        if not found.get("done"):
            await self._click(await self._point(element, found), count)

    async def click_at(self, x: float, y: float, count: int = 1) -> None:
        """Click a point of the viewport."""
        await self._click(InputPoint(self._channel, x, y, (x, y)), count)

    async def _click(self, point: InputPoint, count: int = 1) -> None:
        """Move, press and release in one flight: the press flushes the move."""
        calls = [point.mouse("mouseMoved")]
        for nth in range(1, count + 1):
            self._pressed_at = point
            calls.append(point.mouse("mousePressed", button="left", clickCount=nth))
            calls.append(point.mouse("mouseReleased", button="left", clickCount=nth))
        await self._deliver(calls)
        self._pressed_at = None

    async def hover(self, element: Element) -> None:
        """Move the mouse onto an element."""
        point, _ = await self._aim(element)
        await self._deliver([point.mouse("mouseMoved")])

    async def wheel(self, element: Element, x: float, y: float) -> None:
        """Turn the wheel over an element."""
        point, _ = await self._aim(element)
        await self._deliver(
            [point.mouse("mouseMoved"), point.mouse("mouseWheel", deltaX=x, deltaY=y)]
        )

    async def fill(self, element: Element, value: str) -> str:
        """Give a control a value; returns a remark when it did not take it literally."""
        if isinstance(value, SecretText):
            await self._page.secrets.fill(element, value)
            return ""
        state = await element.call("fill", value)
        if state.get("done"):
            return ""
        if state["kind"] == "toggle":
            return await self._toggle(element, value)
        await self._replace_selection(value)
        held = await self._value_of(element)
        if not _is_same(held["value"], value):
            await element.call("fill", value)
            await self._clear()
            await self.type(value)
            held = await self._value_of(element)
        return self._fill_remark(element, held, state, value)

    async def press(self, keys: KeyCombination) -> None:
        """Press a key or a combination of keys."""
        await self._deliver(self._key(event) for event in keys.events())

    async def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        if isinstance(text, SecretText):
            await self._page.secrets.type_focused(text)
            return
        calls: list[Awaitable[Any]] = []
        for char in text:
            name = "Enter" if char == "\n" else char
            if key := KEYS.get(name):
                calls += [self._key(key.event("down", 0)), self._key(key.event("up", 0))]
            else:
                calls.append(self._insert(char))
        await self._deliver(calls)

    async def drag(self, source: Element, target: Element) -> None:
        """Drag one element onto another, by the page's own drag and drop or by the mouse alone."""
        await self._channel.call("Input.setInterceptDrags", {"enabled": True})
        try:
            with self._channel.expecting("Input.dragIntercepted") as caught:
                await self._drag(source, target, caught)
        finally:
            self._channel.send("Input.setInterceptDrags", {"enabled": False})
            self.release()

    async def upload(self, element: Element, paths: Sequence[str]) -> None:
        """Give files to a file input, or to the chooser that a click opens."""
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

    async def locate(self, frame: Frame, x: float, y: float, uid: str = "") -> InputPoint:
        """Say where a point of a frame is; with a uid, nothing may cover it on the way.

        Events go to the frame's own process with coordinates of its topmost frame there:
        Chromium 156 misplaces those that are sent to the main frame just after a scroll.
        """
        channel, local = frame.channel, (x, y)
        while (parent := frame.parent) is not None:
            owner = await parent.channel.call("DOM.getFrameOwner", {"frameId": frame.id})
            handle = await parent.resolve(owner["backendNodeId"])
            place = await parent.apply(handle, "through", x, y)
            if place["cover"] and uid:
                raise ElementTrouble(
                    f"The frame of the element (uid {uid}) is covered by {place['cover']}.",
                    hint="Close or move what covers it.",
                    code="element_covered",
                )
            frame, x, y = parent, place["x"], place["y"]
            if parent.channel is channel:
                local = (x, y)
        return InputPoint(channel, *local, (x, y))

    async def _aim(
        self, element: Element, *, enabled: bool = False
    ) -> tuple[InputPoint, dict[str, Any]]:
        found = await element.call("aim", {"enabled": enabled})
        return await self._point(element, found), found

    async def _point(self, element: Element, found: dict[str, Any]) -> InputPoint:
        x, y = found["x"], found["y"]
        if element.frame.parent is None:
            return InputPoint(self._channel, x, y, (x, y))
        return await self.locate(element.frame, x, y, element.uid)

    async def _deliver(self, calls: Iterable[Awaitable[Any]]) -> None:
        """Wait until events are handled; a dialog or a navigation they caused ends it too."""
        sent = asyncio.gather(*calls)
        await unless_blocked(self._page, lambda: sent)

    def _key(self, event: Params) -> Awaitable[Any]:
        return self._channel.call("Input.dispatchKeyEvent", event)

    def _insert(self, text: str) -> Awaitable[Any]:
        return self._channel.call("Input.insertText", {"text": text})

    async def _replace_selection(self, value: str) -> None:
        """Replace the selection. The last character is typed, for pages that listen to keys."""
        if not value:
            await self._clear()
            return
        calls: list[Awaitable[Any]] = []
        last = KEYS.get(value[-1]) if value[-1] != "\n" else None
        if len(value) > 1 or last is None:
            calls.append(self._insert(value[:-1] if last else value))
        if last is not None:
            calls += [self._key(last.event("down", 0)), self._key(last.event("up", 0))]
        await self._deliver(calls)

    async def _clear(self) -> None:
        key = KEYS["Delete"]
        await self._deliver([self._key(key.event("down", 0)), self._key(key.event("up", 0))])

    async def _value_of(self, element: Element) -> dict[str, Any]:
        held = await unless_blocked(
            self._page, lambda: element.frame.call("held", element.epoch, element.label)
        )
        # A field that is replaced or navigated away by its own input handler took the value.
        if held is None or held.get("trouble"):
            return {"value": None}
        return dict(held)

    async def _toggle(self, element: Element, value: str) -> str:
        point, _ = await self._aim(element, enabled=True)
        await self._click(point)
        held = await self._value_of(element)
        if held["value"] not in (None, value):
            raise ElementTrouble(
                f"The element (uid {element.uid}) was clicked but is still {held['value']}.",
                hint="A radio button is turned off by choosing another one.",
                code="element_not_changed",
            )
        return ""

    def _fill_remark(
        self, element: Element, held: dict[str, Any], before: dict[str, Any], value: str
    ) -> str:
        now = held["value"]
        if now is None or _is_same(now, value):
            return ""
        if now == before["value"] and now != value:
            raise ElementTrouble(
                f"The element (uid {element.uid}) did not take the value.",
                hint="It may reject it; try type_text after a click.",
                code="element_not_changed",
            )
        return "" if held.get("secret") else f'The field now holds "{now}".'

    async def _drag(self, source: Element, target: Element, caught: asyncio.Future[Params]) -> None:
        start, found = await self._aim(source, enabled=True)
        self._pressed_at = start
        await asyncio.gather(
            start.mouse("mouseMoved"),
            start.mouse("mousePressed", button="left", clickCount=1),
            start.moved(3).mouse("mouseMoved", button="left", buttons=1),
            start.moved(6).mouse("mouseMoved", button="left", buttons=1),
        )
        await asyncio.wait({caught}, timeout=DRAG_SECONDS if found["draggable"] else 0.02)
        end, _ = await self._aim(target)
        self._pressed_at = end
        if caught.done():
            await self._drop(end, caught.result()["data"])
            return
        for step in range(1, DRAG_STEPS + 1):
            part = step / DRAG_STEPS
            x, y = start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part
            await replace(end, x=x, y=y).mouse("mouseMoved", button="left", buttons=1)

    async def _drop(self, end: InputPoint, data: Params) -> None:
        await self._deliver(
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


def _refuse_many(paths: Sequence[str], multiple: bool) -> None:
    if len(paths) > 1 and not multiple:
        raise Misuse("The file input takes one file only.", hint="Upload a single file.")


def _is_same(held: str | None, value: str) -> bool:
    if held is None:
        return True
    return held.replace("\r\n", "\n").rstrip("\n") == value.replace("\r\n", "\n").rstrip("\n")
