from inline_snapshot import snapshot

from tabmux.analysis.heap.heap_report import HeapReport
from tabmux.analysis.heap.query_options import ObjectQuery, PathLimits, SizeRange, TableView
from tests.analysis.heap.snapshot_builder import SnapshotBuilder
from tests.analysis.heap.test_comparison import page, renumbered
from tests.analysis.heap.test_dead_fields import Program


def shop() -> SnapshotBuilder:
    """Make a heap with a little of everything."""
    heap = SnapshotBuilder()
    roots = heap.child(heap.root, 1, "(GC roots)", "synthetic", size=0)
    context = heap.child(roots, 1, "system / NativeContext / https://a.test", "hidden")
    window = heap.inside(context, "global_object", "Window")
    cart = heap.child(window, "cart", "Cart", size=24)
    heap.child(cart, "note", 'say "hi",\nor not', "string", size=40)
    for number in range(3):
        item = heap.child(cart, number, "Object", size=16)
        heap.child(item, "name", "tea", "string", size=12)
        heap.child(item, "price", "int", "number", size=12)
    scope = heap.child(window, "closure", "system / Context")
    heap.child(scope, "captured", "<p>", "native", size=32, state=2)
    heap.node("Lost")
    return heap


CART = 9


def test_summary() -> None:
    assert shop().report().summary() == snapshot("""\
18 objects, 16 references; all sizes in bytes
total: 256
V8 heap: 224 (code 0, strings 76, arrays 0, system 10)
native: 32 (typed arrays 0)
largest object id: 35
native contexts: 1
nodeId,nodeName,selfSize,retainedSize,attributedSize
5,system / NativeContext / https://a.test,10,246,246
shared by several contexts: 0
used by none: 10
only in memory because of 1 closure scope: 42 in 2 objects, of 256\
""")


def test_details_by_class() -> None:
    report = shop().report()
    assert report.details(view=TableView(size=3)) == snapshot("""\
16 objects, 256 bytes
id,className,count,selfSize,retainedSize
1,(system),1,10,246
2,Window,1,10,236
3,Cart,1,24,184
rows 1-3 of 9; pageIdx 1 goes on\
""")
    assert report.details("objectsRetainedByDetachedDomNodes") == snapshot("""\
1 object, 32 bytes
id,className,count,selfSize,retainedSize
8,Detached <p>,1,32,32
rows 1-1 of 1\
""")


def test_objects_of_a_class() -> None:
    report = shop().report()
    assert report.class_nodes(5, view=TableView(page=1, size=2)) == snapshot("""\
nodeId,nodeName,type,distance,selfSize,retainedSize
25,"{name, price}",object,5,16,40
rows 3-3 of 3\
""")


def test_object() -> None:
    report = shop().report()
    assert report.object_details(CART) == snapshot("""\
@9 Cart
class: Cart
type: object
detachedness: unknown
selfSize: 24
retainedSize: 184
distance: 4
edges: 4
retainers: 1\
""")
    assert "distance: none" in report.object_details(35)


def test_references_in_both_directions() -> None:
    report = shop().report()
    assert report.references(CART) == snapshot("""\
name,type,nodeId,nodeName,selfSize,retainedSize
note,property,11,"say ""hi"",\\nor not",40,40
0,element,13,"{name, price}",16,40
1,element,19,"{name, price}",16,40
2,element,25,"{name, price}",16,40
rows 1-4 of 4\
""")
    assert report.references(CART, retained=SizeRange(1000)) == snapshot("""\
name,type,nodeId,nodeName,selfSize,retainedSize
no rows\
""")
    assert report.retainers(CART) == snapshot("""\
name,type,nodeId,nodeName,selfSize,retainedSize
cart,property,7,Window,10,236
rows 1-1 of 1\
""")


def test_retaining_paths() -> None:
    report = shop().report()
    assert report.retaining_paths(CART + 2) == snapshot("""\
@9 Cart by property note, distance 4
  @7 Window by property cart, distance 3
    @5 system / NativeContext / https://a.test by internal global_object, distance 2\
""")
    assert report.retaining_paths(CART + 2, PathLimits(depth=1)) == snapshot("""\
No way from the roots was found.
There is more: cut off at the limit of depth.\
""")


def test_dominators() -> None:
    assert shop().report().dominators(CART, TableView(size=3)) == snapshot("""\
nodeId,nodeName,selfSize,retainedSize
9,Cart,24,184
7,Window,10,236
5,system / NativeContext / https://a.test,10,246
rows 1-3 of 5; pageIdx 1 goes on\
""")


def test_duplicate_strings() -> None:
    heap = shop()
    for _ in range(6):
        heap.child(heap.root, 1, "again, and again", "string", size=100)
    assert heap.report().duplicate_strings() == snapshot("""\
value,count,selfSize,retainedSize,truncated,nodeIds
"again, and again",6,600,600,no,@37 @39 @41 @43 @45 +1
tea,3,36,36,no,@15 @21 @27
rows 1-2 of 2\
""")


def test_query() -> None:
    assert shop().report().query(ObjectQuery(class_name="cart")) == snapshot("""\
nodeId,nodeName,type,distance,selfSize,retainedSize
9,Cart,object,4,24,184
rows 1-1 of 1\
""")


def test_distance_from_roots_of_v8_only() -> None:
    heap = shop()
    window = heap.node("Window")
    heap.edge(heap.root, window, "1", "shortcut")
    assert "distance: system 4" in heap.report().object_details(CART)


def test_contexts() -> None:
    program = Program()
    program.closure(program.USE_LIGHT, program.context())
    program.heap.inside(program.info, "function_name", "make", "string")
    assert program.heap.report().contexts() == snapshot("""\
1 context holds dead fields.
@19 context of make in app.js:0-0, scope @13: 1 of 3 fields dead, 1000 bytes
  heavy: @21 Heavy, 1000 bytes
rows 1-1 of 1\
""")
    program.heap.scopes.clear()
    assert program.heap.report().contexts() == snapshot("""\
No context holds dead fields.
not analysed, scopes unknown: app.js, 1 context\
""")


def test_contexts_of_a_snapshot_without_numbers_are_not_called_clean() -> None:
    assert shop().report().contexts() == snapshot(
        "Dead fields cannot be found: the snapshot was taken without numeric values."
    )


def test_contexts_of_another_scope_are_not_shown() -> None:
    program = Program()
    program.context()
    assert program.heap.report().contexts(scope_info=1) == snapshot("No context holds dead fields.")


def test_comparison() -> None:
    base, current = page(500).report(), page(1500, gone=1).report()
    assert current.comparison(base) == snapshot("""\
1000 objects new (8000 bytes), 1 gone (8 bytes); count +999, size +7992
index,className,addedCount,removedCount,countDelta,addedSize,removedSize,sizeDelta
0,Item,1000,1,+999,8000,8,+7992
rows 1-1 of 1\
""")
    assert current.comparison(base, 0, TableView(page=333, size=3)) == snapshot("""\
Item: 1000 objects new (8000 bytes), 1 gone (8 bytes); count +999, size +7992
+ @3999 Item, 8 bytes
- @1001 Item, 8 bytes
rows 1000-1001 of 1001\
""")


def test_comparison_of_snapshots_whose_ids_do_not_match() -> None:
    base, current = (HeapReport(heap.heap()) for heap in renumbered())
    assert current.comparison(base, view=TableView(size=1)) == snapshot("""\
Ids do not match between these snapshots, so classes are compared by count alone.
Take both of the same page, without closing it in between, to see which objects changed.
1200 objects new (10000 bytes), 200 gone (2000 bytes); count +1000, size +8000
index,className,addedCount,removedCount,countDelta,addedSize,removedSize,sizeDelta
0,Item,1000,0,+1000,8000,0,+8000
rows 1-1 of 3; pageIdx 1 goes on\
""")
    assert current.comparison(base, 0) == snapshot("""\
Ids do not match between these snapshots, so classes are compared by count alone.
Take both of the same page, without closing it in between, to see which objects changed.
Item: 1000 objects new (8000 bytes), 0 gone (0 bytes); count +1000, size +8000
no rows\
""")
