"""Hovering: what is in sight only as long as the mouse is over something."""

from __future__ import annotations

_BROUGHT = "+ "


class Hovering:
    """Remembers what came with the mouse, since it may take a while to go when the mouse leaves."""

    def __init__(self) -> None:
        self._brought = frozenset[str]()
        self._left = frozenset[str]()

    def brought(self, changes: str) -> None:
        """Note what a page has shown because the mouse came over an element.

        Args:
            changes: The differences that it made, as they are told.
        """
        new = [line for line in changes.split("\n") if line.startswith(_BROUGHT)]
        self._brought = frozenset(line.removeprefix(_BROUGHT).strip() for line in new)

    def moved_to(self, uid: str) -> None:
        """Note that the mouse goes to an element, or to none that is known."""
        mark = f"uid={uid} "
        if not any(line.startswith(mark) for line in self._brought):
            self._left, self._brought = self._brought, frozenset()

    def is_left_behind(self, text: str) -> bool:
        """Whether a rendering still shows what is likely to go, since the mouse has left it."""
        return any(line in text for line in self._left)

    def forget(self) -> None:
        """Note that nobody waits any more for anything to go."""
        self._left = frozenset()
