"""JSON stream: takes a large file apart from the front, a piece at a time."""

from __future__ import annotations

import codecs
import json
import re
import zlib
from pathlib import Path
from typing import IO, cast

from tabmux.analysis.packed_file import PackedFile, most_unpacked
from tabmux.errors import Misuse

BLOCK_BYTES = 1 << 20
# No event or member comes near this; more means that the text is not what it seems.
LARGEST_BYTES = 256 << 20
TAIL_BYTES = 4096

_DECODER = json.JSONDecoder()
_NOT_SPACE = re.compile(rb"[^ \t\r\n]")
_OPENING = re.compile(rb'\{"\w+":')


class JsonStream:
    """What is left of a file, as bytes in view and a promise of more.

    Args:
        file: The file.
        name: What to call it in errors.
        truncated: Whether it is known to end too early.
        block: How many bytes to read at once, at least.
        largest: How many bytes a single value may have.
    """

    def __init__(
        self,
        file: IO[bytes],
        name: str,
        *,
        truncated: bool = False,
        block: int = BLOCK_BYTES,
        largest: int = LARGEST_BYTES,
    ) -> None:
        self._file = file
        self._name = name
        self._truncated = truncated
        self._block, self._largest = block, largest
        self._begun = False
        self._data = b""
        self._text: str | None = None
        self._at = 0

    def grow(self) -> bool:
        """Read on; false when the file is at its end.

        What is in view at least doubles, so that a long value is not scanned again and again.
        """
        mark = b"" if self._begun else codecs.BOM_UTF8
        self._begun = True
        try:
            block = self._file.read(max(self._block, len(self._data) - self._at, len(mark)))
        except EOFError as error:
            raise self.truncated() from error
        except (OSError, zlib.error) as error:
            raise self.malformed(str(error)) from error
        if block:
            self._data = self._data[self._at :] + block.removeprefix(mark)
            self._at, self._text = 0, None
        return bool(block)

    def peek(self) -> str:
        """Return the next character that is not space, without taking it; "" at the end."""
        while True:
            found = _NOT_SPACE.search(self._data, self._at)
            self._at = found.start() if found else len(self._data)
            if found:
                return chr(found[0][0])
            if not self.grow():
                return ""

    def skip(self, mark: str) -> None:
        """Take one expected character."""
        found = self.peek()
        if not found:
            raise self.truncated()
        if found != mark:
            raise self.malformed(f"expected {mark!r}, found {found!r}")
        self._at += 1

    def take(self) -> bytes:
        """Take one whole JSON value, however it is laid out."""
        if not self.peek():
            raise self.truncated()
        while True:
            end = self._end_of_value()
            # A value that touches the edge of the view may go on in the next block.
            if 0 < end < len(self._data):
                break
            if not self.grow():
                if not end:
                    raise self.truncated()
                break
        piece = self._data[self._at : end]
        self._at = end
        return piece

    def opening(self) -> bytes:
        """Return how the object in front opens, up to its first key; b"" when it is none."""
        self.peek()
        found = _OPENING.match(self._data, self._at)
        return found[0] if found else b""

    def take_objects(self, separators: tuple[bytes, ...]) -> bytes:
        """Take as many objects as are in view whole, without the last comma.

        A separator ends with the first byte or bytes of the next object. Neither a raw line
        break nor a raw quote can stand inside a JSON string, so this cut is nearly always
        right; `put_back` undoes it when a nested list made it wrong.
        """
        cuts = (self._data.rfind(separator, self._at) for separator in separators)
        cut = next((cut for cut in cuts if cut >= 0), -1)
        if cut < 0:
            return b""
        piece = self._data[self._at : cut + 1]
        self._at = cut + 2
        return piece

    def put_back(self, piece: bytes) -> None:
        """Return what take_objects gave."""
        self._at -= len(piece) + 1

    def check(self) -> None:
        """Refuse a file whose last bytes already show that it was cut off."""
        if self._truncated:
            raise self.truncated()

    def truncated(self) -> Misuse:
        """Say that the file ends too early."""
        return Misuse(
            f"{self._name} is truncated: it ends in the middle of the trace",
            hint="Record the trace again, or copy the whole file.",
        )

    def malformed(self, why: str) -> Misuse:
        """Say that the file cannot be read."""
        return Misuse(
            f"{self._name} is damaged and cannot be read as a trace: {why}",
            hint="Record the trace again, or copy the whole file.",
        )

    def _end_of_value(self) -> int:
        """Return where the value in front ends, or 0 when its end is not in view."""
        # Latin-1 keeps one character a byte, so the scanner's index is a byte's.
        if self._text is None:
            self._text = self._data.decode("latin-1")
        try:
            return _DECODER.raw_decode(self._text, self._at)[1]
        except RecursionError:
            raise self.malformed("it is nested too deeply") from None
        except json.JSONDecodeError as error:
            if self._unfinished(error):
                return 0
            raise self.malformed(error.msg) from error

    def _unfinished(self, error: json.JSONDecodeError) -> bool:
        if len(self._data) - self._at > self._largest:
            return False
        # A word or an escape cut by the edge is reported where it starts.
        return error.msg.startswith("Unterminated") or error.pos >= len(self._data) - 12


def open_file(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacking it when its first bytes say gzip."""
    file = path.open("rb")
    if file.read(2) == b"\x1f\x8b":
        file.close()
        return cast(IO[bytes], PackedFile(path))
    file.seek(0)
    return file


def is_truncated(path: Path, block: int = BLOCK_BYTES) -> bool:
    """Tell whether a file ends too early, without looking at what is in it."""
    with path.open("rb") as file:
        if file.read(2) == b"\x1f\x8b":
            file.seek(0)
            packed = path.stat().st_size
            return packed > block and _is_truncated_gzip(file, block, most_unpacked(packed))
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        return not file.read().rstrip().endswith((b"}", b"]"))


def _is_truncated_gzip(file: IO[bytes], size: int, most: int) -> bool:
    """Unpack to nowhere, ten times faster than events are read; damage is found later."""
    left = most
    try:
        inflated = zlib.decompressobj(zlib.MAX_WBITS | 16)
        while block := file.read(size):
            while block and not inflated.eof:
                left -= len(inflated.decompress(block, size))
                if left < 0:
                    return False
                block = inflated.unconsumed_tail
            if inflated.eof and inflated.unused_data.strip(b"\0"):
                return False
    except zlib.error:
        return False
    return not inflated.eof
