from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from tabmux.errors import Misuse
from tabmux.record.call_entry import CallEntry, TouchedElement
from tabmux.record.export.batch_calls import batch_calls
from tabmux.record.export.library_script import library_script
from tabmux.record.export.playwright_test import playwright_test
from tabmux.record.replay_plan import ReplayPlan
from tests.record.runs import entry


def fill(name: str, value: str, **fields: object) -> CallEntry:
    element = TouchedElement("uid", f'textbox "{name}"', "textbox", name)
    arguments = {"uid": "a1_1", "value": value}
    return entry("fill", arguments=arguments, elements=(element,), page=1, **fields)


LOGIN = [
    entry("navigate_page", arguments={"url": "https://shop.example/?token=<hidden token>"},
          hidden=("token",), page=1),
    entry("take_snapshot", reads=True, page=1),
    fill("Email", "a@b.example"),
    fill("Password", "<hidden password>", hidden=("password",)),
    entry("click", arguments={"uid": "a1_3", "includeSnapshot": True}, page=1,
          elements=(TouchedElement("uid", 'button "Log in"', "button", "Log in"),)),
    entry("click", arguments={"uid": "a1_4"}, code="stale_uid", page=1),
]  # fmt: skip


def test_reads_and_failures_are_left_out_and_uids_give_way_to_locators() -> None:
    plan = ReplayPlan.of(LOGIN)
    assert [step.tool for step in plan.steps] == ["navigate_page", "fill", "fill", "click"]
    assert plan.steps[-1].arguments == {"uid": 'exact=button "Log in"'}


def test_what_was_typed_is_a_parameter_and_what_is_hidden_must_be_given() -> None:
    plan = ReplayPlan.of(LOGIN)
    assert plan.parameters == {"token": None, "email": "a@b.example", "password": None}
    with pytest.raises(Misuse, match="token, password"):
        plan.values({})
    values = plan.values({"token": "t", "password": "p", "email": "c@d.example"})
    assert plan.steps[0].given(values) == {"url": "https://shop.example/?token=t"}
    assert plan.steps[1].given(values)["value"] == "c@d.example"
    assert plan.steps[2].given(values)["value"] == "p"


def test_two_values_of_one_name_are_two_parameters() -> None:
    plan = ReplayPlan.of([fill("Name", "a"), fill("Name", "b"), fill("Name", "a")])
    assert plan.parameters == {"name": "a", "name_2": "b"}


def hidden_at(origin: str, name: str = "Password") -> CallEntry:
    return fill(name, "<hidden password>", hidden=("password",), url=f"{origin}/login")


def test_what_was_hidden_at_one_site_is_never_given_to_another() -> None:
    shop, bank = "https://shop.example", "https://bank.example"
    plan = ReplayPlan.of([hidden_at(shop), hidden_at(shop), hidden_at(bank), hidden_at(bank)])
    values = plan.values({"password": "shop's", "password_2": "between", "password_3": "bank's"})
    typed = [step.given(values)["value"] for step in plan.steps]
    # Of the third one it is not known at which of the two sites it was typed.
    assert typed == ["shop's", "shop's", "between", "bank's"]
    assert plan.steps[3].arguments["value"] == "<hidden password_3>"


def test_what_was_hidden_in_one_field_is_not_typed_into_another() -> None:
    origin = "https://shop.example"
    in_frame = TouchedElement("uid", "css=input", "textbox", "Card", frame="https://pay.example/x")
    card = entry("fill", arguments={"uid": "a", "value": "<hidden card>"}, hidden=("card",),
                 page=1, url=f"{origin}/", elements=(in_frame,))  # fmt: skip
    elsewhere = replace(card, elements=(replace(in_frame, frame="https://other.example/"),))
    plan = ReplayPlan.of(
        [hidden_at(origin), hidden_at(origin, "Old password"), card, elsewhere, hidden_at(origin)]
    )
    assert plan.parameters == dict.fromkeys(["password", "password_2", "card", "card_2"])
    assert plan.steps[4].parameters == {"value": "password"}


def test_what_was_hidden_elsewhere_is_told_apart_by_what_it_is_for() -> None:
    def navigated(url: str) -> CallEntry:
        return entry("navigate_page", arguments={"url": url}, hidden=("token",), page=1, url=url)

    def stored(name: str) -> CallEntry:
        given = {"name": name, "value": "<hidden value>"}
        return entry(
            "set_cookie", arguments=given, hidden=("value",), page=1, url="https://b.example"
        )

    plan = ReplayPlan.of(
        [navigated("https://a.example/?token=<hidden token>"),
         navigated("https://b.example/?token=<hidden token>"),
         navigated("https://a.example/x?token=<hidden token>"), stored("id"), stored("csrf")]
    )  # fmt: skip
    names = ["token", "token_2", "value", "value_2"]
    assert list(plan.parameters) == names
    values = plan.values({name: name.upper() for name in names})
    assert plan.steps[1].given(values)["url"] == "https://b.example/?token=TOKEN_2"
    assert plan.steps[2].given(values)["url"] == "https://a.example/x?token=TOKEN"
    assert plan.steps[4].given(values)["value"] == "VALUE_2"
    assert "?token={token_2}" in library_script(plan, "run")


def test_a_text_of_which_a_part_is_hidden_must_be_given_whole() -> None:
    typed = fill("Address", "https://a.example/?token=<hidden token>", hidden=("token",))
    plan = ReplayPlan.of([typed])
    assert plan.parameters == {"address": None}
    assert plan.steps[0].given({"address": "<hidden address>"})["value"] == "<hidden address>"


def test_a_script_gives_the_tool_of_a_page_what_was_hidden_there() -> None:
    def logged_in(origin: str) -> CallEntry:
        password = fill("Password", "<hidden password>")
        given = {"name": "log_in", "arguments": {"password": "<hidden password>"}}
        return entry("call_page_tool", arguments=given, hidden=("password",), page=1, url=origin,
                     steps=(password,))  # fmt: skip

    plan = ReplayPlan.of([logged_in("https://a.example"), logged_in("https://b.example"),
                          logged_in("https://b.example")])  # fmt: skip
    test = playwright_test(plan, "run")
    assert "exact=True), password)" in test
    assert "exact=True), password_3)" in test


def test_an_element_that_nothing_is_known_of_is_told_before_anything_is_done() -> None:
    unknown = entry(arguments={"uid": "a1_1"}, elements=(TouchedElement("uid"),))
    with pytest.raises(Misuse, match="cannot be found again"):
        ReplayPlan.of([unknown])


def test_the_steps_of_a_batch_are_done_one_by_one() -> None:
    batch = entry(
        "batch", arguments={"steps": []}, steps=(fill("A", "1"), fill("B", "2")), number=7
    )
    assert [step.number for step in ReplayPlan.of([batch]).steps] == ["7.1", "7.2"]


def test_of_a_batch_that_failed_only_the_failed_steps_are_left_out() -> None:
    steps = (fill("A", "1"), fill("B", "2", code="not_found"), fill("C", "3"))
    batch = entry("batch", arguments={"steps": []}, steps=steps, number=7, code="not_found")
    assert [step.number for step in ReplayPlan.of([batch]).steps] == ["7.1", "7.3"]


def test_scripts_name_the_parameters_and_no_uid() -> None:
    plan = ReplayPlan.of(LOGIN)
    for text in (library_script(plan, "run"), playwright_test(plan, "run")):
        compile(text, "script", "exec")
        assert "a1_" not in text
        assert "token" in text
    assert "await tab.fill('exact=textbox \"Email\"', email)" in library_script(plan, "run")
    assert "name='Log in', exact=True).click()" in playwright_test(plan, "run")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x0c\n", "\ud800"])
def test_name_of_a_tool_is_no_code(end: str) -> None:
    name = f"own{end}    open('/tmp/x', 'w'){end}#"
    plan = ReplayPlan.of([entry(name, arguments={name: name}, page=1)])
    for text in (library_script(plan, "run"), playwright_test(plan, "run")):
        names = {each.id for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name)}
        assert "open" not in names


def test_the_run_of_a_replay_is_exported_as_the_run_was() -> None:
    def clicked(locator: str, role: str, frame: str = "") -> CallEntry:
        element = TouchedElement("uid", locator, role, "Save" if role else "", frame=frame)
        return entry("click", arguments={"uid": "a1_1"}, elements=(element,), page=1)

    plan = ReplayPlan.of(
        [clicked('exact=button "Save"', "button"), clicked('exact=button "Save"', ""),
         clicked("frame=main css=p > b", "generic")]
    )  # fmt: skip
    assert [step.arguments["uid"] for step in plan.steps] == [
        'exact=button "Save"', 'exact=button "Save"', "frame=main css=p > b",
    ]  # fmt: skip
    test = playwright_test(plan, "run")
    assert test.count("page.get_by_role('button', name='Save', exact=True).click()") == 2
    assert "page.locator('p > b').click()" in test


def test_a_text_with_quotes_and_braces_is_written_as_it_is() -> None:
    text = 'it\'s "{x}" \\ <hidden token>\n'
    plan = ReplayPlan.of(
        [entry("type_text", arguments={"text": "x"}, page=1),
         entry("evaluate_script", arguments={"function": text}, hidden=("token",), page=1)]
    )  # fmt: skip
    script = library_script(plan, "run")
    found = script.split("function=")[1].splitlines()[0].removesuffix(")")
    assert eval(found, {"token": "T"}) == text.replace("<hidden token>", "T")


def test_a_batch_holds_what_can_be_in_one() -> None:
    plan = ReplayPlan.of(
        [fill("A", "1"), entry("handle_dialog", arguments={"action": "accept"}, page=1),
         fill("B", "2")]
    )  # fmt: skip
    lines = batch_calls(plan, plan.values({})).splitlines()
    assert [line[:20] for line in lines] == [
        '{"tool": "batch", "a', '{"tool": "handle_dia', '{"tool": "batch", "a',
    ]  # fmt: skip


def test_scripts_keep_pages_apart() -> None:
    pages = [
        entry("navigate_page", arguments={"url": "https://a.example/"}, page=3),
        entry("click", arguments={"uid": "x"}, page=3,
              elements=(TouchedElement("uid", 'link "B"', "link", "B"),)),
        entry("press_key", arguments={"key": "b"}, page=5),
        entry("new_page", arguments={"url": "https://c.example/"}, page=6),
        entry("close_page", arguments={"pageId": 5}),
        entry("press_key", arguments={"key": "a"}, page=3),
    ]  # fmt: skip
    plan = ReplayPlan.of(pages)
    test = playwright_test(plan, "run").split("def test_run")[1]
    assert "with page.expect_popup() as opened:" in test
    assert "page_2 = opened.value\n    page_2.keyboard.press('b')" in test
    assert "page_3.goto('https://c.example/')\n    page_2.close()\n    page.keyboard" in test
    script = library_script(plan, "run")
    assert "await tab.close_page(page_id=page_2)" in script
    assert "await tab.press_key('a', page_id=page_1)" in script


@pytest.mark.parametrize(
    "made",
    [
        entry("look_up", arguments={'x=1) or open("/tmp/hacked", "w"': "a"}),
        entry("look_up", arguments={"class": "a", "b\nimport os": "c"}),
        entry('a(); open("/tmp/hacked", "w")', arguments={"x": '"""; open(1)'}),
        entry("click_at", arguments={"x": 'open("/tmp/hacked")', "y": 1}),
        entry("press_key", arguments={"key": "{open(1)}<hidden key>"}, hidden=("key",)),
        entry("wait_for", arguments={"text": ["') or open('x"]}, reads=True),
    ],
)
def test_no_name_and_no_text_becomes_code(made: CallEntry) -> None:
    plan = ReplayPlan.of([made])
    for text in (library_script(plan, "run"), playwright_test(plan, "run")):
        called = [each.func for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call)]
        assert "open" not in [each.id for each in called if isinstance(each, ast.Name)]
