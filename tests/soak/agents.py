"""Agents of the soak: each calls random tools on random pages, and misbehaves at random."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.soak.wires import Gone, Hang, Wire, code_of, text_of

Step = tuple[str, dict[str, Any]]
# What nobody may be told: tabmux itself failed.
INTERNAL = "internal"
PAUSE_SECONDS = 0.3
NO_UID = "none"


class RandomAgent:
    """One client after another in one place; when a connection ends a new one comes."""

    def __init__(
        self,
        number: int,
        open_wire: Callable[[], Awaitable[Wire]],
        origin: str,
        folder: Path,
        counts: Counter[str],
    ) -> None:
        self.chance = random.Random(number)
        self._open_wire, self._origin, self._counts = open_wire, origin, counts
        self.file = str(folder / f"agent-{number}")
        self._seen = self._last = ""

    async def work(self, stop: asyncio.Event) -> None:
        """Go on until told to stop."""
        while not stop.is_set():
            wire = await self._open_wire()
            self._counts["connections"] += 1
            self._seen = ""
            try:
                await self._use(wire, stop)
            except Gone:
                self._counts["connections that the server ended"] += 1
            except Hang:
                self._counts["hangs"] += 1
                self._counts[f"hang: {self._last}"] += 1
            finally:
                with suppress(Gone, Hang):
                    await wire.close()

    async def _use(self, wire: Wire, stop: asyncio.Event) -> None:
        for _ in range(self.chance.randint(5, 80)):
            if stop.is_set():
                return
            tool, arguments = self._step()
            self._last = f"{tool} {arguments}"[:200]
            fate = self.chance.random()
            if fate < 0.02:
                self._counts["dropped connections"] += 1
                await wire.drop(tool, arguments, self.chance.random())
                return
            if fate < 0.06:
                self._counts["cancelled calls"] += 1
                await wire.give_up(tool, arguments, self.chance.random() / 2)
            else:
                await self._call(wire, tool, arguments)
            await asyncio.sleep(self.chance.random() * 2 * PAUSE_SECONDS)

    async def _call(self, wire: Wire, tool: str, arguments: dict[str, Any]) -> None:
        result = await wire.call(tool, arguments)
        text, code = text_of(result), code_of(result)
        self._counts["calls"] += 1
        self._counts[f"calls of {tool}"] += 1
        if code:
            self._counts["failed calls"] += 1
            self._counts[f"code {code}"] += 1
        if code == INTERNAL:
            self._counts[INTERNAL] += 1
            self._counts[f"internal: {tool} {str(arguments)[:200]} {text[:300]}"] += 1
        if "uid=" in text:
            self._seen = text

    def _step(self) -> Step:
        tool, arguments = self.chance.choice(_STEPS)(self)
        return ("take_snapshot", {}) if arguments.get("uid") == NO_UID else (tool, arguments)

    def url(self) -> str:
        """Return the address of some page."""
        return f"{self._origin}/page?seed={self.chance.randint(1, 500)}"

    def uid(self, role: str = "") -> str:
        """Return some uid of the last snapshot."""
        uids = re.findall(rf"uid=(\S+) {role}", self._seen)
        return self.chance.choice(uids) if uids else NO_UID


_STEPS: tuple[Callable[[RandomAgent], Step], ...] = (
    *[lambda a: ("navigate_page", {"url": a.url(), "timeout": 10_000})] * 5,
    *[lambda a: ("take_snapshot", {})] * 4,
    *[lambda a: ("click", {"uid": a.uid()})] * 4,
    *[lambda a: ("click", {"uid": a.uid("button")})] * 4,
    *[lambda a: ("fill", {"uid": a.uid("textbox"), "value": "x" * a.chance.randint(0, 99)})] * 3,
    lambda a: ("hover", {"uid": a.uid()}),
    lambda a: ("press_key", {"key": a.chance.choice(("Enter", "Tab", "Escape", "Control+A"))}),
    lambda a: ("type_text", {"text": "some text"}),
    lambda a: ("scroll", {"direction": a.chance.choice(("up", "down"))}),
    lambda a: ("find", {"query": "Button"}),
    lambda a: ("handle_dialog", {"action": a.chance.choice(("accept", "dismiss"))}),
    lambda a: ("wait_for", {"text": ["Page"], "timeout": 500}),
    lambda a: ("take_screenshot", {"format": a.chance.choice(("png", "jpeg", "webp"))}),
    lambda a: ("take_screenshot", {"fullPage": True, "filePath": f"{a.file}.png"}),
    lambda a: ("evaluate_script", {"function": "() => document.title"}),
    lambda a: ("evaluate_script", {"function": "() => { for (;;); }", "timeout": 500}),
    lambda a: ("evaluate_script", {"function": "() => new Promise(() => {})", "timeout": 300}),
    lambda a: ("evaluate_script", {"function": "() => 'x'.repeat(100000)"}),
    lambda a: ("evaluate_script", {"function": "() => window.close()"}),
    lambda a: ("list_console_messages", {}),
    lambda a: ("get_console_message", {"msgid": a.chance.randint(1, 50)}),
    lambda a: ("list_network_requests", {"pageSize": 20}),
    lambda a: ("get_network_request", {"reqid": a.chance.randint(1, 50)}),
    lambda a: ("list_pages", {}),
    *[lambda a: ("new_page", {"url": a.url(), "timeout": 10_000})] * 2,
    lambda a: ("new_page", {"url": a.url(), "isolatedContext": f"c{a.chance.randint(1, 3)}"}),
    *[lambda a: ("close_page", {})] * 3,
    lambda a: ("navigate_page", {"type": a.chance.choice(("back", "forward", "reload"))}),
    lambda a: ("emulate", {"colorScheme": "dark", "cpuThrottlingRate": 2}),
    lambda a: ("emulate", {"networkConditions": "Slow 3G"}),
    lambda a: ("emulate", {"networkConditions": "", "cpuThrottlingRate": 1}),
    lambda a: ("list_page_tools", {}),
    lambda a: ("list_cookies", {}),
    lambda a: ("set_cookie", {"name": "soak", "value": "1"}),
    lambda a: ("save_storage_state", {"filePath": f"{a.file}.json"}),
    lambda a: ("list_downloads", {}),
    lambda a: ("print_pdf", {"filePath": f"{a.file}.pdf"}),
    lambda a: ("export_har", {"filePath": f"{a.file}.har"}),
    lambda a: ("route_requests", {"action": "block", "url": "*small*", "times": 3}),
    lambda a: ("unroute_requests", {}),
    lambda a: ("get_css_styles", {"uid": a.uid()}),
    lambda a: ("performance_start_trace", {"reload": False, "autoStop": False}),
    lambda a: ("performance_stop_trace", {}),
    lambda a: ("take_heapsnapshot", {"filePath": f"{a.file}.heapsnapshot"}),
    lambda a: ("get_heapsnapshot_summary", {"filePath": f"{a.file}.heapsnapshot"}),
    lambda a: ("close_heapsnapshot", {"filePath": f"{a.file}.heapsnapshot"}),
    lambda a: (
        "batch",
        {
            "steps": [
                {"tool": "navigate_page", "arguments": {"url": a.url()}},
                {"tool": "take_snapshot"},
            ]
        },
    ),
)
