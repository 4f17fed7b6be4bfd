"""Shared socket: many CDP connections over one socket, each with a browser session of its own.

Chrome gives whoever asks a further session with the browser itself, over the same socket. A branch
is such a session, made to look like a socket: what is attached to through it belongs to it.
Which tabs there are is asked once for the whole socket. Each branch hears of the tabs in its own
browser contexts, and of no others.
"""

from __future__ import annotations

import asyncio
import logging
import re

import msgspec

from tabmux.cdp.cdp_connection import CdpConnection, Fence
from tabmux.cdp.channel import CALL_SECONDS
from tabmux.cdp.event_rate import session_id_of
from tabmux.cdp.transports import Closed, Receive, Transport

logger = logging.getLogger(__name__)

_ATTACHED = b'{"method":"Target.attachedToTarget"'
_DETACHED = b'{"method":"Target.detachedFromTarget"'
_TARGET = b'{"method":"Target.target'
_NO_SESSION = b'"error":{"code":-32001'
_DISCOVER = re.compile(rb'\{"id":(\d+),"method":"Target\.setDiscoverTargets"')


class _TargetInfo(msgspec.Struct, frozen=True):
    targetId: str = ""
    browserContextId: str = ""


class _TargetParams(msgspec.Struct, frozen=True):
    sessionId: str = ""
    targetId: str = ""
    targetInfo: _TargetInfo = _TargetInfo()


class _TargetEvent(msgspec.Struct):
    method: str = ""
    params: _TargetParams = _TargetParams()


class _KnownTarget(msgspec.Struct):
    context: str
    # The last event that told of it.
    event: bytes


class SharedSocket:
    """One socket to one browser; `root` is its own connection, branches are for others.

    Args:
        transport: The socket.
        fence: What may keep commands of its own connection from being sent.
    """

    def __init__(self, transport: Transport, fence: Fence | None = None) -> None:
        self._transport = transport
        self._decode = msgspec.json.Decoder(_TargetEvent).decode
        self._branches: dict[bytes, Branch] = {}
        # Whom a session with a tab, a frame or a worker belongs to.
        self._owners: dict[bytes, Branch] = {}
        self._contexts: dict[str, Branch] = {}
        self._targets: dict[str, _KnownTarget] = {}
        self._root = _Root(transport)
        self.root = CdpConnection(self._root, fence)
        self._loop = asyncio.get_running_loop()
        # When the browser last said anything, to whomever.
        self.heard = self._loop.time()
        transport.start(self._receive, self._lost)

    async def start(self, timeout: float = CALL_SECONDS) -> None:
        """Ask which tabs there are, for so many seconds."""
        asked = {"discover": True, "filter": [{"type": "page"}]}
        await self.root.browser.call("Target.setDiscoverTargets", asked, timeout=timeout)

    async def branch(self) -> Branch:
        """Open a further connection."""
        attached = await self.root.browser.call("Target.attachToBrowserTarget")
        session = str(attached["sessionId"]).encode()
        branch = self._branches[session] = Branch(session, self)
        return branch

    @property
    def count(self) -> int:
        """How many branches are open."""
        return len(self._branches)

    def close(self) -> None:
        """Close the socket, and every branch with it."""
        self._transport.close()

    def lose(self, reason: str) -> None:
        """Give the socket up for lost; every branch is told why."""
        self._lost(reason)
        self._transport.close()

    def send(self, message: bytes) -> None:
        """Send a message of a branch."""
        self._transport.send(message)

    def include(self, context: str, branch: Branch) -> None:
        """Let a branch hear of the tabs in a browser context."""
        self._contexts[context] = branch

    def known(self, branch: Branch) -> list[bytes]:
        """Return the events that tell of the tabs of a branch, as if they were new."""
        return [
            known.event.replace(b"Target.targetInfoChanged", b"Target.targetCreated", 1)
            for known in self._targets.values()
            if self._contexts.get(known.context) is branch
        ]

    def forget(self, branch: Branch) -> None:
        """Let go of a branch that is closed."""
        if self._branches.pop(branch.session, None) is None:
            return
        if self.root.is_open:
            session = branch.session.decode()
            self.root.browser.send("Target.detachFromTarget", {"sessionId": session})
        self._owners = {key: owner for key, owner in self._owners.items() if owner is not branch}
        self._contexts = {key: own for key, own in self._contexts.items() if own is not branch}

    def _receive(self, message: bytes) -> None:
        self.heard = self._loop.time()
        session = _trailing_session(message)
        if not session:
            self._receive_root(message)
            return
        branch = self._branches.get(session)
        owner = branch or self._owners.get(session)
        if message.startswith((_ATTACHED, _DETACHED)):
            self._note_session(message, owner)
        if branch is not None:
            branch.deliver(_without_session(message, session))
        elif owner is not None:
            owner.deliver(message)
        else:
            self._root.receive(message)

    def _receive_root(self, message: bytes) -> None:
        if not message.startswith(_TARGET):
            # Chromium 156 does not say whose command it was that named a session which is gone.
            if _NO_SESSION not in message[:80]:
                self._root.receive(message)
            return
        event = self._decode(message)
        ident = event.params.targetInfo.targetId or event.params.targetId
        if event.method == "Target.targetDestroyed":
            known = self._targets.pop(ident, None)
        else:
            context = event.params.targetInfo.browserContextId
            known = self._targets[ident] = _KnownTarget(context, message)
        branch = self._contexts.get(known.context) if known is not None else None
        if branch is not None and branch.discovers:
            branch.deliver(message)
        self._root.receive(message)

    def _note_session(self, message: bytes, owner: Branch | None) -> None:
        event = self._decode(message)
        session = event.params.sessionId.encode()
        if event.method == "Target.detachedFromTarget":
            self._owners.pop(session, None)
        elif owner is not None:
            self._owners[session] = owner

    def _lost(self, reason: str) -> None:
        branches, self._branches = list(self._branches.values()), {}
        for branch in branches:
            branch.end(reason)
        self._root.closed(reason)


class _Root:
    """The socket as its own connection sees it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.receive: Receive
        self.closed: Closed

    def start(self, receive: Receive, closed: Closed) -> None:
        self.receive, self.closed = receive, closed

    def send(self, message: bytes) -> None:
        self._transport.send(message)

    def close(self) -> None:
        self._transport.close()


class Branch:
    """One session with the browser, as a transport of its own.

    Args:
        session: Its id.
        socket: What carries it.
    """

    def __init__(self, session: bytes, socket: SharedSocket) -> None:
        self.session = session
        # Whether it is told of tabs.
        self.discovers = False
        self._socket = socket
        self._suffix = b',"sessionId":"' + session + b'"}'
        self._early: list[bytes] = []
        self._receive: Receive | None = None
        self._closed: Closed | None = None
        self._reason: str | None = None

    def include(self, context: str) -> None:
        """Hear of the tabs in a browser context."""
        self._socket.include(context, self)

    def start(self, receive: Receive, closed: Closed) -> None:
        """Begin to deliver messages, those that came early first."""
        self._receive, self._closed = receive, closed
        early, self._early = self._early, []
        for message in early:
            receive(message)
        if self._reason is not None:
            closed(self._reason)

    def send(self, message: bytes) -> None:
        """Send one message; what has no session is meant for the browser."""
        if self._reason is not None:
            return
        if _trailing_session(message):
            self._socket.send(message)
        elif asked := _DISCOVER.match(message):
            self._answer_discovery(asked[1])
        else:
            self._socket.send(message[:-1] + self._suffix)

    def close(self) -> None:
        """Close the session, and those with tabs that were opened through it."""
        self._socket.forget(self)
        self.end("the session with the browser was closed")

    def deliver(self, message: bytes) -> None:
        """Hand on a message from the browser."""
        if self._receive is None:
            self._early.append(message)
        elif self._reason is None:
            self._receive(message)

    def end(self, reason: str) -> None:
        """Note that the link is gone."""
        if self._reason is not None:
            return
        self._reason = reason
        if self._closed is not None:
            self._closed(reason)

    def _answer_discovery(self, ident: bytes) -> None:
        """Tell of the tabs there are: the socket knows them already."""
        self.discovers = True
        answer = b'{"id":' + ident + b',"result":{}}'
        loop = asyncio.get_running_loop()
        for message in (*self._socket.known(self), answer):
            loop.call_soon(self.deliver, message)


def _trailing_session(message: bytes) -> bytes:
    """Return the id of the session that a message is of; none for the browser's own."""
    session = session_id_of(message)
    # One that is part of a result or of parameters is followed by more than a bracket.
    return b"" if b'"' in session else session


def _without_session(message: bytes, session: bytes) -> bytes:
    return message[: -(len(session) + 16)] + b"}"
