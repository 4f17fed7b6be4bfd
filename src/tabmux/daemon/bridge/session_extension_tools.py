"""Session extension tools: commands to the extension of a session, and notifications from it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from tabmux.bridge.messages import ExtensionNotification, Message, failure_of, tab_of
from tabmux.concurrency import Listeners
from tabmux.content import Image, Reply, ToolSpec, quoted
from tabmux.daemon.bridge.local_bridge import DAEMON_VARIABLE, LocalBridge
from tabmux.daemon.http.token_file import read_or_make, token_file
from tabmux.errors import BadArguments
from tabmux.policy.policy import Policy
from tabmux.sessions.session import Log, Session

_Schema = dict[str, Any]

LONGEST_LINE = 4_000
# The command that runs code of the agent's own.
_SCRIPT = "js.execute"


class CommandRunner(Protocol):
    """Runs commands in a session's extension, through a bridge here or in another process."""

    async def run(
        self, session: str, kind: str, payload: Message, *, tab: int | None = None
    ) -> Message:
        """Have it carried out, and return the response."""


# The way to the session's extension and the id by which it is known there; None without one.
ExtensionRoute = Callable[[], tuple[CommandRunner, str] | None]


class SessionExtension:
    """The extension of one session: commands to it, and notifications from it.

    Args:
        route: Finds the extension.
        policy: What agents may do.
        log: Tells the session's clients of notifications.
    """

    def __init__(self, route: ExtensionRoute, policy: Policy, log: Log) -> None:
        self.tab: int | None = None
        self._route, self._policy, self._log = route, policy, log
        self._had_extension = self.is_open
        self._changed = Listeners[[]]()

    @property
    def is_open(self) -> bool:
        """Whether the session has an extension."""
        return self._route() is not None

    def specs(self) -> Sequence[ToolSpec]:
        """List the tools that the extension carries out; none without an extension."""
        return [each.spec for each in _COMMAND_TOOLS.values() if self.knows(each.spec.name)]

    def knows(self, tool: str) -> bool:
        """Whether a tool is one of these, is allowed, and the session has an extension."""
        if tool not in _COMMAND_TOOLS or not self.is_open:
            return False
        command = _COMMAND_TOOLS[tool]
        if self._policy.read_only and not command.spec.reads:
            return False
        return self._policy.scripts or command.command != _SCRIPT

    def counted_name(self, name: str) -> str:
        """Return the name by which calls of a tool are counted."""
        return name

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Carry out a tool."""
        kind, payload = _COMMAND_TOOLS[name].payload(arguments)
        if "url" in payload:
            self._policy.urls.check(payload["url"])
        return _reply_of(await self._run(kind, payload))

    def on_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the session gets an extension or loses it; returns how to stop."""
        return self._changed.add(listener)

    def look_again(self) -> None:
        """See whether the session has an extension now that it did not have, or no longer."""
        had, self._had_extension = self._had_extension, self.is_open
        if had != self._had_extension:
            self._changed()

    def close(self) -> None:
        """Nothing is held."""

    async def _run(self, kind: str, payload: Message) -> Message:
        """Send a command to the current tab; the tab of the response is the current one then."""
        route = self._route()
        assert route is not None
        runner, session = route
        response = await runner.run(session, kind, payload, tab=self.tab)
        self._set_tab(tab_of(response.get("data")))
        return response

    def receive(self, message: Message, tab: int | None) -> None:
        """Take in a notification, and tell the session's clients."""
        self._set_tab(tab)
        self._log("info", _log_line(message))

    def _set_tab(self, tab: int | None) -> None:
        if tab is not None:
            self.tab = tab


class SessionExtensions:
    """The extension of every session.

    Args:
        find_session: Finds a session by any of its names.
        policy: What agents may do.
        remote: The bridge of another process, if that is the one to use.
    """

    def __init__(
        self,
        find_session: Callable[[str], Session | None],
        policy: Policy,
        remote: CommandRunner | None = None,
    ) -> None:
        self.bridge: LocalBridge | None = None
        self._find_session, self._policy, self._remote = find_session, policy, remote
        self._extensions: dict[str, SessionExtension] = {}

    def open(self, session: Session) -> SessionExtension:
        """Return the extension of a new session."""
        extension = SessionExtension(partial(self._route, session), self._policy, session.log)
        self._extensions[session.handle] = extension
        session.on_closed(partial(self._forget, session.handle))
        return extension

    def look_again(self) -> None:
        """See which sessions have an extension now, after one came or went."""
        for each in list(self._extensions.values()):
            each.look_again()

    async def forward(self, notification: ExtensionNotification) -> None:
        """Take a notification from an extension of this process to its session."""
        if extension := self.find(notification.session):
            extension.receive(notification.body, notification.tab)

    def find(self, name: str) -> SessionExtension | None:
        """Return the extension of a session, by any name of the session."""
        session = self._find_session(name)
        return self._extensions.get(session.handle) if session is not None else None

    def _forget(self, handle: str) -> None:
        self._extensions.pop(handle, None)

    def _route(self, session: Session) -> tuple[CommandRunner, str] | None:
        names = (*session.aliases, session.handle, session.label, session.name)
        if self._remote is not None:
            return self._remote, names[0]
        bridge = self.bridge.current if self.bridge is not None else None
        if bridge is None:
            return None
        known = next((name for name in names if name and bridge.session_sockets.has(name)), None)
        return (bridge.session_sockets, known) if known is not None else None


def remote_bridge(environment: Mapping[str, str] = os.environ) -> CommandRunner | None:
    """Return the bridge of another process, where the environment names one."""
    address = environment.get(DAEMON_VARIABLE, "")
    if not address:
        return None
    from tabmux.bridge.remote_bridge import RemoteCommands, local_address

    return RemoteCommands(local_address(address, DAEMON_VARIABLE), read_or_make(token_file()))


def _log_line(message: Message) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return text if len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + "…"


@dataclass(frozen=True)
class _CommandTool:
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


def _reply_of(response: Message) -> Reply:
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


def _tool(
    name: str,
    about: str,
    *required: str,
    command: str = "",
    reads: bool = False,
    **properties: _Schema,
) -> _CommandTool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return _CommandTool(ToolSpec(name, about, schema, reads=reads), command or name)


def _text(about: str) -> _Schema:
    return {"type": "string", "description": about}


def _number(about: str) -> _Schema:
    return {"type": "number", "description": about}


def _flag(about: str) -> _Schema:
    return {"type": "boolean", "description": about}


_PYTHON: dict[str, type | tuple[type, ...]] = {
    "string": str, "number": (int, float), "boolean": bool, "array": list,
}  # fmt: skip
_SELECTOR: _Schema = {"type": "string", "description": "A CSS selector."}
_ACTION: _Schema = {
    "type": "string", "enum": ["list", "select", "new", "close"], "description": "What to do.",
}  # fmt: skip
_OPTIONS: _Schema = {
    "type": "array", "items": {"type": "string"}, "description": "Values of options.",
}  # fmt: skip

_COMMAND_TOOLS: dict[str, _CommandTool] = {
    each.spec.name: each
    for each in (
        _tool(
            "browser_navigate", "Go to a URL in the session's tab.", "url",
            url=_text("Address to load."),
        ),
        _tool(
            "browser_execute_js", "Run JavaScript in the tab.", "code",
            command=_SCRIPT, code=_text("The code to run."),
        ),
        _tool(
            "browser_wait", "Wait for some seconds, or for a selector or text to appear.",
            time=_number("Seconds."), selector=_SELECTOR, text=_text("Text to appear."),
            timeout=_number("Most seconds to wait."), reads=True,
        ),
        _tool(
            "browser_tabs", "List, select, open or close tabs.", "action",
            command="tabs", action=_ACTION,
            tabId=_number("For select and close."), url=_text("For new."),
        ),
        _tool("browser_click", "Click an element.", selector=_SELECTOR, text=_text("Or its text.")),
        _tool(
            "browser_type", "Type into a field.", "selector", "text",
            selector=_SELECTOR, text=_text("Text to type."), submit=_flag("Press Enter then."),
        ),
        _tool(
            "browser_select_option", "Choose options of a select.", "selector", "values",
            selector=_SELECTOR, values=_OPTIONS,
        ),
        _tool(
            "browser_screenshot", "Take a picture of the tab.",
            fullPage=_flag("All of the page."), reads=True,
        ),
    )
}  # fmt: skip
