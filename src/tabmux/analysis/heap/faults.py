"""What can be wrong with a heap snapshot, or with a question about one."""

from __future__ import annotations

from tabmux.errors import Misuse


class BadSnapshot(Misuse):
    """The file is not a heap snapshot that can be read."""

    code = "bad_heap_snapshot"


class UnknownObject(Misuse):
    """The snapshot holds no object with this id."""

    code = "unknown_heap_object"


class UnknownClass(Misuse):
    """The snapshot holds no class with this id."""

    code = "unknown_heap_class"
