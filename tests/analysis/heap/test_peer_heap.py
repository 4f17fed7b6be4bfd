"""A recorded heap, beside what chrome-devtools-mcp 1.11.0 says of it."""

import hashlib
import json
import re

import numpy as np
import pytest

from tabmux.analysis.heap.duplicate_strings import duplicate_strings
from tabmux.analysis.heap.filters import filter_mask
from tabmux.analysis.heap.heap_objects import dominator_chain
from tabmux.analysis.heap.heap_report import HeapReport
from tabmux.analysis.heap.heap_snapshot import HeapSnapshot
from tabmux.analysis.heap.heap_summary import aggregate_classes, summary
from tabmux.analysis.heap.query_options import PathLimits
from tabmux.analysis.heap.retaining_paths import retaining_paths
from tests.analysis.heap.snapshot_builder import SHARED

FIXTURE = SHARED / "fixtures" / "heap1"
pytestmark = pytest.mark.skipif(not FIXTURE.exists(), reason=f"{FIXTURE} is not here")
LEAKY = 101255

# Of the peer's numbers for every node, in order, as little-endian 64-bit integers.
DIGESTS = {
    "a": {
        "size": "556911bddbc30aa884c1b079dcd7f08b5630b0fe7bb8b8ec5f355ab7637bbe74",
        "retained": "25d9a95d69619e4ba7b09c5f5ec4610781a035b36f1582609b9cb54269b49b73",
        "distance": "685852d3259e8b831657139bbe59a2e2f7f3bbe9db494f8ce4e206ccc71e9311",
        "context": "36b235b9301a626e1c69adf1882dfbc43daf81e77a103bc04c3cf1cb72ccf98b",
    },
    "b": {
        "size": "1fa1d8e730d36fddfa5e520a17d1f3bcb333508049af39c87f5dc44b12ba7b68",
        "retained": "f8494d31712ed9b984847a29a7c6e9373ad6b1cf8373d50c4069be8bdc1ea95b",
        "distance": "2cf354d80def8fb6588ad494318226496e590dd8252ba85a1f06b582a38e6886",
        "context": "f68753e918223ce0e735f91c063b2d9a28d547f49e0fe3cb072ac7edb0cc8da9",
    },
}


@pytest.fixture(scope="module")
def reports() -> dict[str, HeapReport]:
    return {name: HeapReport.of(FIXTURE / f"{name}.heapsnapshot.gz") for name in DIGESTS}


@pytest.fixture
def heap(reports: dict[str, HeapReport]) -> HeapSnapshot:
    return reports["a"].heap


def peer(tool: str) -> str:
    return (FIXTURE / "peer" / f"get_heapsnapshot_{tool}.txt").read_text().replace("\xa0", " ")


def kilobytes(size: int) -> str:
    """Round as the peer does: a decimal below 100 kB, groups of thousands above."""
    return f"{size / 1000:.1f}" if size < 99_950 else f"{size / 1000:,.0f}"


@pytest.mark.parametrize("name", DIGESTS)
@pytest.mark.parametrize("column", ["size", "retained", "distance", "context"])
def test_every_node_has_the_same_number_as_in_the_peer(
    reports: dict[str, HeapReport], name: str, column: str
) -> None:
    numbers = np.asarray(getattr(reports[name].heap, column), "<i8")
    assert hashlib.sha256(numbers.tobytes()).hexdigest() == DIGESTS[name][column]


def test_statistics_equal_those_of_the_peer(heap: HeapSnapshot) -> None:
    text = peer("summary")
    theirs = json.loads(text[text.index("{\n") : text.index("\n}\n") + 2])
    mine = summary(heap).statistics
    assert theirs == {
        "total": mine.total,
        "native": {"total": mine.native, "typedArrays": mine.typed_arrays},
        "v8heap": {
            "total": mine.v8,
            "code": mine.code,
            "jsArrays": mine.arrays,
            "strings": mine.strings,
            "system": mine.system,
        },
    }


def test_contexts_equal_those_of_the_peer(heap: HeapSnapshot) -> None:
    read, text = summary(heap), peer("summary")
    assert f'"maxJSObjectId": {read.largest_id}' in text
    for row in read.contexts:
        sizes = (row.self_size, row.retained_size, row.attributed_size)
        line = ",".join([f"{row.id}", row.name, *(f"{kilobytes(size)} kB" for size in sizes)])
        assert line in text
    assert f"Shared Size: {kilobytes(read.shared_size)} kB" in text
    assert f"Unattributed Size: {kilobytes(read.unattributed_size)} kB" in text
    kept = read.scopes
    assert f"Context count: {kept.context_count}" in text
    assert f"{kilobytes(kept.size)} kB ({kept.object_count} objects)" in text
    assert f"{kilobytes(kept.other_size)} kB ({kept.other_count} objects)" in text


def test_classes_equal_those_of_the_peer(heap: HeapSnapshot) -> None:
    counted, text = aggregate_classes(heap, filter_mask(heap, None)), peer("details")
    assert f"Objects: {counted.object_count}" in text
    assert f"of {len(counted.rows)} (" in text
    theirs = re.findall(r"^(\d+),(.*),(\d+),([\d.,]+) kB,([\d.,]+) kB$", text, re.MULTILINE)
    for row, (number, name, *rest) in zip(counted.rows, theirs, strict=False):
        sizes = kilobytes(row.self_size), kilobytes(row.retained_size)
        assert (str(row.id), row.name[:90], str(row.count), *sizes) == (number, name[:90], *rest)
    assert len(theirs) == 25


def test_retaining_paths_equal_those_of_the_peer(heap: HeapSnapshot) -> None:
    paths = retaining_paths(heap, heap.node(LEAKY), PathLimits(depth=8, nodes=50, siblings=3))
    line = re.compile(r"^( *)<- @(\d+) .* \(distance: (\d+)\)$", re.MULTILINE)
    lines = line.findall(peer("retaining_paths"))
    theirs = [(len(indent) // 2, int(node), int(far)) for indent, node, far in lines]
    ids = heap.graph.nodes.id
    assert [(s.depth, int(ids[s.node]), s.distance) for s in paths.steps] == theirs
    assert paths.limits_reached == {"depth", "siblings"}


def test_dominators_equal_those_of_the_peer(heap: HeapSnapshot) -> None:
    chain = heap.graph.nodes.id[dominator_chain(heap, heap.node(LEAKY))]
    theirs = re.findall(r"^(\d+),.* kB,.* kB$", peer("dominators"), re.MULTILINE)
    assert [str(number) for number in chain.tolist()] == theirs


def test_duplicate_strings_are_found(heap: HeapSnapshot) -> None:
    assert [len(repetition.nodes) for repetition in duplicate_strings(heap)[:5]] == [200] * 5


def test_leak_between_the_two_snapshots_is_a_thousand_objects(
    reports: dict[str, HeapReport],
) -> None:
    """The peer reports 3000 new and 2000 deleted: the ids were handed out anew in between."""
    text = reports["b"].comparison(reports["a"])
    assert re.search(r"^\d+,LeakyThing,1000,0,\+1000,24000,0,\+24000$", text, re.MULTILINE)
