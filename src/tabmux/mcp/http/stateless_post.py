"""Stateless requests over HTTP: each a POST that says everything about itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from tabmux.content import ToolSpec
from tabmux.errors import Busy, Misuse, TabmuxError
from tabmux.mcp import rpc
from tabmux.mcp.backend import Backend, McpSession
from tabmux.mcp.dispatch import request_meta
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.dispatch.request_meta import METHOD_HEADER, NAME_HEADER, VERSION_HEADER, RequestMeta
from tabmux.mcp.dispatch.stateless import SessionRequest, StatelessDispatcher
from tabmux.mcp.http.http_limits import SessionQuota
from tabmux.mcp.http.http_request import HttpRefusal, HttpRequest
from tabmux.mcp.http.replay_buffer import ReplayBuffer, ReplyStream
from tabmux.mcp.http.server_sent_events import EVENT_STREAM, deliver
from tabmux.mcp.rpc import Incoming, Message, RpcError, RpcNotification, RpcRequest
from tabmux.mcp.schema import HEADER_MISMATCH, INTERNAL_ERROR, METHOD_NOT_FOUND

# A client that has lost its session is shown those that were used last.
RECENT_SECONDS = 600.0
MOST_RECENT = 5
_ROUTING = {VERSION_HEADER, METHOD_HEADER, NAME_HEADER}


class StatelessSessions:
    """Finds or opens the session of each stateless request over HTTP."""

    def __init__(self, backend: Backend, quota: SessionQuota) -> None:
        self._backend, self._quota = backend, quota
        self._known: dict[str, McpSession] = {}

    def tools(self, name: str) -> Sequence[ToolSpec]:
        """List the tools of a session, or as they are where nothing has happened."""
        session = self._backend.labelled(name) if name else None
        return self._backend.tools() if session is None else session.tools()

    def on_tools_changed(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when that list changes; returns how to stop."""
        return self._backend.on_tools_changed(listener)

    def join(self, wanted: SessionRequest) -> tuple[McpSession, bool] | None:
        """Return the session that a request names, or a new one."""
        if wanted.handle is not None:
            found = self._backend.find(wanted.handle) or self._backend.labelled(wanted.handle)
            return None if found is None else (found, False)
        if wanted.name and (found := self._backend.labelled(wanted.name)):
            return found, False
        if not wanted.name and self._backend.needs_session(wanted.tool, wanted.arguments):
            raise self._session_required(wanted.tool)
        if reason := self._quota.full(wanted.origin):
            raise Busy(reason, hint="Pass the session you already have.")
        opened = self._backend.open(wanted.name)
        self._quota.count(opened, wanted.origin)
        self._known[opened.handle] = opened
        opened.on_closed(lambda: self._forget(opened.handle))
        return opened, not wanted.name

    async def discard(self, session: McpSession) -> None:
        """Close a session whose handle never reached its client."""
        await session.close()

    def _forget(self, handle: str) -> None:
        self._known.pop(handle, None)

    def _session_required(self, tool: str) -> TabmuxError:
        recent = [s for s in self._known.values() if s.idle_seconds() < RECENT_SECONDS]
        latest = sorted(recent, key=lambda s: s.idle_seconds())[:MOST_RECENT]
        listed = "; ".join(
            f"{session.label or session.handle} ({session.describe()})" for session in latest
        )
        return Misuse(
            f"{tool} works on a page, and this call names no session that has one.",
            hint="Pass the session that navigate_page or new_page printed, or add ?session=NAME to "
            "the URL of this server."
            + (f" Recent sessions: {listed}." if listed else " There are no recent sessions."),
            code="session_required",
        )


async def post(http: HttpRequest, message: Incoming, stateless: StatelessDispatcher) -> None:
    """Answer one request; when the client hangs up, the work is cancelled."""
    if isinstance(message, RpcNotification):
        request_meta.check_version(http.headers.get(VERSION_HEADER, ""))
        await http.reply(202)
    elif isinstance(message, RpcRequest):
        await _request(http, message, stateless)
    else:
        raise HttpRefusal(400, "The server asks nothing, so there is nothing to answer.")


async def _request(http: HttpRequest, request: RpcRequest, stateless: StatelessDispatcher) -> None:
    if request.method == "subscriptions/listen" and not http.accepts(EVENT_STREAM):
        raise HttpRefusal(406, f"Accept must name {EVENT_STREAM}.")
    stream = ReplayBuffer().reply()
    context = RequestContext(
        request, stream, stateless, http.client, session_name=http.session_name
    )
    started: list[Coroutine[Any, Any, Message]] = []
    try:
        meta = _read_meta(http, request)
        stateless.receive(context, meta, lambda _, work: started.append(work))
    except RpcError as error:
        await http.reply(_status(error), rpc.error(request.id, error))
        return
    if started:
        http.call_key = lambda: context.key
        await http.stay(_work(http, context, started.pop(), stream))
        if http.is_answered:
            stateless.note_answer(context)
    else:
        await deliver(http, stream)


def _read_meta(http: HttpRequest, request: RpcRequest) -> RequestMeta:
    if again := http.repeated & _ROUTING:
        raise RpcError(HEADER_MISMATCH, f"The header {again.pop()} appears more than once.")
    return request_meta.read_meta(request, http.headers)


async def _work(
    http: HttpRequest,
    context: RequestContext,
    work: Coroutine[Any, Any, Message],
    stream: ReplyStream,
) -> None:
    async with asyncio.TaskGroup() as group:
        working = group.create_task(context.settle(work))
        await deliver(http, stream, status=lambda: _status(context.error))
        working.cancel()


def _status(error: RpcError | None) -> int:
    """Return the HTTP status of an answer that is not a stream."""
    if error is None or error.code == INTERNAL_ERROR:
        return 200
    return 404 if error.code == METHOD_NOT_FOUND else 400
