"""Sizes: an object's own, and what would be freed with it."""

from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def test_object_retains_what_only_it_leads_to() -> None:
    heap = SnapshotBuilder()
    owner = heap.child(heap.root, 1, "Owner", size=1)
    own = heap.child(owner, "own", "Own", size=10)
    other = heap.child(heap.root, 2, "Other", size=100)
    shared = heap.child(owner, "shared", "Shared", size=1000)
    heap.edge(other, shared, "shared")
    retained = heap.heap().retained
    assert retained[[owner, own, other, shared]].tolist() == [11, 10, 100, 1000]
    assert heap.heap().total == 1111


def test_shortcuts_and_weak_references_and_references_to_oneself_retain_nothing() -> None:
    heap = SnapshotBuilder()
    owner = heap.child(heap.root, 1, "Owner")
    for kind in ("shortcut", "weak"):
        heap.edge(owner, heap.node("Held", size=100), kind, kind)
    heap.edge(owner, owner, "self")
    assert heap.heap().retained[owner] == 10


def test_what_the_page_owns_is_not_charged_to_others() -> None:
    heap = SnapshotBuilder()
    window = heap.node("Window")
    heap.edge(heap.root, window, "1", "shortcut")
    documents = heap.child(heap.root, 2, "(Document DOM trees)", "synthetic", size=0)
    inspector = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    owned = heap.child(window, "owned", "Owned", size=100)
    body = heap.child(documents, 1, "<body>", "native", size=1000)
    for target in (owned, body):
        heap.edge(inspector, target, "watched", "internal")
    retained = heap.heap().retained
    assert retained[[window, documents, inspector]].tolist() == [110, 1000, 0]


def test_list_of_a_hundred_thousand_nodes_is_weighed() -> None:
    heap = SnapshotBuilder()
    last = heap.root
    for _ in range(100_000):
        last = heap.child(last, "next", "Item", size=1)
    read = heap.heap()
    assert read.retained[1] == 100_000
    assert read.distance[last] == 100_000


def test_helpers_are_charged_to_their_only_user_when_the_page_has_roots() -> None:
    heap = SnapshotBuilder()
    window = heap.node("Window", size=1)
    heap.edge(heap.root, window, "1", "shortcut")
    thing = heap.child(window, "thing", "Thing", size=2)
    store = heap.inside(thing, "elements", "(object elements)", "array", size=10)
    inner = heap.inside(store, "more", "(system)", "hidden", size=20)
    common = heap.inside(thing, "map", "system / Map", "hidden", size=40)
    heap.edge(window, common, "map", "internal")
    roots = heap.child(heap.root, 2, "(GC roots)", "synthetic", size=0)
    internal = heap.inside(roots, "table", "(table)", "array", size=80)
    size = heap.heap().size
    assert size[[window, thing, store, inner, common, internal]].tolist() == [1, 32, 0, 0, 40, 80]


def test_helpers_stand_for_themselves_when_the_page_has_no_roots() -> None:
    heap = SnapshotBuilder()
    roots = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    thing = heap.child(roots, 1, "Thing", size=2)
    store = heap.inside(thing, "elements", "(object elements)", "array", size=10)
    assert heap.heap().size[[thing, store]].tolist() == [2, 10]
