"""Result data: what all results of the library have, and how they are made of a reply."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self


@dataclass(frozen=True)
class ReplyImage:
    """A picture in a reply."""

    encoded: str = field(repr=False)
    mime: str

    @property
    def data(self) -> bytes:
        """The bytes of the picture, in the format that `mime` names."""
        return base64.b64decode(self.encoded)


@dataclass(frozen=True, kw_only=True)
class DataPart:
    """Something that a result consists of."""

    # The name of each field by its key in the reply's data, and the class of those that have one.
    KEYS: ClassVar[Mapping[str, str]] = {}
    PARTS: ClassVar[Mapping[str, type[DataPart]]] = {}

    @classmethod
    def read(cls, data: Mapping[str, Any], /, **more: Any) -> Self:
        """Make one of a reply's data; keys that a newer server has are left out."""
        keys, parts = cls.KEYS, cls.PARTS
        values = {keys[key]: value for key, value in data.items() if key in keys}
        for name, value in values.items():
            part = parts.get(name)
            # A list that a script returned stays one.
            if isinstance(value, list) and cls._is_tuple(name):
                values[name] = tuple(part.read(each) for each in value) if part else tuple(value)
            elif part is not None and isinstance(value, dict):
                values[name] = part.read(value)
        return cls(**values, **more)

    @classmethod
    def _is_tuple(cls, name: str) -> bool:
        return str(cls.__dataclass_fields__[name].type).startswith("tuple[")


@dataclass(frozen=True, kw_only=True)
class ToolResult(DataPart):
    """What a tool answered.

    Attributes:
        text: What an agent would read; what pages wrote in it is not marked.
        images: Its pictures.
        data: The same as the text for programs, as the server sent it; empty for most tools.
    """

    text: str = ""
    images: tuple[ReplyImage, ...] = field(default=(), repr=False)
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        return self.text
