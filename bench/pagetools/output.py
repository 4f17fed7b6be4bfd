"""Where results are printed."""

from __future__ import annotations

import sys


def say(*lines: str) -> None:
    """Print lines at once, so that a long run can be followed."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
