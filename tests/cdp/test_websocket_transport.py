from __future__ import annotations

import asyncio

import pytest

from tabmux.cdp.websocket_transport import connect_websocket
from tabmux.errors import BrowserTrouble


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 101 Switch", b"HTTP/1.1 502 Bad\r\n\r\n"])
async def test_other_side_that_hangs_up_instead_of_agreeing_is_an_error_of_the_browser(
    answer: bytes,
) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(BrowserTrouble, match="Could not open"):
            await connect_websocket(f"ws://127.0.0.1:{port}/", timeout=5)
