"""What profiling lacks in a browser that is reached through its extension, it says in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent import Agent


@pytest.mark.parametrize("tool", ["take_heapsnapshot", "save_storage_state"])
async def test_what_chrome_keeps_from_extensions_is_refused_by_its_code(
    agent: Agent, tool: str, tmp_path: Path
) -> None:
    await agent("enable_tools", groups=["memory", "storage"])
    await agent.open("<title>Lent</title>")
    code, text = await agent.fails(tool, filePath=str(tmp_path / "file"))
    assert code == "not_in_this_browser"
    assert "Use a browser that tabmux starts." in text
    assert list(tmp_path.iterdir()) == []


async def test_trace_of_a_lent_tab_has_no_pictures_and_says_so(
    agent: Agent, tmp_path: Path
) -> None:
    await agent("enable_tools", groups=["performance"])
    await agent.open("<title>Lent</title>Text")
    assert "LCP" in await agent("performance_start_trace")
    assert "no pictures" in await agent("performance_filmstrip")
    report = tmp_path / "report.html"
    await agent("performance_report", filePath=str(report))
    assert "Filmstrip" not in report.read_text()
