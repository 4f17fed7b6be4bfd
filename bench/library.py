"""`python -m bench library`: what a method of the library costs beside the bare socket."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence

import tabmux
import tabmux.sync
from bench.table import grid
from tabmux import daemon_connection

ROUNDS, QUICK_ROUNDS, BURST = 60, 2, 25
MOST_MILLISECONDS = 0.3
MOST_IMPORT_MILLISECONDS = 60
IMPORTS = 15
FLAGS = ("--headless", "--isolated")
SCRIPT = "() => 1"

Call = Callable[[], Awaitable[object]]


def library(arguments: Sequence[str]) -> int:
    """Measure calls and the import in a home of its own; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench library", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two rounds: a smoke test")
    rounds = QUICK_ROUNDS if parser.parse_args(arguments).quick else ROUNDS
    home, before = tempfile.mkdtemp(prefix="tm-", dir="/tmp"), os.environ.get("HOME", "")
    os.environ["HOME"] = home
    try:
        found = asyncio.run(_measure(rounds))
    finally:
        words = [sys.executable, "-m", "tabmux", "daemon", "stop"]
        subprocess.run(words, check=False, capture_output=True, timeout=60)
        os.environ["HOME"] = before
        shutil.rmtree(home, ignore_errors=True)
    imports = _imports()
    rows = [["call", "ms", "beside the socket"]]
    rows += [
        [name, f"{value:.3f}", f"{value - found['socket']:+.3f}"] for name, value in found.items()
    ]
    rows += [[name, f"{value:.1f}", ""] for name, value in imports.items()]
    sys.stdout.write("\n".join(grid(rows)) + "\n")
    slow = max(found.values()) - found["socket"] > MOST_MILLISECONDS
    return int(slow or max(imports.values()) > MOST_IMPORT_MILLISECONDS)


async def _measure(rounds: int) -> dict[str, float]:
    """Return the median of each way to call, taken in turns on pages of one browser."""
    async with tabmux.session(flags=FLAGS) as tab, tabmux.session(flags=FLAGS) as plain:
        with tabmux.sync.session(flags=FLAGS) as blocking, _RawSession() as raw:
            await tab.goto("about:blank")
            await plain.goto("about:blank")
            blocking.goto("about:blank")
            raw.call("navigate_page", {"url": "about:blank"})
            ways: dict[str, Call] = {
                "socket": lambda: _done(raw.call("evaluate_script", {"function": SCRIPT})),
                "tabmux": lambda: tab.evaluate(SCRIPT),
                "tabmux.sync": lambda: _done(blocking.evaluate(SCRIPT)),
            }
            taken: dict[str, list[float]] = {name: [] for name in ways}
            for _ in range(rounds):
                for name, call in ways.items():
                    taken[name] += [await _milliseconds(call) for _ in range(BURST)]
    return {name: statistics.median(each) for name, each in taken.items()}


async def _milliseconds(call: Call) -> float:
    start = time.perf_counter()
    await call()
    return (time.perf_counter() - start) * 1000


async def _done(value: object) -> object:
    return value


class _RawSession:
    """MCP over the daemon's socket, with as little around it as can be."""

    def __enter__(self) -> _RawSession:
        self._socket, _ = daemon_connection.join(FLAGS, "", keep=False)
        about = {"name": "raw", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
        self._ask("initialize", hello)
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_WR)
        self._socket.close()

    def call(self, tool: str, arguments: dict[str, object]) -> object:
        """Call a tool."""
        return self._ask("tools/call", {"name": tool, "arguments": arguments})

    def _ask(self, method: str, params: object) -> object:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._socket.sendall(json.dumps(message).encode() + b"\n")
        line = b""
        while not line.endswith(b"\n"):
            line += self._socket.recv(1 << 16)
        return json.loads(line)


def _imports() -> dict[str, float]:
    """Return what the import takes, alone and with the first use of each twin, beside Python."""
    codes = {
        "import tabmux": "import tabmux",
        "tabmux.session": "import tabmux; tabmux.session",
        "tabmux.sync.session": "import tabmux.sync; tabmux.sync.session",
    }
    taken: dict[str, list[float]] = {name: [] for name in ("", *codes)}
    for _ in range(IMPORTS):
        for name in taken:
            taken[name].append(_import_milliseconds(codes.get(name, "pass")))
    bare = statistics.median(taken.pop(""))
    return {name: statistics.median(each) - bare for name, each in taken.items()}


def _import_milliseconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return (time.perf_counter() - start) * 1000
