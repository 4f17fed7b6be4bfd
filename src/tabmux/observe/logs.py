"""Logging: to standard error or a file, never to standard output."""

from __future__ import annotations

import logging
import logging.handlers
import sys

MAX_BYTES = 5_000_000
BACKUPS = 3


def start_logging(file: str | None = None, *, verbose: bool = False) -> None:
    """Set up logging for the process."""
    handler: logging.Handler
    if file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = logging.handlers.RotatingFileHandler(
            file, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8"
        )
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO if verbose else logging.WARNING)
