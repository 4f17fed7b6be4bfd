from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tabmux.browsers.grid.grid_options import PASSWORD_VARIABLE, GridOptions
from tabmux.browsers.grid.http_exchange import GridRefused, exchange
from tabmux.errors import BrowserTrouble


@asynccontextmanager
async def hub(answer: bytes) -> AsyncIterator[tuple[GridOptions, list[bytes]]]:
    """Serve one answer to everybody, and keep what was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield GridOptions(f"http://127.0.0.1:{port}"), asked


def body(text: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(text) + text


@pytest.mark.parametrize(
    "answer",
    [
        body(b"[" * 200_000), body(b"no JSON"), body(b"\xff\xfe"), b"", b"garbage\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n" + b" " * 17_000_000,
    ],
)  # fmt: skip
async def test_an_odd_answer_is_the_trouble_of_that_browser(answer: bytes) -> None:
    async with hub(answer) as (options, _):
        with pytest.raises(BrowserTrouble):
            await exchange(options, "GET", "/status", seconds=20)


@pytest.mark.parametrize(
    ("status", "said"),
    [(b"502 Bad Gateway", "502 Bad Gateway"), (b"401 Unauthorized", "401"), (b"599 No", "599")],
)
async def test_a_page_that_comes_instead_of_an_answer_leaves_its_status(
    status: bytes, said: str
) -> None:
    page = b"<html>Something else</html>"
    head = b"HTTP/1.1 " + status + b"\r\nContent-Length: %d\r\n\r\n" % len(page)
    async with hub(head + page) as (options, _):
        with pytest.raises(GridRefused, match=said) as refused:
            await exchange(options, "GET", "/status", seconds=20)
    assert (PASSWORD_VARIABLE in refused.value.text) == (said == "401")


@pytest.mark.parametrize("ident", ["a\r\nX: y", "a b", "a\x00", "\u00e9"])
async def test_a_name_that_a_hub_made_up_is_no_part_of_a_request(ident: str) -> None:
    async with hub(body(b"{}")) as (options, asked):
        with pytest.raises(BrowserTrouble, match="no address"):
            await exchange(options, "DELETE", f"/session/{ident}", seconds=20)
    assert asked == []
