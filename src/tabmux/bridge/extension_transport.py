"""Extension transport: a connected extension as the CDP transport of its browser.

What concerns the browser as a whole is answered here, from what the extension says of its tabs;
what concerns a tab is relayed to `chrome.debugger` there.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from tabmux.bridge.extension_link import ExtensionLink
from tabmux.bridge.extension_targets import (
    POINT,
    SHOW_REQUEST,
    SHOW_SESSION,
    ExtensionTargets,
    LentTab,
    TargetEvent,
)
from tabmux.bridge.messages import Message
from tabmux.cdp.transports import UNKNOWN_METHOD, Closed, Receive

# Called with the extension's reply.
OnReply = Callable[[Message], None]

_NOT_FOR_EXTENSIONS = "Chrome does not let an extension do this."
# What the extension says of commands that would reach other tabs.
_MORE_THAN_THE_TAB = "It concerns more than the tab that was lent."
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
# Ids are never used twice on a link, whichever transport used it before.
_ids = itertools.count(1)


class ExtensionTransport:
    """One browser, reached through its extension.

    Args:
        link: The extension; it stays open when the transport is closed.
    """

    def __init__(self, link: ExtensionLink) -> None:
        self._link = link
        self._targets = ExtensionTargets()
        self._open = True
        self._receive: Receive
        self._closed: Closed
        self._stop_listening: Callable[[], None] = lambda: None
        # From ids on the link to ids of commands, and to what waits for a reply.
        self._commands: dict[int, int] = {}
        self._replies: dict[str, OnReply] = {}
        self._discovering: list[Callable[[], None]] = []

    def start(self, receive: Receive, closed: Closed) -> None:
        """Begin to deliver messages."""
        self._receive, self._closed = receive, closed
        self._stop_listening = self._link.on_message(self._receive_message)
        self._link.closed.add_done_callback(self._lost)

    def send(self, message: bytes) -> None:
        """Relay a command to its tab, or answer one that concerns the browser."""
        if not self._open:
            return
        command = _decode(message)
        if session := command.get("sessionId"):
            self._relay(command, session)
        elif handle := _COMMANDS.get(command["method"]):
            handle(self, command["params"], _CommandReply(self, command["id"]))
        else:
            _CommandReply(self, command["id"]).refuse()

    def close(self) -> None:
        """Let go of the tabs; the extension stays connected."""
        self._finish("the extension was let go of")

    def _lost(self, ended: asyncio.Future[str]) -> None:
        self._finish("cancelled" if ended.cancelled() else ended.result())

    def _finish(self, reason: str) -> None:
        if not self._open:
            return
        self._open = False
        self._stop_listening()
        self._link.closed.remove_done_callback(self._lost)
        self._closed(reason)

    def _relay(self, command: Message, session: str) -> None:
        tab = self._targets.of_session(session)
        if tab is None:
            _CommandReply(self, command["id"]).fail("The tab is no longer attached.")
            return
        message_id = next(_ids)
        self._commands[message_id] = command["id"]
        relayed = {
            "type": "cdp",
            "id": message_id,
            "tabId": tab.number,
            "method": command["method"],
        }
        if session != tab.session:
            relayed["sessionId"] = session
        self._link.send({**relayed, "params": command["params"]})

    def _ask(self, message: Message, reply: _CommandReply, then: OnReply | None = None) -> None:
        """Send a request to the extension; its failure is the failure of the command."""
        message_id = f"t{next(_ids)}"

        def answered(answer: Message) -> None:
            if (error := answer.get("error")) is not None:
                reply.fail(str(error))
            elif then is not None:
                then(answer.get("result") or {})
            else:
                reply.succeed({})

        self._replies[message_id] = answered
        self._link.send({**message, "id": message_id})

    def _receive_message(self, message: Message) -> None:
        if not self._open:
            return
        handler = _MESSAGE_HANDLERS.get(message["type"])
        if handler is not None:
            handler(self, message)

    def _emit(self, events: Iterable[TargetEvent]) -> None:
        for method, params in events:
            self._receive(_encode({"method": method, "params": params}))

    # Messages of the extension.

    def _on_result(self, message: Message) -> None:
        command_id = self._commands.pop(message["id"], None)
        if command_id is None:
            return
        if (error := message.get("error")) is not None:
            text = str(error.get("message") if isinstance(error, dict) else error)
            reply = _CommandReply(self, command_id)
            # A part of the protocol that Chrome keeps from extensions looks unknown to it.
            if text.endswith("wasn't found"):
                reply.refuse()
            elif text == _MORE_THAN_THE_TAB:
                reply.refuse(text)
            else:
                reply.fail(text)
        else:
            _CommandReply(self, command_id).succeed(message.get("result") or {})

    def _on_event(self, message: Message) -> None:
        tab = self._targets.numbered(message["tabId"])
        if tab is None or not tab.session:
            return
        method, params = message["method"], message.get("params") or {}
        session = message.get("sessionId") or tab.session
        if method.startswith("Target."):
            self._targets.follow(tab, method, params)
        self._receive(_encode({"method": method, "params": params, "sessionId": session}))

    def _on_reply(self, message: Message) -> None:
        if answer := self._replies.pop(str(message["id"]), None):
            answer(message)

    def _on_connected(self, message: Message) -> None:
        self._emit(self._targets.replace(message["tabs"]))
        waiting, self._discovering = self._discovering, []
        for answer in waiting:
            answer()

    def _on_created(self, message: Message) -> None:
        self._emit(self._targets.note(message["tab"], opened=True))

    def _on_updated(self, message: Message) -> None:
        self._emit(self._targets.note(message["tab"]))

    def _on_closed(self, message: Message) -> None:
        if tab := self._targets.numbered(message["tabId"]):
            self._emit(self._targets.remove(tab, str(message.get("reason", ""))))

    def _on_detached(self, message: Message) -> None:
        if tab := self._targets.numbered(message["tabId"]):
            self._emit(self._targets.detach(tab))

    def _on_point(self, message: Message) -> None:
        if tab := self._targets.numbered(message["tabId"]):
            sentence = message["sentence"]
            self._emit(iter([(POINT, {"targetId": tab.key, "sentence": sentence})]))

    def _on_disconnected(self, message: Message) -> None:
        self._finish(str(message.get("reason") or "the browser is closing"))

    # Commands that concern the browser.

    def _discover(self, params: Message, reply: _CommandReply) -> None:
        self._discovering.append(lambda: reply.succeed({}))
        self._link.send({"type": "connect"})

    def _list(self, params: Message, reply: _CommandReply) -> None:
        reply.succeed({"targetInfos": self._targets.all()})

    def _create(self, params: Message, reply: _CommandReply) -> None:
        if params.get("browserContextId"):
            reply.refuse()
            return
        message = {
            "type": "openTab",
            "url": params.get("url", "about:blank"),
            "focus": not params.get("background", False),
            "session": params.get("session", ""),
        }

        def opened(result: Message) -> None:
            self._emit(self._targets.note(result["tab"]))
            tab = self._targets.numbered(result["tab"]["id"])
            reply.succeed({"targetId": tab.key if tab else ""})

        self._ask(message, reply, opened)

    def _attach(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):

            def attached(_: Message) -> None:
                self._emit(self._targets.attach(tab))
                reply.succeed({"sessionId": tab.session})

            self._ask({"type": "attach", "tabId": tab.number}, reply, attached)

    def _close_target(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):
            self._ask({"type": "closeTab", "tabId": tab.number}, reply)

    def _activate(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):
            self._ask({"type": "focusTab", "tabId": tab.number}, reply)

    def _show_session(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):
            message = {"type": "useTab", "tabId": tab.number, "session": params["session"]}
            self._ask(message, reply)

    def _show_request(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):
            message = {"type": "showRequest", "tabId": tab.number, "reason": params["reason"]}
            self._ask(message, reply)

    def _version(self, params: Message, reply: _CommandReply) -> None:
        # Not from memory: this is also how a browser is asked for a sign of life.
        def known(result: Message) -> None:
            reply.succeed({"product": f"{result.get('name')}/{result.get('version')}"})

        self._ask({"type": "browser"}, reply, known)

    def _window(self, params: Message, reply: _CommandReply) -> None:
        if tab := self._tab(params, reply):
            reply.succeed({"windowId": tab.number, "bounds": {"windowState": "normal"}})

    def _resize(self, params: Message, reply: _CommandReply) -> None:
        # The window is the user's own; the page alone is made to see another size.
        tab = self._targets.numbered(params["windowId"])
        size = {"width": params["width"], "height": params["height"]}
        override = {**size, "deviceScaleFactor": 0, "mobile": False}
        command = {"method": "Emulation.setDeviceMetricsOverride", "params": override}
        self._relay({**command, "id": reply.command_id}, tab.session if tab else "")

    def _tab(self, params: Message, reply: _CommandReply) -> LentTab | None:
        tab = self._targets.find(params.get("targetId"))
        if tab is None:
            reply.fail("There is no such tab; it was closed or taken back.")
        return tab


class _CommandReply:
    """Answers one command."""

    def __init__(self, transport: ExtensionTransport, command_id: int) -> None:
        self._transport, self.command_id = transport, command_id

    def succeed(self, result: Message) -> None:
        self._transport._receive(_encode({"id": self.command_id, "result": result}))

    def fail(self, text: str, code: int = -32000) -> None:
        error = {"code": code, "message": text}
        self._transport._receive(_encode({"id": self.command_id, "error": error}))

    def refuse(self, text: str = _NOT_FOR_EXTENSIONS) -> None:
        self.fail(text, UNKNOWN_METHOD)


_COMMANDS: dict[str, Callable[[ExtensionTransport, Message, _CommandReply], Any]] = {
    "Browser.getVersion": ExtensionTransport._version,
    "Browser.getWindowForTarget": ExtensionTransport._window,
    "Browser.setContentsSize": ExtensionTransport._resize,
    SHOW_SESSION: ExtensionTransport._show_session,
    SHOW_REQUEST: ExtensionTransport._show_request,
    "Target.activateTarget": ExtensionTransport._activate,
    "Target.attachToTarget": ExtensionTransport._attach,
    "Target.closeTarget": ExtensionTransport._close_target,
    "Target.createTarget": ExtensionTransport._create,
    "Target.getTargets": ExtensionTransport._list,
    "Target.setDiscoverTargets": ExtensionTransport._discover,
}

_MESSAGE_HANDLERS: dict[str, Callable[[ExtensionTransport, Message], None]] = {
    "cdpResult": ExtensionTransport._on_result,
    "cdpEvent": ExtensionTransport._on_event,
    "reply": ExtensionTransport._on_reply,
    "connected": ExtensionTransport._on_connected,
    "tabCreated": ExtensionTransport._on_created,
    "tabUpdated": ExtensionTransport._on_updated,
    "tabClosed": ExtensionTransport._on_closed,
    "detached": ExtensionTransport._on_detached,
    "point": ExtensionTransport._on_point,
    "disconnected": ExtensionTransport._on_disconnected,
}
