from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.cli.control_lines import read_answer, read_words
from tabmux.errors import TabmuxError


def test_words_have_the_type_of_what_they_say() -> None:
    line = "session=7 page=3 url=http://x/?a='b'&c=d pages=0 front_page= closed=true version=1.0"
    assert read_words(line) == {
        "session": "7",
        "page": 3,
        "url": "http://x/?a='b'&c=d",
        "pages": 0,
        "front_page": None,
        "closed": True,
        "version": "1.0",
    }


@given(st.text(st.characters(exclude_categories=["C"]), min_size=1))
def test_quoted_words_come_back_as_they_were(text: str) -> None:
    line = f"name={shlex.quote(text)} page=1"
    assert read_words(line) == {"name": text, "page": 1}


def test_error_of_the_daemon_is_raised_with_what_to_do() -> None:
    with pytest.raises(TabmuxError) as caught:
        read_answer(["error code=no_such_session message='There is no session '\"'\"'x'\"'\"'.'"])
    assert caught.value.code == "no_such_session"
    assert caught.value.message == "There is no session 'x'."
    assert caught.value.hint == "See tabmux session list."
