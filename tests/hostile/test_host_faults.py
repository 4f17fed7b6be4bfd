"""Faults of the machine: signals, clocks, limits, files that go; the server lives or says why."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

import tabmux
from tabmux.daemon.app import App
from tests.agent import Agent
from tests.chromium import chromium
from tests.clock import AT_ONCE
from tests.hostile.control_group import control_group
from tests.hostile.tally import WHOLE_SECONDS, whole
from tests.mcp.raw_clients import INITIALIZE, request
from tests.site import Site, void

STDIO = [sys.executable, "-m", "tabmux", "serve", "--stdio", "--launch", "--headless", "--isolated"]
DAY = 86_400.0
# What reads the clock that a user can set, and why.
WALL_CLOCK = {
    "page/see/screencast.py": "pictures carry the time of Chrome's clock",
    "bridge/pairing.py": "a code is kept in a file that several processes read",
    "cli/commands/extension_command.py": "it waits for the end of such a code",
    "cli/commands/install_command.py": "the name of a copy",
    "cli/checks/daemon_checks.py": "the age of lines in a log",
    "cluster/peer_signature.py": "machines have no other clock in common",
    "cluster/redis_journal.py": "another daemon reads when an action began",
    "daemon/ui/passes.py": "a cookie says when it ends, in a browser of its own",
    "daemon/ui/view_state.py": "people read the time",
    "daemon_connection.py": "the age of a file that another process made",
    "mcp/dispatch/tool_tasks.py": "clients are told when a task was made",
    "page/noted_element.py": "the time that the record says",
    "record/pruning.py": "the age of files",
    "record/run_writer.py": "the time that the record says",
    "sessions/durable_sessions.py": "when a server before this one wrote a session down",
    "sessions/human_requests.py": "people read the time",
    "sessions/session_recorder.py": "the next server has another monotonic clock",
    "tools/pipeline/call.py": "the time that the record says",
}


class Server:
    """A server over stdio in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process, self._last = process, 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request(self._last, method, **params)).encode() + b"\n")
        async with asyncio.timeout(6 * AT_ONCE):
            while line := await self.process.stdout.readline():
                message: dict[str, Any] = json.loads(line)
                if message.get("id") == self._last:
                    return message
        raise AssertionError("the server has ended")

    def begin(self, tool: str, **arguments: Any) -> None:
        """Call a tool, and do not wait for what it answers."""
        called = request("begun", "tools/call", name=tool, arguments=arguments)
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(called).encode() + b"\n")

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = (await self.ask("tools/call", name=tool, arguments=arguments))[
            "result"
        ]
        return result

    def chromes(self) -> list[psutil.Process]:
        return [
            p
            for p in psutil.Process(self.process.pid).children(recursive=True)
            if "chrom" in p.name()
        ]


@asynccontextmanager
async def serving_stdio(
    home: dict[str, str],
    command: list[str] = STDIO,
    limit: Callable[[], None] | None = None,
) -> AsyncIterator[Server]:
    process = await asyncio.create_subprocess_exec(
        *command, env=home, limit=1 << 28, preexec_fn=limit,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        server = Server(process)
        await server.ask("initialize", **INITIALIZE)
        yield server
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def gone(processes: list[psutil.Process]) -> bool:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, 20)
    return not alive


@whole
@pytest.mark.parametrize("twice", [False, True])
async def test_signal_to_end_takes_the_browser_along_even_in_a_call(
    home: dict[str, str], twice: bool
) -> None:
    async with serving_stdio(home) as server:
        await server.call("list_pages")
        browsers = server.chromes()
        assert browsers
        server.begin("evaluate_script", function="() => { for (;;); }")
        await server.ask("ping")
        server.process.terminate()
        if twice:
            server.process.terminate()
        async with asyncio.timeout(3 * AT_ONCE):
            await server.process.wait()
        assert await gone(browsers)


@whole
async def test_client_that_is_killed_behind_a_shell_takes_server_and_browser_along(
    home: dict[str, str],
) -> None:
    line = " ".join(STDIO)
    async with serving_stdio(home, ["/bin/sh", "-c", f"{line}; true"]) as server:
        await server.call("list_pages")
        below = psutil.Process(server.process.pid).children(recursive=True)
        assert any("chrom" in process.name() for process in below)
        assert server.process.stdin is not None
        server.process.stdin.close()
        server.process.kill()
        assert await gone(below)


@whole
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
async def test_signal_of_a_terminal_ends_server_and_browser(
    home: dict[str, str], number: signal.Signals
) -> None:
    async with serving_stdio(home) as server:
        await server.call("list_pages")
        browsers = server.chromes()
        server.process.send_signal(number)
        async with asyncio.timeout(3 * AT_ONCE):
            await server.process.wait()
        assert await gone(browsers)


@whole
async def test_broken_pipe_somewhere_ends_nothing(home: dict[str, str]) -> None:
    async with serving_stdio(home) as server:
        await server.call("list_pages")
        server.process.send_signal(signal.SIGPIPE)
        assert not (await server.call("list_pages"))["isError"]


def test_waits_read_no_clock_that_can_be_set() -> None:
    source = Path(tabmux.__file__).parent
    found = {
        str(file.relative_to(source))
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr)
        in {("time", "time"), ("datetime", "now"), ("datetime", "utcnow")}
    }
    assert found == set(WALL_CLOCK)


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_clock_that_jumps_a_day_ends_no_session_and_no_wait(
    app: App, site: Site, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    real = time.time
    async with Agent.joined(app, site) as agent:
        await agent.open("<title>Clock</title><button>Go</button>")
        waiting = asyncio.gather(agent.reply("wait_for", text=["later"], timeout=3000))
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        await agent("list_pages")
        assert "Go" in await agent("take_snapshot")
        (reply,) = await waiting
        assert reply.code is not None
        assert reply.code != "internal"
        assert agent.session in app.sessions.all()


CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long jump(void) {
  char text[32] = "";
  int file = open(getenv("CLOCK_FILE"), O_RDONLY);
  if (file >= 0) { if (read(file, text, 31) < 0) text[0] = 0; close(file); }
  return atol(text);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
  int found = real(clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
  return found;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec; now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *into) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  if (into) *into = exact.tv_sec;
  return exact.tv_sec;
}
"""


def build_clock(library: Path) -> None:
    if not (compiler := shutil.which("cc")):
        pytest.skip("there is no C compiler")
    source = library.with_suffix(".c")
    source.write_text(CLOCK)
    command = [compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)


@whole
async def test_clock_of_the_machine_that_jumps_stops_neither_server_nor_browser(
    home: dict[str, str], site: Site, tmp_path: Path
) -> None:
    library, file = tmp_path / "clock.so", tmp_path / "jump"
    build_clock(library)
    shifted = {**home, "LD_PRELOAD": str(library), "CLOCK_FILE": str(file)}
    async with serving_stdio(shifted) as server:
        await server.call("navigate_page", url=site.page("<h1>Clock</h1>"))
        for jump in (DAY, -DAY, 0.0):
            file.write_text(str(int(jump)))
            answer = await server.call("wait_for", text=["never"], timeout=1000)
            assert answer["_meta"]["code"] == "deadline", answer
            answer = await server.call("navigate_page", url=site.page(f"<h1>At {jump}</h1>"))
            assert not answer["isError"], answer
            assert f"At {jump}" in str(await server.call("take_snapshot"))


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
@pytest.mark.parametrize("how", ["address space", "control group"])
async def test_server_with_little_memory_refuses_what_is_too_large_and_lives(
    home: dict[str, str], site: Site, how: str
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1200 << 20, 1200 << 20))

    async with AsyncExitStack() as stack:
        if how == "control group":
            limit = stack.enter_context(control_group("memory", 900 << 20)).enter
        browser = await stack.enter_async_context(chromium())
        command = [sys.executable, "-m", "tabmux", "serve", "--stdio", "--browser-url", browser.url]
        server = await stack.enter_async_context(serving_stdio(home, command, limit))
        await server.call("navigate_page", url=site.page("<h1>Small</h1>"))
        answer = await server.call("evaluate_script", function="() => 'x'.repeat(4e8)")
        assert answer["isError"]
        assert answer["_meta"]["code"] != "internal"
        async with asyncio.timeout(6 * AT_ONCE):
            while (await server.call("navigate_page", url=site.page("<h1>Small</h1>")))["isError"]:
                await asyncio.sleep(0.5)
        assert "Small" in str(await server.call("take_snapshot"))


@whole
async def test_server_that_may_start_no_process_says_so_and_goes_on_when_it_may(
    home: dict[str, str],
) -> None:
    with control_group("pids", 8) as group:
        async with serving_stdio(home, [*STDIO, "--cool-down", "0"], group.enter) as server:
            answer = await server.call("list_pages")
            assert answer["isError"]
            assert answer["_meta"]["code"].startswith("browser")
            assert "error" not in await server.ask("ping")
            group.limit("max")
            async with asyncio.timeout(6 * AT_ONCE):
                while (await server.call("list_pages"))["isError"]:
                    await asyncio.sleep(0.5)


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_starved_machine_makes_calls_slow_and_no_browser_dead(agent: Agent) -> None:
    loops = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", "while True: pass")
        for _ in range(8)
    ]
    try:
        for number in range(10):
            assert f"H{number}" in await agent.open(f"<h1>H{number}</h1>")
    finally:
        for process in loops:
            process.kill()
            await process.wait()


@whole
@pytest.mark.parametrize("text", [None, "port = [", "deny-url = ['*']"])
async def test_settings_file_that_changes_meanwhile_changes_nothing(
    home: dict[str, str], tmp_path: Path, text: str | None
) -> None:
    file = tmp_path / "tabmux.toml"
    file.write_text("reply-limit = 5000\n")
    async with serving_stdio(home, [*STDIO, "--config", str(file)]) as server:
        assert not (await server.call("list_pages"))["isError"]
        if text is None:
            file.unlink()
        else:
            file.write_text(text)
        answer = await server.call("navigate_page", url="data:text/html,<p>as before")
        assert not answer["isError"], answer


@whole
async def test_log_that_is_deleted_or_has_no_room_stops_nobody(
    home: dict[str, str], tmp_path: Path
) -> None:
    for log in (tmp_path / "log", Path("/dev/full")):
        async with serving_stdio(home, [*STDIO, "--verbose", "--log-file", str(log)]) as server:
            assert not (await server.call("list_pages"))["isError"]
            if log.is_file():
                log.unlink()
            assert not (await server.call("list_pages"))["isError"]


@whole
async def test_python_s_own_checks_find_nothing(home: dict[str, str]) -> None:
    command = [sys.executable, "-X", "dev", "-W", "error", *STDIO[1:]]
    async with serving_stdio(home, command) as server:
        assert not (await server.call("list_pages"))["isError"]
        assert server.process.stdin is not None
        server.process.stdin.close()
        async with asyncio.timeout(3 * AT_ONCE):
            await server.process.wait()
        assert server.process.stderr is not None
        errors = (await server.process.stderr.read()).decode()
    assert "Warning" not in errors
    assert "Traceback" not in errors


@whole
@pytest.mark.parametrize("umask", [0o000, 0o027])
async def test_files_are_private_whatever_the_umask(
    home: dict[str, str], umask: int, tmp_path: Path
) -> None:
    file = Path("/tmp") / f"{tmp_path.name}-{umask:o}.png"
    async with serving_stdio(home, STDIO, lambda: void(os.umask(umask))) as server:
        answer = await server.call("take_screenshot", filePath=str(file))
    assert not answer["isError"], answer
    assert file.stat().st_mode & 0o777 == 0o600
    file.unlink()
    for left in Path(home["HOME"]).rglob("*"):
        assert left.is_symlink() or left.stat().st_mode & 0o077 == 0 or "chrom" in str(left), left
