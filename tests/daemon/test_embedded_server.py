from __future__ import annotations

import asyncio
import signal
import socket
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
        (["--help"], "Unknown argument --help"),
    ],
)
async def test_wrong_arguments_end_with_code_1(arguments: list[str], message: str) -> None:
    assert await ended(await start(*arguments)) == (1, "", f"Error: {message}\n")


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


async def test_interrupt_with_open_streams_ends_at_once_and_leaves_the_browser(
    browser: Chromium,
) -> None:
    async with embedded(browser) as (process, url):
        port = int(url.split(":")[2].split("/")[0])
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
    from tabmux.cdp.transports import connect_websocket

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
