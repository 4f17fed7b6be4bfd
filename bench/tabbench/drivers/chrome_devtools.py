"""chrome-devtools-mcp: a process for each agent, each with a page of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.pagetools.driving.ordinary_driver import Seen, read_snapshot
from bench.servers import CHROME_DEVTOOLS
from bench.tabbench.server_driver import ServerDriver, with_texts
from bench.trouble import BenchError


class ChromeDevtoolsDriver(ServerDriver):
    """Tools have the names of tabmux's; every call names its page."""

    name = "chrome-devtools-mcp"
    package = CHROME_DEVTOOLS.package
    _page: int | None = None

    @classmethod
    def command(cls, chromium: str, modules: Path) -> tuple[str, ...]:
        """See `ServerDriver`."""
        return tuple(part.format(url=chromium, modules=modules) for part in CHROME_DEVTOOLS.command)

    @classmethod
    def environment(cls, chromium: str, agent: int) -> dict[str, str]:
        """See `ServerDriver`."""
        return CHROME_DEVTOOLS.environment

    async def open(self, url: str) -> None:
        """See `ServerDriver`."""
        if self._page is not None:
            await self._call("navigate_page", {"type": "url", "url": url})
            return
        text = await self._call("new_page", {"url": url})
        found = re.search(rf"^\W*(\d+): .*{re.escape(url)}", text, re.MULTILINE)
        if found is None:
            raise BenchError(f"new_page does not list {url}")
        self._page = int(found[1])

    def parse(self, snapshot: str) -> list[Seen]:
        """See `ServerDriver`."""
        return with_texts(_joined(read_snapshot(_unquoted(snapshot))), ("",))

    async def _ask(self, tool: str, arguments: Mapping[str, Any]) -> str:
        page = {} if self._page is None else {"pageId": self._page}
        if tool == "fill_form":
            arguments = {"elements": [_single(each) for each in arguments["elements"]]}
        return await super()._ask(tool, {**arguments, **page})


def _unquoted(snapshot: str) -> str:
    """Escape quotation marks inside of texts, which stand there as they are."""
    return re.sub(
        r'^(\s*uid=\S+ )"(.*)"$',
        lambda found: f'{found[1]}"{found[2].replace(chr(34), chr(92) + chr(34))}"',
        snapshot,
        flags=re.MULTILINE,
    )


def _joined(lines: list[Seen]) -> list[Seen]:
    """Join the parts of one sentence: texts that end or begin with a space."""
    found: list[Seen] = []
    for line in lines:
        last = found[-1] if found else None
        is_part = last and not (last.role or line.role) and line.uid and last.uid
        if last and is_part and (last.name.endswith(" ") or line.name.startswith(" ")):
            found[-1] = Seen(last.at, last.uid, "", last.name + line.name, "")
        else:
            found.append(line)
    return found


def _single(element: Mapping[str, str]) -> dict[str, str]:
    """Write a list of one value as that value; several cannot be chosen."""
    value = element["value"]
    values = json.loads(value) if value.startswith("[") else [value]
    return {**element, "value": values[0] if len(values) == 1 else value}
