from __future__ import annotations

import asyncio
import json
import socket
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tabmux.mcp.stream.line_stream import serve_stream
from tabmux.settings import Settings
from tabmux.tools.pipeline.consent import as_folder
from tests.serving import running


@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("file:///home/me/project", Path("/home/me/project")),
        ("file:///home/me/my%20project", Path("/home/me/my project")),
        ("file://localhost/srv", Path("/srv")),
        ("file://other-host/srv", None),
        ("file:///", None),
        ("https://example.com/srv", None),
        ("", None),
    ],
)
def test_roots_are_folders_of_this_machine(uri: str, folder: Path | None) -> None:
    assert as_folder(uri) == folder


async def call_with_roots(
    path: Path, roots: list[dict[str, str]] | None
) -> tuple[int, dict[str, Any]]:
    """Call a tool with a path, as a client that answers with these roots or offers none."""
    near, far = socket.socketpair()
    ours, theirs = [await asyncio.open_connection(sock=end) for end in (near, far)]
    capabilities: dict[str, Any] = {} if roots is None else {"roots": {}}
    asked = 0

    def send(message: dict[str, Any]) -> None:
        ours[1].write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async with running(Settings(launch=True, headless=True, isolated=True)) as app:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(serve_stream(app, *theirs, version="test"))
            hello = {"protocolVersion": "2025-11-25", "capabilities": capabilities,
                     "clientInfo": {"name": "test", "version": "1"}}  # fmt: skip
            send({"id": 1, "method": "initialize", "params": hello})
            arguments = {"filePath": str(path)}
            send(
                {
                    "id": 2,
                    "method": "tools/call",
                    "params": {"name": "take_snapshot", "arguments": arguments},
                }
            )
            while True:
                message = json.loads(await ours[0].readline())
                if message.get("method") == "roots/list":
                    asked += 1
                    send({"id": message["id"], "result": {"roots": roots}})
                elif message.get("id") == 2:
                    break
            ours[1].close()
            await serving
            theirs[1].close()
    return asked, message["result"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is not in the temporary one, which is always allowed."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "project").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path / "project"


async def test_folder_that_the_client_names_is_allowed(anyio_backend: str, project: Path) -> None:
    asked, result = await call_with_roots(project / "x.txt", [{"uri": f"file://{project}"}])
    assert (asked, result["isError"]) == (1, False)
    assert (project / "x.txt").exists()


async def test_folder_beside_it_is_not(anyio_backend: str, project: Path) -> None:
    roots = [{"uri": f"file://{project}/inner"}]
    asked, result = await call_with_roots(project / "x.txt", roots)
    assert (asked, result["_meta"]["code"]) == (1, "refused_by_policy")


async def test_client_without_roots_is_not_asked(anyio_backend: str, project: Path) -> None:
    asked, result = await call_with_roots(project / "x.txt", None)
    assert (asked, result["_meta"]["code"]) == (0, "refused_by_policy")
