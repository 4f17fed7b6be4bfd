"""Tool calls: the arguments of a method as the daemon takes them, and its answer as a result."""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from tabmux.errors import CODES, Refused, TabmuxError
from tabmux.exceptions import BY_CODE
from tabmux.library.result_data import ReplyImage, ToolResult

R = TypeVar("R", bound=ToolResult)

FilePath = str | os.PathLike[str]

# What a page wrote stands between these in replies to agents. The word is a new one for each
# reply, which no page can know, so that what is between them cannot end early.
_FENCE = re.compile(r"<page (\w{10,})>\n(.*?)\n</page \1>", re.DOTALL)


@dataclass(frozen=True)
class ToolMethod(Generic[R]):
    """What a call of one tool needs.

    Args:
        name: The tool.
        group: The group that it is switched on with.
        result: What it returns.
        files: The arguments that are paths.
        defaults: What arguments are that nobody gives.
    """

    name: str
    group: str
    result: type[R]
    files: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def arguments(self, given: Mapping[str, Any], *, here: bool) -> dict[str, Any]:
        """Return the arguments that say something.

        Args:
            given: All arguments of the method.
            here: Whether the daemon is on this machine, so that paths are meant from our folder.
        """
        defaults = self.defaults
        said = {
            key: value
            for key, value in given.items()
            if key not in defaults or (value is not defaults[key] and value != defaults[key])
        }
        for key in self.files:
            if key in said:
                said[key] = _path(said[key], here=here)
        return said


class AsyncCaller(ABC):
    """What the methods of an asynchronous tab rest on."""

    @abstractmethod
    async def _call(self, method: ToolMethod[R], given: Mapping[str, Any]) -> R:
        """Call a tool."""


class SyncCaller(ABC):
    """What the methods of a synchronous tab rest on."""

    @abstractmethod
    def _call(self, method: ToolMethod[R], given: Mapping[str, Any]) -> R:
        """Call a tool."""


def read_reply(kind: type[R], reply: Mapping[str, Any]) -> R:
    """Return the answer to `tools/call` as a result, or raise the error that it is."""
    texts: list[str] = []
    images: list[ReplyImage] = []
    for block in reply["content"]:
        if block["type"] == "text":
            texts.append(block["text"])
        elif block["type"] == "image":
            images.append(ReplyImage(block["data"], block["mimeType"]))
    text = without_fence("\n".join(texts))
    if reply.get("isError"):
        raise error_of(text, reply.get("_meta", {}))
    data = reply.get("structuredContent", {})
    return kind.read(data, text=text, images=tuple(images), data=data)


def without_fence(text: str) -> str:
    """Take the marks away around what pages wrote; they are for models."""
    return _FENCE.sub(r"\2", text) if "<page " in text else text


def error_of(text: str, meta: Mapping[str, Any]) -> TabmuxError:
    """Return the exception that a failed call is raised as."""
    code = str(meta.get("code", "error"))
    message = text.removeprefix(f"Error [{code}]: ")
    hint = str(meta.get("hint", ""))
    if hint and hint in message:
        message = message.replace(hint, "", 1).rstrip()
    elif not hint and code in CODES:
        hint = CODES[code].next_step
    return made_error(code, message, hint)


def made_error(code: str, message: str, hint: str = "") -> TabmuxError:
    """Make the exception of a code; one that a newer server has is a plain `TabmuxError`."""
    kind = BY_CODE.get(code, TabmuxError)
    error = kind.__new__(kind)
    TabmuxError.__init__(error, message, hint=hint, code=code)
    if isinstance(error, Refused):
        error.rule = None
    return error


def _path(value: FilePath | Sequence[FilePath], *, here: bool) -> str | list[str]:
    if not isinstance(value, str | os.PathLike):
        return [str(_path(each, here=here)) for each in value]
    path = os.fspath(value)
    return os.path.abspath(path) if here else path
