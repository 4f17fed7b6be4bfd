from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.agent import Agent


def pages(path: Path) -> int:
    """Count the pages of a PDF file."""
    found = re.search(rb"/Type\s*/Pages\b[^>]*?/Count (\d+)", path.read_bytes(), re.DOTALL)
    assert found
    return int(found[1])


def box(path: Path) -> tuple[float, ...]:
    """Return the size of the first page, in points."""
    found = re.search(rb"/MediaBox \[([^\]]*)\]", path.read_bytes())
    assert found
    return tuple(float(number) for number in found[1].split())


async def test_page_is_printed(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<h1>One</h1><h1 style='break-before: page'>Two</h1>")
    path = tmp_path / "page.pdf"
    assert await whole("print_pdf", filePath=str(tmp_path / "page")) == (
        f"Saved the page to {path}."
    )
    assert path.read_bytes().startswith(b"%PDF-")
    assert pages(path) == 2
    assert box(path) == pytest.approx((0, 0, 595.3, 841.9), abs=1)


async def test_paper_direction_and_ranges_are_followed(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<h1>One</h1><h1 style='break-before: page'>Two</h1>")
    path = tmp_path / "page.pdf"
    await whole("print_pdf", filePath=str(path), paper="Letter", landscape=True, pageRanges="2")
    assert pages(path) == 1
    assert box(path) == pytest.approx((0, 0, 792, 612), abs=1)


async def test_impossible_ranges_leave_no_file(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<h1>One</h1>")
    path = tmp_path / "page.pdf"
    for ranges in ("9", "x-y"):
        assert (await whole.fails("print_pdf", filePath=str(path), pageRanges=ranges))[0] == (
            "bad_arguments"
        )
    assert not path.exists()


async def test_file_outside_the_roots_is_refused(whole: Agent) -> None:
    code, _ = await whole.fails("print_pdf", filePath="/etc/page.pdf")
    assert code == "refused_by_policy"
