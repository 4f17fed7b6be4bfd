"""Command tools: the tools of a session that has an extension; each is one command to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabmux.bridge.messages import Message, failure_of
from tabmux.content import Image, Reply, ToolSpec, quoted
from tabmux.errors import BadArguments

Schema = dict[str, Any]

# The command that runs code of the agent's own.
SCRIPT = "js.execute"


@dataclass(frozen=True)
class CommandTool:
    """A tool, and the command that it sends."""

    spec: ToolSpec
    command: str

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
        given = dict(arguments)
        if self.command != "tabs":
            return self.command, given
        action = given.pop("action")
        if action not in properties["action"]["enum"]:
            raise BadArguments(f"There is no action {action!r}.")
        return f"tabs.{action}", given


def reply_of(response: Message) -> Reply:
    """Put an extension's response into words."""
    if (failure := failure_of(response)) is not None:
        return Reply(f"The extension could not do it: {quoted(failure)}", code="extension_failed")
    data = response.get("data")
    told = data if isinstance(data, dict) else {}
    picture, mime = told.get("data"), told.get("mimeType")
    if isinstance(picture, str) and isinstance(mime, str) and mime.startswith("image/"):
        rest = {key: value for key, value in told.items() if key not in ("data", "mimeType")}
        return Reply(quoted(json.dumps(rest, ensure_ascii=False)), [Image(picture, mime)])
    return Reply(quoted(json.dumps(data, ensure_ascii=False)))


def _spec(
    name: str, about: str, /, *required: str, reads: bool = False, **properties: Schema
) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name, about, schema, reads=reads)


_PYTHON: dict[str, type | tuple[type, ...]] = {
    "string": str, "number": (int, float), "boolean": bool, "array": list,
}  # fmt: skip
_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_SELECTOR: Schema = {"type": "string", "description": "A CSS selector."}
_ACTION: Schema = {"type": "string", "enum": ["list", "select", "new", "close"]}

COMMAND_TOOLS: dict[str, CommandTool] = {
    each.spec.name: each
    for each in (
        CommandTool(
            _spec("browser_navigate", "Go to a URL in the session's tab.", "url", url=_TEXT),
            "browser_navigate",
        ),
        CommandTool(
            _spec("browser_execute_js", "Run JavaScript in the tab.", "code", code=_TEXT),
            SCRIPT,
        ),
        CommandTool(
            _spec(
                "browser_wait", "Wait for some seconds, or for a selector or text to appear.",
                time=_NUMBER, selector=_SELECTOR, text=_TEXT, timeout=_NUMBER, reads=True,
            ),
            "browser_wait",
        ),
        CommandTool(
            _spec(
                "browser_tabs", "List, select, open or close tabs.", "action",
                action=_ACTION, tabId=_NUMBER, url=_TEXT,
            ),
            "tabs",
        ),
        CommandTool(
            _spec("browser_click", "Click an element.", selector=_SELECTOR, text=_TEXT),
            "browser_click",
        ),
        CommandTool(
            _spec(
                "browser_type", "Type into a field.", "selector", "text",
                selector=_SELECTOR, text=_TEXT, submit={"type": "boolean"},
            ),
            "browser_type",
        ),
        CommandTool(
            _spec(
                "browser_select_option", "Choose options of a select.", "selector", "values",
                selector=_SELECTOR, values={"type": "array", "items": _TEXT},
            ),
            "browser_select_option",
        ),
        CommandTool(
            _spec(
                "browser_screenshot", "Take a picture of the tab.",
                fullPage={"type": "boolean"}, reads=True,
            ),
            "browser_screenshot",
        ),
    )
}  # fmt: skip
