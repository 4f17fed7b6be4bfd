from __future__ import annotations

import json
from pathlib import Path

from tests.agent import Agent

SCRIPT = "function used() { return 1 }\nfunction unused() { return 2 }\nused()"
STYLE = ".a { color: red }\n.b { color: blue }\n"


def html(agent: Agent) -> str:
    script = agent.site.page(SCRIPT, kind="text/javascript")
    style = agent.site.page(STYLE, kind="text/css")
    return (
        f"<link rel=stylesheet href='{style}'><p class=a>Text</p><script src='{script}'></script>"
        "<button onclick='unused(); this.className = `b`'>Go</button>"
    )


async def test_unused_parts_of_scripts_and_styles_are_told(whole: Agent) -> None:
    await whole.open(html(whole))
    await whole("start_coverage")
    text = await whole("stop_coverage")
    unused = len("function unused() { return 2 }")
    assert f"js: {unused} B of {len(SCRIPT)} B unused (" in text
    unused = len(STYLE) - len(".a { color: red }")
    assert f"css: {unused} B of {len(STYLE)} B unused (" in text
    assert (text.count("js http"), text.count("css http")) == (1, 1)


async def test_what_is_used_later_counts_and_frames_of_other_processes_too(
    whole: Agent, tmp_path: Path
) -> None:
    far = whole.site.page(html(whole), other=True)
    await whole.open(f"<h1>Page</h1><iframe src='{far}'></iframe>")
    await whole("start_coverage")
    await whole("click", uid='button "Go"')
    text = await whole("stop_coverage", filePath=str(tmp_path / "coverage"))
    assert "js: 0 B of " in text
    files = json.loads((tmp_path / "coverage.json").read_text())
    (style,) = [each for each in files if each["kind"] == "css"]
    assert style["spans"] == [[[0, 17], [18, 36]]]


async def test_what_ran_before_does_not_count_without_a_reload(whole: Agent) -> None:
    await whole.open(html(whole))
    await whole("start_coverage", reload=False)
    assert "js http" not in await whole("stop_coverage")


async def test_coverage_is_recorded_once_and_styles_are_left_alone_meanwhile(whole: Agent) -> None:
    await whole.open(html(whole))
    assert (await whole.fails("stop_coverage"))[0] == "bad_request"
    await whole("start_coverage")
    assert (await whole.fails("start_coverage"))[0] == "busy"
    assert (await whole.fails("get_css_styles", uid="css=p"))[0] == "busy"
    await whole("stop_coverage")
    assert "color: red" in await whole("get_css_styles", uid="css=p")
