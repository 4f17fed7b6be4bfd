from __future__ import annotations

from array import array

from tabmux.analysis.insights.forced_reflow import analyse
from tabmux.analysis.trace.call_frames import CallFrame, CallFrameTable
from tabmux.analysis.trace.handlers.cpu_profile import CpuProfile
from tests.analysis.insight_set_samples import calls, layout, part

ENTRY = CallFrame("onClick", "https://shop.test/app.js", 1)
MEASURE = CallFrame("measure", "https://shop.test/lib.js", 9)


def test_forced_layouts_are_charged_to_who_forced_them() -> None:
    forced = [layout(101, 20, MEASURE), layout(125, 25, MEASURE), layout(300, 99)]
    found = analyse(part(calls=calls((100, 60, ENTRY)), layouts=forced))

    assert found.finding == "scripts waited 45 ms for layouts they forced, most in measure lib.js:9"
    assert found.details == ("45 ms in measure lib.js:9, called from onClick app.js:1",)
    assert found.resources == (MEASURE.url,)


def test_little_in_each_call_is_nothing_to_chase() -> None:
    many = calls(*((100 * i, 30, ENTRY) for i in range(9)))
    forced = [layout(100 * i + 1, 20, MEASURE) for i in range(9)]

    assert not analyse(part(calls=many, layouts=forced)).noteworthy


def test_profile_says_who_was_running_when_the_trace_has_no_stacks() -> None:
    call_frames = CallFrameTable()
    profile = CpuProfile(
        array("d", [100_000]), array("l", [call_frames.number(MEASURE)]), call_frames
    )
    forced = [layout(101, 40)]

    known = analyse(part(calls=calls((100, 60, ENTRY)), layouts=forced, profile=profile))
    unknown = analyse(part(calls=calls((100, 60, ENTRY)), layouts=forced))

    assert known.details == ("40 ms in measure lib.js:9, called from onClick app.js:1",)
    assert unknown.details == ("40 ms in (unknown), called from onClick app.js:1",)


def test_caller_is_not_repeated() -> None:
    found = analyse(part(calls=calls((100, 60, ENTRY)), layouts=[layout(101, 40, ENTRY)]))

    assert found.details == ("40 ms in onClick app.js:1",)
