from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.serving import running
from tests.site import Site

PAGE = """<!doctype html><title>Heap</title><script>
class LeakyThing { constructor(n) { this.payload = 'payload ' + n; } }
globalThis.kept = [];
globalThis.leak = (count) => { for (let i = 0; i < count; i++) kept.push(new LeakyThing(i)); };
leak(10);
</script>"""


@pytest.fixture(scope="module")
async def remembering(anyio_backend: str) -> AsyncIterator[App]:
    settings = Settings(launch=True, headless=True, isolated=True, tools="+memory")
    async with running(settings) as app:
        yield app


@pytest.fixture
async def agent(remembering: App, site: Site) -> AsyncIterator[Agent]:
    async with Agent.joined(remembering, site) as agent:
        await agent("navigate_page", url=site.page(PAGE))
        yield agent


async def capture(agent: Agent, path: Path) -> str:
    await agent("take_heapsnapshot", filePath=str(path))
    return str(path)


def row(text: str, name: str) -> list[str]:
    line = next(line for line in text.split("\n") if name in line)
    return line.split(",")


async def test_a_thousand_leaked_objects_are_reported_as_a_thousand(
    agent: Agent, tmp_path: Path
) -> None:
    before = await capture(agent, tmp_path / "before.heapsnapshot")
    await agent("evaluate_script", function="() => { leak(1000) }")
    after = await capture(agent, tmp_path / "after.heapsnapshot")
    text = await agent("compare_heapsnapshots", baseFilePath=before, currentFilePath=after)
    index, _, added, removed, delta = row(text, "LeakyThing")[:5]
    assert (added.lstrip("+"), removed.lstrip("-"), delta.lstrip("+")) == ("1000", "0", "1000")
    objects = await agent(
        "compare_heapsnapshots",
        baseFilePath=before,
        currentFilePath=after,
        classIndex=int(index),
        pageSize=5,
    )
    assert len(re.findall(r"^\+ @\d+", objects, re.MULTILINE)) == 5
    assert "rows 1-5 of 1000" in objects


async def test_object_is_followed_from_its_class_to_the_roots(agent: Agent, tmp_path: Path) -> None:
    path = await capture(agent, tmp_path / "one")
    path += ".heapsnapshot"
    details = await agent("get_heapsnapshot_details", filePath=path, pageSize=1000)
    group = int(row(details, "LeakyThing")[0])
    nodes = await agent("get_heapsnapshot_class_nodes", filePath=path, id=group)
    assert "rows 1-10 of 10" in nodes
    node = int(row(nodes, "LeakyThing")[0].lstrip("@"))
    assert "LeakyThing" in await agent(
        "get_heapsnapshot_object_details", filePath=path, nodeId=node
    )
    assert "payload" in await agent(
        "get_heapsnapshot_edges", filePath=path, nodeId=node, excludePrimitives=False
    )
    assert "rows 1-" in await agent("get_heapsnapshot_retainers", filePath=path, nodeId=node)
    assert "kept" in await agent("get_heapsnapshot_retaining_paths", filePath=path, nodeId=node)
    assert "rows 1-" in await agent("get_heapsnapshot_dominators", filePath=path, nodeId=node)


async def test_other_questions_are_answered(agent: Agent, tmp_path: Path) -> None:
    path = await capture(agent, tmp_path / "two.heapsnapshot")
    assert "total" in (await agent("get_heapsnapshot_summary", filePath=path)).lower()
    found = await agent("query_heapsnapshot_objects", filePath=path, className="^LeakyThing$")
    assert "LeakyThing" in found
    assert "rows" in await agent("get_heapsnapshot_duplicate_strings", filePath=path, pageSize=3)
    assert await agent("analyze_heapsnapshot_contexts", filePath=path)
    filtered = await agent(
        "get_heapsnapshot_details", filePath=path, filterName="objectsRetainedByContexts"
    )
    assert "objects" in filtered
    await agent("close_heapsnapshot", filePath=path)
    code, _ = await agent.fails("close_heapsnapshot", filePath=path)
    assert code == "bad_request"


async def test_bad_questions_are_refused(agent: Agent, tmp_path: Path) -> None:
    path = await capture(agent, tmp_path / "three.heapsnapshot")
    code, _ = await agent.fails("get_heapsnapshot_retainers", filePath=path, nodeId=10**9)
    assert code == "unknown_heap_object"
    code, _ = await agent.fails("query_heapsnapshot_objects", filePath=path, retainedSize="huge")
    assert code == "bad_arguments"
    code, _ = await agent.fails("get_heapsnapshot_details", filePath=path, filterName="big ones")
    assert code == "bad_arguments"
    code, _ = await agent.fails("get_heapsnapshot_details", filePath=path, pageIdx=99999)
    assert code == "bad_arguments"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.heapsnapshot", b"", "empty"),
        ("text.heapsnapshot", b"hello", "not JSON"),
        ("cut.heapsnapshot", b'{"snapshot": {"meta": {', "cut off"),
        ("other.heapsnapshot", b'{"traceEvents": []}', "not a heap snapshot"),
        ("heap.json", b"{}", ".heapsnapshot"),
    ],
)
async def test_bad_snapshot_is_refused_at_once(
    agent: Agent, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    (tmp_path / "warm.heapsnapshot").write_bytes(b"")
    await agent.fails("get_heapsnapshot_summary", filePath=str(tmp_path / "warm.heapsnapshot"))
    (tmp_path / name).write_bytes(content)
    started = time.monotonic()
    code, text = await agent.fails("get_heapsnapshot_summary", filePath=str(tmp_path / name))
    assert time.monotonic() - started < AT_ONCE
    assert code == "bad_heap_snapshot"
    assert words in text


async def test_snapshot_must_be_inside_the_allowed_folders(agent: Agent, tmp_path: Path) -> None:
    code, _ = await agent.fails("take_heapsnapshot", filePath="/etc/a.heapsnapshot")
    assert code == "refused_by_policy"
    code, _ = await agent.fails("get_heapsnapshot_summary", filePath="/etc/a.heapsnapshot")
    assert code == "refused_by_policy"
    missing = str(tmp_path / "none.heapsnapshot")
    code, _ = await agent.fails("get_heapsnapshot_summary", filePath=missing)
    assert code == "bad_arguments"


async def test_memory_tools_are_off_unless_asked_for(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as plain:
        names = await plain.tools()
        assert "take_heapsnapshot" not in names
        assert "take_snapshot" in names
