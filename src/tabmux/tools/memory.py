"""Heap snapshots: taken, summed up, searched and compared."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabmux.analysis.heap.questions import EdgeOrder, FilterName, Limits, Order, Query
from tabmux.analysis.heap.sizes import EVERY_SIZE, SizeRange
from tabmux.analysis.heap.view import View
from tabmux.content import Reply
from tabmux.page.page import Page
from tabmux.tools import archive
from tabmux.tools.files import created
from tabmux.tools.tool import tool
from tabmux.tools.types import InputFile, OutputFile, Positive
from tabmux.tools.worker import Worker

SUFFIX = ".heapsnapshot"
TAKE_SECONDS = 300.0
ANALYSE_SECONDS = 180.0

Index = Annotated[int, Field(ge=0)]


@tool(repeatable=True, seconds=TAKE_SECONDS)
async def take_heapsnapshot(page: Page, file_path: OutputFile) -> Reply:
    """Write all that the page's scripts hold in memory to a file, after collecting garbage.

    Objects keep their ids from one snapshot of a page to the next, so that
    compare_heapsnapshots can tell new ones from old.

    Args:
        file_path: Where to write it (.heapsnapshot).
    """
    path = file_path
    if path.suffix != SUFFIX:
        path = path.with_name(path.name + SUFFIX)
    with created(path) as file:
        await page.heap.capture(file.write)
    return Reply(f"Saved heap snapshot to {path}.")


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_summary(
    worker: Worker, file_path: InputFile, max_name_length: Positive = 100
) -> Reply:
    """Sum a heap snapshot up: bytes by use, native contexts, what closures keep.

    Args:
        file_path: The snapshot.
        max_name_length: Where names are cut.
    """
    return await _ask(worker, file_path, "summary", View(name_length=max_name_length))


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_details(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(worker, file_path, "details", view, filter_name, object_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_class_nodes(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(worker, file_path, "class_nodes", view, id, filter_name, object_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def query_heapsnapshot_objects(
    worker: Worker,
    file_path: InputFile,
    class_name: str | None = None,
    property_name: str | None = None,
    node_type: str | None = None,
    retained_size: str | None = None,
    self_size: str | None = None,
    is_detached: bool | None = None,
    sort_by: Order = "retainedSize",
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
    view = View(page_idx, page_size, max_name_length)
    query = Query(
        class_name,
        property_name,
        node_type,
        _range(retained_size),
        _range(self_size),
        is_detached,
        sort_by,
    )
    return await _ask(worker, file_path, "query", view, query)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_object_details(
    worker: Worker, file_path: InputFile, node_id: int, max_name_length: Positive = 100
) -> Reply:
    """Describe one object: its sizes, distance, and how many references it has.

    Args:
        file_path: The snapshot.
        node_id: The object.
        max_name_length: Where names are cut.
    """
    view = View(name_length=max_name_length)
    return await _ask(worker, file_path, "object_details", view, node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_retainers(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(worker, file_path, "retainers", view, node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_edges(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(
        worker,
        file_path,
        "references",
        view,
        node_id,
        sort_by,
        _range(retained_size),
        not exclude_primitives,
    )


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_retaining_paths(
    worker: Worker,
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
    view = View(name_length=max_name_length)
    limits = Limits(max_depth, max_nodes, max_siblings)
    return await _ask(worker, file_path, "retaining_paths", view, node_id, limits)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_dominators(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(worker, file_path, "dominators", view, node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def get_heapsnapshot_duplicate_strings(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    return await _ask(worker, file_path, "duplicate_strings", view)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def analyze_heapsnapshot_contexts(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    score = _range(retained_size)
    return await _ask(worker, file_path, "contexts", view, score, scope_info_node_id)


@tool(reads=True, seconds=ANALYSE_SECONDS)
async def compare_heapsnapshots(
    worker: Worker,
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
    view = View(page_idx, page_size, max_name_length)
    text = await worker.run(archive.compare, base_file_path, current_file_path, class_index, view)
    return Reply(text)


@tool(repeatable=True)
async def close_heapsnapshot(worker: Worker, file_path: InputFile) -> Reply:
    """Free the memory that the analysis of a snapshot takes.

    Args:
        file_path: The snapshot.
    """
    await worker.run(archive.close, file_path)
    return Reply(f"Closed heap snapshot: {file_path}")


async def _ask(worker: Worker, path: InputFile, question: str, view: View, *args: Any) -> Reply:
    return Reply(await worker.run(archive.ask, path, question, view, *args))


def _range(text: str | None) -> SizeRange:
    return EVERY_SIZE if text is None else SizeRange.parse(text)
