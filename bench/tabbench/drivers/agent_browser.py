"""agent-browser: a process and a daemon for each agent, each pinned to a tab of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.pagetools.driving.ordinary_driver import Seen
from bench.tabbench.server_driver import ServerDriver, with_texts

_LINE = re.compile(
    r'^\s*- (?P<role>\w+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<marks>(?: \[[^\]]*\])*)'
    r"(?P<note> clickable)?(?:.*?: (?P<text>.+))?"
)
_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox", "slider", "Date", "InputTime")
_TOGGLES = ("checkbox", "radio", "switch")


class AgentBrowserDriver(ServerDriver):
    """One call a field; there is no tool that fills several."""

    name = "agent-browser"
    package = ("agent-browser", "0.41.0")
    _opened = False

    @classmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        """See `ServerDriver`."""
        return ("node", f"{modules}/agent-browser/bin/agent-browser.js", "mcp")

    @classmethod
    def environment(cls, chromium: str, agent: int) -> dict[str, str]:
        """See `ServerDriver`."""
        return {
            "AGENT_BROWSER_SESSION": f"agent-{agent}",
            "AGENT_BROWSER_CDP": str(urlsplit(chromium).port),
            "AGENT_BROWSER_PIN_TAB": "1",
        }

    async def open(self, url: str) -> None:
        """See `ServerDriver`."""
        tool = "agent_browser_open" if self._opened else "agent_browser_tab_new"
        await self._call(tool, {"url": url})
        self._opened = True

    async def close(self) -> None:
        """Let the agent's daemon go."""
        await self._ask("agent_browser_close", {})

    def snapshot_call(self) -> tuple[str, dict[str, Any]]:
        """See `ServerDriver`."""
        return "agent_browser_snapshot", {"interactive": False}

    def parse(self, snapshot: str) -> list[Seen]:
        """See `ServerDriver`."""
        lines = [_seen(at, line) for at, line in enumerate(_tree(snapshot).splitlines())]
        texts = ("StaticText", "generic", "LabelText", "cell", "rowheader", "paragraph", "text")
        return with_texts([line for line in lines if line], texts)

    async def _ask(self, tool: str, arguments: Mapping[str, Any]) -> str:
        if tool == "click":
            selector = f"@{arguments['uid']}"
            return await super()._ask("agent_browser_click", {"selector": selector})
        if tool == "press_key":
            return await super()._ask("agent_browser_press", {"key": arguments["key"]})
        if tool == "fill_form":
            return "".join([await self._fill(each) for each in arguments["elements"]])
        return await super()._ask(tool, arguments)

    async def _fill(self, element: dict[str, str]) -> str:
        selector, value = {"selector": f"@{element['uid']}"}, element["value"]
        role = self.role(element["uid"])
        if role in _TOGGLES:
            tool = "agent_browser_check" if value == "true" else "agent_browser_uncheck"
            return await super()._ask(tool, selector)
        if role in ("combobox", "listbox"):
            values = json.loads(value) if value.startswith("[") else [value]
            return await super()._ask("agent_browser_select", {**selector, "values": values})
        return await super()._ask("agent_browser_fill", {**selector, "text": value})


def _tree(reply: str) -> str:
    """Return the tree of a reply, which may be JSON around it."""
    try:
        data = json.loads(reply)
    except ValueError:
        return reply
    found = data.get("data", data) if isinstance(data, dict) else data
    return str(found.get("snapshot", reply)) if isinstance(found, dict) else reply


def _seen(at: int, line: str) -> Seen | None:
    found = _LINE.match(line)
    if found is None:
        return None
    reference = re.search(r"\bref=(\w+)", found["marks"] or "")
    role, text = found["role"], (found["text"] or "").strip('"')
    name, rest = (found["name"] or "").replace('\\"', '"'), ""
    if role in _FIELDS:
        rest = f'value="{text}"' if text else ""
    elif not name:
        name = text
    return Seen(at, reference[1] if reference else "", role, name, rest)
