import numpy as np
import pytest

from tabmux.analysis.heap.filters import filter_mask
from tabmux.analysis.heap.graph.detachedness import DETACHED
from tabmux.analysis.heap.heap_snapshot import UnknownObject
from tabmux.analysis.heap.query_options import FILTER_NAMES, SPECIFIC_CONTEXT
from tabmux.errors import BadArguments
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def picked(heap: SnapshotBuilder, name: str | None, object_id: int | None = None) -> list[int]:
    return np.flatnonzero(filter_mask(heap.heap(), name, object_id)).tolist()


def test_without_a_filter_everything_is_let_through() -> None:
    heap = SnapshotBuilder()
    heap.node("Lost")
    assert picked(heap, None) == [0, 1]


def test_what_only_a_detached_dom_node_keeps() -> None:
    heap = SnapshotBuilder()
    lost = heap.child(heap.root, 1, "<div>", "native", state=DETACHED)
    kept = heap.child(lost, "data", "Data")
    free = heap.child(heap.root, 2, "Free")
    heap.edge(lost, free, "also")
    heap.node("Unreachable anyway")
    assert picked(heap, "objectsRetainedByDetachedDomNodes") == [lost, kept]


def test_what_only_the_console_keeps() -> None:
    heap = SnapshotBuilder()
    handles = heap.child(heap.root, 1, "(Global handles)", "synthetic", size=0)
    logged = heap.inside(handles, "3 / DevTools console", "Logged")
    heap.inside(handles, "4 / something", "Other")
    heap.child(handles, 5, "Numbered")
    assert picked(heap, "objectsRetainedByConsole") == [logged]


def test_what_only_event_handlers_keep() -> None:
    heap = SnapshotBuilder()
    plain = heap.node("handler", "closure")
    heap.inside(plain, "code", "code", "code")
    through = heap.node("Object")
    method = heap.child(through, "handleEvent", "handleEvent", "closure")
    heap.inside(method, "code", "code", "code")
    odd = heap.node("Neither function nor method")
    for target in (plain, through, odd):
        listener = heap.child(heap.root, 1, "V8EventListener", "native")
        heap.edge(listener, target, 1, "element")
    heap.child(heap.root, 1, "V8EventListener", "native")
    found = picked(heap, "objectsRetainedByEventHandlers")
    assert {plain, method, odd} <= set(found)
    assert through not in found


def test_what_only_closures_keep() -> None:
    heap = SnapshotBuilder()
    scope = heap.child(heap.root, 1, "system / Context / scope @9")
    captured = heap.child(scope, "captured", "Captured")
    bare = heap.child(heap.root, 2, "system / Context")
    heap.child(heap.root, 3, "system / Contextual")
    assert picked(heap, "objectsRetainedByContexts") == [scope, captured, bare]


def test_objects_by_native_context() -> None:
    heap = SnapshotBuilder()
    first = heap.child(heap.root, 1, "system / NativeContext / a", "hidden")
    second = heap.child(heap.root, 2, "Detached system / NativeContext", "hidden")
    own = heap.child(first, "own", "Own")
    common = heap.child(first, "common", "Common")
    heap.edge(second, common, "common")
    assert picked(heap, SPECIFIC_CONTEXT, 2 * first + 1) == [first, own]
    assert picked(heap, "sharedNativeContext") == [common]
    assert picked(heap, "noNativeContext") == [heap.root]


def test_specific_context_must_be_named() -> None:
    with pytest.raises(BadArguments, match="objectId"):
        picked(SnapshotBuilder(), SPECIFIC_CONTEXT)
    with pytest.raises(UnknownObject):
        picked(SnapshotBuilder(), SPECIFIC_CONTEXT, 12345)


def test_unknown_filter_is_refused_with_a_list() -> None:
    with pytest.raises(BadArguments) as caught:
        picked(SnapshotBuilder(), "objectsRetainedByMagic")
    assert all(name in caught.value.hint for name in FILTER_NAMES)
