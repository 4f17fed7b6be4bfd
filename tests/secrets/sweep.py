"""Sweep: logs in on many made login pages, and looks at all that tools say and write for canaries.

`scripts/secrets 1000` runs it over as many pages; `tests/secrets/test_login_pages.py` over a few.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.secrets.canaries import Canaries, secret_table
from tests.secrets.login_pages import EITHER, LoginPage, LoginPages
from tests.serving import running
from tests.site import Site

# What is looked at on every page, and more slowly on some.
_LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("take_snapshot", {"verbose": True}),
    ("take_snapshot", {"filePath": "snapshot.txt"}),
    ("take_snapshot", {"budget": 300}),
    ("find", {"query": "."}),
    ("take_screenshot", {}),
    ("list_pages", {}),
    ("list_console_messages", {"includePreservedMessages": True}),
    ("list_network_requests", {"includePreservedRequests": True}),
    (
        "export_har",
        {"filePath": "requests.har", "includeBodies": True, "includePreservedRequests": True},
    ),
    ("list_cookies", {}),
    ("get_cookie", {"name": "kept"}),
    ("list_storage", {}),
    ("list_storage", {"kind": "session"}),
    ("get_storage_item", {"key": "kept"}),
    ("save_storage_state", {"filePath": "state.json"}),
    ("list_page_tools", {}),
    ("call_page_tool", {"name": "get_page_content"}),
    (
        "batch",
        {"steps": [{"tool": "take_snapshot"}, {"tool": "find", "arguments": {"role": "textbox"}}]},
    ),
    (
        "evaluate_script",
        {"function": "() => [document.title, {...localStorage}, document.cookie, window.kept]"},
    ),
    ("evaluate_script", {"function": "() => ({...sessionStorage})", "filePath": "script.json"}),
    (
        "evaluate_script",
        {"function": "() => { throw new Error(localStorage.kept || window.kept) }"},
    ),
    ("print_pdf", {"filePath": "page.pdf"}),
    ("wait_for", {"text": ["no such text"], "timeout": 1}),
    ("list_secrets", {}),
]
_SLOW_LOOKS: list[tuple[str, dict[str, Any]]] = [
    ("take_heapsnapshot", {"filePath": "page.heapsnapshot"}),
    ("get_heapsnapshot_duplicate_strings", {"filePath": "page.heapsnapshot"}),
    ("audit_page", {"filePath": "audit.json"}),
    ("screencast_start", {}),
    ("performance_start_trace", {"reload": False, "autoStop": True, "filePath": "trace.json"}),
]


@dataclass
class Findings:
    """What a sweep has seen."""

    pages: int = 0
    outputs: int = 0
    leaks: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)


@asynccontextmanager
async def sweeping(site: Site, folder: Path) -> AsyncIterator[Sweep]:
    """Start a server for a sweep, with every group of tools."""
    tools = ",".join(f"+{group}" for group in catalog.GROUPS)
    settings = Settings(
        launch=True, headless=True, isolated=True, tools=tools, allow_path=(str(folder),),
        secret=(secret_table(site.origin),), reply_limit=0,
    )  # fmt: skip
    async with running(settings, bridged=False) as app:
        yield Sweep(app, LoginPages(site), folder)


class Sweep:
    """Logs in on page after page, in a session of its own on each."""

    agent: Agent

    def __init__(self, app: App, pages: LoginPages, folder: Path) -> None:
        self._app, self.pages, self._folder = app, pages, folder
        self.findings = Findings()

    async def visit(self, page: LoginPage, *, by_fields: bool = False, slow: bool = False) -> None:
        """Log in on a page, by the tool or field by field, and look at everything then."""
        canaries = Canaries()
        canaries.keep()
        self.pages.received.clear()
        async with Agent.joined(self._app, self.pages.site) as self.agent:
            await self._visit(page, canaries, by_fields=by_fields, slow=slow)
            await self.agent.session.close()

    async def _visit(
        self, page: LoginPage, canaries: Canaries, *, by_fields: bool, slow: bool
    ) -> None:
        await self.agent("navigate_page", url=page.url)
        outcome = await (self._fill(canaries) if by_fields else self._log_in(canaries))
        for name, arguments in _LOOKS + (_SLOW_LOOKS if slow else []):
            await self._look(canaries, page, name, arguments)
        for kind in ("console_message", "network_request"):
            await self._look_at_each(canaries, page, kind)
        self._judge(page, canaries, outcome, by_fields=by_fields)

    async def _log_in(self, canaries: Canaries) -> str:
        reply = await self.agent.reply("log_in", secret="shop")
        self._note("log_in", reply.text, canaries)
        return reply.code or "done"

    async def _fill(self, canaries: Canaries) -> str:
        """Fill what a snapshot shows, with every tool that types in turn."""
        text = await self.agent("take_snapshot")
        fields = re.findall(r'uid=(\S+) textbox (?:"([^"]*)")?', text)
        steps: list[tuple[str, dict[str, Any]]] = []
        for uid, name in fields:
            value = "$secret:shop.password" if name == "Password" else "$secret:shop.username"
            steps += [
                ("fill", {"uid": uid, "value": value}),
                ("fill_form", {"elements": [{"uid": uid, "value": value}]}),
                ("click", {"uid": uid}),
                ("press_key", {"key": "Control+A"}),
                ("type_text", {"text": value}),
                ("batch", {"steps": [{"tool": "fill", "arguments": {"uid": uid, "value": value}}]}),
            ]
        codes = set()
        for tool, arguments in steps:
            reply = await self.agent.reply(tool, **arguments)
            self._note(tool, reply.text, canaries)
            if "secret" in str(arguments):
                codes.add(reply.code or "done")
        return "done" if "done" in codes else next(iter(codes), "no field")

    async def _look(
        self, canaries: Canaries, page: LoginPage, name: str, arguments: dict[str, Any]
    ) -> None:
        given = {
            key: str(self._folder / value) if key == "filePath" else value
            for key, value in arguments.items()
        }
        reply = await self.agent.reply(name, **given)
        self._note(f"{name} on {page.shape}, {page.leak}", reply.text, canaries)
        path = Path(given.get("filePath", "/nowhere"))
        if path.is_file():
            self._note(
                f"the file of {name} on {page.shape}, {page.leak}", path.read_bytes(), canaries
            )
            if "heapsnapshot" not in path.name:
                path.unlink()
        if name == "screencast_start" and not reply.failed:
            await self.agent("screencast_stop")

    async def _look_at_each(self, canaries: Canaries, page: LoginPage, kind: str) -> None:
        plural, ident = f"list_{kind}s", "msgid" if kind == "console_message" else "reqid"
        text = (await self.agent.reply(plural)).text
        for number in re.findall(rf"{ident}=(\d+)", text)[:12]:
            reply = await self.agent.reply(f"get_{kind}", **{ident: int(number)})
            self._note(f"get_{kind} on {page.shape}, {page.leak}", reply.text, canaries)

    def _note(self, where: str, shown: str | bytes, canaries: Canaries) -> None:
        self.findings.outputs += 1
        self.findings.leaks += [f"{where}: {seen}" for seen in canaries.seen_in(shown)]

    def _judge(self, page: LoginPage, canaries: Canaries, outcome: str, *, by_fields: bool) -> None:
        """See that the secret came where it may be, and nowhere else."""
        self.findings.pages += 1
        key = f"{'allowed' if page.allowed else 'refused'} {outcome}"
        self.findings.outcomes[key] = self.findings.outcomes.get(key, 0) + 1
        where = f"{page.shape}, {page.leak}: {outcome}"
        if canaries.seen_in(self.pages.arrived_elsewhere()):
            self.findings.misplaced.append(f"{where}, sent elsewhere")
        here = canaries.seen_in(self.pages.arrived())
        if page.shape in EITHER:
            return
        if page.allowed and (outcome != "done" or not (here or by_fields)):
            self.findings.misplaced.append(f"{where}, not sent")
        if not page.allowed and (here or outcome == "done"):
            self.findings.misplaced.append(f"{where}, sent")


async def main(count: int) -> int:
    """Sweep so many pages and say what was found."""
    began = time.monotonic()
    with Site() as site, tempfile.TemporaryDirectory() as folder:
        async with sweeping(site, Path(folder)) as sweep:
            for number, page in enumerate(sweep.pages.some(count)):
                await sweep.visit(page, by_fields=number % 4 == 3, slow=number % 10 == 0)
                if number % 20 == 19:
                    _say(sweep.findings, began)
            _say(sweep.findings, began)
            for line in [*sweep.findings.leaks, *sweep.findings.misplaced]:
                sys.stdout.write(f"{line}\n")
            return 1 if sweep.findings.leaks or sweep.findings.misplaced else 0


def _say(findings: Findings, began: float) -> None:
    sys.stdout.write(
        f"{findings.pages} pages, {findings.outputs} outputs, {len(findings.leaks)} leaks, "
        f"{len(findings.misplaced)} misplaced, {time.monotonic() - began:.0f} s; "
        f"{findings.outcomes}\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)))
