from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.sessions.uids import Style, Uid, letters, parse

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
