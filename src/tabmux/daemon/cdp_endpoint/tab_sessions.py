"""Tab sessions: the CDP sessions that a client of the endpoint has, and what goes through them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tabmux.browsers.browser import Browser
from tabmux.cdp.channel import Channel
from tabmux.daemon.cdp_endpoint import client_messages as messages
from tabmux.daemon.cdp_endpoint.client_messages import ClientCommand
from tabmux.daemon.cdp_endpoint.command_filter import TabRules, needs_params, tab_refusal
from tabmux.errors import Misuse, Refused, TabmuxError
from tabmux.page.handle import PageHandle

Send = Callable[[bytes], None]

MOST_PENDING = 10_000


@dataclass
class TabSession:
    """One CDP session: with a tab, or with a frame or worker below one.

    Args:
        id: Chrome's id of it.
        target: The tab that it belongs to.
        parent: The session that it came with; empty for one with the tab itself.
        keep_drawing: Has the tab draw for a while, which it may not do in the background.
        outer: The session by which the client was told of it; empty for the browser's own.
        pending: The client's numbers of commands, by our own.
    """

    id: str
    target: str
    keep_drawing: Callable[[], None]
    parent: str = ""
    outer: str = ""
    pending: dict[int, int] = field(default_factory=dict)


class TabSessions:
    """The CDP sessions of one client, whose messages pass between it and the browser.

    Args:
        browser: The browser.
        send: Where messages for the client go.
        rules: What the session's policy says now.
    """

    def __init__(self, browser: Browser, send: Send, rules: Callable[[], TabRules]) -> None:
        self._browser, self._send, self._rules = browser, send, rules
        self._sessions: dict[str, TabSession] = {}
        self._channel: Channel = browser.channel

    def __contains__(self, session: str) -> bool:
        return session in self._sessions

    def of_target(self, target: str) -> list[TabSession]:
        """Return the sessions with a tab itself."""
        return [s for s in self._sessions.values() if s.target == target and not s.parent]

    async def attach(self, page: PageHandle, outer: str) -> TabSession:
        """Open a CDP session with a tab."""
        keep_drawing = (await page.attach()).drawing.keep
        channel = await self._browser.attach(page.target_id)
        session = self._add(TabSession(channel.id, page.target_id, keep_drawing, outer=outer))
        channel.on_close(lambda _: self._lost(session))
        return session

    def detach(self, session: str) -> None:
        """Close a CDP session, and those below it; the tab's rules hold on."""
        found = self._sessions.get(session)
        if found is None:
            return
        self._forget(session)
        if self._channel.is_open:
            self._channel.send("Target.detachFromTarget", {"sessionId": session})
            self._browser.renew_rules(found.target)

    def _lost(self, session: TabSession) -> None:
        """Tell the client that a tab has gone away by itself."""
        if session.id in self._sessions:
            self._forget(session.id)
            self.tell_detached(session)

    def tell_detached(self, session: TabSession) -> None:
        """Tell the client that a session with a tab has ended."""
        gone = {"sessionId": session.id, "targetId": session.target}
        self._send(messages.event("Target.detachedFromTarget", gone, session.outer))

    def close(self) -> None:
        """Close all of them."""
        for session in [each for each in self._sessions.values() if not each.parent]:
            self.detach(session.id)

    def receive(self, command: ClientCommand) -> None:
        """Pass a command on, or refuse it."""
        try:
            params = self._permitted(command)
        except TabmuxError as error:
            self._send(messages.refusal(command, error.text))
        else:
            self.forward(command, params)

    def _permitted(self, command: ClientCommand) -> object:
        """Return what goes to the browser with a command, or raise why it does not go there."""
        looked_at = needs_params(command.method)
        read = messages.command_params(command) if looked_at else {}
        if refused := tab_refusal(command.method, read, self._rules()):
            raise Refused(refused)
        if len(self._sessions[command.sessionId].pending) >= MOST_PENDING:
            raise Misuse("Too many commands wait for an answer.")
        # As they were read here: Chrome may read the same text in another way.
        return read if looked_at else command.params

    def forward_releasing(self, command: ClientCommand, params: object) -> None:
        """Pass on a command that may end sessions below a tab; the tab's rules hold on."""
        target = self._sessions[command.sessionId].target
        self.forward(command, params)
        if self._channel.is_open:
            self._browser.renew_rules(target)

    def forward(self, command: ClientCommand, params: object) -> None:
        """Pass a command on to the browser; its answer carries the client's number."""
        session = self._sessions[command.sessionId]
        try:
            ident = self._channel.send_for(session.id, command.method, params)
        except TabmuxError as error:
            self._send(messages.refusal(command, error.text))
        else:
            session.pending[ident] = command.id
            # After the command: a picture is then taken from the first frame.
            session.keep_drawing()

    def _add(self, session: TabSession) -> TabSession:
        self._sessions[session.id] = session
        self._channel.hand_messages(session.id, lambda message: self._take(session, message))
        return session

    def _take(self, session: TabSession, message: bytes) -> None:
        if messages.is_plain_event(message):
            self._send(message)
            return
        read = messages.read_message(message)
        if not read.method:
            if (ident := session.pending.pop(read.id, None)) is not None:
                self._send(messages.renumbered(read, ident))
        elif read.method == "Target.attachedToTarget":
            child = str(messages.read_params(read.params).get("sessionId"))
            self._add(TabSession(child, session.target, session.keep_drawing, session.id))
            self._send(message)
        elif read.method == "Target.detachedFromTarget":
            self._forget(str(messages.read_params(read.params).get("sessionId")))
            self._send(message)
        elif not read.method.startswith("Target."):
            self._send(message)

    def _forget(self, session: str) -> None:
        gone = self._sessions.pop(session, None)
        if gone is None:
            return
        self._channel.hand_messages(session, None)
        for child in [each for each in self._sessions.values() if each.parent == session]:
            self._forget(child.id)
