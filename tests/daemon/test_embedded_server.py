from __future__ import annotations

import asyncio
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from mcp import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tabmux import __version__
from tests.chromium import Chromium, chromium
from tests.clock import AT_ONCE
from tests.ports import free_port
from tests.site import Site

# The tools of the chrome-devtools-mcp that products used to embed.
PROMISED = frozenset(
    {
        "click", "close_page", "drag", "emulate_cpu", "emulate_network", "evaluate_script", "fill",
        "fill_form", "get_network_request", "handle_dialog", "hover", "list_console_messages",
        "list_network_requests", "list_pages", "navigate_page", "navigate_page_history", "new_page",
        "performance_analyze_insight", "performance_start_trace", "performance_stop_trace",
        "resize_page", "select_page", "take_screenshot", "take_snapshot", "upload_file", "wait_for",
    }
)  # fmt: skip
OLD = {"navigate_page_history", "emulate_cpu", "emulate_network"}


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


async def start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tabmux",
        "embed",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    async with asyncio.timeout(40):
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


@asynccontextmanager
async def embedded(browser: Chromium) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    port = free_port()
    process = await start(f"--cdp-port={browser.port}", f"--mcp-port={port}")
    try:
        assert process.stdout is not None
        async with asyncio.timeout(40):
            lines = [(await process.stdout.readline()).decode() for _ in range(3)]
        assert lines == [
            f"BrowserOS MCP Server v{__version__}\n",
            f"Connected to CDP at http://127.0.0.1:{browser.port}\n",
            f"MCP Server ready at http://127.0.0.1:{port}/mcp\n",
        ]
        yield process, f"http://127.0.0.1:{port}/mcp"
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def port_of(url: str) -> int:
    return int(url.split(":")[2].split("/")[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing required argument --cdp-port"),
        (["--cdp-port=9222"], "Missing required argument --mcp-port"),
        (["--mcp-port=9222"], "Missing required argument --cdp-port"),
        (["--cdp-port", "9222", "--mcp-port"], "Missing required argument --mcp-port"),
        (["--cdp-port=abc", "--mcp-port=1"], "Invalid port number for --cdp-port: abc"),
        (["--cdp-port=0", "--mcp-port=1"], "Invalid port number for --cdp-port: 0"),
        (["--cdp-port=1", "--mcp-port=65536"], "Invalid port number for --mcp-port: 65536"),
        (["--cdp-port=1", "--mcp-port=-5"], "Invalid port number for --mcp-port: -5"),
        (["--cdp-port=1", "--mcp-port=1.5"], "Invalid port number for --mcp-port: 1.5"),
        (["--cdp-port=1", "--mcp-port="], "Invalid port number for --mcp-port: "),
        (["--cdp-port=1", "--mcp-port=2", "--headless"], "Unknown argument --headless"),
        (["--cdp-port=1", "--mcp-port=2", "extra"], "Unknown argument extra"),
        (["--cdp-port=1", "--help"], "Unknown argument --help"),
    ],
)
async def test_wrong_arguments_end_with_code_1(arguments: list[str], message: str) -> None:
    assert await ended(await start(*arguments)) == (1, "", f"Error: {message}\n")


def test_what_only_tools_need_is_not_imported_before_the_server_is_ready() -> None:
    """It takes longer than all else that has to be done until then."""
    script = "import tabmux.daemon.embedded_server, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    imported = set(done.stdout.split())
    late = {"pydantic", "psutil", "concurrent.futures.process", "tabmux.tools.core.input"}
    late |= {"tabmux.page.page", "picows", "python_socks"}
    assert not late & imported


@pytest.mark.parametrize("flag", ["--help", "-h"])
async def test_help_alone_says_how_it_is_called(flag: str) -> None:
    code, out, err = await ended(await start(flag))
    assert (code, err) == (0, "")
    assert "--cdp-port=N --mcp-port=M" in out


async def test_missing_browser_ends_with_code_2() -> None:
    started = time.monotonic()
    code, out, err = await ended(await start("--cdp-port=1", f"--mcp-port={free_port()}"))
    assert code == 2
    assert out == f"BrowserOS MCP Server v{__version__}\n"
    first, cause = err.rstrip().split("\n")
    assert first == "Error: Failed to connect to CDP at http://127.0.0.1:1"
    assert "refused" in cause
    assert time.monotonic() - started < 20


async def test_something_else_on_the_port_ends_with_code_2(site: Site) -> None:
    code, _, err = await ended(await start(f"--cdp-port={site.port}", "--mcp-port=1024"))
    assert code == 2
    assert err.startswith(f"Error: Failed to connect to CDP at http://127.0.0.1:{site.port}\n")


async def test_port_in_use_ends_with_code_3(browser: Chromium) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = await ended(
            await start("--cdp-port", str(browser.port), "--mcp-port", str(port))
        )
    assert (code, err) == (3, f"Error: Port {port} already in use\n")


def test_port_that_may_not_be_had_ends_with_code_3_too(browser: Chromium) -> None:
    script = f"""
import errno, sys
from tabmux.daemon import embedded_server
from tabmux.daemon.http import http_server

def refuse(host, port):
    raise PermissionError(errno.EACCES, "Permission denied")

http_server.listen = refuse
sys.exit(embedded_server.embed(["--cdp-port={browser.port}", "--mcp-port=80"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert done.stderr == "Error: Failed to bind HTTP server on port 80: Permission denied\n"


async def test_two_clients_have_sessions_of_their_own(browser: Chromium, site: Site) -> None:
    async with embedded(browser) as (process, url):
        async with sse_client(url) as streams, ClientSession(*streams) as one:
            await one.initialize()
            async with streamable_http_client(url) as (read, write, *_):
                async with ClientSession(read, write) as two:
                    await two.initialize()
                    for client, title in ((one, "One"), (two, "Two")):
                        page = site.page(f"<title>{title}</title>")
                        await client.call_tool("navigate_page", {"url": page})
                    assert len((await one.list_tools()).tools) >= 20
                    for client, mine, other in ((one, "One", "Two"), (two, "Two", "One")):
                        result = await client.call_tool("list_pages", {})
                        assert mine in str(result.content)
                        assert other not in str(result.content)
        process.send_signal(signal.SIGTERM)
        code, out, _err = await ended(process)
    assert code == 0
    lines = out.split("\n")
    session = lines[0].removeprefix("SSE connection established: session ")
    assert len(session) > 20
    assert f"SSE connection closed: session {session}" in lines
    assert any(line.startswith('navigate_page request: {"url": "http://') for line in lines)


async def test_connections_of_both_transports_and_failed_calls_are_logged(
    browser: Chromium,
) -> None:
    async with embedded(browser) as (process, url):
        async with streamable_http_client(url) as (read, write, *_):
            async with ClientSession(read, write) as client:
                await client.initialize()
                result = await client.call_tool("click", {"uid": "nonsense"})
                assert result.is_error
        async with sse_client(url) as streams, ClientSession(*streams) as client:
            await client.initialize()
        process.send_signal(signal.SIGTERM)
        _, out, err = await ended(process)
    for transport in ("Streamable HTTP", "SSE"):
        session = re.search(
            rf"^{transport} connection established: session (\S+)$", out, re.MULTILINE
        )
        assert session
        assert f"{transport} connection closed: session {session[1]}\n" in out
    assert 'click request: {"uid": "nonsense"}\n' in out
    assert re.search(r"^click failed: Error \[\w+\]: ", err, re.MULTILINE)
    assert "failed" not in out


async def test_stream_is_opened_for_whoever_does_not_say_what_it_accepts(
    browser: Chromium,
) -> None:
    async with embedded(browser) as (_, url):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(url))
        host = f"127.0.0.1:{port_of(url)}"
        writer.write(f"GET /mcp HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        async with asyncio.timeout(20):
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            while b"endpoint" not in await reader.readline():
                pass
        writer.close()


@pytest.mark.parametrize(
    ("header", "status"),
    [("Host: evil.example", 421), ("Origin: http://evil.example", 403)],
)
async def test_web_pages_are_turned_away(browser: Chromium, header: str, status: int) -> None:
    async with embedded(browser) as (_, url):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(url))
        host = "" if header.startswith("Host") else f"Host: 127.0.0.1:{port_of(url)}\r\n"
        writer.write(f"GET /mcp HTTP/1.1\r\n{host}{header}\r\n\r\n".encode())
        async with asyncio.timeout(20):
            assert (await reader.readline()).startswith(f"HTTP/1.1 {status} ".encode())
        writer.close()


async def test_metrics_can_be_read(browser: Chromium) -> None:
    async with embedded(browser) as (_, url):
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(url))
        host = f"127.0.0.1:{port_of(url)}"
        writer.write(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        async with asyncio.timeout(20):
            answer = (await reader.read()).decode()
        writer.close()
    assert answer.startswith("HTTP/1.1 200 ")
    assert 'tabmux_browser_up{index="1"' in answer


async def test_second_signal_while_leaving_changes_nothing(browser: Chromium) -> None:
    async with embedded(browser) as (process, url), sse_client(url):
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        async with asyncio.timeout(20):
            while await process.stdout.readline() != b"Shutting down server...\n":
                pass
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            process.send_signal(number)
        code, out, err = await ended(process)
    assert (code, err) == (0, "")
    assert out.endswith("Server shutdown complete\n")


async def test_signal_before_the_server_is_ready_ends_it_in_order() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.setblocking(False)
        port = silent.getsockname()[1]
        process = await start(f"--cdp-port={port}", f"--mcp-port={free_port()}")
        async with asyncio.timeout(40):
            asked, _ = await asyncio.get_running_loop().sock_accept(silent)
        with asked:
            process.send_signal(signal.SIGINT)
            code, out, err = await ended(process)
    assert (code, err) == (0, "")
    assert out.endswith("Closing 0 active sessions\nServer shutdown complete\n")


async def test_tools_can_be_called_by_their_old_names(browser: Chromium, site: Site) -> None:
    async with embedded(browser) as (_, url), streamable_http_client(url) as (read, write, *_):
        async with ClientSession(read, write) as client:
            await client.initialize()
            listed = {tool.name for tool in (await client.list_tools()).tools}
            calls: list[tuple[str, dict[str, object]]] = [
                ("navigate_page", {"url": site.page("<title>First</title>")}),
                ("navigate_page", {"url": site.page("<title>Second</title>")}),
                ("navigate_page_history", {"navigate": "back"}),
                ("emulate_cpu", {"throttlingRate": 2}),
                ("emulate_network", {"throttlingOption": "Offline"}),
            ]
            said = []
            for name, given in calls:
                result = await client.call_tool(name, given)
                assert not result.is_error, result
                said.append(str(result.content))
            assert "First" in said[2]
            assert "CPU" in said[4]
            assert listed & PROMISED == PROMISED - OLD


async def test_interrupt_with_open_streams_ends_at_once_and_leaves_the_browser(
    browser: Chromium,
) -> None:
    async with embedded(browser) as (process, url):
        port = port_of(url)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/event-stream\r\n\r\n" % port
        )
        async with asyncio.timeout(20):
            while b"endpoint" not in await reader.readline():
                pass
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        code, out, _err = await ended(process)
        assert time.monotonic() - started < AT_ONCE
        writer.close()
    assert code == 0
    assert "Shutting down server...\nClosing 1 active sessions\n" in out
    assert out.endswith("Server shutdown complete\n")
    assert browser.process.returncode is None


async def test_server_ends_with_its_browser() -> None:
    async with chromium() as browser, embedded(browser) as (process, _):
        await browser.kill()
        code, _, err = await ended(process)
    assert code == 2
    assert f"Error: Failed to connect to CDP at http://127.0.0.1:{browser.port}" in err


async def test_viewport_of_the_browser_is_left_alone(browser: Chromium) -> None:
    from tabmux.cdp.cdp_connection import CdpConnection
    from tabmux.cdp.discovery import find_endpoint
    from tabmux.cdp.websocket_transport import connect_websocket

    connection = CdpConnection(await connect_websocket(await find_endpoint(browser.url)))
    targets = (await connection.browser.call("Target.getTargets"))["targetInfos"]
    page = next(t["targetId"] for t in targets if t["type"] == "page")
    before = await connection.browser.call("Browser.getWindowForTarget", {"targetId": page})
    async with embedded(browser) as (_, url), streamable_http_client(url) as (read, write, *_):
        async with ClientSession(read, write) as client:
            await client.initialize()
            await client.call_tool("take_snapshot", {})
    after = await connection.browser.call("Browser.getWindowForTarget", {"targetId": page})
    assert before == after
    connection.close()
