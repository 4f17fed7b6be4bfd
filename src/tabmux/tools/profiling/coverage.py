"""Coverage tools: how much of the scripts and styles of a page is used."""

from __future__ import annotations

from dataclasses import asdict

import msgspec

from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.page.profiling.coverage import FileCoverage
from tabmux.page_text import address
from tabmux.tools.debugging.paging import PageIndex, PageSize, paged
from tabmux.tools.pipeline.argument_types import OutputFile
from tabmux.tools.pipeline.file_access import save, with_suffix
from tabmux.tools.pipeline.tool import tool


@tool(read_only=True, seconds=60)
async def start_coverage(page: Page, reload: bool = True) -> Reply:
    """Record which JavaScript and CSS the page uses, until stop_coverage.

    Args:
        reload: Load the page anew; otherwise what ran before does not count.
    """
    await page.coverage.start()
    remark = await page.navigation.reload() if reload else ""
    return Reply("Recording which scripts and styles are used.").add(remark)


@tool(reads=True, seconds=60)
async def stop_coverage(
    page: Page,
    file_path: OutputFile | None = None,
    page_size: PageSize | None = None,
    page_idx: PageIndex = 0,
) -> Reply:
    """List the scripts and style sheets of the document by how much of them was not used.

    Args:
        file_path: Write the used parts of each to this file, as JSON.
        page_size: Files a page.
        page_idx: Page, from 0.
    """
    files = await page.coverage.stop()
    if file_path is not None:
        data = msgspec.json.encode([asdict(each) for each in files])
        path = await save(with_suffix(file_path, ".json"), data)
        return Reply(_total(files), is_ours=True).add(f"Saved to {path}.")
    return paged(f"## Coverage\n{_total(files)}", files, page_size, page_idx, empty="", show=_line)


def _total(files: list[FileCoverage]) -> str:
    if not files:
        return "No script ran, and there is no style sheet."
    parts = [(kind, [each for each in files if each.kind == kind]) for kind in ("js", "css")]
    sums = (
        f"{kind}: {_amount(sum(f.unused for f in some), sum(f.total for f in some))}"
        for kind, some in parts
        if some
    )
    return "\n".join(sums)


def _line(file: FileCoverage) -> str:
    return f"{file.kind} {address(file.url)}: {_amount(file.unused, file.total)}"


def _amount(unused: int, total: int) -> str:
    share = unused / total if total else 0
    return f"{_size(unused)} of {_size(total)} unused ({share:.0%})"


def _size(count: int) -> str:
    return f"{count} B" if count < 1000 else f"{count / 1000:.1f} kB"
