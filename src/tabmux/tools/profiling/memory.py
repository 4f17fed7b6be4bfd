"""Heap snapshot tools: taken, summed up and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabmux.analysis.heap.query_options import EVERY_SIZE, FilterName, SizeRange, TableView
from tabmux.content import Progress, Reply
from tabmux.page.page import Page
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.argument_types import InputFile, OutputFile, Positive
from tabmux.tools.pipeline.file_access import created, with_suffix
from tabmux.tools.pipeline.tool import tool
from tabmux.tools.profiling import analysis_files

TAKE_SECONDS = 300.0
ANALYSE_SECONDS = 180.0
SUFFIX = ".heapsnapshot"

Index = Annotated[int, Field(ge=0)]


@tool(repeatable=True, seconds=TAKE_SECONDS, read_only=True)
async def take_heapsnapshot(page: Page, progress: Progress, file_path: OutputFile) -> Reply:
    """Write all that the page's scripts hold in memory to a file, after collecting garbage.

    Objects keep their ids from one snapshot of a page to the next, so that
    compare_heapsnapshots can tell new ones from old.

    Args:
        file_path: Where to write it (.heapsnapshot).
    """
    path = with_suffix(file_path, SUFFIX)
    await progress(1, 2, "taking the snapshot")
    with created(path) as file:
        await page.heap_snapshots.capture(file.write)
    return Reply(f"Saved heap snapshot to {path}.")


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_summary(
    analysis: AnalysisProcess, file_path: InputFile, max_name_length: Positive = 100
) -> Reply:
    """Sum a heap snapshot up: bytes by use, native contexts, what closures keep.

    Args:
        file_path: The snapshot.
        max_name_length: Where names are cut.
    """
    return await ask(analysis, file_path, "summary", TableView(name_length=max_name_length))


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_details(
    analysis: AnalysisProcess,
    file_path: InputFile,
    filter_name: FilterName | None = None,
    object_id: int | None = None,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List the classes of a heap snapshot, the largest first.

    Args:
        file_path: The snapshot.
        filter_name: Only objects that are in memory because of this.
        object_id: The native context, for attributedToSpecificNativeContext.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(analysis, file_path, "details", view, filter_name, object_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_class_nodes(
    analysis: AnalysisProcess,
    file_path: InputFile,
    id: int,  # the argument's name is part of the contract
    filter_name: FilterName | None = None,
    object_id: int | None = None,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List the objects of one class.

    Args:
        file_path: The snapshot.
        id: The class, as get_heapsnapshot_details numbers it.
        filter_name: Only objects that are in memory because of this.
        object_id: The native context, for attributedToSpecificNativeContext.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(analysis, file_path, "class_nodes", view, id, filter_name, object_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_duplicate_strings(
    analysis: AnalysisProcess,
    file_path: InputFile,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List the texts that are in memory more than once.

    Args:
        file_path: The snapshot.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where texts are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(analysis, file_path, "duplicate_strings", view)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def analyze_heapsnapshot_contexts(
    analysis: AnalysisProcess,
    file_path: InputFile,
    retained_size: str | None = None,
    scope_info_node_id: int | None = None,
    page_idx: Index = 0,
    page_size: Positive = 20,
    max_name_length: Positive = 100,
) -> Reply:
    """Find variables that closures keep although no closure left can read them.

    Args:
        file_path: The snapshot.
        retained_size: A range of bytes that these variables keep, such as 10KB or 1MB-2MB.
        scope_info_node_id: Only contexts of this scope, as shown by an earlier call.
        page_idx: Which page of the list, from 0.
        page_size: Contexts on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    score = size_range(retained_size)
    return await ask(analysis, file_path, "contexts", view, score, scope_info_node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def compare_heapsnapshots(
    analysis: AnalysisProcess,
    base_file_path: InputFile,
    current_file_path: InputFile,
    class_index: Index | None = None,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """Show what came and went between two snapshots of a page, by class.

    Args:
        base_file_path: The earlier snapshot.
        current_file_path: The later one.
        class_index: List the objects of this class of the comparison.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    text = await analysis.run(
        analysis_files.compare, base_file_path, current_file_path, class_index, view
    )
    return Reply(text)


@tool(repeatable=True, read_only=True)
async def close_heapsnapshot(analysis: AnalysisProcess, file_path: InputFile) -> Reply:
    """Free the memory that the analysis of a snapshot takes.

    Args:
        file_path: The snapshot.
    """
    await analysis.run(analysis_files.close, file_path)
    return Reply(f"Closed heap snapshot {file_path}.")


async def ask(
    analysis: AnalysisProcess, path: Path, question: str, view: TableView, *args: Any
) -> Reply:
    """Put a question to a snapshot, in the analysis process."""
    return Reply(await analysis.run(analysis_files.ask, path, question, view, *args))


def size_range(text: str | None) -> SizeRange:
    """Read a range of bytes; every size when there is none."""
    return EVERY_SIZE if text is None else SizeRange.parse(text)
