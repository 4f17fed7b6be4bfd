from __future__ import annotations

import asyncio
import gzip
import json
import statistics
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.site import Site

PAGE = """<!doctype html><meta charset=utf-8><title>Trace</title>
<h1 style="font-size:60px">A heading that is large</h1><button onclick="work()">Work</button>
<script>function work() { const end = performance.now() + 80; while (performance.now() < end); }
</script>"""


@pytest.fixture
def app(whole_app: App) -> App:
    return whole_app


@pytest.fixture
def agent(whole: Agent) -> Agent:
    return whole


def event(name: str, ts: int, **rest: Any) -> dict[str, Any]:
    return {"name": name, "ph": "I", "ts": ts, "pid": 1, "tid": 1, "cat": "loading", **rest}


async def seconds(work: Awaitable[object]) -> float:
    started = time.monotonic()
    await work
    return time.monotonic() - started


async def test_load_is_recorded_until_the_page_is_at_rest(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    started = time.monotonic()
    text = await agent("performance_start_trace")
    assert "NAVIGATION_0 http://127.0.0.1" in text
    assert "LCP " in text
    assert time.monotonic() - started < 40
    assert "H1" in text


async def test_element_of_a_report_can_be_acted_upon(agent: Agent) -> None:
    await agent.open(PAGE)
    text = await agent("performance_start_trace")
    uid = text.split("uid=")[1].split()[0].strip(";,.)")
    shown = await agent("evaluate_script", function="el => el.localName", args=[uid])
    assert '"h1"' in shown
    detail = await agent(
        "performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="LCPBreakdown"
    )
    assert f"uid={uid}" in detail


async def test_uids_shown_before_a_trace_stay_valid_when_it_does_not_reload(agent: Agent) -> None:
    await agent.open(PAGE)
    button = agent.uid('button "Work"')
    await agent("performance_start_trace", reload=False, autoStop=False)
    await agent("click", uid=button)
    text = await agent("performance_stop_trace")
    assert "NO_NAVIGATION" in text
    assert "INP " in text
    await agent("click", uid=button)


async def test_trace_is_written_as_its_name_says(agent: Agent, tmp_path: Path) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    packed, plain = tmp_path / "a.json.gz", tmp_path / "b.json"
    assert f"Saved trace to {packed}." in await agent(
        "performance_start_trace", filePath=str(packed)
    )
    await agent("performance_start_trace", filePath=str(plain))
    assert json.loads(gzip.decompress(packed.read_bytes()))["traceEvents"]
    assert json.loads(plain.read_bytes())["traceEvents"]
    assert plain.stat().st_mode & 0o777 == 0o600
    assert "NAVIGATION_0" in await agent("analyze_trace_file", filePath=str(packed))
    text = await agent(
        "analyze_trace_file",
        filePath=str(plain),
        insightSetId="NAVIGATION_0",
        insightName="LCPBreakdown",
    )
    assert text.startswith("LCPBreakdown in NAVIGATION_0")


async def test_two_pages_are_recorded_one_after_the_other(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as one, Agent.joined(app, site) as two:
        await one("navigate_page", url=site.page("<title>One</title><h1>one"))
        await two("navigate_page", url=site.page("<title>Two</title><h1>two"))
        texts = await asyncio.gather(one("performance_start_trace"), two("performance_start_trace"))
        assert all("NAVIGATION_0 " in text for text in texts), texts
        urls = {text.split("NAVIGATION_0 ")[1].split()[0] for text in texts}
        assert len(urls) == 2


async def test_recording_that_somebody_must_stop_is_named(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as one, Agent.joined(app, site) as two:
        await one("navigate_page", url=site.page(PAGE))
        await one("performance_start_trace", reload=False, autoStop=False)
        page = one.session.selected
        code, text = await two.fails("performance_start_trace")
        assert code == "busy"
        assert f"Page {page} " in text
        code, _ = await one.fails("performance_start_trace")
        assert code == "busy"
        await one("performance_stop_trace")
        await two("performance_start_trace", reload=False)


async def test_closed_page_no_longer_records(agent: Agent) -> None:
    await agent("new_page", url=agent.site.page(PAGE))
    await agent("performance_start_trace", reload=False, autoStop=False)
    await agent("new_page", url=agent.site.page(PAGE))
    await agent("close_page", pageId=min(agent.session.pages))
    await agent("performance_start_trace")


async def test_call_that_is_cancelled_leaves_nothing_recording(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    async with asyncio.TaskGroup() as group:
        call = group.create_task(agent("performance_start_trace", reload=False))
        page = next(iter(agent.session.pages.values())).attached_page
        await page.signal.until(lambda: page.tracing.recording, 20)
        call.cancel()
    await page.signal.until(lambda: not page.tracing.recording, 20)
    assert "NAVIGATION_0" in await agent("performance_start_trace")


async def test_stop_without_start_fails_and_keeps_the_last_trace(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    code, _ = await agent.fails("performance_stop_trace")
    assert code == "bad_request"
    code, text = await agent.fails(
        "performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="LCPBreakdown"
    )
    assert code == "bad_request"
    assert "performance_start_trace" in text
    await agent("performance_start_trace")
    await agent.fails("performance_stop_trace")
    await agent("performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="LongTasks")


async def test_unknown_insight_or_set_lists_what_there_is(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    await agent("performance_start_trace")
    _, text = await agent.fails(
        "performance_analyze_insight", insightSetId="NAVIGATION_7", insightName="LCPBreakdown"
    )
    assert "NAVIGATION_0" in text
    _, text = await agent.fails(
        "performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="Speed"
    )
    assert "RenderBlocking" in text


async def test_filmstrip_and_report_show_the_load(agent: Agent, tmp_path: Path) -> None:
    await agent("navigate_page", url=agent.site.page(PAGE))
    await agent("performance_start_trace")
    reply = await agent.reply("performance_filmstrip", frames=4)
    assert 0 < len(reply.images) <= 4
    assert "LCP" in reply.text
    text = await agent("performance_report", filePath=str(tmp_path / "report"))
    assert "report.html" in text
    assert "data:image/jpeg" in (tmp_path / "report.html").read_text()


TRACE = json.dumps({"traceEvents": [event("TracingStartedInBrowser", 5, args={})] * 50})
BAD_FILES = [
    ("cut.json", TRACE[:2000].encode(), "bad_request", "truncated"),
    ("cut.json.gz", gzip.compress(TRACE.encode(), mtime=0)[:-30], "bad_request", "truncated"),
    ("text.json", b"hello", "bad_request", "not JSON"),
    ("other.json", b'{"log": {}}', "bad_request", "HAR"),
    ("empty.json", b"", "bad_request", "empty"),
    ("trace.txt", TRACE.encode(), "bad_arguments", ".json"),
]


@pytest.mark.parametrize(("name", "content", "code", "words"), BAD_FILES)
async def test_bad_trace_is_refused_at_once(
    agent: Agent, tmp_path: Path, name: str, content: bytes, code: str, words: str
) -> None:
    good = tmp_path / "good.json"
    good.write_text(TRACE)
    await agent("analyze_trace_file", filePath=str(good))
    (tmp_path / name).write_bytes(content)
    path = str(tmp_path / name)
    failure, text = await agent.fails("analyze_trace_file", filePath=path)
    tries = [await seconds(agent.fails("analyze_trace_file", filePath=path)) for _ in range(3)]
    assert min(tries) < AT_ONCE
    assert failure == code
    assert words in text


async def test_trace_must_exist_inside_the_allowed_folders(agent: Agent, tmp_path: Path) -> None:
    code, text = await agent.fails("analyze_trace_file", filePath=str(tmp_path / "none.json"))
    assert code == "bad_arguments"
    assert "none.json" in text
    code, _ = await agent.fails("analyze_trace_file", filePath="/etc/hosts.json")
    assert code == "refused_by_policy"


async def test_analysis_keeps_no_other_session_waiting(
    app: App, site: Site, tmp_path: Path
) -> None:
    big = tmp_path / "big.json"
    line = json.dumps(event("RunTask", 10, ph="X", dur=5, args={"data": "x" * 100}))
    big.write_text('{"traceEvents":[\n' + ",\n".join([line] * 300_000) + "\n]}")
    async with Agent.joined(app, site) as one, Agent.joined(app, site) as two:
        alone = [await seconds(two("evaluate_script", function="() => 1")) for _ in range(20)]
        async with asyncio.TaskGroup() as group:
            analysis = group.create_task(one("analyze_trace_file", filePath=str(big)))
            waits = []
            while not analysis.done():
                waits.append(await seconds(two("evaluate_script", function="() => 1")))
        assert len(waits) > 20
        assert statistics.median(waits) < max(0.1, 5 * statistics.median(alone))
