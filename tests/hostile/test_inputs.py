"""Generated inputs by the thousand: none may end in an internal error, a hang or a crash."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.daemon.browser_specs import browser_specs
from tabmux.daemon.client_settings import client_settings
from tabmux.daemon.policy_settings import tool_groups
from tabmux.daemon.process.daemon_socket import DaemonSocket
from tabmux.daemon.process.line_protocol import LineProtocol
from tabmux.errors import TabmuxError
from tabmux.mcp.rpc import RpcError, parse
from tabmux.mcp.schema import INTERNAL_ERROR
from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.policy.policy_file import read_policy_file
from tabmux.policy.section_values import READERS
from tabmux.secrets.secret import Secrets
from tabmux.settings import Settings, parse_flags, resolve_settings, setting_fields
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.hostile import inputs
from tests.hostile.tally import FOLDER, HANG_SECONDS, WHOLE_SECONDS, Tally, count, tally
from tests.hostile.wires import exchange, exchange_frames, upgrade
from tests.mcp.raw_clients import INITIALIZE, request, serving
from tests.site import Site

# The others can take long, if something they are given happens to make sense.
QUICK = None if FOLDER else ["input", "debugging", "network", "page tools", "toolsets"]
TOOLS = {tool.name: tool for tool in catalog.tools(QUICK)}
PAGE = "<title>Input</title><button>Go</button><input aria-label=Field><select><option>a</select>"
AT_A_TIME = 20
BROWSER_KEYS = [
    "name", "url", "ws-endpoint", "headers", "start-command", "tags", "launch", "headless", "channel",
    "executable-path", "user-data-dir", "profile", "viewport", "proxy-server", "chrome-arg",
    "allow-url", "deny-url", "unknown",
]  # fmt: skip
SECRET_KEYS = ["name", "origins", "username", "password", "totp", "value", "approve", "unknown"]
pytestmark = pytest.mark.timeout(WHOLE_SECONDS)


async def call(agent: Agent, found: Tally, name: str, given: dict[str, Any]) -> None:
    with found.trying((name, given)):
        async with asyncio.timeout(HANG_SECONDS):
            reply = await agent.reply(name, **given)
        if reply.code == "internal":
            found.harm("internal", (name, given), reply.text)


async def go(agent: Agent, url: str) -> None:
    """Load a page; what was tried before may have sent the browser away, as it was asked to."""
    if (await agent.reply("navigate_page", url=url)).code == "no_such_browser":
        await agent("connect_browser", launch=True)
        await agent("navigate_page", url=url)


async def test_no_arguments_harm_a_tool(
    everything: App, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where files go whose names are not whole paths
    each = count(2, 100)
    url = site.page(PAGE)
    with tally("arguments of tools") as found:
        for name, tool in TOOLS.items():
            async with Agent.joined(everything, site) as agent:
                await go(agent, url)
                for given in readable(tool.schema, hash_of(name), each, str(tmp_path)):
                    await call(agent, found, name, given)
        async with Agent.joined(everything, site) as agent:
            await go(agent, url)
            assert "Go" in await agent("take_snapshot")
    assert found.inputs >= each * len(TOOLS)


def readable(
    schema: dict[str, Any], first: int, wanted: int, folder: str
) -> Iterator[dict[str, Any]]:
    """Return arguments that reach a tool; what no message can carry is refused before."""
    for dice in inputs.seeds(first, 10 * wanted):
        given = inputs.arguments(schema, dice, folder)
        with suppress(RpcError):
            parse(json.dumps(request(1, "tools/call", arguments=given)).encode())
            yield given
            wanted -= 1
        if not wanted:
            return


def hash_of(name: str) -> int:
    return int.from_bytes(name.encode()[:6], "big")


async def test_no_line_harms_a_stream(everything: App) -> None:
    with tally("lines of stdio") as found:
        async with Line.served(everything) as line:
            for number, dice in enumerate(inputs.seeds(1, count(500, 10_000))):
                text = inputs.line(dice)
                with found.trying(text):
                    line.send(text)
                if number % 50 == 49:
                    await line.alive(found, text)


class Line:
    """A client that says anything, and looks at all that comes back."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._pings = 0

    @classmethod
    @asynccontextmanager
    async def served(cls, app: App) -> AsyncIterator[Line]:
        import socket

        near, far = socket.socketpair()
        ours = await asyncio.open_connection(sock=near, limit=1 << 28)
        theirs = await asyncio.open_connection(sock=far, limit=1 << 28)
        async with asyncio.TaskGroup() as group:
            group.create_task(serve_stream(app, *theirs, version="test"))
            line = cls(*ours)
            line.send(json.dumps(request("hello", "initialize", **INITIALIZE)).encode())
            yield line
            ours[1].close()
        theirs[1].close()

    def send(self, text: bytes) -> None:
        self._writer.write(text + b"\n")

    async def alive(self, found: Tally, last: bytes) -> None:
        """Ask for a sign of life, and read all answers up to it."""
        self._pings += 1
        wanted = f"ping {self._pings}"
        self.send(json.dumps(request(wanted, "ping")).encode())
        with suppress(TimeoutError):
            async with asyncio.timeout(HANG_SECONDS):
                while text := await self._reader.readline():
                    message = json.loads(text)
                    self._judge(message, found, last)
                    if message.get("id") == wanted:
                        return
        found.harm("hang", last)

    @staticmethod
    def _judge(message: dict[str, Any], found: Tally, last: bytes) -> None:
        if message.get("error", {}).get("code") == INTERNAL_ERROR:
            found.harm("internal", last, message)
        if message.get("result", {}).get("_meta", {}).get("code") == "internal":
            found.harm("internal", last, message)


async def test_no_request_harms_the_http_server(everything: App) -> None:
    with tally("requests of http") as found:
        async with serving(everything) as address:
            port = int(address.rpartition(":")[2])

            async def one(dice: random.Random) -> None:
                given = inputs.http_request(dice, port)
                with found.trying(given):
                    answer = await exchange(port, given)
                    if answer[9:12] in (b"500", b"502", b"504") or b"-32603" in answer:
                        found.harm("internal", given, answer)

            await some_at_a_time(one, count(150, 10_000))
            health = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
            answer = await exchange(port, health.encode(), HANG_SECONDS)
            assert answer.startswith(b"HTTP/1.1 200")


async def some_at_a_time(
    one: Callable[[random.Random], Coroutine[Any, Any, None]], times: int
) -> None:
    """Do something with so many dice; some wait for answers while the next are sent."""
    for first in range(1, times + 1, AT_A_TIME):
        async with asyncio.TaskGroup() as group:
            for dice in inputs.seeds(first, min(AT_A_TIME, times + 1 - first)):
                group.create_task(one(dice))


async def test_no_frame_harms_the_websocket(everything: App) -> None:
    with tally("frames of websockets") as found:
        async with serving(everything) as address:
            port = int(address.rpartition(":")[2])

            async def one(dice: random.Random) -> None:
                frames = [inputs.frame(dice) for _ in range(4)]
                found.inputs += 3
                with found.trying(frames):
                    head, answer = await exchange_frames(port, upgrade(port), b"".join(frames))
                    if not head.startswith(b"HTTP/1.1 101"):
                        found.harm("refused", frames, head)
                    if b"-32603" in answer:
                        found.harm("internal", frames, answer)

            await some_at_a_time(one, count(40, 2500))
            head, _ = await exchange_frames(port, upgrade(port), b"")
            assert head.startswith(b"HTTP/1.1 101")


async def test_no_control_line_harms_the_daemon(everything: App, tmp_path: Path) -> None:
    socket = DaemonSocket(everything, LineProtocol(everything, lambda: None))
    path = Path("/tmp") / f"{tmp_path.parent.name}-{tmp_path.name}.sock"[-60:]
    server = await socket.listen(path)
    with tally("control lines") as found:
        reader, writer = await asyncio.open_unix_connection(str(path), limit=1 << 24)
        try:
            for dice in inputs.seeds(1, count(500, 11_000)):
                given = inputs.control_line(dice)
                if given.startswith("session_new_page") and dice.random() < 0.9:
                    continue
                with found.trying(given):
                    writer.write(given.encode("utf-8", "replace") + b"\n")
                    async with asyncio.timeout(HANG_SECONDS):
                        answer = await read_answer(reader)
                    if b"code=internal" in answer:
                        found.harm("internal", given, answer)
                if reader.at_eof():
                    reader, writer = await asyncio.open_unix_connection(str(path))
                for session in everything.sessions.all():
                    if session.label != "main":
                        await session.close()
                if everything.sessions.named("main") is None:
                    everything.open("main")
        finally:
            writer.close()
            server.close()
            path.unlink(missing_ok=True)


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    """Read lines up to the empty one that ends an answer."""
    lines = b""
    while (line := await reader.readline()).strip():
        lines += line
    if not line:
        raise EOFError
    return lines


def test_no_settings_file_harms(tmp_path: Path) -> None:
    keys = [each.name.replace("_", "-") for each in setting_fields()]
    tables = {"[[browser]]": BROWSER_KEYS, "[[secret]]": SECRET_KEYS}
    file = tmp_path / "tabmux.toml"
    with tally("settings") as found:
        for dice in inputs.seeds(1, count(500, 10_000)):
            text = inputs.toml([*keys, "unknown"], tables, dice)
            file.write_bytes(text)
            with found.trying(text), suppress(TabmuxError):
                settings = resolve_settings({"config": file}, {})
                browser_specs(settings)
                Secrets.of(settings.secret)


def test_no_policy_file_harms(tmp_path: Path) -> None:
    keys = [*READERS, "unknown"]
    heads = ("[default]", "[client.x]", "[session.'x*']", "[session]", "[client.x.y]", "[unknown]")
    tables, groups = dict.fromkeys(heads, keys), tool_groups()
    file = tmp_path / "policy.toml"
    with tally("policies") as found:
        for dice in inputs.seeds(1, count(500, 10_000)):
            text = inputs.toml(keys, tables, dice)
            file.write_bytes(text)
            with found.trying(text), suppress(TabmuxError):
                read_policy_file(str(file), groups).checked()


def test_no_flag_or_variable_harms() -> None:
    keys = [each.name for each in setting_fields()]
    with tally("flags and variables") as found:
        for dice in inputs.seeds(1, count(500, 10_000)):
            value = str(inputs.junk(dice))
            words = [
                f"--{dice.choice(keys).replace('_', '-')}",
                value,
                str(inputs.junk(dice))[:100],
            ]
            with found.trying(words), suppress(TabmuxError):
                client_settings(Settings(), parse_flags(words[: dice.randrange(1, 4)]))
            variable = {f"TABMUX_{dice.choice(keys).upper()}": value.replace("\0", "")}
            with found.trying(variable), suppress(TabmuxError):
                browser_specs(resolve_settings({}, variable))


TRACE: dict[str, Any] = {
    "traceEvents": [
        {"name": "TracingStartedInBrowser", "cat": "x", "ph": "I", "pid": 1, "tid": 1, "ts": 1, "args": {"data": {"frames": [{"frame": "F", "url": "http://a/", "name": "", "processId": 2}], "persistentIds": True}}},
        {"name": "navigationStart", "cat": "blink.user_timing", "ph": "R", "pid": 2, "tid": 2, "ts": 10, "args": {"frame": "F", "data": {"documentLoaderURL": "http://a/", "isLoadingMainFrame": True, "navigationId": "N", "isOutermostMainFrame": True}}},
        {"name": "largestContentfulPaint::Candidate", "cat": "loading", "ph": "R", "pid": 2, "tid": 2, "ts": 90, "args": {"frame": "F", "data": {"candidateIndex": 1, "navigationId": "N", "nodeId": 5, "size": 9, "type": "text", "isMainFrame": True}}},
        {"name": "RunTask", "cat": "devtools.timeline", "ph": "X", "pid": 2, "tid": 2, "ts": 20, "dur": 60, "args": {}},
        {"name": "LayoutShift", "cat": "loading", "ph": "I", "pid": 2, "tid": 2, "ts": 50, "args": {"frame": "F", "data": {"score": 0.1, "weighted_score_delta": 0.1, "had_recent_input": False}}},
        {"name": "ResourceSendRequest", "cat": "devtools.timeline", "ph": "I", "pid": 2, "tid": 2, "ts": 30, "args": {"data": {"requestId": "1", "url": "http://a/x.js", "frame": "F", "priority": "High"}}},
        {"name": "ResourceFinish", "cat": "devtools.timeline", "ph": "I", "pid": 2, "tid": 2, "ts": 70, "args": {"data": {"requestId": "1", "didFail": False}}},
        {"name": "thread_name", "cat": "__metadata", "ph": "M", "pid": 2, "tid": 2, "ts": 0, "args": {"name": "CrRendererMain"}},
    ],
    "metadata": {"source": "DevTools"},
}  # fmt: skip
HEAP: dict[str, Any] = {
    "snapshot": {
        "meta": {
            "node_fields": ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"],
            "node_types": [["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic"], "string", "number", "number", "number", "number", "number"],
            "edge_fields": ["type", "name_or_index", "to_node"],
            "edge_types": [["context", "element", "property", "internal", "hidden", "shortcut", "weak"], "string_or_number", "node"],
            "trace_function_info_fields": [], "trace_node_fields": [], "sample_fields": [], "location_fields": [],
        },
        "node_count": 3, "edge_count": 2, "trace_function_count": 0,
    },
    "nodes": [9, 0, 1, 0, 1, 0, 0, 3, 1, 3, 16, 1, 0, 0, 2, 2, 5, 8, 0, 0, 0],
    "edges": [1, 0, 7, 2, 2, 14],
    "strings": ["", "Thing", "text"],
}  # fmt: skip
STATE: dict[str, Any] = {
    "cookies": [{"name": "a", "value": "b", "domain": "127.0.0.1", "path": "/", "expires": -1, "httpOnly": False, "secure": False, "sameSite": "Lax"}],
    "origins": [{"origin": "http://127.0.0.1:1", "localStorage": [{"name": "a", "value": "b"}]}],
}  # fmt: skip
FORMATS: dict[str, tuple[dict[str, Any], str]] = {
    "traces": (TRACE, "analyze_trace_file"),
    "heap snapshots": (HEAP, "get_heapsnapshot_summary"),
    "storage states": (STATE, "restore_storage_state"),
}


@pytest.mark.parametrize("kind", FORMATS)
async def test_no_file_harms(everything: App, site: Site, tmp_path: Path, kind: str) -> None:
    example, tool = FORMATS[kind]
    suffix = {"traces": "json", "heap snapshots": "heapsnapshot"}.get(kind, "json")
    with tally(kind) as found:
        async with Agent.joined(everything, site) as agent:
            await go(agent, site.page(PAGE))
            for number, dice in enumerate(inputs.seeds(1, count(20, 2000))):
                file = tmp_path / f"{number}.{suffix}"
                file.write_bytes(changed_file(example, dice))
                await call(agent, found, tool, {"filePath": str(file)})
                if tool == "get_heapsnapshot_summary":
                    await agent.reply("close_heapsnapshot", filePath=str(file))
                file.unlink()


def changed_file(example: dict[str, Any], dice: random.Random) -> bytes:
    if dice.random() < 0.5:
        return inputs.broken(json.dumps(example), dice)
    value = example
    for _ in range(dice.randrange(1, 4)):
        value = inputs.mutated(value, dice)
    return inputs.as_json(value)
