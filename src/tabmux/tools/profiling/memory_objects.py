"""Heap object tools: found, described, and followed to what keeps them."""

from __future__ import annotations

from tabmux.analysis.heap.query_options import (
    EdgeOrder,
    ObjectOrder,
    ObjectQuery,
    PathLimits,
    TableView,
)
from tabmux.content import Reply
from tabmux.tools.pipeline.analysis_process import AnalysisProcess
from tabmux.tools.pipeline.argument_types import InputFile, Positive
from tabmux.tools.pipeline.tool import tool
from tabmux.tools.profiling.memory import ANALYSE_SECONDS, Index, ask, size_range


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def query_heapsnapshot_objects(
    analysis: AnalysisProcess,
    file_path: InputFile,
    class_name: str | None = None,
    property_name: str | None = None,
    node_type: str | None = None,
    retained_size: str | None = None,
    self_size: str | None = None,
    is_detached: bool | None = None,
    sort_by: ObjectOrder = "retainedSize",
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """Find objects by what is known of them.

    Args:
        file_path: The snapshot.
        class_name: Text or regular expression in the name or class.
        property_name: Text or regular expression in the name of a reference.
        node_type: Such as object, closure, string, array or code.
        retained_size: A range of bytes, such as 1MB-2MB, -1MB or 1MB-.
        self_size: The same, of the object alone.
        is_detached: Whether it is a DOM node cut off from its document.
        sort_by: What the list is ordered by.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    query = ObjectQuery(
        class_name,
        property_name,
        node_type,
        size_range(retained_size),
        size_range(self_size),
        is_detached,
        sort_by,
    )
    return await ask(analysis, file_path, "query", view, query)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_object_details(
    analysis: AnalysisProcess, file_path: InputFile, node_id: int, max_name_length: Positive = 100
) -> Reply:
    """Describe one object: its sizes, distance, and how many references it has.

    Args:
        file_path: The snapshot.
        node_id: The object.
        max_name_length: Where names are cut.
    """
    view = TableView(name_length=max_name_length)
    return await ask(analysis, file_path, "object_details", view, node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_retainers(
    analysis: AnalysisProcess,
    file_path: InputFile,
    node_id: int,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List what refers to an object.

    Args:
        file_path: The snapshot.
        node_id: The object.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(analysis, file_path, "retainers", view, node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_edges(
    analysis: AnalysisProcess,
    file_path: InputFile,
    node_id: int,
    sort_by: EdgeOrder = "retainedSize",
    retained_size: str | None = None,
    exclude_primitives: bool = True,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List what an object refers to.

    Args:
        file_path: The snapshot.
        node_id: The object.
        sort_by: What the list is ordered by.
        retained_size: A range of bytes, such as 1MB-2MB, -1MB or 1MB-.
        exclude_primitives: Leave out numbers, strings and the like.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(
        analysis,
        file_path,
        "references",
        view,
        node_id,
        sort_by,
        size_range(retained_size),
        not exclude_primitives,
    )


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_retaining_paths(
    analysis: AnalysisProcess,
    file_path: InputFile,
    node_id: int,
    max_depth: Positive = 30,
    max_nodes: Positive = 1000,
    max_siblings: Positive = 20,
    max_name_length: Positive = 100,
) -> Reply:
    """Show the ways from the roots to an object: why it is still in memory.

    Args:
        file_path: The snapshot.
        node_id: The object.
        max_depth: How many steps to go.
        max_nodes: How many objects to show.
        max_siblings: How many holders of one object to show.
        max_name_length: Where names are cut.
    """
    view = TableView(name_length=max_name_length)
    limits = PathLimits(max_depth, max_nodes, max_siblings)
    return await ask(analysis, file_path, "retaining_paths", view, node_id, limits)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_dominators(
    analysis: AnalysisProcess,
    file_path: InputFile,
    node_id: int,
    page_idx: Index = 0,
    page_size: Positive = 50,
    max_name_length: Positive = 100,
) -> Reply:
    """List the objects whose release would free an object, up to the root.

    Args:
        file_path: The snapshot.
        node_id: The object.
        page_idx: Which page of the list, from 0.
        page_size: Rows on a page.
        max_name_length: Where names are cut.
    """
    view = TableView(page_idx, page_size, max_name_length)
    return await ask(analysis, file_path, "dominators", view, node_id)
