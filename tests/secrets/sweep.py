"""Sweep: logs in on many made login pages, and looks at all that tools say and write for canaries.

`scripts/secrets 1000` runs it over as many pages; `tests/secrets/test_login_pages.py` over a few.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tabmux.daemon.app import App
from tabmux.daemon.ui import view_state
from tabmux.observability import start_logging
from tabmux.record.call_entry import CallEntry
from tabmux.record.run_files import run_file, runs
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.secrets.canaries import Canaries
from tests.secrets.login_pages import EITHER, STOPS, LoginPage, LoginPages
from tests.secrets.looks import FIELD, LAST, LOOKS, OTHER_LOOKS, SECRET, SLOW_LOOKS, UID
from tests.secrets.recorded import exports
from tests.secrets.stores import Stores, stores
from tests.serving import running
from tests.site import Site

# How many of the other looks are taken on each page.
SOME = 10
LOG = "tabmux.log"
# How long the end of a run may take to be written.
WRITE_SECONDS = 20.0


@dataclass
class Findings:
    """What a sweep has seen."""

    pages: int = 0
    outputs: int = 0
    leaks: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    sources: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)


@asynccontextmanager
async def sweeping(site: Site, folder: Path) -> AsyncIterator[Sweep]:
    """Start a server for a sweep, with every group of tools and every source of secrets."""
    tools = ",".join(f"+{group}" for group in catalog.GROUPS)
    written, kept = folder / "written", folder / "kept"
    written.mkdir()
    kept.mkdir()
    with Site() as other, stores(kept) as sources:
        pages = LoginPages(site, other)
        settings = Settings(
            launch=True, headless=True, isolated=True, tools=tools, allow_path=(str(written),),
            secret=sources.tables(pages.origin), reply_limit=0, allow_clipboard=True,
        )  # fmt: skip
        async with running(settings, bridged=False, record_folder=folder / "record") as app:
            yield Sweep(app, pages, sources, written)


class Sweep:
    """Logs in on page after page, in a session of its own on each."""

    agent: Agent

    def __init__(self, app: App, pages: LoginPages, sources: Stores, folder: Path) -> None:
        self._app, self.pages, self._sources, self._folder = app, pages, sources, folder
        self._source = ""
        self._some = itertools.cycle(OTHER_LOOKS)
        self.findings = Findings()

    async def visit(
        self, page: LoginPage, *, source: str = "env", by_fields: bool = False, slow: bool = False
    ) -> None:
        """Log in on a page, by the tool or field by field, and look at everything then."""
        self._source = source
        self.findings.sources[source] += 1
        canaries = self._sources.canaries(source)
        self.pages.received.clear()
        async with Agent.joined(self._app, self.pages.site) as self.agent:
            stop = self._app.record.on_entry(partial(self._look_at_entry, canaries))
            await self._visit(page, canaries, by_fields=by_fields, slow=slow)
            self._note("the live view", json.dumps(view_state.state(self._app, "")), canaries)
            await self.agent.session.close()
            stop()
        await self._look_at_record(canaries)

    async def go(self, count: int, seed: int, first: int, began: float) -> None:
        """Visit so many pages, from one of them on."""
        sources = [*self._sources.sources]
        for number, page in enumerate(self.pages.some(count, seed, first), first):
            ways = {"by_fields": number % 4 == 3, "slow": number % 40 == 0}
            await self.visit(page, source=sources[number % len(sources)], **ways)
            if number % 20 == 19:
                _say(self.findings, began)
        _say(self.findings, began)

    async def _visit(
        self, page: LoginPage, canaries: Canaries, *, by_fields: bool, slow: bool
    ) -> None:
        await self.agent("navigate_page", url=page.url, timeout=60_000)
        outcome = await (self._fill(canaries) if by_fields else self._log_in(canaries))
        for name, arguments in LOOKS + (SLOW_LOOKS if slow else []):
            await self._look(canaries, page, name, arguments)
        for kind in ("console_message", "network_request"):
            await self._look_at_each(canaries, page, kind)
        for name, arguments in itertools.islice(self._some, SOME):
            await self._look(canaries, page, name, arguments)
        self._look_at_log(canaries)
        self._judge(page, canaries, outcome, by_fields=by_fields)

    async def _log_in(self, canaries: Canaries) -> str:
        reply = await self.agent.reply("log_in", secret=self._source)
        self._note("log_in", reply.text, canaries)
        return reply.code or "done"

    async def _fill(self, canaries: Canaries) -> str:
        """Fill what a snapshot shows, with every tool that types in turn."""
        text = await self.agent("take_snapshot")
        fields = re.findall(r'uid=(\S+) textbox (?:"([^"]*)")?', text)
        steps: list[tuple[str, dict[str, Any]]] = []
        for uid, name in fields:
            part = "password" if name == "Password" else "username"
            value = f"$secret:{self._source}.{part}"
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
        where = f"{name} on {page.shape}, {page.leak}"
        reply = await self.agent.reply(name, **self._filled(arguments))
        self.findings.tools[name] += 1
        self._note(where, reply.text, canaries)
        for picture in reply.images:
            self._note(f"a picture of {where}", base64.b64decode(picture.data), canaries)
        path = self._folder / arguments.get("filePath", "none")
        if path.is_file():
            self._note(f"the file of {where}", path.read_bytes(), canaries)

    def _filled(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with uids of the page, and files in the folder of the sweep."""
        uids = {
            UID: re.findall(r"uid=(\S+)", self.agent.seen),
            FIELD: re.findall(r"uid=(\S+) textbox", self.agent.seen),
        }

        def filled(key: str, value: Any) -> Any:
            if isinstance(value, dict):
                return {inner: filled(inner, each) for inner, each in value.items()}
            if isinstance(value, list):
                return [filled(key, each) for each in value]
            if value == SECRET:
                return self._source
            if key.lower().endswith("path"):
                return str(self._folder / value)
            if value == LAST:
                return uids[UID][-1] if uids[UID] else "1_1"
            return next(iter(uids[value]), "1_1") if value in (UID, FIELD) else value

        return {key: filled(key, value) for key, value in arguments.items()}

    def _look_at_log(self, canaries: Canaries) -> None:
        log = self._folder / LOG
        if log.is_file():
            self._note("the log", log.read_bytes(), canaries)

    def _look_at_entry(self, canaries: Canaries, entry: CallEntry) -> None:
        shown = json.dumps(view_state.entry(entry), ensure_ascii=False)
        self._note(f"the live view's line of {entry.tool}", shown, canaries)

    async def _look_at_record(self, canaries: Canaries) -> None:
        """Look at the run that has just ended, and at what it can be made into."""
        writer = self._app.run_writer
        assert writer is not None
        async with asyncio.timeout(WRITE_SECONDS):
            while writer.waiting or writer.written < writer.added:
                await asyncio.sleep(0.01)
        for run in runs(writer.folder):
            file = run_file(writer.folder, run.run)
            self._note("the record", file.read_bytes(), canaries)
            for kind, text in exports(writer.folder, run.run):
                self._note(f"the record as {kind}", text, canaries)
            file.unlink()

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
        kind = "either" if page.shape in EITHER or page.leak == STOPS else ""
        key = f"{kind or ('allowed' if page.allowed else 'refused')} {outcome}"
        self.findings.outcomes[key] += 1
        where = f"{page.shape}, {page.leak}: {outcome}"
        if canaries.seen_in(self.pages.arrived_elsewhere()):
            self.findings.misplaced.append(f"{where}, sent elsewhere")
        here = canaries.seen_in(self.pages.arrived())
        if kind:
            return
        if page.allowed and (outcome != "done" or not (here or by_fields)):
            self.findings.misplaced.append(f"{where}, not sent")
        if not page.allowed and (here or outcome == "done"):
            self.findings.misplaced.append(f"{where}, sent")


async def main(count: int, seed: int, first: int) -> int:
    """Sweep so many pages and say what was found."""
    began = time.monotonic()
    with Site() as site, tempfile.TemporaryDirectory() as folder:
        async with sweeping(site, Path(folder)) as sweep:
            start_logging(str(Path(folder, "written", LOG)), verbose=True)
            await sweep.go(count, seed, first, began)
        found = sweep.findings
        _write(f"Sources: {dict(found.sources)}")
        _write(f"Tools: {dict(sorted(found.tools.items()))}")
        for line in [*found.leaks, *found.misplaced]:
            _write(line)
        return 1 if found.leaks or found.misplaced else 0


def _say(findings: Findings, began: float) -> None:
    _write(
        f"{findings.pages} pages, {findings.outputs} outputs, {len(findings.leaks)} leaks, "
        f"{len(findings.misplaced)} misplaced, {time.monotonic() - began:.0f} s; "
        f"{dict(findings.outcomes)}"
    )


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    numbers = [int(each) for each in sys.argv[1:]]
    sys.exit(asyncio.run(main(*(numbers + [1_000, 1, 0][len(numbers) :]))))
