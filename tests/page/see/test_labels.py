from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from tabmux.page.frame_tree import Frame
from tabmux.page.see.labels import Labels
from tests.growth import LINEAR, growth


def frame(loader: str) -> Frame:
    return cast(Frame, SimpleNamespace(loader=loader))


MAIN, CHILD = frame("one"), frame("two")


def test_numbers_of_frames_follow_each_other() -> None:
    labels = Labels("a1_", 1)
    labels.add(MAIN, 3)
    labels.add(CHILD, 2)
    assert [labels.find(n) for n in range(1, 7)] == [
        (MAIN, 1), (MAIN, 2), (MAIN, 3), (CHILD, 1), (CHILD, 2), None,
    ]  # fmt: skip


def test_later_labels_get_numbers_of_their_own_and_old_ones_keep_theirs() -> None:
    labels = Labels("a1_", 1)
    labels.add(MAIN, 2)
    labels.add(CHILD, 1)
    labels.add(MAIN, 4)
    labels.add(MAIN, 4)
    assert [labels.number(MAIN, n) for n in (1, 2, 3, 4)] == [1, 2, 4, 5]
    assert labels.find(4) == (MAIN, 3)
    assert labels.last == 5


def test_only_the_first_frame_needs_no_rewriting() -> None:
    labels = Labels("a1_", 1)
    labels.add(MAIN, 2)
    labels.add(CHILD, 2)
    assert labels.is_plain(MAIN)
    assert not labels.is_plain(CHILD)


def test_numbers_of_a_document_that_has_gone_mean_nothing() -> None:
    child = frame("before")
    labels = Labels("a1_", 1)
    labels.add(child, 2)
    child.loader = "after"
    assert labels.find(1) is None
    labels.add(child, 1)
    assert labels.find(3) == (child, 1)
    assert labels.number(child, 1) == 3


def number_all(number: int) -> None:
    labels = Labels("a1_", 1)
    frames = [frame(str(each)) for each in range(number)]
    for each in frames:
        labels.add(each, 2)
    for place, each in enumerate(frames):
        assert labels.is_plain(each) == (place == 0)
        assert labels.find(labels.number(each, 2)) == (each, 2)


def test_labels_of_many_frames_cost_no_more_each_than_of_few() -> None:
    assert growth(number_all, 500) < LINEAR
