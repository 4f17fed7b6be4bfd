"""Homes of their own for processes of tabmux: all its folders follow from HOME."""

from __future__ import annotations

import os
from pathlib import Path


def home_in(folder: Path | str) -> dict[str, str]:
    """Return an environment whose home is this folder."""
    return {**os.environ, "HOME": str(folder)}
