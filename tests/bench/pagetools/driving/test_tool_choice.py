"""Which published tool is taken for what a task needs."""

from __future__ import annotations

from typing import Any

from bench.pagetools.driving.driver import Field, Value
from bench.pagetools.driving.published import Listing, PublishedTool
from bench.pagetools.driving.tool_choice import generic, pressing, submitting


def tool(name: str, label: str = "", *required: str, **parameters: Any) -> PublishedTool:
    return PublishedTool(name, f"[x] {label}", parameters, frozenset(required))


TEXT = {"type": "string"}
INDEX = {"type": "integer"}
TABS = tool("select_tab", "Show", "tab", tab={"type": "string", "enum": ["One", "Two"]})
OPEN, DELETE = (
    tool("open_bill", "Open", "index", index=INDEX),
    tool("delete_bill", "Delete", "index", index=INDEX),
)
ENTRIES = {1: "Lunch 12.00", 2: "Dinner 30.00"}


def test_button_is_pressed_by_its_label() -> None:
    found = pressing(Listing((tool("save_all", "Save all"), TABS)), "Save all")
    assert found is not None
    assert (found[0].name, found[1]) == ("save_all", {})


def test_option_is_chosen_by_its_text() -> None:
    assert pressing(Listing((TABS,)), "Two") == (TABS, {"tab": "Two"})


def test_entry_is_opened_by_its_text() -> None:
    assert pressing(Listing((DELETE, OPEN), (), ENTRIES), "Dinner") == (OPEN, {"index": 2})


def test_button_of_an_entry_is_pressed_by_both_texts() -> None:
    found = pressing(Listing((DELETE, OPEN), (), ENTRIES), "Delete", "Lunch")
    assert found == (DELETE, {"index": 1})


def test_what_is_not_published_is_not_used() -> None:
    assert pressing(Listing((TABS,), ("save_all",)), "Save all") is None


def test_generic_tool_is_the_last_resort() -> None:
    click = tool("click_element", "Click", "text", text=TEXT)
    assert pressing(Listing((click, TABS)), "Help") is None
    assert generic(Listing((click, TABS)), "Help") == (click, {"text": "Help"})


def test_number_alone_is_that_of_a_page_where_a_tool_takes_it() -> None:
    pager = tool("go_to_page", "Go to a page", "page", page=INDEX)
    entries = {1: "Apples", 2: "2 pears", 3: "Plums"}
    assert pressing(Listing((OPEN, pager), (), entries), "2") == (pager, {"page": 2})
    assert pressing(Listing((OPEN,), (), entries), "2 pears") == (OPEN, {"index": 2})


def test_field_is_the_one_that_says_most_of_its_label_though_its_text_is_cut() -> None:
    change = tool(
        "save", "Save", "old",
        new={"type": "string", "description": "New secret…"},
        old={"type": "string", "description": "Secret priva…"},
    )  # fmt: skip
    values: dict[Field, Value] = {"Secret private current": "x"}
    assert submitting(Listing((change,)), values, "Save") == (change, {"old": "x"})


def test_field_is_known_though_its_name_is_written_in_latin_letters() -> None:
    change = tool("save", "Сохранить", familiya=TEXT, imya=TEXT)
    values: dict[Field, Value] = {"Имя": "x"}
    assert submitting(Listing((change,)), values, "Сохранить") == (change, {"imya": "x"})


def test_entry_is_known_by_what_is_left_of_its_text() -> None:
    entries = {1: "Ann, noon: what I planted fi…", 2: "Ben, noon: what I planted se…"}
    found = pressing(Listing((DELETE, OPEN), (), entries), "Delete", "what I planted second")
    assert found == (DELETE, {"index": 2})


def test_word_that_several_entries_mention_opens_none_of_them() -> None:
    entries = {1: "Pears, in Kitchen", 2: "Plums, in Kitchen"}
    assert pressing(Listing((OPEN,), (), entries), "Kitchen") is None
    assert pressing(Listing((OPEN,), (), entries), "Plums") == (OPEN, {"index": 2})


def test_form_that_has_all_fields_is_taken() -> None:
    search = tool("search", "Search", "query", query=TEXT)
    bill = tool("add_bill", "Add", "what", what=TEXT, amount={"type": "number"})
    values: dict[Field, Value] = {"What": "Ice", "Amount": "2.5"}
    assert submitting(Listing((search, bill)), values, "Add") == (
        bill, {"what": "Ice", "amount": 2.5},
    )  # fmt: skip


def test_form_with_a_required_field_that_nobody_fills_is_not_taken() -> None:
    bill = tool("add_bill", "Add", "what", "who", what=TEXT, who=TEXT)
    assert submitting(Listing((bill,)), {"what": "Ice"}) is None


def test_ticks_and_options_are_given_by_their_labels() -> None:
    form = tool(
        "send", "Send", news={"type": "boolean"},
        size={"type": "string", "enum": ["S", "M"]},
        fruit={"type": "array", "items": {"enum": ["Pear", "Plum"]}},
    )  # fmt: skip
    values: dict[Field, Value] = {"News": True, "M": True, "fruit": ["plum"]}
    assert submitting(Listing((form,)), values) == (
        form, {"news": True, "size": "M", "fruit": ["Plum"]},
    )  # fmt: skip


def test_fields_without_labels_are_counted() -> None:
    form = tool("send", "Send", a=TEXT, b={"type": "boolean"}, c=TEXT)
    assert submitting(Listing((form,)), {2: "x"}) == (form, {"c": "x"})


def test_button_of_a_form_that_has_several_is_named() -> None:
    buttons = {"type": "string", "enum": ["Save", "Save and go on"]}
    form = tool("save_tree", "Save", title=TEXT, button=buttons)
    assert submitting(Listing((form,)), {"title": "Pear"}, "Save and go on") == (
        form, {"title": "Pear", "button": "Save and go on"},
    )  # fmt: skip


def test_labels_in_other_languages_are_understood() -> None:
    form = tool("create_user", "Criar", username=TEXT, first_name=TEXT, last_name=TEXT)
    values: dict[Field, Value] = {"Nome": "Ada", "Sobrenome": "Reis", "Usuário": "ada"}
    assert submitting(Listing((form,)), values, "Criar") == (
        form, {"first_name": "Ada", "last_name": "Reis", "username": "ada"},
    )  # fmt: skip


def test_number_is_not_given_what_is_none() -> None:
    form = tool("set_owner", "Set", owner={"type": "integer"})
    assert submitting(Listing((form,)), {"owner": "ben"}) is None


def test_form_is_not_sent_by_a_generic_tool() -> None:
    click = tool("click_element", "Click", "text", text=TEXT)
    assert submitting(Listing((click,)), {"": "Pear"}, "Save") is None
