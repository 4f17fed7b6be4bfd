"""Arguments of chrome-devtools-mcp's default tools that no other test gives."""

from __future__ import annotations

import gzip
import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.agent import Agent

FORM = """<input aria-label=Name><input type=file aria-label=File>
<div draggable=true role=img aria-label=Ball ondragstart="event.dataTransfer.setData('text', 'x')"
  style='width:40px;height:40px;background:red'></div>
<div role=group aria-label=Goal tabindex=0 ondragover='event.preventDefault()'
  style='width:80px;height:80px;background:blue'></div>"""
STYLES = "<style>{}</style><button>Go</button>".format(
    " ".join(f"button {{ --n{n}: {n} }}" for n in range(7))
)


@pytest.fixture
def agent(whole: Agent) -> Agent:
    return whole


def uids(agent: Agent, **lines: str) -> dict[str, str]:
    return {name: agent.uid(line) for name, line in lines.items()}


@pytest.mark.parametrize("tool", ["fill", "fill_form", "press_key", "drag", "upload_file"])
async def test_snapshot_is_included_where_it_is_asked_for(
    agent: Agent, tmp_path: Path, tool: str
) -> None:
    await agent.open(FORM)
    file = tmp_path / "file.txt"
    file.write_text("x")
    name = agent.uid('textbox "Name"')
    arguments: dict[str, object] = {
        "fill": {"uid": name, "value": "Ada"},
        "fill_form": {"elements": [{"uid": name, "value": "Ada"}]},
        "press_key": {"key": "Tab"},
        "drag": uids(agent, from_uid='img "Ball"', to_uid='group "Goal"'),
        "upload_file": {"uid": agent.uid('button "File'), "filePaths": [str(file)]},
    }[tool]  # type: ignore[assignment]  # a dict of dicts is one of objects
    text = await agent(tool, includeSnapshot=True, **arguments)
    assert "## Latest page snapshot\nuid=" in text
    assert 'textbox "Name"' in text


async def test_styles_come_in_pages(agent: Agent) -> None:
    await agent.open(STYLES)
    uid = agent.uid("button")
    first = await agent("get_css_styles", uid=uid, pageSize=3)
    second = await agent("get_css_styles", uid=uid, pageSize=3, pageIdx=1)
    assert ["--n6" in first, "--n3" in first] == [True, False]
    assert ["--n6" in second, "--n3" in second] == [False, True]
    assert "(Page 2 of " in second


async def test_load_is_recorded_without_the_cache(agent: Agent) -> None:
    asked: list[str] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        asked.append(handler.path)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/css")
        handler.send_header("Content-Length", "0")
        handler.send_header("Cache-Control", "max-age=3600")
        handler.end_headers()

    style = agent.site.route(respond)
    await agent.open(f"<link rel=stylesheet href='{style}'><h1>Text</h1>")
    await agent("performance_start_trace")
    assert len(asked) == 1
    await agent("performance_start_trace", ignoreCache=True)
    assert len(asked) == 2


async def test_trace_that_goes_on_is_written_where_its_start_said(
    agent: Agent, tmp_path: Path
) -> None:
    await agent.open("<h1>Text</h1>")
    file = tmp_path / "trace.json.gz"
    await agent("performance_start_trace", reload=False, autoStop=False, filePath=str(file))
    assert f"Saved trace to {file}." in await agent("performance_stop_trace")
    assert json.loads(gzip.decompress(file.read_bytes()))["traceEvents"]
    await agent("performance_start_trace", reload=False, autoStop=False)
    assert "Saved trace" not in await agent("performance_stop_trace")
