from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.errors import StaleUid, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.page.see.labels import Labels
from tabmux.sessions.uids import Style, Uid, UidScope, UidTarget, letters, number_of, parse

FRAME = cast(Frame, SimpleNamespace(loader="one"))

uids = st.builds(
    Uid,
    st.integers(0, 10**6).map(letters),
    st.integers(1, 10**9),
    st.integers(1, 10**9),
)


@given(uids, st.sampled_from(["short", "long"]))
def test_uid_is_read_back_in_either_spelling(uid: Uid, style: Style) -> None:
    assert parse(uid.spell(style)) == uid


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_sessions_have_different_letters(one: int, two: int) -> None:
    assert (letters(one) == letters(two)) == (one == two)


def test_letters_count_on_after_z() -> None:
    assert [letters(n) for n in (0, 25, 26, 27, 701, 702)] == ["a", "z", "aa", "ab", "zz", "aaa"]


@pytest.mark.parametrize(
    "text", ["", "a", "a1", "1_1", "a_1", "a1_", "a1_1 ", "u:a:1", "U:a:1:1", "é1_1"]
)
def test_other_text_is_no_uid(text: str) -> None:
    assert parse(text) is None


def labelled(scope: UidScope, page_id: int, count: int) -> Labels:
    labels = scope.begin(page_id)
    labels.add(FRAME, count)
    return labels


def code_of(scope: UidScope, text: str) -> str:
    with pytest.raises(TabmuxError) as caught:
        scope.resolve(text)
    return caught.value.code


def test_uid_leads_to_its_page_and_label_in_either_spelling() -> None:
    scope = UidScope("a")
    labelled(scope, 7, 3)
    assert scope.resolve("a1_2") == scope.resolve("u:a:1:2") == UidTarget(7, FRAME, 1, 2)


def test_new_snapshot_makes_the_uids_of_its_page_stale_and_no_others() -> None:
    scope = UidScope("a")
    labelled(scope, 7, 3)
    labelled(scope, 8, 3)
    labelled(scope, 7, 3)
    assert code_of(scope, "a1_2") == "stale_uid"
    assert scope.resolve("a2_2").page_id == 8
    assert scope.resolve("a3_2").page_id == 7


def test_uids_of_nobody_and_of_others_are_refused() -> None:
    scope = UidScope("a")
    labelled(scope, 7, 3)
    codes = [code_of(scope, text) for text in ("b1_1", "a1_4", "a9_1", "nonsense", "a0_1")]
    assert codes == [
        "owned_by_other_session",
        "unknown_uid",
        "unknown_uid",
        "unknown_uid",
        "unknown_uid",
    ]


def test_uids_of_a_page_that_is_gone_are_stale() -> None:
    scope = UidScope("a", "long")
    assert labelled(scope, 7, 1).prefix == "u:a:1:"
    assert scope.current(7) is not None
    scope.forget(7)
    assert scope.current(7) is None
    assert code_of(scope, "a1_1") == "stale_uid"


@given(st.integers(0, 10**6))
def test_number_of_a_session_is_known_by_its_letters(number: int) -> None:
    assert number_of(letters(number)) == number


def test_uid_of_a_server_before_is_stale_and_says_why() -> None:
    scope = UidScope("a", before=100)
    with pytest.raises(StaleUid, match="before tabmux was started anew"):
        scope.resolve("a7_3")
    assert scope.begin(1).epoch == 101
    with pytest.raises(StaleUid, match="before tabmux was started anew"):
        scope.resolve("a100_1")
