"""Kills a server at random moments, and looks at what its record has lost.

`python -m tests.record.killed_server ROUNDS`
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from tabmux.folders import record_folder
from tabmux.record.hash_chain import verify
from tabmux.record.run_files import read_run, runs
from tests.agent import HELLO
from tests.homes import home_in

CALL = {"name": "list_browsers", "arguments": {}}


@dataclass(frozen=True)
class Killed:
    """What was answered before the kill, what the record has, and what is wrong with it."""

    answered: int
    recorded: int
    faults: tuple[str, ...]


def killed(home: Path, seconds: float) -> Killed:
    """Call tools as fast as the server answers, and kill it after so long."""
    command = [sys.executable, "-m", "tabmux", "serve", "--stdio", "--headless", "--isolated"]
    with subprocess.Popen(
        command, env=home_in(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        _ask(server, 0, "initialize", HELLO)
        server.stdout.readline()
        # The first call imports the tools.
        _ask(server, 1, "tools/call", CALL)
        server.stdout.readline()
        timer = threading.Timer(seconds, os.kill, (server.pid, signal.SIGKILL))
        timer.start()
        answered = _call_until_dead(server)
        timer.join()
    folder = Path(record_folder(str(home)))
    (run,) = runs(folder)
    return Killed(answered, len(list(read_run(folder, run.run))), verify(folder, run.run).faults)


def _call_until_dead(server: subprocess.Popen[bytes]) -> int:
    assert server.stdout is not None
    answered = 1
    while True:
        try:
            _ask(server, answered + 1, "tools/call", CALL)
        except BrokenPipeError:
            return answered
        line = server.stdout.readline()
        if not line.endswith(b"\n"):
            return answered
        answered += json.loads(line).get("id") == answered + 1


def _ask(server: subprocess.Popen[bytes], ident: int, method: str, params: object) -> None:
    assert server.stdin is not None
    message = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}
    # Nothing is left to be flushed to a server that is dead.
    os.write(server.stdin.fileno(), json.dumps(message).encode() + b"\n")


def main(rounds: int) -> int:
    """Kill so many servers; returns how many lost more than one line."""
    lost = list[int]()
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as home:
            found = killed(Path(home), random.uniform(0.02, 1.0))
        assert found.faults == (), found
        lost.append(found.answered - found.recorded)
        sys.stdout.write(f"{found.answered} answered, {found.recorded} recorded\n")
        sys.stdout.flush()
    sys.stdout.write(f"{rounds} servers killed; lines lost at most: {max(lost)}\n")
    return sum(each > 1 for each in lost)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
