"""`python -m bench neighbours`: what one agent's calls take while another one does the worst."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import bare_neighbours, machine
from bench.heavy_pages import PAGES, PAUSE_SECONDS, Round
from bench.mcp_session import Session
from bench.processes import end_group, stop_on
from bench.site import open_site
from bench.trouble import BenchError

ALLOWED_SECONDS = 0.1
# So long may the loop work at a stretch for one session.
ALLOWED_STRETCH = 0.03
CALLS, QUICK_CALLS = 300, 30
WORST_SECONDS = 180.0
START_SECONDS = 60.0
TOOLS = "+memory,+performance,+interception,+browsers,+debugging"


class Neighbour:
    """A session of a server."""

    def __init__(self, session: Session, port: int, origin: str) -> None:
        self._session, self._port, self.origin = session, port, origin

    async def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool; returns its answer as it came."""
        answer = await self._session.tool(self._port, tool, arguments, WORST_SECONDS)
        return answer.decode(errors="replace")

    async def tries(self, tool: str, **arguments: Any) -> None:
        """Call a tool that may well fail."""
        with suppress(BenchError):
            await self.call(tool, **arguments)

    async def notify(self, message: dict[str, object]) -> None:
        """Send what needs no answer."""
        await self._session.notify(self._port, message)

    async def leave(self) -> None:
        """End the session."""
        await self._session.close(self._port)

    async def open(self, path: str) -> None:
        """Load a page."""
        await self.tries("navigate_page", url=f"{self.origin}{path}", timeout=60_000)


Worst = Callable[[Neighbour, Path], Awaitable[None]]


def _on(path: str, tool: str, **arguments: Any) -> Worst:
    async def do(rude: Neighbour, folder: Path) -> None:
        await rude.open(path)
        given = {
            key: str(folder / value) if key == "filePath" else value
            for key, value in arguments.items()
        }
        await rude.tries(tool, **given)

    return do


def _script(function: str, timeout: int = 15_000) -> Worst:
    return _on("/small", "evaluate_script", function=function, timeout=timeout)


def _clicks(path: str) -> Worst:
    async def do(rude: Neighbour, folder: Path) -> None:
        await rude.open(path)
        for _ in range(3):
            await rude.tries("click", uid='button "Change"')

    return do


async def _routes(rude: Neighbour, folder: Path) -> None:
    await rude.open("/small")
    for pattern in ("/(a|a)*!$/", "/(a|aa)+$/"):
        await rude.tries("route_requests", url=pattern, action="block")
    asks = """async () => { for (let i = 0; i < 200; i++)
      await fetch('/' + 'a'.repeat(3e4)).catch(() => 0) }"""
    await rude.tries("evaluate_script", function=asks)
    await rude.tries("unroute_requests")


async def _brackets(rude: Neighbour, folder: Path) -> None:
    for _ in range(5):
        await rude.tries("connect_browser", url=rude.origin)


async def _notices(rude: Neighbour, folder: Path) -> None:
    """Send what needs no answer, as fast as it is taken."""
    message: dict[str, object] = {"method": "notifications/cancelled", "params": {"requestId": 0}}
    for _ in range(3000):
        await rude.notify(message)


async def _deep(rude: Neighbour, folder: Path) -> None:
    value: Any = 1
    for _ in range(900):
        value = [value]
    for _ in range(20):
        await rude.tries("batch", steps=value)
        await rude.tries("emulate", extraHttpHeaders="[" * 100_000)


async def _bomb(rude: Neighbour, folder: Path) -> None:
    path = folder / "bomb.json.gz"
    await asyncio.to_thread(path.write_bytes, gzip.compress(b"[" + b" " * 400_000_000))
    await rude.tries("analyze_trace_file", filePath=str(path))


async def _passwords(rude: Neighbour, folder: Path) -> None:
    """Type what the record must keep out of everything that follows."""
    await rude.open("/passwords")
    await rude.tries("fill", uid='textbox "0"', value="pA9-" * 250_000)
    for part in range(5):
        fields = [
            {"uid": f'textbox "{n}"', "value": f"passw0rd-{part}-{n * 7919}"} for n in range(20)
        ]
        await rude.tries("fill_form", elements=fields)


WORST: dict[str, Worst] = {
    "every word of four letters": _on("/words", "take_snapshot"),
    "every word, read": _on("/words", "read_page", budget=100_000),
    "expression without end": _on("/letters", "find", query="(a+)+$", regex=True),
    "rules without end": _routes,
    "200,000 brackets": _brackets,
    "1,600 equal lines change": _clicks("/equal"),
    "1,600 lines change at random": _clicks("/mixed"),
    "1,000 frames": _on("/frames", "take_snapshot"),
    "100,000 lines, found": _on("/lines", "find", query="line"),
    "200,000 nodes": _on("/nodes", "take_snapshot"),
    "200,000 nodes, clicked": _clicks("/nodes"),
    "100,000 messages": _script("() => { for (let i = 0; i < 1e5; i++) console.log('m', i) }"),
    "3,000 requests": _script("() => { for (let i = 0; i < 3000; i++) fetch('/none?' + i) }"),
    "result of 50 MB": _script("() => 'x'.repeat(5e7)"),
    "result of 200,000 values": _script("() => Array.from({length: 2e5}, (_, i) => ({i}))"),
    "endless script": _script("() => { for (;;); }", 4000),
    "picture of 30,000 pixels": _on("/high", "take_screenshot", fullPage=True),
    "trace of a load": _on("/works", "performance_start_trace", reload=True, autoStop=True),
    "heap snapshot": _on("/nodes", "take_heapsnapshot", filePath="x.heapsnapshot"),
    "3,000 notices": _notices,
    "script with a word of a million letters": _script("() => 1 //" + "://" + "a" * 1_000_000),
    "passwords, long and many": _passwords,
    "arguments 900 deep": _deep,
    "trace of 400 MB in a small file": _bomb,
}


@dataclass(frozen=True)
class Watch:
    """The file in which a watched server notes the long stretches of its loop."""

    path: Path

    def since(self, began: float) -> tuple[float, str]:
        """Return the longest stretch from a moment on, and where it was."""
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        found = [json.loads(line) for line in text.splitlines()]
        later = [each for each in found if each["at"] > began]
        longest = max(later, key=lambda each: float(each["seconds"]), default=None)
        if longest is None:
            return 0.0, ""
        return longest["seconds"], "\n".join(f"  {n} × {place}" for place, n in longest["places"])


async def _round(
    name: str, near: Neighbour, watch: Watch, calls: int, worst: Awaitable[None] | None = None
) -> Round:
    """Call until the worst is over, and often enough to tell the slowest of a hundred."""
    made, began = Round(name), time.monotonic()
    async with asyncio.TaskGroup() as group:
        doing = group.create_task(_await(worst)) if worst is not None else None
        while len(made.latencies) < calls or (doing is not None and not doing.done()):
            for step in (_evaluates, _looks, _clicks_small):
                start = time.perf_counter()
                await step(near)
                made.latencies.append(time.perf_counter() - start)
                await asyncio.sleep(PAUSE_SECONDS)
    made.stretch, made.stack = watch.since(began)
    return made


async def _await(work: Awaitable[None]) -> None:
    await work


async def _evaluates(near: Neighbour) -> None:
    if "42" not in await near.call("evaluate_script", function="() => 6 * 7"):
        raise BenchError("A script was not answered.")


async def _looks(near: Neighbour) -> None:
    if "Small" not in await near.call("take_snapshot"):
        raise BenchError("A snapshot showed another page.")


async def _clicks_small(near: Neighbour) -> None:
    await near.call("click", uid='button "Count"')


@asynccontextmanager
async def _server(folder: Path, file: Path) -> AsyncIterator[int]:
    """Run a watched server with a browser; gives its port."""
    flags = ("serve", "--http", "--port", "0", "--no-auth", "--launch", "--isolated", "--headless")
    words = ("-m", "bench.watched_server", str(file), *flags, "--tools", TOOLS)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True, env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        async with asyncio.timeout(START_SECONDS):
            while not (found := re.search(rb"http://\S+:(\d+)", await process.stdout.readline())):
                if process.returncode is not None:
                    raise BenchError("The server ended before it was ready.")
        yield int(found[1])
    finally:
        await end_group(process.pid, process.wait)


async def _measure(names: Sequence[str], calls: int, *, stacks: bool) -> int:
    stop_on(signal.SIGTERM)
    facts = await asyncio.to_thread(machine.look)
    _write(f"{facts.system}, {facts.cores} cores, load {facts.load}\n{facts.warning}")
    with tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True) as scratch:
        folder, file = Path(scratch), Path(scratch, "loop")
        async with open_site(PAGES) as origin, _server(folder, file) as port:
            near = Neighbour(await Session.opened(port), port, origin)
            await near.open("/small")
            quiet = await _round("quiet", near, Watch(file), calls)
            _write(quiet.line)
            bad = 0
            for name in names:
                rude = Neighbour(await Session.opened(port), port, origin)
                made = await _round(name, near, Watch(file), calls, WORST[name](rude, folder))
                await rude.leave()
                bad += made.late > ALLOWED_SECONDS or made.stretch > ALLOWED_STRETCH
                _write(made.line)
                if stacks and made.stretch > ALLOWED_STRETCH:
                    _write(made.stack)
    limits = f"{ALLOWED_SECONDS * 1000:.0f} ms at p99, {ALLOWED_STRETCH * 1000:.0f} ms of the loop"
    _write(f"Over the limits of {limits} at a stretch: {bad} of {len(names)}.")
    return 2 if bad else 0


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def neighbours(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code: 2 when a limit is exceeded."""
    parser = argparse.ArgumentParser(prog="python -m bench neighbours", description=__doc__)
    parser.add_argument("--only", help="only what this expression finds")
    parser.add_argument("--stacks", action="store_true", help="say where the loop worked for long")
    parser.add_argument("--bare", action="store_true", help="what Chromium takes without tabmux")
    parser.add_argument("--quick", action="store_true", help="few calls: a smoke test")
    given = parser.parse_args(arguments)
    things = bare_neighbours.LOUD if given.bare else WORST
    names = [name for name in things if re.search(given.only or "", name)]
    calls = QUICK_CALLS if given.quick else CALLS
    if given.bare:
        return asyncio.run(bare_neighbours.measure(names, calls))
    return asyncio.run(_measure(names, calls, stacks=given.stacks))
