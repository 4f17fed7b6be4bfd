"""@playwright/mcp: a process for each agent, each with a browser context of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.pagetools.driving.ordinary_driver import Seen
from bench.servers import PLAYWRIGHT
from bench.tabbench.server_driver import ServerDriver, with_texts

_LINE = re.compile(
    r'^\s*- (?P<role>[\w/]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<marks>(?: \[[^\]]*\])*)'
    r"(?::(?: (?P<text>.+))?)?$"
)
_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox", "slider")


class PlaywrightDriver(ServerDriver):
    """Elements are named by the refs of the snapshot."""

    name = "playwright-mcp"
    package = PLAYWRIGHT.package

    @classmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        """See `ServerDriver`."""
        return tuple(part.format(url=chromium, modules=modules) for part in PLAYWRIGHT.command)

    async def open(self, url: str) -> None:
        """See `ServerDriver`."""
        await self._call("browser_navigate", {"url": url})

    def snapshot_call(self) -> tuple[str, dict[str, Any]]:
        """See `ServerDriver`."""
        return "browser_snapshot", {}

    def parse(self, snapshot: str) -> list[Seen]:
        """See `ServerDriver`."""
        lines = [_seen(at, line) for at, line in enumerate(snapshot.splitlines())]
        return with_texts(
            [line for line in lines if line], ("generic", "cell", "rowheader", "paragraph", "text")
        )

    async def _ask(self, tool: str, arguments: Mapping[str, Any]) -> str:
        if tool == "click":
            return await super()._ask("browser_click", {"target": arguments["uid"]})
        if tool == "press_key":
            return await super()._ask("browser_press_key", {"key": arguments["key"]})
        if tool == "fill_form":
            return await self._fill(arguments["elements"])
        return await super()._ask(tool, arguments)

    async def _fill(self, elements: list[dict[str, str]]) -> str:
        several = [each for each in elements if each["value"].startswith("[")]
        for each in several:
            values = json.loads(each["value"])
            await super()._ask("browser_select_option", {"target": each["uid"], "values": values})
        fields = [self._field(each) for each in elements if each not in several]
        return await super()._ask("browser_fill_form", {"fields": fields}) if fields else ""

    def _field(self, element: dict[str, str]) -> dict[str, str]:
        role = self.role(element["uid"])
        kind = "textbox" if role in ("searchbox", "spinbutton") else role
        return {"name": "field", "type": kind, "target": element["uid"], "value": element["value"]}


def _seen(at: int, line: str) -> Seen | None:
    found = _LINE.match(_unquoted(line))
    if found is None:
        return None
    reference = re.search(r"\[ref=(\w+)\]", found["marks"] or "")
    role, text = found["role"], found["text"] or ""
    name, rest = (found["name"] or "").replace('\\"', '"'), ""
    if role in _FIELDS:
        rest = f'value="{_plain(text)}"' if text else ""
    elif not name:
        name = _plain(text)
    return Seen(at, reference[1] if reference else "", role, name, rest)


def _unquoted(line: str) -> str:
    """Return a line of YAML without the quotation marks around its key."""
    found = re.match(r"^(\s*- )'((?:[^']|'')*)'(.*)$", line)
    return found[1] + found[2].replace("''", "'") + found[3] if found else line


def _plain(text: str) -> str:
    """Return a value of YAML, which may stand in quotation marks."""
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    if text.startswith("'") and text.endswith("'") and len(text) > 1:
        return text[1:-1].replace("''", "'")
    return text
