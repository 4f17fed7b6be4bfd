"""A folder on loopback, with pages of ours in place of some of its files."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

IDLE_SECONDS = 600.0
OTHERS = ("127.0.0.1", "other.localhost", "www.localhost")


@dataclass
class Folder:
    """Answers every GET from files; several host names lead here, each an origin of its own.

    Attributes:
        root: What is served.
        ours: What is served instead, by path.
    """

    root: Path
    ours: Mapping[str, str] = field(default_factory=dict)
    port: int = 0
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @property
    def origin(self) -> str:
        """Where the folder is found."""
        return f"http://localhost:{self.port}"

    @property
    def others(self) -> list[str]:
        """Other origins of the same folder."""
        return [f"http://{host}:{self.port}" for host in OTHERS]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it is closed."""
        self._open.add(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                while True:
                    head = await reader.readuntil(b"\r\n\r\n")
                    target = head.split(b" ", 2)[1].decode("ascii", "replace")
                    writer.write(self._answer(unquote(target.partition("?")[0])))
                    await writer.drain()
        self._open.discard(writer)
        writer.close()

    async def close(self) -> None:
        """Close all connections."""
        for writer in list(self._open):
            writer.close()
        while self._open:  # noqa: ASYNC110 (each ends within a turn of the loop)
            await asyncio.sleep(0)

    def _answer(self, path: str) -> bytes:
        if path in self.ours:
            return _response("200 OK", self.ours[path].encode(), _type(path))
        file = (self.root / path.lstrip("/")).resolve()
        if file.is_dir():
            file /= "index.html"
        if not file.is_file() or not file.is_relative_to(self.root.resolve()):
            return _response("404 Not Found", b"", "text/plain")
        body = file.read_bytes()
        if ".sub." in file.name:
            body = self._substituted(body)
        extra = file.with_name(f"{file.name}.headers")
        return _response(
            "200 OK", body, _type(file.name), extra.read_text() if extra.exists() else ""
        )

    def _substituted(self, body: bytes) -> bytes:
        """Fill in what the tests' own server would have."""
        text = body.decode().replace("https://{{hosts[][www]}}", "http://www.localhost")
        return text.replace("{{location[port]}}", str(self.port)).encode()


@asynccontextmanager
async def open_folder(root: Path, ours: Mapping[str, str] | None = None) -> AsyncIterator[Folder]:
    """Serve a folder on a free port for the length of the block."""
    folder = Folder(root, ours or {})
    server = await asyncio.start_server(folder.serve, "127.0.0.1", 0)
    folder.port = server.sockets[0].getsockname()[1]
    try:
        yield folder
    finally:
        server.close()
        await folder.close()


def _type(path: str) -> str:
    guessed = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed


def _response(status: str, body: bytes, kind: str, headers: str = "") -> bytes:
    more = "".join(f"{line.strip()}\r\n" for line in headers.splitlines() if line.strip())
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nCache-Control: no-store\r\n"
        f"{more}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
