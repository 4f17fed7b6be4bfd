"""`python -m bench floor`: tools on a tab in the background, beside the front and bare CDP."""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import machine, report
from bench.chromium import find_chromium, open_chromium
from bench.client import Client, open_client
from bench.probe import Probe, ProbeTab, open_probe
from bench.processes import used_milliseconds
from bench.servers import TABMUX
from bench.site import open_site
from bench.table import grid
from tabmux import __version__

ROUNDS, QUICK_ROUNDS = 15, 2
BURST = 100
# Chromium takes a tab in the background down to a frame a second after a tenth of one.
REST_SECONDS, QUICK_REST_SECONDS = 1.0, 0.15
MISSED = 2
FRONT_LIMIT = 1.2
# As agents' browsers are: the other commands keep Chromium from slowing tabs down.
THROTTLED = ("--disable-background-timer-throttling", "--disable-renderer-backgrounding")
PAGE = """<!doctype html><title>Floor</title>
<style>body { font: 16px sans-serif } #area { width: 200px; height: 40px }</style>
<button id=add onclick="count.textContent = ++n">Add</button><button id=idle>Idle</button>
<label>Name <input id=name></label>
<div id=area tabindex=0 role=button aria-label=Area onmouseenter="count.textContent = ++n"
  onmouseleave="count.textContent = ++n">Area</div>
<output id=count>0</output><script>n = 0</script><ul>""" + "".join(
    f"<li><a href='#{n}'>Item {n}</a></li>" for n in range(40)
)

Bare = Callable[[ProbeTab, int], Awaitable[object]]


@dataclass
class Row:
    """One tool: how it is called, what bare CDP does for the same effect, and its times."""

    name: str
    tool: str
    arguments: Callable[[int], dict[str, object]]
    bare: Bare
    ratio_limit: float
    limit: float
    cpu_limit: float | None = None
    before: str = ""
    # Whether it has the tab draw on for later calls.
    draws: bool = False
    times: dict[str, list[float]] = field(default_factory=dict)
    cpu: float = 0.0

    def median(self, way: str) -> float:
        """The median time of one way, in milliseconds."""
        return statistics.median(self.times[way])

    @property
    def misses(self) -> list[str]:
        """The targets that are missed, in words."""
        behind, front, bare = (self.median(way) for way in WAYS)
        return [
            text
            for text, missed in (
                (f"over {self.limit:g} ms", behind > self.limit),
                (f"over {FRONT_LIMIT:g} of the front", behind > front * FRONT_LIMIT),
                (f"over {self.ratio_limit:g} of bare CDP", behind > bare * self.ratio_limit),
                (f"over {self.cpu_limit} ms of CPU", self.cpu > (self.cpu_limit or self.cpu)),
            )
            if missed
        ]


WAYS = ("background", "front", "bare CDP")


async def _centre(tab: ProbeTab, element: str) -> dict[str, Any]:
    box = await tab.evaluate(
        f"(({{x, y, width, height}}) => ({{x: x + width / 2, y: y + height / 2}}))"
        f"({element}.getBoundingClientRect())"
    )
    assert isinstance(box, dict)
    return box


async def _mouse(tab: ProbeTab, at: dict[str, Any], *kinds: str) -> None:
    pressed = {"button": "left", "clickCount": 1}
    await asyncio.gather(
        *(
            tab.probe.call(
                "Input.dispatchMouseEvent",
                tab.session,
                type=kind,
                **at,
                **({} if kind == "mouseMoved" else pressed),
            )
            for kind in kinds
        )
    )


def _clicked(element: str) -> Bare:
    async def act(tab: ProbeTab, _: int) -> None:
        at = await _centre(tab, element)
        await _mouse(tab, at, "mouseMoved", "mousePressed", "mouseReleased")
        await tab.evaluate("document.body.innerText")

    return act


async def _hovered(tab: ProbeTab, _: int) -> None:
    await _mouse(tab, await _centre(tab, "area"), "mouseMoved")
    await tab.evaluate("document.body.innerText")


async def _filled(tab: ProbeTab, number: int) -> None:
    await tab.evaluate("document.getElementById('name').select()")
    await tab.probe.call("Input.insertText", tab.session, text=f"Ada {number}")
    await tab.evaluate("document.getElementById('name').value")


async def _pictured(tab: ProbeTab, _: int) -> None:
    await tab.probe.call("Page.captureScreenshot", tab.session, format="png")


async def _evaluated(tab: ProbeTab, _: int) -> None:
    await tab.evaluate("1 + 1")


def _rows() -> list[Row]:
    return [
        Row("hover", "hover", _on("css=#area"), _hovered, 4, 20, before="css=#idle", draws=True),
        Row("click", "click", _on("css=#add"), _clicked("add"), 4, 18, 2.0),
        Row("click idle", "click", _on("css=#idle"), _clicked("idle"), 4, 18),
        Row("click field", "click", _on("css=#name"), _clicked("document.all.name"), 4, 18),
        Row("fill", "fill", lambda n: {"uid": "css=#name", "value": f"Ada {n}"}, _filled, 4, 18),
        Row("screenshot", "take_screenshot", lambda _: {}, _pictured, 1.4, 22, draws=True),
        Row(
            "evaluate", "evaluate_script", lambda _: {"function": "() => 1 + 1"}, _evaluated,
            4, 2.5, 0.8,
        ),
        Row("snapshot", "take_snapshot", lambda _: {}, _read, 4, 5, 0.8),
    ]  # fmt: skip


async def _read(tab: ProbeTab, _: int) -> None:
    await tab.evaluate("document.body.innerText")


def _on(locator: str) -> Callable[[int], dict[str, object]]:
    return lambda _: {"uid": locator}


@dataclass
class _Bench:
    client: Client
    # What the agent works in, what lies in front of it, and what bare CDP works in.
    tab: ProbeTab
    cover: ProbeTab
    bare: ProbeTab
    rest: float

    async def measure(self, row: Row, number: int, uids: dict[str, str]) -> None:
        """Take one sample of each way."""
        arguments = {**row.arguments(number)}
        if uid := uids.get(str(arguments.get("uid"))):
            arguments["uid"] = uid
        for way in WAYS:
            if row.before:
                await self.client.call("hover", {"uid": row.before})
                await _mouse(self.bare, await _centre(self.bare, "idle"), "mouseMoved")
            await (self.tab if way == "front" else self.cover).show()
            await asyncio.sleep(self.rest)
            if way == "bare CDP":
                began = time.perf_counter()
                await row.bare(self.bare, number)
                seconds = time.perf_counter() - began
            else:
                seconds = (await self.client.call(row.tool, arguments)).seconds
            row.times.setdefault(way, []).append(seconds * 1000)

    async def weigh(self, row: Row, uids: dict[str, str], calls: int) -> None:
        """Find out what a call costs the server's processor."""
        began = used_milliseconds(self.client.pid)
        for number in range(calls):
            arguments = {**row.arguments(number)}
            if uid := uids.get(str(arguments.get("uid"))):
                arguments["uid"] = uid
            await self.client.call(row.tool, arguments)
        row.cpu = (used_milliseconds(self.client.pid) - began) / calls

    async def uids(self, rows: Sequence[Row]) -> dict[str, str]:
        """Take a snapshot, and name the elements as agents do."""
        wanted = {"css=#area": 'button "Area"', "css=#add": 'button "Add"'}
        wanted |= {"css=#idle": 'button "Idle"', "css=#name": 'textbox "Name"'}
        text = (await self.client.call("take_snapshot", {})).text
        found = {}
        for locator, line in wanted.items():
            before, mark, _ = text.partition(f" {line}")
            assert mark, f"{line} is not in the snapshot"
            found[locator] = before.rpartition("uid=")[2]
        return found


@asynccontextmanager
async def _bench(chromium: str, rest: float) -> AsyncIterator[_Bench]:
    async with AsyncExitStack() as stack:
        scratch = tempfile.TemporaryDirectory(prefix="tabmux-bench-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(scratch))
        origin = await stack.enter_async_context(open_site({"/": PAGE, "/blank": "<p>"}))
        endpoint = await stack.enter_async_context(open_chromium(chromium, without=THROTTLED))
        probe = await stack.enter_async_context(open_probe(endpoint.websocket))
        command = TABMUX.started_with(endpoint.url, folder)
        client = await stack.enter_async_context(
            open_client(command, TABMUX.surroundings(folder), folder, folder / "server.log")
        )
        await client.initialize()
        await client.call("new_page", {"url": f"{origin}/?agent"})
        bare = await _drawing_tab(probe, f"{origin}/?bare")
        cover = await probe.open(f"{origin}/blank?cover")
        yield _Bench(client, await probe.tab(f"{origin}/?agent"), cover, bare, rest)


async def _drawing_tab(probe: Probe, url: str) -> ProbeTab:
    """Open a tab in the background that has the focus for itself and draws."""
    tab = await probe.open(url)
    await probe.call("Emulation.setFocusEmulationEnabled", tab.session, enabled=True)
    await probe.call("Page.enable", tab.session)
    tiny = {"maxWidth": 16, "maxHeight": 16, "quality": 1, "everyNthFrame": 1000}
    await probe.call("Page.startScreencast", tab.session, format="jpeg", **tiny)
    return tab


async def _run(chromium: str, rounds: int, rest: float, json: Path | None) -> list[Row]:
    facts = await asyncio.to_thread(machine.look)
    versions = {"tabmux": __version__, "chromium": machine.chromium_version(chromium)}
    sys.stdout.write(f"{report.heading(facts, versions)}\n\n")
    rows = _rows()
    # Who takes pictures draws from then on, by which other rows would look quicker.
    for part in ([row for row in rows if row.draws == draws] for draws in (False, True)):
        async with _bench(chromium, rest) as bench:
            for number in range(rounds):
                for row in part:
                    await bench.measure(row, number, await bench.uids(rows))
            for row in part:
                await bench.weigh(row, await bench.uids(rows), min(BURST, rounds * 10))
    heading = ["row", *WAYS, "of front", "of bare", "CPU", ""]
    lines = [heading, *([each.name, *_cells(each)] for each in rows)]
    sys.stdout.write("\n".join(grid(lines)) + "\n")
    if json is not None:
        report.write(json, facts, versions, [_entry(each) for each in rows])
    return rows


def _entry(row: Row) -> dict[str, object]:
    return {
        "name": row.name,
        "unit": "ms",
        "target": row.limit,
        "medians": {way: row.median(way) for way in WAYS},
        "ratio": row.median("background") / row.median("bare CDP"),
        "meets_target": not row.misses,
        "cpu": row.cpu,
        "samples": row.times,
    }


def _cells(row: Row) -> list[str]:
    behind, front, bare = (row.median(way) for way in WAYS)
    times = [f"{each:.2f} ms" for each in (behind, front, bare)]
    ratios = [f"{behind / front:.2f}", f"{behind / bare:.2f}"]
    return [*times, *ratios, f"{row.cpu:.2f} ms", "; ".join(row.misses) or "ok"]


def floor(arguments: Sequence[str]) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench floor", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true", help="two rounds: a smoke test")
    parser.add_argument("--check", action="store_true", help="exit with 2 if a target is missed")
    parser.add_argument("--chromium", help="the browser to measure in (default: the first found)")
    parser.add_argument("--json", type=Path, help="write all samples to this file")
    given = parser.parse_args(arguments)
    rounds, rest = given.rounds, REST_SECONDS
    if given.quick:
        rounds, rest = QUICK_ROUNDS, QUICK_REST_SECONDS
    rows = asyncio.run(_run(given.chromium or find_chromium(), rounds, rest, given.json))
    return MISSED if given.check and any(row.misses for row in rows) else 0
