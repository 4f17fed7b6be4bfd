from __future__ import annotations

from tabmux.pagetools.call.call_outcome import CallOutcome, ObservedEffects, PageMessages, judge

QUIET = PageMessages()


def test_nothing_at_all_is_no_effect() -> None:
    assert judge(QUIET, QUIET, ObservedEffects(), sends=True) == CallOutcome("no_effect")


def test_change_of_the_page_is_done() -> None:
    assert judge(QUIET, QUIET, ObservedEffects(touched=True), sends=True) == CallOutcome("done")


def test_new_note_is_told() -> None:
    before, after = PageMessages(notes=("old",)), PageMessages(notes=("old", "Saved"))
    assert judge(before, after, ObservedEffects(), sends=True) == CallOutcome("done", ("Saved",))


def test_new_document_is_navigated() -> None:
    assert (
        judge(QUIET, QUIET, ObservedEffects(moved=True, touched=True), sends=True).status
        == "navigated"
    )


def test_field_that_the_browser_refused_is_a_validation_error() -> None:
    after = PageMessages(invalid=("Email: Please fill out this field.",))
    verdict = judge(QUIET, after, ObservedEffects(), sends=True)
    assert verdict == CallOutcome("validation_error", after.invalid)


def test_error_that_was_there_before_is_not_this_call_s() -> None:
    voice = PageMessages(alerts=("Old error",))
    assert judge(voice, voice, ObservedEffects(touched=True), sends=True).status == "done"


def test_same_form_with_an_error_after_a_navigation_is_a_validation_error() -> None:
    after = PageMessages(alerts=("Wrong password",))
    moved = ObservedEffects(moved=True, same_form=True, touched=True)
    assert judge(QUIET, after, moved, sends=True) == CallOutcome("validation_error", after.alerts)
    elsewhere = ObservedEffects(moved=True, touched=True)
    assert judge(QUIET, after, elsewhere, sends=True).status == "navigated"


def test_search_is_not_wrong_because_its_page_shows_an_alert() -> None:
    after = PageMessages(alerts=("Cookies!",))
    moved = ObservedEffects(moved=True, same_form=True, touched=True)
    assert judge(QUIET, after, moved, sends=False).status == "navigated"


def test_captcha_that_appears_needs_a_human() -> None:
    after = PageMessages(captcha=True)
    assert judge(QUIET, after, ObservedEffects(touched=True), sends=True).status == "needs_human"
    assert judge(after, after, ObservedEffects(), sends=True).status == "needs_human"
    assert (
        judge(after, after, ObservedEffects(moved=True, touched=True), sends=True).status
        == "navigated"
    )


def test_download_and_dialog_are_told() -> None:
    assert judge(QUIET, QUIET, ObservedEffects(download="a.pdf"), sends=True).status == "download"
    verdict = judge(QUIET, QUIET, ObservedEffects(dialog="alert: Hi"), sends=True)
    assert verdict.messages == ("A dialog is open (alert: Hi).",)


def test_alert_that_was_there_before_is_no_error_of_a_new_document() -> None:
    before, after = PageMessages(alerts=("Trial ends",)), PageMessages(alerts=("Trial ends",))
    moved = ObservedEffects(moved=True, same_form=True, touched=True)
    assert judge(before, after, moved, sends=True).status == "navigated"
    again = judge(before, after, moved, sends=True, told=("Trial ends",))
    assert again == CallOutcome("validation_error", after.alerts)
