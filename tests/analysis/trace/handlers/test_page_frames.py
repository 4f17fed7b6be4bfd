from __future__ import annotations

from pathlib import Path

from tests.analysis.trace_builder import FRAME, PAGE, START, TraceBuilder, recorded


def test_each_navigation_opens_an_insight_set() -> None:
    trace = recorded("navigations")

    assert [(part.id, part.url) for part in trace.sets] == [
        ("NAVIGATION_0", "http://127.0.0.1:9399/nometa"),
        ("NAVIGATION_1", "http://127.0.0.1:9399/pre"),
    ]
    assert trace.sets[0].end == trace.sets[1].start - 1


def test_recording_without_navigation_is_one_set(tmp_path: Path) -> None:
    part = TraceBuilder().begin(url=PAGE).add("RunTask", 10, 80).only(tmp_path)

    assert (part.id, part.url) == ("NO_NAVIGATION", PAGE)
    assert [task.ms for task in part.metrics.long_tasks] == [80]


def test_long_lead_before_the_first_navigation_is_a_set_of_its_own(tmp_path: Path) -> None:
    trace = TraceBuilder().begin(at=-6000).navigate().document().trace(tmp_path)

    assert [part.id for part in trace.sets] == ["NO_NAVIGATION", "NAVIGATION_0"]


def test_short_lead_in_which_something_moved_is_kept(tmp_path: Path) -> None:
    builder = TraceBuilder().begin(at=-100).navigate().document()
    builder.add("LayoutShift", -50, args={"frame": FRAME, "data": {"weighted_score_delta": 0.2}})

    assert [part.id for part in builder.trace(tmp_path).sets] == ["NO_NAVIGATION", "NAVIGATION_0"]


def test_short_quiet_lead_is_dropped(tmp_path: Path) -> None:
    assert TraceBuilder().begin().navigate().document().only(tmp_path).id == "NAVIGATION_0"


def test_navigations_of_iframes_and_empty_documents_open_no_set(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document()
    inner = {"documentLoaderURL": "https://ads.test/", "navigationId": "INNER"}
    builder.add(
        "navigationStart", 5, args={"frame": "KID", "data": inner | {"isLoadingMainFrame": False}}
    )
    builder.add("navigationStart", 6, args={"frame": FRAME, "data": {"navigationId": "EMPTY"}})

    assert builder.only(tmp_path).id == "NAVIGATION_0"


def test_other_tabs_are_left_out(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate().document()
    other = {"documentLoaderURL": "https://other.test/", "navigationId": "OTHER"}
    builder.add("navigationStart", 5, args={"frame": "ELSEWHERE", "data": other})
    builder.request("https://other.test/a.js", 10, 20, frame="ELSEWHERE")
    builder.add("LayoutShift", 30, args={"frame": "ELSEWHERE", "data": {"weighted_score_delta": 1}})
    part = builder.only(tmp_path)

    assert [request.url for request in part.requests] == [PAGE]
    assert part.metrics.cls == 0


def test_page_that_changes_its_frame_is_followed(tmp_path: Path) -> None:
    """A prerendered page brings a frame of its own when it is shown."""
    builder = TraceBuilder().begin()
    flags = {"isOutermostMainFrame": True, "isInPrimaryMainFrame": True}
    builder.data("FrameCommittedInBrowser", 0, frame="SHOWN", url=PAGE, **flags)
    data = {"documentLoaderURL": PAGE, "navigationId": "NAV"}
    builder.add("navigationStart", 0, args={"frame": "SHOWN", "data": data})

    assert builder.only(tmp_path).id == "NAVIGATION_0"


def test_documents_of_iframes_are_noted(tmp_path: Path) -> None:
    builder = TraceBuilder().begin().navigate()
    builder.data(
        "FrameCommittedInBrowser",
        40,
        frame="KID",
        parent=FRAME,
        url="https://ads.test/",
        isOutermostMainFrame=False,
    )
    (child,) = builder.only(tmp_path).child_frames

    assert (child.url, child.committed) == ("https://ads.test/", START + 40_000)


def test_old_traces_without_frame_flags_are_understood(tmp_path: Path) -> None:
    builder = TraceBuilder().data(
        "TracingStartedInBrowser",
        -10,
        frames=[{"frame": FRAME, "url": PAGE}, {"frame": "KID", "parent": FRAME}],
    )

    assert builder.navigate().only(tmp_path).id == "NAVIGATION_0"


def test_trace_that_lists_no_frames_is_still_divided(tmp_path: Path) -> None:
    part = TraceBuilder().navigate().document().paint(80).only(tmp_path)

    assert (part.id, part.metrics.fcp) == ("NAVIGATION_0", 80)


def test_navigation_from_before_the_recording_is_left_out(tmp_path: Path) -> None:
    """A renderer may tell what it did before; the browser did not record it."""
    builder = TraceBuilder().begin(at=500, url=PAGE).navigate().document().add("RunTask", 600, 80)

    assert builder.only(tmp_path).id == "NO_NAVIGATION"


def test_navigation_that_was_under_way_when_the_recording_began_is_kept(tmp_path: Path) -> None:
    builder = TraceBuilder().begin(at=50).navigate().document()
    flags = {"isOutermostMainFrame": True, "isInPrimaryMainFrame": True}
    builder.data("FrameCommittedInBrowser", 60, frame=FRAME, url=PAGE, **flags)

    assert builder.only(tmp_path).id == "NAVIGATION_0"


def test_recording_without_the_thread_of_the_page_is_mute(tmp_path: Path) -> None:
    flags = {"isOutermostMainFrame": True, "isInPrimaryMainFrame": True}
    builder = TraceBuilder().begin()
    assert not builder.trace(tmp_path).main_thread_missing

    builder.data("FrameCommittedInBrowser", 60, frame=FRAME, url=PAGE, processId=8, **flags)
    assert builder.trace(tmp_path).main_thread_missing


def test_recording_that_names_no_process_is_not_called_mute(tmp_path: Path) -> None:
    assert not TraceBuilder().navigate().document().trace(tmp_path).main_thread_missing
