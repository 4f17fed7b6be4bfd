"""Line protocol: a command with key=value words in, key=value lines out."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from tabmux import __version__
from tabmux.browsers.window_tabs import active_page
from tabmux.daemon.app import App
from tabmux.daemon.process.browser_commands import BrowserCommands, Words
from tabmux.errors import BadArguments, Misuse, NotOwned, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.page_text import address
from tabmux.sessions.session import Session

if TYPE_CHECKING:
    from tabmux.daemon.cdp_endpoint.cdp_listener import CdpListener
    from tabmux.daemon.ui.passes import Role

LONGEST_URL = 4096
LONGEST_WORD = 100
# For calls under way when the daemon is started anew; less than the command line waits.
DRAIN_SECONDS = 3.0
_UNUSUAL = re.compile(r"[^\w.,:/@+*?&=%#\[\]-]+")
Handler = Callable[[Words], Awaitable[Iterable[str]]]


class LineProtocol:
    """Answers control lines about sessions and their pages."""

    def __init__(self, app: App, stop: Callable[[], None]) -> None:
        self._app, self._stop = app, stop
        self._cdp_listener: CdpListener | None = None
        browsers = BrowserCommands(app.browsers)
        self._handlers: dict[str, Handler] = {
            "ping": self._ping,
            "status": self._status,
            "browser_list": browsers.list,
            "browser_add": browsers.add,
            "browser_remove": browsers.remove,
            "browser_reconnect": browsers.reconnect,
            "stop": self._stopped,
            "session_list": self._list,
            "session_new": self._new,
            "session_close": self._close,
            "session_page": self._page,
            "session_attach": self._attach,
            "session_new_page": self._new_page,
            "session_release_page": self._release,
            "session_cdp": self._cdp,
            "bridge_listen": self._bridge_listen,
            "bridge_list": self._bridge_list,
            "ui_link": self._ui_link,
        }

    async def answer(self, line: str) -> list[str]:
        """Answer one line; a failure is a line too."""
        try:
            command, words = _parse(line)
            if command not in self._handlers:
                known = ", ".join(self._handlers)
                raise BadArguments(f"Unknown command {command!r}.", hint=f"Use one of {known}.")
            return list(await self._handlers[command](words))
        except TabmuxError as error:
            return [_failure(error)]

    async def _ping(self, words: Words) -> Iterable[str]:
        return ["pong"]

    async def _status(self, words: Words) -> Iterable[str]:
        sessions = self._app.sessions.all()
        queued = sum(session.calls for session in sessions)
        lines = [
            f"version={__version__} pid={os.getpid()} sessions={len(sessions)} "
            f"browsers={self._app.browsers.count} queued={queued} tasks={len(asyncio.all_tasks())}"
        ]
        return lines + [await self._line(session, words) for session in sessions]

    async def _stopped(self, words: Words) -> Iterable[str]:
        if words.get("drain") == "true":
            await self._app.sessions.drain(DRAIN_SECONDS)
        else:
            self._app.sessions.keep_none()
        self._stop()
        return ["stopping"]

    async def _list(self, words: Words) -> Iterable[str]:
        return [await self._line(session, words) for session in self._app.sessions.all()]

    async def _new(self, words: Words) -> Iterable[str]:
        session = self._app.open(words.get("name", ""))
        return [f"session={_name(session)} handle={session.handle}"]

    async def _close(self, words: Words) -> Iterable[str]:
        session = self._session(words)
        await session.close()
        return [f"session={_name(session)} closed=true"]

    async def _page(self, words: Words) -> Iterable[str]:
        session = self._session(words)
        page = session.pages.get(session.selected or 0)
        line = f"session={_name(session)} page={page.id if page else ''} url={_url(page)}"
        return [line + await self._debug_words(session, words)]

    async def _attach(self, words: Words) -> Iterable[str]:
        session, page = self._session(words), self._find_page(words)
        if not session.owns(page):
            if not session.may_attach(page):
                raise NotOwned(f"Page {page.id} belongs to another session.")
            session.adopt(page, created=False)
        session.select(page)
        return [f"session={_name(session)} page={page.id}"]

    async def _new_page(self, words: Words) -> Iterable[str]:
        session = self._session(words)
        url = words.get("url") or "about:blank"
        browsers = session.browsers
        browser = await browsers.ensure_connected(browsers.choose(words.get("browser")))
        if url != "about:blank":
            session.urls_in(browser).check(session.policy.urls.check(url))
        background = words.get("background", "true") != "false"
        handle = await session.open_page(browser, background=background)
        try:
            page = await handle.attach()
            if url != page.url:
                await page.navigation.go(url)
        except TabmuxError:
            await session.give_up(handle)
            raise
        session.select(handle)
        return [f"session={_name(session)} page={page.id} url={address(page.url, LONGEST_URL)}"]

    async def _release(self, words: Words) -> Iterable[str]:
        session = self._session(words)
        page = session.pages.get(session.selected or 0)
        if page is not None:
            session.forget(page)
            session.selected = None
        return [f"session={_name(session)} page="]

    async def _cdp(self, words: Words) -> Iterable[str]:
        """Tell the address at which CDP clients find the session's tabs; no tool tells it."""
        # Imported late: most daemons never listen.
        from tabmux.daemon.cdp_endpoint.cdp_listener import CdpListener

        session = self._session(words)
        if self._cdp_listener is None:
            self._cdp_listener = CdpListener(self._app.background)
        return [f"session={_name(session)} url={await self._cdp_listener.url_of(session)}"]

    async def _bridge_listen(self, words: Words) -> Iterable[str]:
        if self._app.bridge is None:
            raise Misuse("This process has no bridge.")
        port = words.get("port", "")
        if port and not (port.isdecimal() and 0 < int(port) <= 65_535):
            raise BadArguments(f"{port!r} is no port.")
        return [f"port={(await self._app.bridge.listen(int(port or 0))).port}"]

    async def _ui_link(self, words: Words) -> Iterable[str]:
        minutes = words.get("minutes", "60")
        if not (minutes.isdecimal() and int(minutes)):
            raise BadArguments(f"{minutes!r} is no number of minutes.")
        role: Role = "view" if words.get("view_only") == "true" else "steer"
        return [f"url={await self._app.ui_server.link(role, int(minutes))}"]

    async def _bridge_list(self, words: Words) -> Iterable[str]:
        bridge = self._app.bridge.current if self._app.bridge else None
        links = bridge.links.values() if bridge is not None else ()
        return [
            f"name={shlex.quote(link.name)} browser={shlex.quote(link.browser.name)} "
            f"version={shlex.quote(link.browser.version)}"
            for link in links
        ]

    def _session(self, words: Words) -> Session:
        wanted = words.get("session", "")
        if (session := self._app.sessions.named(wanted)) is None:
            raise Misuse(f"There is no session {wanted!r}.", code="no_such_session")
        return session

    def _find_page(self, words: Words) -> PageHandle:
        text = words.get("page", "")
        page = self._app.browsers.find_page(int(text)) if text.isdecimal() else None
        if page is None:
            raise Misuse(f"There is no page {text!r}.", code="no_such_page")
        return page

    async def _line(self, session: Session, words: Words) -> str:
        page = session.pages.get(session.selected or 0)
        line = (
            f"session={_name(session)} state={'active' if session.connections else 'detached'} "
            f"client={_word(session.client)} age={time.monotonic() - session.opened:.0f} "
            f"idle={session.idle_seconds():.0f} last_call={_word(session.last_call)} "
            f"browser={self._browser(session, page)} "
            f"pages={len(session.pages)} queued={session.calls} "
            f"page={page.id if page else ''} url={_url(page)}"
        )
        return line + await self._debug_words(session, words)

    def _browser(self, session: Session, page: PageHandle | None) -> str:
        """Name the browser of the selected page, or the one that the session would use."""
        browser = session.browsers.browser_of(page) if page is not None else None
        seen = [browser] if browser is not None else session.browsers.all()
        return ",".join(_word(b.name or b.spec.label) for b in seen)

    async def _debug_words(self, session: Session, words: Words) -> str:
        """Add what concerns the selected page, where debugging is asked for."""
        if words.get("debug") != "true":
            return ""
        page = session.pages.get(session.selected or 0)
        browser = self._app.browsers.browser_of(page) if page is not None else None
        front = await active_page(browser, page) if browser and page else None
        created = page is not None and page.id in session.created
        return (
            f" front_page={front.id if front else ''} page_id={page.id if page else ''} "
            f"page_created_by_daemon={str(created).lower()} "
            f"snapshot_epoch={session.shown.epoch(page)}"
        )


def _failure(error: TabmuxError) -> str:
    line = f"error code={error.code} message={shlex.quote(error.message)}"
    hint = " ".join(error.hint.split())
    return f"{line} hint={shlex.quote(hint)}" if hint else line


def _parse(line: str) -> tuple[str, Words]:
    try:
        command, *rest = shlex.split(line)
    except ValueError as error:
        raise BadArguments(f"Could not read {line!r}: {error}.") from error
    words = {}
    for word in rest:
        key, equals, value = word.partition("=")
        if not equals:
            raise BadArguments(f"{word!r} is not of the form key=value.")
        words[key] = value
    return command, words


def _word(text: str) -> str:
    """Write what somebody else said as one word."""
    return _UNUSUAL.sub("-", text[:LONGEST_WORD])


def _name(session: Session) -> str:
    return shlex.quote(session.label or session.name)


def _url(page: PageHandle | None) -> str:
    return address(page.url, LONGEST_URL) if page is not None else ""
