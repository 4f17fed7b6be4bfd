from __future__ import annotations

from tabmux.pagetools.verdict import Traces, Verdict, Voice, judge

QUIET = Voice()


def test_nothing_at_all_is_no_effect() -> None:
    assert judge(QUIET, QUIET, Traces(), sends=True) == Verdict("no_effect")


def test_change_of_the_page_is_done() -> None:
    assert judge(QUIET, QUIET, Traces(touched=True), sends=True) == Verdict("done")


def test_new_note_is_told() -> None:
    before, after = Voice(notes=("old",)), Voice(notes=("old", "Saved"))
    assert judge(before, after, Traces(), sends=True) == Verdict("done", ("Saved",))


def test_new_document_is_navigated() -> None:
    assert judge(QUIET, QUIET, Traces(moved=True, touched=True), sends=True).status == "navigated"


def test_field_that_the_browser_refused_is_a_validation_error() -> None:
    after = Voice(invalid=("Email: Please fill out this field.",))
    verdict = judge(QUIET, after, Traces(), sends=True)
    assert verdict == Verdict("validation_error", after.invalid)


def test_error_that_was_there_before_is_not_this_call_s() -> None:
    voice = Voice(alerts=("Old error",))
    assert judge(voice, voice, Traces(touched=True), sends=True).status == "done"


def test_same_form_with_an_error_after_a_navigation_is_a_validation_error() -> None:
    after = Voice(alerts=("Wrong password",))
    moved = Traces(moved=True, same_form=True, touched=True)
    assert judge(QUIET, after, moved, sends=True) == Verdict("validation_error", after.alerts)
    elsewhere = Traces(moved=True, touched=True)
    assert judge(QUIET, after, elsewhere, sends=True).status == "navigated"


def test_search_is_not_wrong_because_its_page_shows_an_alert() -> None:
    after = Voice(alerts=("Cookies!",))
    moved = Traces(moved=True, same_form=True, touched=True)
    assert judge(QUIET, after, moved, sends=False).status == "navigated"


def test_captcha_that_appears_needs_a_human() -> None:
    after = Voice(captcha=True)
    assert judge(QUIET, after, Traces(touched=True), sends=True).status == "needs_human"
    assert judge(after, after, Traces(), sends=True).status == "needs_human"
    assert judge(after, after, Traces(moved=True, touched=True), sends=True).status == "navigated"


def test_download_and_dialog_are_told() -> None:
    assert judge(QUIET, QUIET, Traces(download="a.pdf"), sends=True).status == "download"
    verdict = judge(QUIET, QUIET, Traces(dialog="alert: Hi"), sends=True)
    assert verdict.messages == ("A dialog is open (alert: Hi).",)
