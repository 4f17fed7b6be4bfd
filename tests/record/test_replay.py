from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.replay import Divergence, Replay
from tabmux.record.replay_plan import ReplayPlan
from tests.record.runs import entry

SAVE = TouchedElement("uid", 'button "Save"', "button", "Save")
RUN = [
    entry("navigate_page", arguments={"url": "https://a.example/"}, page=1, url="https://a.example/"),
    entry("click", arguments={"uid": "a1_1"}, elements=(SAVE,), page=1, url="https://a.example/done",
          diff='+ uid=a1_9 heading "Saved"'),
]  # fmt: skip


class Scripted:
    """A session that answers as it is told."""

    def __init__(self, **answers: Any) -> None:
        self.answers, self.calls = answers, list[tuple[str, Mapping[str, Any]]]()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        self.calls.append((tool, arguments))
        answer = self.answers.get(tool, "Done.")
        text = answer.pop(0) if isinstance(answer, list) and len(answer) > 1 else answer
        text = text[0] if isinstance(text, list) else text
        code = text.partition(" ")[0] if text.startswith("not_found") else ""
        meta = {"_meta": {"code": code}} if code else {}
        return {"content": [{"type": "text", "text": text}], "isError": bool(code), **meta}


def replayed(
    session: Scripted, run: list[CallEntry] = RUN, **values: str
) -> tuple[int, Divergence | None]:
    plan = ReplayPlan.of(run)
    made = Replay(plan, session, plan.values(values), patience=0.01, pause=lambda _: None)
    told = list(made.run())
    return len(told), told[-1][1]


def test_a_run_that_goes_as_before_has_no_divergence() -> None:
    pages = ["1: https://a.example/ [selected]", "1: https://a.example/done?x=1 [selected]"]
    session = Scripted(list_pages=pages)
    assert replayed(session) == (2, None)
    assert ("click", {"uid": 'exact=button "Save"', "pageId": 1}) in session.calls


def test_an_element_that_is_not_there_is_told_with_what_is() -> None:
    session = Scripted(
        list_pages="1: https://a.example/ [selected]",
        click='not_found No element is button "Save". There are: "Store".',
    )
    count, divergence = replayed(session)
    assert count == 2
    assert divergence is not None
    assert divergence.expected == 'click on button "Save"'
    assert '"Store"' in divergence.found


def test_an_element_may_take_a_while() -> None:
    late = ["not_found x", "not_found x", "Clicked."]
    pages = ["1: https://a.example/", "1: https://a.example/done"]
    session = Scripted(list_pages=pages, click=late)
    plan = ReplayPlan.of(RUN)
    made = Replay(plan, session, {}, patience=5, pause=lambda _: None)
    assert [divergence for _, divergence in made.run()] == [None, None]


def test_another_address_stops_it() -> None:
    _, divergence = replayed(Scripted(list_pages="1: https://a.example/login [selected]"))
    assert divergence is not None
    assert divergence.expected == "the page at https://a.example/"
    assert divergence.found == "it is at https://a.example/login"


def test_that_nothing_happens_where_something_did_stops_it() -> None:
    session = Scripted(
        list_pages="1: https://a.example/ [selected]", click="Clicked.\nNothing visible changed."
    )
    _, divergence = replayed(session)
    assert divergence is not None
    assert 'heading "Saved"' in divergence.expected


def test_an_alert_that_was_not_there_stops_it() -> None:
    session = Scripted(
        list_pages="1: https://a.example/", click='Clicked.\n+ uid=b1_2 alert "Card refused"'
    )
    _, divergence = replayed(session)
    assert divergence is not None
    assert "Card refused" in divergence.found


def test_pages_that_are_opened_stand_for_those_of_the_run() -> None:
    run = [
        *RUN[:1],
        entry(
            "new_page", arguments={"url": "https://b.example/"}, page=7, url="https://b.example/"
        ),
        entry("press_key", arguments={"key": "Enter"}, page=7, url="https://b.example/"),
        entry("press_key", arguments={"key": "Tab"}, page=1, url="https://a.example/"),
    ]
    both = "## Pages\n3: A (x) (https://a.example/)\n4: B (https://b.example/) [selected]\n5: https://c.example/ [not attached]"
    session = Scripted(list_pages=["3: https://a.example/ [selected]", both])
    assert replayed(session, run) == (4, None)
    keys = [given for tool, given in session.calls if tool == "press_key"]
    assert keys == [{"key": "Enter", "pageId": 4}, {"key": "Tab", "pageId": 3}]


def test_a_page_that_a_click_opens_is_waited_for_and_closed_as_it_was() -> None:
    run = [
        *RUN[:1],
        entry("press_key", arguments={"key": "a"}, page=1, url="https://a.example/"),
        entry("press_key", arguments={"key": "b"}, page=9, url="https://b.example/"),
        entry("close_page", arguments={"pageId": 9}),
        entry("select_page", arguments={"pageId": 1}, page=1, url="https://a.example/"),
    ]
    one = "3: https://a.example/ [selected]"
    both = f"{one}\n4: https://b.example/"
    session = Scripted(list_pages=[one, one, one, both])
    plan = ReplayPlan.of(run)
    made = Replay(plan, session, {}, patience=5, pause=lambda _: None)
    assert [divergence for _, divergence in made.run()] == [None] * 5
    given = [given for tool, given in session.calls if tool != "list_pages"]
    assert [each.get("pageId") for each in given] == [None, 3, 4, 4, 3]
