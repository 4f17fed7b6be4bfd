from __future__ import annotations

from tabmux.content import Reply


def test_reply_grows_by_paragraphs_and_ignores_empty_ones() -> None:
    assert Reply().add("one").add("").add("two").text == "one\ntwo"


def test_lines_have_a_text_for_when_there_are_none() -> None:
    assert Reply.lines(["a", "b"]).text == "a\nb"
    assert Reply.lines([], "nothing").text == "nothing"


def test_reply_with_a_code_has_failed() -> None:
    assert not Reply("fine").failed
    assert Reply("bad", code="deadline").failed
