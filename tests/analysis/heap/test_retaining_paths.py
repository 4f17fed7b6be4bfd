from tabmux.analysis.heap.query_options import PathLimits
from tabmux.analysis.heap.retaining_paths import RetainingPaths, retaining_paths
from tests.analysis.heap.snapshot_builder import SnapshotBuilder


def rooted() -> tuple[SnapshotBuilder, int]:
    """Make a heap with V8's lists of roots, and return one of those."""
    heap = SnapshotBuilder()
    roots = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    return heap, heap.child(roots, 1, "(Global handles)", "synthetic", size=0)


def shape(paths: RetainingPaths) -> list[tuple[int, int]]:
    return [(step.depth, step.node) for step in paths.steps]


def test_shortest_way_comes_first_and_ends_at_the_roots() -> None:
    heap, handles = rooted()
    near = heap.child(handles, 1, "Near")
    far = heap.child(near, "far", "Far")
    target = heap.child(far, "target", "Target")
    heap.edge(near, target, "target")
    paths = retaining_paths(heap.heap(), target)
    # The longer way goes through Near as well, where the shorter one has already been.
    assert shape(paths) == [(0, near), (1, handles)]
    assert not paths.limits_reached


def test_ways_that_do_not_meet_are_all_shown() -> None:
    heap, handles = rooted()
    left, right = heap.child(handles, 1, "Left"), heap.child(handles, 2, "Right")
    target = heap.child(left, "target", "Target")
    heap.edge(right, target, "target")
    heap.edge(target, left, "back")
    paths = retaining_paths(heap.heap(), target)
    assert shape(paths) == [(0, right), (1, handles), (0, left), (1, handles)]


def test_weak_and_unreachable_holders_are_left_out() -> None:
    heap, handles = rooted()
    holder = heap.child(handles, 1, "Holder")
    target = heap.child(holder, "target", "Target")
    heap.edge(heap.node("Lost"), target, "target")
    heap.edge(heap.child(handles, 2, "Weak"), target, "target", "weak")
    assert shape(retaining_paths(heap.heap(), target)) == [(0, holder), (1, handles)]


def test_limit_of_depth_is_noticed() -> None:
    heap, handles = rooted()
    node = handles
    for _ in range(40):
        node = heap.child(node, "next", "Item")
    read = heap.heap()
    assert retaining_paths(read, node).limits_reached == {"depth"}
    assert len(retaining_paths(read, node, PathLimits(depth=50)).steps) == 40
    assert retaining_paths(read, node, PathLimits(depth=0)).limits_reached == {"depth"}


def test_very_deep_way_is_followed_without_recursion() -> None:
    heap, handles = rooted()
    node = handles
    for _ in range(5000):
        node = heap.child(node, "next", "Item")
    paths = retaining_paths(heap.heap(), node, PathLimits(depth=10_000, nodes=10_000))
    assert len(paths.steps) == 5000


def test_limits_of_siblings_and_nodes_are_noticed() -> None:
    heap, handles = rooted()
    target = heap.node("Target")
    for number in range(30):
        holder = heap.child(handles, number, "Holder")
        heap.edge(holder, target, "target")
    read = heap.heap()
    few = retaining_paths(read, target, PathLimits(siblings=5))
    assert len(few.steps) == 10
    assert few.limits_reached == {"siblings"}
    short = retaining_paths(read, target, PathLimits(nodes=7, siblings=50))
    assert len(short.steps) == 6
    assert short.limits_reached == {"nodes"}


def test_limit_of_nodes_holds_among_roots_too() -> None:
    heap, handles = rooted()
    holder = heap.child(handles, 1, "Holder")
    for number in range(2, 9):
        heap.edge(handles, holder, number, "element")
    target = heap.child(holder, "target", "Target")
    paths = retaining_paths(heap.heap(), target, PathLimits(nodes=4))
    assert len(paths.steps) == 3
    assert paths.limits_reached == {"nodes"}


def test_loop_that_leads_nowhere_leaves_no_trace() -> None:
    heap, handles = rooted()
    holder = heap.child(handles, 1, "Holder")
    target = heap.child(holder, "target", "Target")
    ring = [heap.child(target, "a", "Ring"), heap.node("Ring")]
    heap.edge(ring[0], ring[1], "b")
    heap.edge(ring[1], ring[0], "c")
    heap.edge(ring[1], target, "d")
    assert shape(retaining_paths(heap.heap(), target)) == [(0, holder), (1, handles)]


def test_what_only_v8_holds_is_traced_to_roots_of_v8() -> None:
    heap, handles = rooted()
    window = heap.node("Window")
    heap.edge(heap.root, window, "1", "shortcut")
    holder = heap.child(handles, 1, "Holder")
    target = heap.child(holder, "target", "Target")
    assert shape(retaining_paths(heap.heap(), target)) == [(0, holder), (1, handles)]
