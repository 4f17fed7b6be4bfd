"""Every tool that can go somewhere or touch a file, with everything it must not do."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.canary import Canary
from tests.hostile.corpora import LOOPBACK, PATHS, SCHEMES
from tests.serving import running
from tests.site import Site

SECRET = "the canary sings"
REFUSALS = {"refused_by_policy", "bad_arguments"}
# Enough for every other argument that a tool asks for.
FILLERS: dict[str, Any] = {
    "string": "x", "integer": 1, "number": 1, "boolean": True, "array": [], "object": {},
}  # fmt: skip


# These lead nowhere, whatever their names: a browser's debugging address, the name of a profile,
# a pattern, the scope of a cookie.
HARMLESS = {
    ("wait_for", "url"),
    ("list_network_requests", "url"),
    ("connect_browser", "url"),
    ("connect_browser", "profile"),
    ("route_requests", "url"),
    ("set_cookie", "path"),
}
# Arguments that mean a folder, and may so mean the root itself.
FOLDERS = {"outputDirPath"}


class Hole(NamedTuple):
    """An argument through which something could get in or out."""

    tool: str
    argument: str


def holes(*words: str) -> list[Hole]:
    """Find the arguments by their names, so that none of a new tool's is forgotten."""
    return [
        Hole(tool.name, name)
        for tool in catalog.tools()
        for name in tool.schema["properties"]
        if any(word in name.lower() for word in words) and (tool.name, name) not in HARMLESS
    ]


FILES = holes("path", "file", "dir")
URLS = holes("url")


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    with Canary() as canary:
        yield canary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with one root, which is all that may be touched, and much beside it."""
    folder = tmp_path_factory.mktemp("matrix").resolve()
    root, outside = folder / "root", folder / "outside"
    for each in (root, root / "sub", outside, folder / "root-sibling"):
        each.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    (outside / "linked.txt").write_text(SECRET)
    os.link(outside / "linked.txt", root / "second-name.txt")
    os.symlink(outside, root / "link")
    os.symlink(outside / "secret.txt", root / "file-link")
    os.symlink("link", root / "chain")
    os.symlink(outside / "missing.txt", root / "dangling")
    os.symlink("loop", root / "loop")
    os.symlink("/dev/zero", root / "device")
    os.mkfifo(root / "hole.fifo")
    before, tempfile.tempdir = tempfile.tempdir, str(root)
    yield folder
    tempfile.tempdir = before


@pytest.fixture(scope="module")
async def matrix_desk(
    anyio_backend: str, folder: Path, canary: Canary, site: Site
) -> AsyncIterator[App]:
    tools = ",".join(f"+{group}" for group in catalog.GROUPS)
    deny = (f"localhost:{canary.port}",)
    settings = Settings(launch=True, headless=True, isolated=True, tools=tools, deny_url=deny)
    async with running(settings) as app:
        yield app


@pytest.fixture
async def agent(matrix_desk: App, site: Site) -> AsyncIterator[Agent]:
    async with Agent.joined(matrix_desk, site) as agent:
        yield agent


def state(folder: Path) -> dict[str, str]:
    """Return everything outside the root, with its content."""
    found = [p for p in folder.rglob("*") if not p.is_relative_to(folder / "root")]
    return {str(p): p.read_text() if p.is_file() else "" for p in found}


async def arguments(agent: Agent, hole: Hole, value: str) -> dict[str, Any]:
    schema = (await agent.tools())[hole.tool]["inputSchema"]
    given = {name: _filler(schema["properties"][name]) for name in schema.get("required", ())}
    if "uid" in given:
        await agent.open('<input type="file" aria-label="Upload">')
        given["uid"] = agent.uid('button "Upload"')
    several = schema["properties"][hole.argument].get("type") == "array"
    return {**given, hole.argument: [value] if several else value}


def _filler(about: dict[str, Any]) -> Any:
    return about["enum"][0] if "enum" in about else FILLERS[about.get("type", "string")]


def test_matrix_is_as_large_as_it_must_be() -> None:
    assert len(set(LOOPBACK + SCHEMES)) >= 60
    assert len(set(PATHS)) >= 40
    assert {"navigate_page", "new_page"} <= {hole.tool for hole in URLS}
    assert len(FILES) >= 15


@pytest.mark.parametrize("hole", FILES, ids=".".join)
async def test_no_file_outside_the_roots_is_read_or_written(
    agent: Agent, folder: Path, hole: Hole
) -> None:
    before = state(folder)
    given = await arguments(agent, hole, "")
    needed = (await agent.tools())[hole.tool]["inputSchema"].get("required", ())
    for path in PATHS:
        if not path and hole.argument not in needed:
            continue  # It counts as left out.
        if hole.argument in FOLDERS and path in ("{root}", "{root}/", "{root}/."):
            continue
        value = path.format(root=folder / "root", outside=folder / "outside")
        given[hole.argument] = [value] if isinstance(given[hole.argument], list) else value
        reply = await agent.reply(hole.tool, **given)
        assert reply.code in REFUSALS, f"{value!r}: {reply.text[:300]}"
        assert SECRET not in reply.text
    assert state(folder) == before
    assert not Path("canary.txt").exists()
    assert not (Path.home() / "canary.txt").exists()


@pytest.mark.parametrize(
    "hole",
    [
        Hole("evaluate_script", "sourcePath"),
        Hole("upload_file", "filePaths"),
        Hole("analyze_trace_file", "filePath"),
        Hole("get_heapsnapshot_summary", "filePath"),
        Hole("take_snapshot", "filePath"),
        Hole("take_screenshot", "filePath"),
    ],
    ids=".".join,
)
async def test_second_name_of_a_file_outside_is_no_way_to_it(
    agent: Agent, folder: Path, hole: Hole
) -> None:
    before = state(folder)
    reply = await agent.reply(
        hole.tool, **await arguments(agent, hole, str(folder / "root" / "second-name.txt"))
    )
    assert SECRET not in reply.text
    assert state(folder) == before


@pytest.mark.parametrize("hole", URLS, ids=".".join)
async def test_no_tool_goes_where_pages_may_not_go(
    agent: Agent, canary: Canary, hole: Hole
) -> None:
    canary.seen.clear()
    given = await arguments(agent, hole, "")
    if hole.tool == "route_requests":
        given["action"] = "modify"
    for url in LOOPBACK + SCHEMES:
        given[hole.argument] = url.format(port=canary.port)
        reply = await agent.reply(hole.tool, **given)
        assert reply.code in REFUSALS, f"{given[hole.argument]!r}: {reply.text[:300]}"
    assert canary.seen == set()
    assert SECRET not in str(await agent("list_pages"))


async def test_hostile_steps_of_a_batch_go_nowhere(agent: Agent, canary: Canary) -> None:
    canary.seen.clear()
    urls = [url.format(port=canary.port) for url in LOOPBACK + SCHEMES]
    for start in range(0, len(urls), 50):
        steps = [
            {"tool": "navigate_page", "arguments": {"url": url}} for url in urls[start : start + 50]
        ]
        text = (await agent.reply("batch", steps=steps, goOn=True)).text
        assert text.count("navigate_page: failed") == len(steps)
    assert canary.seen == set()


async def test_no_spelling_gets_a_page_itself_to_the_canary(
    agent: Agent, canary: Canary, site: Site
) -> None:
    """The same addresses, asked for by a page: what the tools never see, the network layer does."""
    canary.seen.clear()
    await agent("navigate_page", url=site.page("<title>page</title>"))
    urls = json.dumps([url.format(port=canary.port) for url in LOOPBACK])
    await agent(
        "evaluate_script",
        function=f"""async () => {{
          const quietly = (act) => {{ try {{ return act() }} catch {{ return null }} }};
          const late = (done) => setTimeout(done, 800);
          const socket = (url) => new Promise((done) => {{
            late(done);
            const made = quietly(() => new WebSocket(url));
            if (made) made.onopen = made.onerror = done; else done();
          }});
          const frame = (url) => new Promise((done) => {{
            late(done);
            const made = document.createElement('iframe');
            made.onload = done; made.src = url; document.body.append(made);
          }});
          await Promise.all({urls}.map((url) => Promise.allSettled([
            quietly(() => fetch(url, {{mode: 'no-cors'}})),
            socket(url.replace(/^\\s*http/i, 'ws')),
            url.trim().startsWith('h') ? frame(url) : null,
          ])));
        }}""",
    )
    assert canary.seen == set()
