"""Projection: how the viewport of a frame shows in the document around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[float, float, float]


@dataclass(frozen=True)
class Projection:
    """A map of the plane that keeps lines straight: scaled, turned, skewed, seen in perspective."""

    rows: tuple[Row, Row, Row]

    @classmethod
    def onto(cls, width: float, height: float, quad: Sequence[float]) -> Projection | None:
        """Map a rectangle onto four corners, clockwise from the top left; None if they are a line.

        Args:
            width: Of the rectangle, whose top left is 0, 0.
            height: Of the rectangle.
            quad: The corners, as Chrome gives them: x and y by turns.
        """
        x0, y0, x1, y1, x2, y2, x3, y3 = quad
        ax, ay, bx, by = x1 - x2, y1 - y2, x3 - x2, y3 - y2
        area = ax * by - bx * ay
        if abs(area) < 1e-6 or not (width and height):
            return None
        sx, sy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
        g, h = (sx * by - bx * sy) / area, (ax * sy - sx * ay) / area
        return cls(
            (
                ((x1 - x0 + g * x1) / width, (x3 - x0 + h * x3) / height, x0),
                ((y1 - y0 + g * y1) / width, (y3 - y0 + h * y3) / height, y0),
                (g / width, h / height, 1.0),
            )
        )

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        """Say where a point goes."""
        across, down, depth = (a * x + b * y + c for a, b, c in self.rows)
        return across / depth, down / depth

    @property
    def inverse(self) -> Projection:
        """The way back."""
        (a, b, c), (d, e, f), (g, h, i) = self.rows
        return Projection(
            (
                (e * i - f * h, c * h - b * i, b * f - c * e),
                (f * g - d * i, a * i - c * g, c * d - a * f),
                (d * h - e * g, b * g - a * h, a * e - b * d),
            )
        )
