"""CDP client: one program at the endpoint, which is shown the tabs of one session as a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from tabmux.browsers.browser import Browser
from tabmux.daemon.cdp_endpoint import client_messages as messages
from tabmux.daemon.cdp_endpoint.client_messages import ClientCommand
from tabmux.daemon.cdp_endpoint.command_filter import NOBODY_ACTS, TabRules, may_act
from tabmux.daemon.cdp_endpoint.tab_sessions import TabSessions
from tabmux.daemon.cdp_endpoint.target_filter import (
    TargetFilter,
    browser_info,
    tab_id,
    target_info,
)
from tabmux.errors import Misuse, Refused, TabmuxError
from tabmux.page.handle import PageHandle
from tabmux.secrets.origins import origin_of
from tabmux.sessions.session import Session

Params = dict[str, Any]
Handler = Callable[[Params], Awaitable[Params]]

# How soon a tab is seen that the session has taken over without a word of the browser's.
LOOK_SECONDS = 0.25
MOST_QUEUED = 1_000
# For Chrome to say of a new tab what clients want to know.
KNOWN_SECONDS = 5.0


class CdpClient:
    """Answers for the browser itself, and lets commands to the session's tabs pass.

    Args:
        session: Whose tabs are shown.
        browser: The browser that they are in.
        send: Where messages for the client go.
    """

    def __init__(self, session: Session, browser: Browser, send: Callable[[bytes], None]) -> None:
        self._session, self._browser, self._send = session, browser, send
        self._tabs = TabSessions(browser, send, self._rules)
        self._commands: asyncio.Queue[ClientCommand | None] = asyncio.Queue(MOST_QUEUED)
        self._known: dict[str, Params] = {}
        self._discovers: TargetFilter | None = None
        self._attaches: TargetFilter | None = None
        # Tabs around pages, as Puppeteer sees them, whose page is attached when it asks for that.
        self._outer: set[str] = set()
        self._handlers: dict[str, Handler] = {
            "Browser.getVersion": self._version,
            "Browser.setDownloadBehavior": self._nothing,
            "Storage.getCookies": self._cookies,
            "Target.activateTarget": self._activate,
            "Target.attachToTarget": self._attach,
            "Target.closeTarget": self._close_target,
            "Target.createTarget": self._create,
            "Target.detachFromTarget": self._detach,
            "Target.getBrowserContexts": self._contexts,
            "Target.getTargetInfo": self._info,
            "Target.getTargets": self._targets,
            "Target.setAutoAttach": self._auto_attach,
            "Target.setDiscoverTargets": self._discover,
        }

    def receive(self, message: bytes) -> None:
        """Take one message of the client: to a tab at once, to the browser in its turn."""
        command = messages.read_command(message)
        if command is None:
            self._send(messages.unreadable())
        elif command.sessionId in self._tabs and not command.method.startswith("Target."):
            self._tabs.receive(command)
        elif self._commands.full():
            self._send(messages.refusal(command, "Too many commands wait for an answer."))
        else:
            self._commands.put_nowait(command)

    async def run(self) -> None:
        """Answer until the client closes the browser, which ends the connection alone.

        It ends as well when nobody may act in the session any more: scripts that the client has
        put into pages would go on.
        """
        stop = self._browser.on_change(self._look_soon)
        try:
            while may_act(self._session.policy):
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        command = await self._commands.get()
                except TimeoutError:
                    command = None
                if command is not None and command.method == "Browser.close":
                    self._send(messages.answer(command, {}))
                    return
                await self._look()
                if command is not None:
                    await self._answer(command)
        finally:
            stop()
            self._tabs.close()

    async def _answer(self, command: ClientCommand) -> None:
        try:
            result = await self._result(command)
        except TabmuxError as error:
            self._send(messages.refusal(command, error.text))
        else:
            if result is not None:
                self._send(messages.answer(command, result))

    async def _result(self, command: ClientCommand) -> Params | None:
        if not may_act(self._session.policy):
            raise Refused(NOBODY_ACTS)
        params = messages.command_params(command)
        if command.sessionId in self._tabs:
            return await self._from_tab(command, params)
        if command.sessionId in self._outer:
            return await self._from_outer(command, params)
        if command.sessionId:
            raise Misuse("Session with given id not found.")
        handler = self._handlers.get(command.method)
        if handler is None:
            raise Refused(f"{command.method} reaches beyond the tabs of this session.")
        return await handler(params)

    async def _from_tab(self, command: ClientCommand, params: Params) -> Params | None:
        """Answer what a client asks a tab about targets: those below it are its own."""
        if command.method == "Target.setAutoAttach":
            self._tabs.forward_releasing(command, {**params, "flatten": True})
            return None
        if (
            command.method == "Target.detachFromTarget"
            and str(params.get("sessionId")) in self._tabs
        ):
            self._tabs.forward_releasing(command, params)
            return None
        if command.method == "Target.getTargetInfo" and "targetId" not in params:
            self._tabs.forward(command, {})
            return None
        if command.method in ("Target.getTargetInfo", "Target.getTargets"):
            return await self._handlers[command.method](params)
        raise Refused(f"{command.method} reaches beyond the tabs of this session.")

    async def _from_outer(self, command: ClientCommand, params: Params) -> Params:
        """Answer for the tab around a page, which has nothing but the page."""
        if command.method == "Target.setAutoAttach" and params.get("autoAttach"):
            target = command.sessionId.removeprefix("tab:")
            if not self._tabs.of_target(target):
                await self._show_attached(self._page(target), command.sessionId)
        return {}

    # What the client sees

    def _pages(self) -> dict[str, PageHandle]:
        mine = self._session.pages.values()
        return {page.target_id: page for page in mine if page.target_id in self._browser.pages}

    def _page(self, target: object) -> PageHandle:
        page = self._pages().get(str(target).removeprefix("tab:"))
        if page is None:
            raise Misuse("No target with given id found.")
        return page

    def _look_soon(self) -> None:
        if self._commands.empty():
            self._commands.put_nowait(None)

    async def _look(self) -> None:
        """Tell the client of tabs that have come, changed or gone."""
        pages = {target: p for target, p in self._pages().items() if _is_known(p)}
        for target in [each for each in self._known if each not in pages]:
            self._tell_gone(target)
        for target, page in pages.items():
            before, self._known[target] = self._known.get(target), page.target
            if before is None:
                self._tell_created(page)
                await self._attach_by_itself(page)
            elif before != page.target:
                self._tell_changed(page)

    def _tell_created(self, page: PageHandle) -> None:
        for kind in ("tab", "page"):
            if self._discovers is not None and self._discovers.includes(kind):
                info = target_info(page.target, attached=False, kind=kind)
                self._send(messages.event("Target.targetCreated", {"targetInfo": info}))

    def _tell_changed(self, page: PageHandle) -> None:
        for kind in ("tab", "page"):
            if self._discovers is not None and self._discovers.includes(kind):
                attached = bool(self._tabs.of_target(page.target_id))
                info = target_info(page.target, attached=attached, kind=kind)
                self._send(messages.event("Target.targetInfoChanged", {"targetInfo": info}))

    def _tell_gone(self, target: str) -> None:
        del self._known[target]
        outer = tab_id(target)
        for session in self._tabs.of_target(target):
            self._tabs.detach(session.id)
            self._tabs.tell_detached(session)
        if outer in self._outer:
            self._outer.discard(outer)
            gone = {"sessionId": outer, "targetId": outer}
            self._send(messages.event("Target.detachedFromTarget", gone))
        for kind, ident in (("page", target), ("tab", outer)):
            if self._discovers is not None and self._discovers.includes(kind):
                self._send(messages.event("Target.targetDestroyed", {"targetId": ident}))

    async def _attach_by_itself(self, page: PageHandle) -> None:
        if self._attaches is None:
            return
        if self._attaches.includes("page"):
            with suppress(TabmuxError):  # it may have gone away meanwhile
                await self._show_attached(page, "")
        elif self._attaches.includes("tab"):
            outer = tab_id(page.target_id)
            self._outer.add(outer)
            info = target_info(page.target, attached=True, kind="tab")
            self._tell_attached(outer, info, "")

    async def _show_attached(self, page: PageHandle, parent: str) -> str:
        session = await self._tabs.attach(page, parent)
        self._tell_attached(session.id, target_info(page.target, attached=True), parent)
        return session.id

    def _tell_attached(self, session: str, info: Params, parent: str) -> None:
        params = {"sessionId": session, "targetInfo": info, "waitingForDebugger": False}
        self._send(messages.event("Target.attachedToTarget", params, parent))

    # Commands to the browser

    async def _version(self, params: Params) -> Params:
        return dict(await self._browser.channel.call("Browser.getVersion"))

    async def _nothing(self, params: Params) -> Params:
        """Accept what clients set for the whole browser, and leave it as it is."""
        return {}

    async def _contexts(self, params: Params) -> Params:
        return {"browserContextIds": []}

    async def _discover(self, params: Params) -> Params:
        self._discovers = TargetFilter.of(params.get("filter")) if params.get("discover") else None
        for page in self._pages().values():
            self._tell_created(page)
        return {}

    async def _auto_attach(self, params: Params) -> Params:
        before = self._attaches
        wants = bool(params.get("autoAttach"))
        self._attaches = TargetFilter.of(params.get("filter")) if wants else None
        if before is None:
            for page in self._pages().values():
                await self._attach_by_itself(page)
        return {}

    async def _targets(self, params: Params) -> Params:
        wanted = TargetFilter.of(params.get("filter"))
        infos = [
            target_info(page.target, attached=bool(self._tabs.of_target(target)), kind=kind)
            for target, page in self._pages().items()
            for kind in ("tab", "page")
            if wanted.includes(kind)
        ]
        return {"targetInfos": infos}

    async def _info(self, params: Params) -> Params:
        target = params.get("targetId")
        if target in (None, "browser"):
            return {"targetInfo": browser_info()}
        page, kind = self._page(target), "tab" if str(target).startswith("tab:") else "page"
        attached = bool(self._tabs.of_target(page.target_id))
        return {"targetInfo": target_info(page.target, attached=attached, kind=kind)}

    async def _attach(self, params: Params) -> Params:
        if not params.get("flatten"):
            raise Refused("Only flat sessions are served: attach with flatten.")
        return {"sessionId": await self._show_attached(self._page(params.get("targetId")), "")}

    async def _detach(self, params: Params) -> Params:
        session = str(params.get("sessionId"))
        if session not in self._tabs:
            raise Misuse("Session with given id not found.")
        self._tabs.detach(session)
        return {}

    async def _activate(self, params: Params) -> Params:
        await self._browser.activate(self._page(params.get("targetId")))
        return {}

    async def _close_target(self, params: Params) -> Params:
        page = self._page(params.get("targetId"))
        if self._browser.is_down_to_one_tab:
            raise Refused("The last tab of a browser is not closed.")
        await self._browser.close_page(page)
        await self._look()
        return {"success": True}

    async def _create(self, params: Params) -> Params:
        """Open a tab of the session's own, in the default context or that of one of its tabs."""
        url = str(params.get("url") or "about:blank")
        if url != "about:blank":
            self._session.urls_in(self._browser).check(url)
        context = self._context(params.get("browserContextId"))
        page = await self._session.open_page(self._browser, context=context)
        if url != "about:blank":
            await (await page.attach()).navigation.go(url)
        await page.signal.until(lambda: _is_known(page), KNOWN_SECONDS)
        await self._look()
        return {"targetId": page.target_id}

    def _context(self, wanted: object) -> str | None:
        if not wanted:
            return None
        for page in self._pages().values():
            if page.target.get("browserContextId") == wanted:
                return page.isolated_context
        raise Refused("This browser context is of no tab of this session.")

    async def _cookies(self, params: Params) -> Params:
        """Return the cookies that the session's tabs send: others are none of its business."""
        found: dict[tuple[object, ...], Params] = {}
        for page in self._pages().values():
            channel = (await page.attach()).channel
            for cookie in (await channel.call("Network.getCookies"))["cookies"]:
                found[tuple(cookie.get(key) for key in ("name", "domain", "path"))] = cookie
        return {"cookies": list(found.values())}

    def _rules(self) -> TabRules:
        session, urls = self._session, self._session.urls_in(self._browser)
        files = session.policy.files.joined(session.roots)
        return TabRules(
            urls.check,
            urls.permits,
            files.readable,
            urls.is_restricted,
            may_act(session.policy),
            self._origins,
        )

    def _origins(self) -> set[str]:
        """Return the origins that the session's tabs show, those of their frames included."""
        found = set[str]()
        for page in self._pages().values():
            frames = page.page.frames if page.page is not None else ()
            found |= {origin_of(url) for url in (page.url, *(frame.url for frame in frames))}
        return {origin for origin in found if origin.startswith("http")}


def _is_known(page: PageHandle) -> bool:
    """Whether Chrome has said of a tab what Playwright wants to know of each."""
    return "browserContextId" in page.target
