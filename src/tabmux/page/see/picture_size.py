"""Picture sizes: which part of a page a picture shows, and how large it is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tabmux.errors import BadArguments

# Chrome refuses pictures beyond what its textures can hold.
MOST_PIXELS = 16_000
# Nothing larger reaches a model: its client shrinks it, or refuses it.
MODEL_PIXELS = 1_568
# Drawn smaller than this, text can hardly be read: such an area is rather shown in parts.
LEGIBLE = 0.75


@dataclass(frozen=True)
class Area:
    """A part of a document, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class PictureSize:
    """How large a picture may become, and which part of what is too large it shows.

    `scale` is how many of its pixels show one CSS pixel; as many as on the screen when absent.
    """

    longest: int = MOST_PIXELS
    scale: float | None = None
    part: int = 1

    @property
    def is_full(self) -> bool:
        """Whether all pixels are wanted, and only Chrome sets a limit."""
        return self.longest == MOST_PIXELS


@dataclass(frozen=True)
class Cutout:
    """What a picture shows: an area, or one of its parts, and how large."""

    area: Area
    scale: float
    part: int = 1
    parts: int = 1


def whole(area: Area, native: float, size: PictureSize) -> Cutout:
    """Fit all of an area into one picture.

    Args:
        area: What to show.
        native: How many pixels show one CSS pixel on the screen.
        size: The limits.
    """
    longer = max(area.width, area.height, 1)
    return _checked(Cutout(area, min(size.scale or native, size.longest / longer)), size)


def in_parts(area: Area, native: float, size: PictureSize) -> Cutout:
    """Fit all of an area into one picture, or one of its parts from top to bottom."""
    fitted = whole(area, native, replace(size, part=1))
    if fitted.scale >= (size.scale or (native if size.is_full else min(native, LEGIBLE))):
        return _checked(fitted, size)
    wanted = size.scale or (native if size.is_full else min(native, 1.0))
    scale = min(wanted, size.longest / max(area.width, 1))
    height = math.floor(size.longest / scale)
    parts = math.ceil(area.height / height)
    top = (size.part - 1) * height
    shown = replace(area, y=area.y + top, height=min(height, area.height - top))
    return _checked(Cutout(shown, scale, size.part, parts), size)


def _checked(cutout: Cutout, size: PictureSize) -> Cutout:
    if size.part > cutout.parts:
        raise BadArguments(
            f"There is no part {size.part}: the picture has {cutout.parts}.",
            hint="Leave part out." if cutout.parts == 1 else f"Give 1 to {cutout.parts}.",
        )
    return cutout
