"""Fleet: what sessions and calls cost on a Selenium Grid, beside a browser of this machine.

python -m bench.fleet real http://127.0.0.1:4444
python -m bench.fleet wire http://127.0.0.1:4444
python -m bench.fleet simulated
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

from bench.fleet_wire import wire_times
from tabmux.content import SilentClient
from tabmux.daemon.app import App, running
from tabmux.sessions.session import Session
from tabmux.settings import Settings

SESSIONS, ROUNDS, CALLS, WARM_UP = 1_000, 10, 40, 2_000
BETWEEN_SECONDS = 5.0
PAGE = "data:text/html,<title>Page</title><button>Press</button><input aria-label=Name>"


async def _call(session: Session, tool: str, **arguments: object) -> str:
    reply = await session.call(tool, arguments, SilentClient())
    if reply.failed:
        raise SystemExit(f"{tool}: {reply.text}")
    return reply.text


async def _seconds(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began


def _line(name: str, samples: list[float]) -> str:
    middle = statistics.median(samples) * 1000
    late = statistics.quantiles(samples, n=20)[-1] * 1000 if len(samples) > 1 else middle
    return f"{name}: median {middle:.1f} ms, p95 {late:.1f} ms ({len(samples)} samples)"


async def _calls(app: App) -> dict[str, Callable[[], Awaitable[object]]]:
    """Open a session, and return its everyday calls."""
    session = app.open()
    await _call(session, "navigate_page", url=PAGE)
    snapshot = await _call(session, "take_snapshot")
    uids = {role: _uid(snapshot, role) for role in ("button", "textbox")}
    return {
        "evaluate_script": lambda: _call(session, "evaluate_script", function="() => 1"),
        "click": lambda: _call(session, "click", uid=uids["button"]),
        "fill": lambda: _call(session, "fill", uid=uids["textbox"], value=str(time.monotonic())),
        "take_screenshot": lambda: _call(session, "take_screenshot"),
        "take_snapshot": lambda: _call(session, "take_snapshot"),
        "navigate_page": lambda: _call(session, "navigate_page", url=PAGE),
    }


def _uid(snapshot: str, role: str) -> str:
    line = next(line for line in snapshot.splitlines() if f" {role} " in line)
    return line.strip().split(" ")[0].removeprefix("uid=")


async def measure_real(url: str) -> None:
    """Compare a real grid with a browser of this machine, in one run."""
    table = (("warm", 1), ("max_browsers", 2))
    async with (
        running(Settings(grid=url, grid_options=table)) as app,
        running(Settings(launch=True, headless=True, isolated=True)) as local,
    ):
        ours, theirs = await _calls(local), await _calls(app)
        # The hub's Java compiles what is called often, after a while.
        for _ in range(WARM_UP):
            await theirs["evaluate_script"]()
        await _measure_starts(app)
        samples = {name: await _in_turn(ours[name], theirs[name]) for name in ours}
    for name, (here, there) in samples.items():
        _say(_comparison(name, here, there))
    everything = [[s for pair in samples.values() for s in pair[side]] for side in (0, 1)]
    _say(_comparison("all calls", *everything))


async def _measure_starts(app: App) -> None:
    starts = []
    for _ in range(ROUNDS):
        # As agents come: one after the other, and not all at once.
        await asyncio.sleep(BETWEEN_SECONDS)
        session = app.open()
        starts.append(await _seconds(lambda s=session: _call(s, "take_snapshot")))  # type: ignore[misc]
        await session.close()
    _say(_line("session on a warm browser, first snapshot in it", starts))


async def _in_turn(
    ours: Callable[[], Awaitable[object]], theirs: Callable[[], Awaitable[object]]
) -> tuple[list[float], list[float]]:
    """Time a call here and on the grid, one after the other, so that both see the same machine."""
    here, there = [], []
    for _ in range(CALLS):
        here.append(await _seconds(ours))
        there.append(await _seconds(theirs))
    return here, there


def _comparison(name: str, here: list[float], there: list[float]) -> str:
    ours, theirs = statistics.median(here), statistics.median(there)
    each = [b / a for a, b in zip(here, there, strict=True)]
    return (
        f"{name}: local {ours * 1000:.1f} ms, grid {theirs * 1000:.1f} ms, "
        f"{theirs / ours:.2f} times; call by call {statistics.median(each):.2f} times"
    )


async def measure_wire(url: str) -> None:
    """Say what bare CDP costs on each way to a browser of a grid."""
    for name, found in (await wire_times(url)).items():
        one, three, flight = (each * 1000 for each in (found.one, found.three, found.flight))
        _say(
            f"{name}: a round trip {one:.2f} ms, three in turn {three:.2f} ms, "
            f"three together {flight:.2f} ms"
        )


async def measure_simulated(sessions: int = SESSIONS) -> None:
    """Open many sessions on a grid without Chrome, which runs in a process of its own."""
    fake = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.browsers.grid.fake_grid", "40", "40",
        stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert fake.stdout is not None
    url = (await fake.stdout.readline()).decode().strip()
    table = (("warm", 2), ("max_browsers", 80))
    try:
        async with running(Settings(grid=url, grid_options=table)) as app:
            await _measure_sessions(app, sessions)
    finally:
        fake.kill()
        await fake.wait()


async def _measure_sessions(app: App, sessions: int) -> None:
    first = app.open()
    await _call(first, "list_pages")
    await _call(first, "new_page", url="about:blank")
    await _evaluate(first)
    alone = [await _seconds(lambda: _evaluate(first)) for _ in range(200)]
    _say(_line("call, one session", alone))
    process = psutil.Process()
    before, began = process.memory_info().rss, time.perf_counter()
    opened = [app.open() for _ in range(sessions)]
    gate = asyncio.Semaphore(16)

    async def begin(session: Session) -> None:
        async with gate:
            await _call(session, "new_page", url="about:blank")

    async with asyncio.TaskGroup() as group:
        for session in opened:
            group.create_task(begin(session))
    seconds = time.perf_counter() - began
    each = (process.memory_info().rss - before) / sessions / 1000
    _say(f"{sessions} sessions with a page: {sessions / seconds:.0f} a second, {each:.0f} kB each")
    # As with the one session: a page's first script is another matter.
    for session in opened:
        await _evaluate(session)
    samples = [await _seconds(lambda s=s: _evaluate(s)) for s in opened]  # type: ignore[misc]
    _say(_line(f"call, {sessions} sessions", samples))
    late = [statistics.quantiles(each, n=20)[-1] for each in (alone, samples)]
    _say(f"p95: {late[1] / late[0]:.2f} times that of one session")


async def _evaluate(session: Session) -> str:
    return await _call(session, "evaluate_script", function="() => 1")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    if sys.argv[1:2] == ["real"]:
        asyncio.run(measure_real(sys.argv[2]))
    elif sys.argv[1:2] == ["wire"]:
        asyncio.run(measure_wire(sys.argv[2]))
    else:
        asyncio.run(measure_simulated())
