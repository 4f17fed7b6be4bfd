"""What is known of the applications, and how their tools are judged."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.pagetools.applications import application
from bench.pagetools.applications.application import Application, applications, install
from bench.pagetools.applications.gold_score import score
from bench.pagetools.driving.published import Listing, PublishedTool
from bench.trouble import BenchError


def test_every_application_has_a_script_and_eight_tasks() -> None:
    known = applications()
    assert len(known) >= 10
    assert len({each.language for each in known}) >= 3
    for each in known:
        assert each.script.exists()
        assert len(each.tasks) >= 8, each.name


def test_ideal_tools_are_patterns_and_half_of_the_pages_is_kept_aside() -> None:
    pages = [page for each in applications() for page in each.pages]
    assert len(pages) >= 40
    assert len({page.name for page in pages}) == len(pages)
    assert 0.35 <= sum(page.is_first_half for page in pages) / len(pages) <= 0.65
    for page in pages:
        for ideal in page.tools:
            for pattern in (ideal["name"], *ideal.get("params", ())):
                re.compile(pattern)


async def test_an_installation_that_failed_says_why_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "SCRIPTS", tmp_path)
    monkeypatch.setattr(application, "cache", lambda: tmp_path)
    (tmp_path / "shop.sh").write_text('mkdir "$FOLDER/seed"; echo no room; exit 3')
    shop = Application("shop", "English", "/")
    with pytest.raises(BenchError, match="no room"):
        await install(shop)
    assert not shop.is_installed


def test_tools_are_right_missing_or_extra() -> None:
    text = {"type": "string"}
    tools = (
        PublishedTool("search", "[x] Search", {"query": text}),
        PublishedTool("sign_up", "[x] Add user", {"name": text}),
        PublishedTool("click_element", "[x] Click", {"text": text}),
    )
    ideals: list[Mapping[str, Any]] = [
        {"name": "search", "params": ["query"], "must": True},
        {"name": "add_user", "params": ["name"], "must": True},
        {"name": "log_out"},
    ]
    found = score(Listing(tools), ideals)
    assert (found.published, found.right, found.must, found.found) == (2, 1, 2, 1)
    assert [line.split()[:2] for line in found.notes] == [
        ["missing", "add_user"],
        ["extra", "sign_up:"],
    ]


def test_one_ideal_tool_fits_one_tool() -> None:
    tools = (PublishedTool("search"), PublishedTool("search_2"))
    assert score(Listing(tools), [{"name": "search"}]).right == 1
    assert score(Listing(tools), [{"name": "search", "many": True}]).right == 2
