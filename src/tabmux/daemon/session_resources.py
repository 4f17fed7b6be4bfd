"""Session resources: a session's console, requests, snapshots and downloads as MCP resources."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tabmux.concurrency import Listeners, TaskOwner
from tabmux.content import Reply, quoted
from tabmux.daemon.introduction import CAPABILITIES
from tabmux.errors import DeadlineExceeded, Refused
from tabmux.mcp.backend import Notice
from tabmux.mcp.resources import UPDATED
from tabmux.mcp.rpc import Message, RpcError
from tabmux.page.handle import PageHandle
from tabmux.policy.url_parser import shorten_url
from tabmux.sessions import handover
from tabmux.sessions.session import Session
from tabmux.tools.pipeline import access
from tabmux.tools.pipeline.delivery import delivered
from tabmux.tools.pipeline.saved_replies import SavedReplies

if TYPE_CHECKING:
    from tabmux.page.page import Page

LIST_CHANGED = "notifications/resources/list_changed"
DOWNLOADS = "tabmux://downloads"
# MCP's own code for a resource that does not exist, in the revisions with sessions.
NOT_FOUND = -32_002
# The newest lines of a log; tools show the others.
MOST_LINES = 200
# Between two looks at what is subscribed to: no resource is told of more often.
LOOK_SECONDS = 1.0
READ_SECONDS = 30.0
_PAGE_URI = re.compile(r"tabmux://page/(\d{1,15})/(console|network|snapshot)")
_ABOUT = {
    "console": "What the page has logged since it last navigated.",
    "network": "The requests of the page since it last navigated.",
    "snapshot": "The page as text with uids, as you were last shown it.",
}


# The tools that tell the same: where the policy leaves one out, there is no such resource either.
_TOOLS = {
    "console": "list_console_messages",
    "network": "list_network_requests",
    "snapshot": "take_snapshot",
    "downloads": "list_downloads",
}


class SessionResources:
    """What one session offers to read beside its tools.

    Args:
        session: Whose pages they are about; another's cannot be named.
        background: Where changes are looked for while somebody wants to hear of them.
        look_seconds: Between two looks.
    """

    capabilities = CAPABILITIES

    def __init__(
        self, session: Session, background: TaskOwner, look_seconds: float = LOOK_SECONDS
    ) -> None:
        self._session, self._background = session, background
        self._look_seconds = look_seconds
        self._saved = SavedReplies()
        self._notices = Listeners[[str, dict[str, Any]]]()
        self._watched: Counter[str] = Counter()
        self._seen: dict[str, str] = {}
        # The pages that a client was last told of; None before it ever asked.
        self._listed: frozenset[int] | None = None
        self._looking: asyncio.Task[Any] | None = None
        session.on_closed(self._stop)

    async def answer(self, method: str, params: Mapping[str, Any]) -> Message:
        """Answer one request; its parameters have been checked."""
        if self._session.restoration is not None:
            await self._session.restoration.finish()
        if method == "resources/list":
            self._listed = frozenset(self._session.pages)
            self._look()
            return {"resources": list(self._resources())}
        if method == "resources/templates/list":
            return {"resourceTemplates": [_template(kind) for kind in _ABOUT]}
        uri = str(params["uri"])
        try:
            async with asyncio.timeout(READ_SECONDS):
                reply = await delivered(await self._read(uri), self._session.policy, self._saved)
        except TimeoutError as error:
            raise DeadlineExceeded(f"{uri} was not read within {READ_SECONDS:g} s.") from error
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": reply.text}]}

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        """Call `listener` with a notification when a resource or the list of them changes."""
        return self._notices.add(listener)

    def watch(self, uri: str) -> Callable[[], None]:
        """Look for changes of a resource from now on; returns how to stop."""
        self._seen[uri] = self._text(uri)
        self._watched[uri] += 1
        self._look()
        return lambda: self._unwatch(uri)

    def _unwatch(self, uri: str) -> None:
        self._watched[uri] -= 1
        if self._watched[uri] <= 0:
            del self._watched[uri]
            self._seen.pop(uri, None)

    def _resources(self) -> Iterable[Message]:
        for page in self._session.pages:
            for kind, about in _ABOUT.items():
                if self._refusal(kind) is not None:
                    continue
                name = f"{kind} of page {page}"
                yield _resource(f"tabmux://page/{page}/{kind}", name, about)
        if self._refusal("downloads") is None:
            yield _resource(DOWNLOADS, "downloads", "The files that your pages have downloaded.")

    async def _read(self, uri: str) -> Reply:
        self._session.spend()
        if uri == DOWNLOADS:
            if refused := self._refusal("downloads"):
                raise refused
            return _lines(self._downloads(), "Nothing was downloaded.")
        handle, kind = self._place(uri)
        if refused := self._refusal(kind):
            raise refused
        self._refuse_forbidden(handle)
        if held := handover.held(self._session, handle):
            raise handover.not_run("Reading it", held)
        return await _READERS[kind](self, await handle.attach())

    async def _read_console(self, page: Page) -> Reply:
        await page.console.catch_up()
        return _lines(_console(page), "No console messages.")

    async def _read_network(self, page: Page) -> Reply:
        return _lines(_network(page), "No requests.")

    async def _read_snapshot(self, page: Page) -> Reply:
        """Show the page as it was shown last; one that never was is looked at now."""
        shown = self._session.shown.labels(page)
        if shown is not None:
            return Reply(quoted(shown.text))
        async with page.handle.lock:
            page.dialogs.refuse_if_open()
            return Reply(quoted(await self._session.shown.look(page)))

    def _text(self, uri: str) -> str:
        """Return what a resource says now, as far as that is known without asking the page."""
        if uri == DOWNLOADS:
            return "\n".join(self._downloads())
        handle, kind = self._place(uri)
        page = handle.page
        if page is None:
            return ""
        if kind == "snapshot":
            shown = self._session.shown.labels(page)
            return shown.text if shown is not None else ""
        return "\n".join(_console(page) if kind == "console" else _network(page))

    def _downloads(self) -> list[str]:
        browsers = self._session.browsers.all()
        return [each.line for b in browsers for each in b.downloads.of(self._session.had)]

    def _place(self, uri: str) -> tuple[PageHandle, str]:
        """Return the page and the part of it that a URI names; only a page of the session's."""
        found = _PAGE_URI.fullmatch(uri)
        handle = self._session.pages.get(int(found[1])) if found else None
        if found is None or handle is None:
            raise RpcError(NOT_FOUND, f"There is no resource {uri[:200]}.", {"uri": uri[:200]})
        return handle, found[2]

    def _refusal(self, kind: str) -> Refused | None:
        return access.name_refusal(self._session.policy, _TOOLS[kind])

    def _refuse_forbidden(self, handle: PageHandle) -> None:
        if not handle.urls.shows(handle.url):
            place = shorten_url(handle.url)
            raise Refused(f"Page {handle.id} is at {place}, which the policy does not allow.")

    def _look(self) -> None:
        """Look for changes from now on, for as long as somebody wants to hear of them."""
        if self._looking is None or self._looking.done():
            self._looking = self._background.start_quietly(self._look_again_and_again())

    async def _look_again_and_again(self) -> None:
        while self._watched or self._listed is not None:
            await asyncio.sleep(self._look_seconds)
            self._tell_changed_list()
            for uri in list(self._watched):
                self._tell_changed(uri)

    def _tell_changed_list(self) -> None:
        pages = frozenset(self._session.pages)
        if self._listed is not None and self._listed != pages:
            self._listed = pages
            self._notices(LIST_CHANGED, {})

    def _tell_changed(self, uri: str) -> None:
        try:
            now = self._text(uri)
        except RpcError:
            now = ""  # its page has gone, which the list of resources tells
        if self._seen.get(uri) != now:
            self._seen[uri] = now
            self._notices(UPDATED, {"uri": uri})

    def _stop(self) -> None:
        self._saved.remove()
        if self._looking is not None:
            self._looking.cancel()


_READERS: dict[str, Callable[[SessionResources, Page], Awaitable[Reply]]] = {
    "console": SessionResources._read_console,
    "network": SessionResources._read_network,
    "snapshot": SessionResources._read_snapshot,
}


def _console(page: Page) -> list[str]:
    return [message.line for message in page.console.records.items()]


def _network(page: Page) -> list[str]:
    return [request.line for request in page.network.records.items()]


def _lines(lines: list[str], empty: str) -> Reply:
    reply = Reply() if lines else Reply(empty)
    if len(lines) > MOST_LINES:
        reply.add(f"The last {MOST_LINES} of {len(lines)}:")
    return reply.quote("\n".join(lines[-MOST_LINES:]))


def _resource(uri: str, name: str, about: str) -> Message:
    return {"uri": uri, "name": name, "description": about, "mimeType": "text/plain"}


def _template(kind: str) -> Message:
    return {
        "uriTemplate": f"tabmux://page/{{pageId}}/{kind}",
        "name": kind,
        "description": _ABOUT[kind],
        "mimeType": "text/plain",
    }
