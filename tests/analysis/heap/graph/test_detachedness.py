from tabmux.analysis.heap.graph.detachedness import ATTACHED, DETACHED, UNKNOWN
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tests.analysis.heap.snapshot_builder import SnapshotBuilder, profile_of


def test_what_only_a_detached_node_holds_is_detached_and_named_so() -> None:
    heap = SnapshotBuilder()
    outer = heap.child(heap.root, 1, "<div>", "native", state=DETACHED)
    inner = heap.child(outer, "child", "<span>", "native")
    read = heap.heap()
    assert read.graph.nodes.detachedness.tolist() == [UNKNOWN, DETACHED, DETACHED]
    assert [read.names.node(node) for node in (outer, inner)] == [
        "Detached <div>",
        "Detached <span>",
    ]


def test_what_a_document_holds_too_is_attached() -> None:
    heap = SnapshotBuilder()
    body = heap.child(heap.root, 1, "<body>", "native", state=ATTACHED)
    lost = heap.child(heap.root, 2, "<div>", "native", state=DETACHED)
    shared = heap.child(body, "child", "<p>", "native")
    heap.edge(lost, shared, "child")
    read = heap.heap()
    assert read.graph.nodes.detachedness[shared] == ATTACHED
    assert read.names.node(shared) == "<p>"


def test_neither_weak_references_nor_other_objects_pass_it_on() -> None:
    heap = SnapshotBuilder()
    lost = heap.child(heap.root, 1, "<div>", "native", state=DETACHED)
    wrapper = heap.child(lost, "wrapper", "HTMLDivElement")
    behind = heap.child(wrapper, "child", "<p>", "native")
    weakly = heap.child(heap.root, 2, "<i>", "native")
    heap.edge(lost, weakly, "weakly", "weak")
    state = heap.heap().graph.nodes.detachedness
    assert state[[wrapper, behind, weakly]].tolist() == [UNKNOWN] * 3


def test_older_snapshots_say_it_in_the_name() -> None:
    heap = SnapshotBuilder()
    lost = heap.child(heap.root, 1, "Detached HTMLDivElement", "native")
    heap.child(heap.root, 2, "Detached by name only")
    data = heap.data()
    meta, nodes = data["snapshot"]["meta"], data["nodes"]
    meta["node_fields"].pop()
    meta["node_types"].pop()
    data["nodes"] = [n for i in range(0, len(nodes), 6) for n in nodes[i : i + 5]]
    data["edges"][2::3] = [target // 6 * 5 for target in data["edges"][2::3]]
    state = HeapSnapshot.of(profile_of(data)).graph.nodes.detachedness
    assert state.tolist() == [UNKNOWN, DETACHED, UNKNOWN]
    assert lost == 1
