"""Step input: moves sliders and spin buttons by keys, and by the mouse where it is far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble
from tabmux.page.element import Element
from tabmux.page.settling import unless_blocked

if TYPE_CHECKING:
    from tabmux.page.act.input_events import Input
    from tabmux.page.page import Page

CHANGE_MILLISECONDS = 200
# How many keys are sent at once; farther ways begin with the mouse.
MOST_KEYS = 120
ROUNDS = 8
DRAGS = 4
# How many keys are sent one after the other where a control takes no more than one a frame.
MOST_SINGLE_KEYS = 60
FIRST_DRAG = 24.0
SIDEWAYS = ("ArrowRight", "ArrowLeft")
UPRIGHT = ("ArrowUp", "ArrowDown")


class StepInput:
    """One slider or spin button on its way to a number."""

    def __init__(self, page: Page, given: Input) -> None:
        self._page, self._input = page, given
        self._element: Element
        self._now: float | None = None
        self._upright = False
        self._is_shown = True
        # Whether it has left out keys that came at once.
        self._drops_keys = False

    async def set(self, element: Element, value: str, state: dict[str, Any]) -> str:
        """Bring the control to a number; returns a remark when it stops beside it."""
        grip = state.get("grip")
        self._element = replace(element, label=grip) if grip else element
        self._upright = bool(state.get("upright"))
        self._now = float(state["value"]) if state["value"] else None
        target = float(value)
        if state.get("typed"):
            # Parts of a date are numbers that can be typed.
            await self._input.type(value)
            await self._read("reached", target)
            if self._now == target:
                return ""
        if state.get("parts"):
            return self._told(target, await self._press_buttons(target, state["parts"]))
        size = await self._step_by_keys(target) or await self._slide(target, None)
        for _ in range(ROUNDS):
            if self._now is None or self._now == target or not size:
                break
            before = self._now
            await self._approach(target, size)
            # The page may have taken its value away meanwhile.
            now: float | None = self._now
            if now is None or now == before or abs(now - target) < 1e-9:
                break
        return self._told(target, size)

    async def _press_buttons(self, target: float, labels: Sequence[int]) -> float:
        """Press the button that leads to the number, as long as it does; returns its step."""
        up, down = (replace(self._element, label=label) for label in labels)
        size = 0.0
        for _ in range(MOST_KEYS):
            before = self._now
            if before is None or abs(target - before) < max(size, 1e-9):
                break
            await self._input.click(up if target > before else down)
            await self._read("left", before)
            if self._now is None or self._now == before:
                break
            size = abs(self._now - before)
        return size

    async def _step_by_keys(self, target: float) -> float:
        """Press an arrow once towards the number, to see how far it goes; 0 if nowhere."""
        sideways, upright = (UPRIGHT, SIDEWAYS) if self._upright else (SIDEWAYS, UPRIGHT)
        for up, down in (sideways, upright):
            before = self._now
            key = up if before is None or target > before else down
            await self._input.press_often(key)
            await self._read("left", before)
            if self._now is not None and self._now != before:
                self._keys = (up, down)
                moved = self._now - (before if before is not None else self._now)
                if moved and (moved > 0) != (key == up):  # where one writes from right to left
                    self._keys = (down, up)
                return abs(moved) or 1.0
        return 0.0

    async def _approach(self, target: float, size: float) -> None:
        assert self._now is not None
        count = round(abs(target - self._now) / size)
        if count > MOST_KEYS and await self._slide(target, size):
            return
        if count and hasattr(self, "_keys"):
            before, key = self._now, self._keys[0] if target > self._now else self._keys[1]
            if self._drops_keys:
                await self._press_singly(key, min(count, MOST_SINGLE_KEYS))
                return
            await self._input.press_often(key, min(count, MOST_KEYS))
            await self._read("reached", target)
            now: float | None = self._now
            self._drops_keys = now is not None and count > 2 and abs(now - before) < 2 * size

    async def _press_singly(self, key: str, count: int) -> None:
        """Press a key again as soon as it has moved the control, which draws each step first."""
        for _ in range(count):
            before = self._now
            await self._input.press_often(key)
            await self._read("left", before)
            if self._now is None or self._now == before:
                return

    async def _slide(self, target: float, size: float | None) -> float:
        """Drag towards the number by what earlier drags brought; 0 if they bring nothing."""
        pixels, gained = FIRST_DRAG, 0.0
        for _ in range(DRAGS):
            before = self._now
            if before is None or before == target:
                break
            if size is not None and abs(target - before) <= size * MOST_KEYS / 4:
                break
            way = pixels if target > before else -pixels
            await self._input.slide(self._element, *((0, -way) if self._upright else (way, 0)))
            await self._read("left", before)
            if self._now is None or self._now == before:
                break
            gained = abs(self._now - before) / abs(pixels)
            pixels = max(1.0, abs(target - self._now) / gained)
        return gained

    async def _read(self, until: str, value: float | None) -> None:
        element = self._element
        answer = await unless_blocked(
            self._page,
            lambda: element.frame.run(
                "step_value", element.epoch, element.label, until, value, CHANGE_MILLISECONDS
            ),
        )
        if answer and not answer.get("trouble"):
            self._now = None if answer["now"] is None else float(answer["now"])
            self._is_shown = answer["shown"]

    def _told(self, target: float, size: float) -> str:
        now = self._now
        if now is not None and abs(now - target) < 1e-9:
            return "" if self._is_shown else f"It shows no number; it is at {now:g} % of its way."
        shown = "no value" if now is None else f"{now:g}"
        if now is not None and size and abs(now - target) < size:
            return f"It stands at {shown}: it moves in steps of {size:g}."
        raise ElementTrouble(
            f"The element (uid {self._element.uid}) stands at {shown} instead of {target:g}; "
            "the arrow keys and the mouse brought it no nearer.",
            hint="Press Home, End, PageUp or PageDown, or drag it.",
            code="element_not_changed",
        )
