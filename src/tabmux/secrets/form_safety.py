"""Form safety: where what an agent types into a password field may be sent."""

from __future__ import annotations

from collections.abc import Iterable

from tabmux.errors import Refused
from tabmux.secrets.origins import is_private, origin_of

HIDDEN = "•••"
# Shorter values occur in texts by chance.
SHORTEST_HIDDEN = 4


def refuse_unsafe(page_origin: str, frame_origin: str, action: str) -> None:
    """Raise why a password must not be typed into a form.

    Args:
        page_origin: The origin of the tab.
        frame_origin: The origin of the frame that the form is in.
        action: Where the form is sent to.
    """
    target = origin_of(action) if action else frame_origin
    for origin in (page_origin, frame_origin, target):
        if not is_private(origin):
            raise Refused(
                f"A secret is not sent over plain HTTP, to {origin}.",
                hint="Ask the user to type it.",
            )
    if frame_origin != page_origin:
        raise Refused(
            f"A secret is not typed into a frame of {frame_origin} on a page of {page_origin}.",
            hint="Open the frame's page in a tab of its own, or ask the user to type it.",
        )
    if target != frame_origin:
        raise Refused(
            f"A secret is not sent from {frame_origin} to {target}.",
            hint="Ask the user to type it.",
        )


def hidden(text: str, values: Iterable[str]) -> str:
    """Take values out of a text that is about to be shown."""
    for value in sorted(set(values), key=len, reverse=True):
        if len(value) >= SHORTEST_HIDDEN:
            text = text.replace(value, HIDDEN)
    return text
