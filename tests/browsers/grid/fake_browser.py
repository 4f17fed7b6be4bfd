"""A browser as a grid hands it out, without Chrome: contexts, tabs and documents that say little."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tabmux.page.library import WORLD

Params = dict[str, Any]
Say = Callable[[str], None]
# What a document that never changes says of itself.
LIBRARY: dict[str, Any] = {
    "standing": {"state": "complete", "title": ""},
    "settle": {
        "changes": 0,
        "signs": 0,
        "restless": False,
        "mutations": 0,
        "entered": False,
        "answered": False,
        "animations": 0,
        "at": 0,
        "putBack": [],
        "offers": None,
        "late": 0,
        "took": 0,
        "shot": None,
    },
}


class FakeGridBrowser:
    """What outlives a socket: contexts and tabs."""

    def __init__(self, ident: str) -> None:
        self.id = ident
        self.contexts: set[str] = set()
        self.cookies: dict[str, list[Params]] = {}
        self.targets: dict[str, Params] = {}
        self.sockets: set[FakeSocket] = set()
        # Commands that it does not answer; all of them where it hangs.
        self.unanswered: tuple[str, ...] = ()
        self._last = 0
        # What scripts ran, as they were sent.
        self.scripts: list[str] = []
        self.add_target("default", "data:,")

    def name(self, what: str) -> str:
        """Return an id that looks like one of Chrome's."""
        self._last += 1
        return f"{self.id[:8]}{what}{self._last:08d}".upper()

    def add_target(self, context: str, url: str) -> str:
        """Open a tab."""
        ident = self.name("T")
        info = {"targetId": ident, "type": "page", "title": "", "url": url, "attached": False}
        self.targets[ident] = {**info, "browserContextId": context}
        self.tell("Target.targetCreated", {"targetInfo": self.targets[ident]})
        return ident

    def remove_target(self, ident: str) -> None:
        """Close a tab."""
        if self.targets.pop(ident, None) is not None:
            self.tell("Target.targetDestroyed", {"targetId": ident})

    def tell(self, method: str, params: Params) -> None:
        """Tell those who listen for tabs."""
        for socket in self.sockets:
            for session in socket.discovering:
                socket.event(method, params, session)


class FakeSocket:
    """One CDP socket to such a browser."""

    def __init__(self, browser: FakeGridBrowser, say: Say) -> None:
        self._browser, self._say = browser, say
        self.discovering: set[str] = set()
        self.commands: list[str] = []
        # What a session is attached to: a tab, or the browser itself.
        self._sessions: dict[str, str] = {"": ""}
        browser.sockets.add(self)

    def close(self) -> None:
        """Forget the socket."""
        self._browser.sockets.discard(self)

    def event(self, method: str, params: Params, session: str = "") -> None:
        """Send an event, written as Chrome writes it."""
        self._send({"method": method, "params": params}, session)

    def hear(self, text: str) -> None:
        """Answer a command."""
        command = json.loads(text)
        session, method = command.get("sessionId", ""), command["method"]
        self.commands.append(method)
        if method.startswith(self._browser.unanswered):
            return
        if session not in self._sessions:
            error = {"code": -32001, "message": "Session with given id not found."}
            self._send({"id": command["id"], "error": error}, "")
            return
        answer = getattr(self, method.replace(".", "_"), None)
        result = answer(command.get("params", {}), session) if answer is not None else {}
        self._send({"id": command["id"], "result": result}, session)

    def _send(self, message: Params, session: str) -> None:
        if session:
            message["sessionId"] = session
        self._say(json.dumps(message, separators=(",", ":")))

    def _attach(self, target: str, info: Params, parent: str) -> Params:
        session = self._browser.name("S")
        self._sessions[session] = target
        said = {"sessionId": session, "targetInfo": info, "waitingForDebugger": False}
        self.event("Target.attachedToTarget", said, parent)
        return {"sessionId": session}

    def Target_attachToBrowserTarget(self, params: Params, session: str) -> Params:
        return self._attach("", {"targetId": "browser", "type": "browser", "url": ""}, session)

    def Target_attachToTarget(self, params: Params, session: str) -> Params:
        return self._attach(params["targetId"], self._browser.targets[params["targetId"]], session)

    def Target_detachFromTarget(self, params: Params, session: str) -> Params:
        self._sessions.pop(params["sessionId"], None)
        self.event("Target.detachedFromTarget", {"sessionId": params["sessionId"]}, session)
        return {}

    def Target_setDiscoverTargets(self, params: Params, session: str) -> Params:
        self.discovering.add(session)
        for info in self._browser.targets.values():
            self.event("Target.targetCreated", {"targetInfo": info}, session)
        return {}

    def Target_getTargets(self, params: Params, session: str) -> Params:
        return {"targetInfos": list(self._browser.targets.values())}

    def Target_createBrowserContext(self, params: Params, session: str) -> Params:
        context = self._browser.name("C")
        self._browser.contexts.add(context)
        return {"browserContextId": context}

    def Target_getBrowserContexts(self, params: Params, session: str) -> Params:
        return {"browserContextIds": sorted(self._browser.contexts)}

    def Target_disposeBrowserContext(self, params: Params, session: str) -> Params:
        context = params["browserContextId"]
        self._browser.contexts.discard(context)
        for info in list(self._browser.targets.values()):
            if info["browserContextId"] == context:
                self._browser.remove_target(info["targetId"])
        return {}

    def Target_createTarget(self, params: Params, session: str) -> Params:
        context = params.get("browserContextId", "default")
        return {"targetId": self._browser.add_target(context, params["url"])}

    def Target_closeTarget(self, params: Params, session: str) -> Params:
        self._browser.remove_target(params["targetId"])
        return {"success": True}

    def Storage_getCookies(self, params: Params, session: str) -> Params:
        context = params.get("browserContextId", "default")
        return {"cookies": self._browser.cookies.get(context, [])}

    def Network_setCookies(self, params: Params, session: str) -> Params:
        context = self._browser.targets[self._sessions[session]]["browserContextId"]
        self._browser.cookies.setdefault(context, []).extend(params["cookies"])
        return {}

    def Page_getFrameTree(self, params: Params, session: str) -> Params:
        target = self._sessions[session]
        frame = {"id": target, "loaderId": f"L{target}", "url": "about:blank"}
        return {"frameTree": {"frame": frame}}

    def Runtime_enable(self, params: Params, session: str) -> Params:
        for number, (name, default) in enumerate((("", True), (WORLD, False)), 1):
            extra = {"isDefault": default, "frameId": self._sessions[session]}
            context = {"id": number, "origin": "", "name": name, "auxData": extra}
            self.event("Runtime.executionContextCreated", {"context": context}, session)
        return {}

    def Runtime_callFunctionOn(self, params: Params, session: str) -> Params:
        given = [each.get("value") for each in params.get("arguments", ())]
        self._browser.scripts.append(f"{params.get('functionDeclaration', '')} {given}")
        if given and (known := LIBRARY.get(str(given[0]))):
            return {"result": {"type": "object", "value": known}}
        # Its own tab is all that a script finds out.
        return {"result": {"type": "string", "value": json.dumps(self._sessions[session])}}
