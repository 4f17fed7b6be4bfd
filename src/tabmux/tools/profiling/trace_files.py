"""Trace files as they are written: gzipped, or plain where the name says so."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabmux.errors import BadArguments
from tabmux.page.stream import Sink
from tabmux.tools.pipeline.file_access import created

ENDINGS = (".json", ".json.gz", ".gz")
# Most of the gain for a fraction of the work.
PACKING = 1


def named(path: Path) -> Path:
    """Return the path with an ending that says what is in the file."""
    return path if _has_ending(path) else path.with_name(f"{path.name}.json.gz")


def checked(path: Path) -> Path:
    """Refuse a file that is not even named like a trace."""
    if not _has_ending(path):
        raise BadArguments(
            f"{path.name} is not named like a trace.",
            hint="The name must end in .json or .json.gz.",
        )
    return path


@contextmanager
def writing(path: Path) -> Iterator[Sink]:
    """Give a sink for JSON that writes it as the file's name wants it."""
    with created(path) as file:
        if path.suffix != ".gz":
            yield file.write
            return
        with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=PACKING) as packed:
            yield packed.write


def _has_ending(path: Path) -> bool:
    return path.name.lower().endswith(ENDINGS)
