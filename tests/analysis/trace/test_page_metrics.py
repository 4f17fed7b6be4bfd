from __future__ import annotations

from tabmux.analysis.trace.handlers.layout_shifts import LayoutShift
from tabmux.analysis.trace.handlers.main_thread import ThreadTask
from tabmux.analysis.trace.handlers.network_requests import TraceRequest
from tabmux.analysis.trace.handlers.paints import LcpCandidate
from tabmux.analysis.trace.page_metrics import (
    PageMetrics,
    blocking_ms,
    clusters,
    image_request,
    lcp_parts,
)


def shift(seconds: float, score: float = 0.1) -> LayoutShift:
    return LayoutShift(seconds * 1e6, 7, "MAIN", score, after_input=False, nodes=())


def request(url: str, started: float, ended: float) -> TraceRequest:
    return TraceRequest("1", url, started, ended, first_byte=started, network_end=ended)


def test_shifts_within_a_second_of_each_other_are_one_cluster() -> None:
    found = clusters([shift(0.5), shift(0), shift(1.4), shift(2.5)])

    assert [len(cluster.shifts) for cluster in found] == [3, 1]


def test_cluster_is_at_most_five_seconds_long() -> None:
    found = clusters(shift(0.9 * i) for i in range(8))

    assert [len(cluster.shifts) for cluster in found] == [6, 2]


def test_worst_cluster_makes_the_score() -> None:
    metrics = PageMetrics(clusters=tuple(clusters([shift(0), shift(5, 0.15), shift(5.5, 0.15)])))

    assert round(metrics.cls, 6) == 0.3
    assert metrics.worst_cluster == metrics.clusters[1]


def test_page_without_shifts_scores_zero() -> None:
    assert (PageMetrics().cls, PageMetrics().worst_cluster) == (0, None)


def test_blocking_time_counts_only_what_is_over_fifty_milliseconds_after_a_moment() -> None:
    tasks = [ThreadTask(0, 200_000), ThreadTask(300_000, 340_000), ThreadTask(400_000, 480_000)]

    assert blocking_ms(tasks, 0) == 180
    assert blocking_ms(tasks, 100_000) == 80
    assert blocking_ms(tasks, 500_000) == 0


def test_parts_of_the_largest_paint_are_never_negative() -> None:
    early = request("https://shop.test/hero.jpg", 10_000, 900_000)
    parts = lcp_parts(0, request("https://shop.test/", 50_000, 60_000), early, 500_000)

    assert [part.ms for part in parts] == [50, 0, 450, 0]


def test_image_is_found_by_the_address_it_was_redirected_from() -> None:
    moved = TraceRequest("1", "https://cdn.test/a", 5, 9, redirects=("https://shop.test/a",))
    image = LcpCandidate(100, 1, 3, "IMG", is_image=True, lazy=False)

    assert image_request(image, "https://shop.test/a", [moved]) is moved
    assert image_request(image, "https://shop.test/b", [moved]) is None
    assert image_request(image, "", [moved]) is None
