"""Command tools: the tools that are commands to a session's extension, and what each carries."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tabmux.bridge.messages import GONE, Message, failure_of
from tabmux.content import Image, Reply, ToolSpec, quoted
from tabmux.errors import BadArguments, PageTrouble, Refused
from tabmux.policy.policy import Policy
from tabmux.tools.pipeline import access

_Schema = dict[str, Any]

# The command that runs code of the agent's own, and the one that takes a picture.
SCRIPT = "js.execute"
PICTURE = "browser_screenshot"
# Where extensions put a picture in their response.
_PICTURES = ("data", "screenshot", "dataUrl", "image")
# Chrome's `tabs.captureVisibleTab` returns one.
_DATA_URL = re.compile(r"data:(image/[a-z0-9.+-]+)(?:;[^,;]*)*?;base64,", re.IGNORECASE)


@dataclass(frozen=True)
class CommandTool:
    """A tool, and the command that it sends."""

    spec: ToolSpec
    command: str
    # At least one of these arguments must be there.
    any_of: tuple[str, ...] = ()
    clipboard: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.spec.name

    @property
    def read_only(self) -> bool:
        """Whether it only looks."""
        return self.spec.reads

    @property
    def scripts(self) -> bool:
        """Whether it runs what the caller wrote."""
        return self.command == SCRIPT

    def refusal(self, policy: Policy) -> Refused | None:
        """Say why it may not be called, if so; it is not listed either."""
        tabs = f"{self.name} is switched off: tabs that are reached through the extension"
        return access.refusal(policy, self) or policy.urls.restriction(tabs)

    def payload(self, arguments: Mapping[str, Any]) -> tuple[str, Message]:
        """Return the command and what it carries, or say what is wrong with the arguments."""
        properties = self.spec.schema["properties"]
        if unknown := set(arguments) - set(properties):
            raise BadArguments(f"{self.spec.name} has no argument {', '.join(sorted(unknown))}.")
        for name in self.spec.schema.get("required", ()):
            if name not in arguments:
                raise BadArguments(f"{self.spec.name} needs {name}.")
        for name, value in arguments.items():
            if not isinstance(value, _PYTHON[properties[name]["type"]]):
                raise BadArguments(f"{name} must be of type {properties[name]['type']}.")
        if self.any_of and not set(self.any_of) & set(arguments):
            raise BadArguments(f"{self.spec.name} needs {' or '.join(self.any_of)}.")
        given = dict(arguments)
        if self.command != "tabs":
            return self.command, given
        action = given.pop("action")
        if action not in properties["action"]["enum"]:
            raise BadArguments(f"There is no action {action!r}.")
        return f"tabs.{action}", given


def reply_of(response: Message) -> Reply:
    """Put an extension's response into words."""
    data = response.get("data")
    told = data if isinstance(data, dict) else {}
    if (failure := failure_of(response)) is not None:
        code = GONE if told.get("code") == GONE else "extension_failed"
        error = PageTrouble("The extension could not do it.", code=code)
        return Reply.failure(error).quote(failure)
    if isinstance(data, str) and (picture := _picture(data)):
        return Reply("", [picture])
    for key in _PICTURES:
        if picture := _picture(told.get(key), told.get("mimeType")):
            rest = {name: told[name] for name in told if name not in (key, "mimeType")}
            return Reply(quoted(json.dumps(rest, ensure_ascii=False)), [picture])
    return Reply(quoted(json.dumps(data, ensure_ascii=False)))


def _picture(text: Any, mime: Any = None) -> Image | None:
    """Return the picture that an extension wrote as a data URL, or as base64 of a named type."""
    if not isinstance(text, str):
        return None
    if found := _DATA_URL.match(text):
        mime, text = found[1], text[found.end() :]
    if not isinstance(mime, str) or not mime.startswith("image/"):
        return None
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return Image(text, mime) if text else None


def _tool(
    name: str,
    about: str,
    *required: str,
    command: str = "",
    any_of: tuple[str, ...] = (),
    reads: bool = False,
    **properties: _Schema,
) -> CommandTool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return CommandTool(ToolSpec(name, about, schema, reads=reads), command or name, any_of)


def _text(about: str) -> _Schema:
    return {"type": "string", "description": about}


def _number(about: str) -> _Schema:
    return {"type": "number", "description": about}


def _flag(about: str) -> _Schema:
    return {"type": "boolean", "description": about}


_PYTHON: dict[str, type | tuple[type, ...]] = {
    "string": str, "number": (int, float), "boolean": bool, "array": list,
}  # fmt: skip
_REF = _text("A uid, or the element's id, name, test id, label or text.")
_SELECTOR = _text("A CSS selector.")
_ACTION: _Schema = {
    "type": "string", "enum": ["list", "select", "new", "close"], "description": "What to do.",
}  # fmt: skip
_OPTIONS: _Schema = {
    "type": "array", "items": {"type": "string"}, "description": "Values of options.",
}  # fmt: skip

COMMAND_TOOLS: dict[str, CommandTool] = {
    each.spec.name: each
    for each in (
        _tool(
            "browser_navigate", "Go to a URL in the session's tab.", "url",
            url=_text("Address to load."),
        ),
        _tool(
            "browser_execute_js", "Run JavaScript in the tab.", "code",
            command=SCRIPT, code=_text("The code to run."),
        ),
        _tool(
            "browser_wait", "Wait for some seconds, or for an element or text to appear.",
            time=_number("Seconds."), ref=_REF, selector=_SELECTOR, text=_text("Text to appear."),
            timeout=_number("Most milliseconds to wait."), reads=True,
        ),
        _tool(
            "browser_tabs", "List, select, open or close tabs.", "action",
            command="tabs", action=_ACTION,
            tabId=_number("For select and close."), url=_text("For new."),
        ),
        _tool(
            "browser_click", "Click an element.", any_of=("ref", "selector", "text"),
            ref=_REF, selector=_SELECTOR, text=_text("Or its text."),
        ),
        _tool(
            "browser_type", "Type into a field.", "text", any_of=("ref", "selector"),
            ref=_REF, selector=_SELECTOR, text=_text("Text to type."),
            submit=_flag("Press Enter then."),
        ),
        _tool(
            "browser_select_option", "Choose options of a select.", "values",
            any_of=("ref", "selector"), ref=_REF, selector=_SELECTOR, values=_OPTIONS,
        ),
        _tool(
            "browser_screenshot", "Take a picture of the tab.",
            fullPage=_flag("All of the page."), reads=True,
        ),
    )
}  # fmt: skip
