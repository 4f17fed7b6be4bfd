from __future__ import annotations

from tabmux.pagetools.language.verbs_and_nouns import (
    action_of,
    icon_action,
    is_consequential,
    is_destructive,
    most_frequent_noun,
    noun_from_heading,
    noun_from_path,
    noun_from_words,
)


def test_buttons_that_start_with_a_verb_say_what_they_do() -> None:
    assert action_of("Add to your basket now") == "add_to_basket"
    assert action_of("Like (12)") == "like"
    assert action_of("About us") == ""
    assert icon_action("fa fa-trash") == "delete"
    assert icon_action("btn", "logo") == ""


def test_what_is_not_undone_is_recognised_in_many_languages() -> None:
    assert is_destructive("Remove item")
    assert is_destructive("Konto löschen")
    assert is_destructive("Удалить")
    assert not is_destructive("Save item")
    assert is_consequential("Place order")
    assert is_consequential("支付")
    assert not is_consequential("Show order")


def test_entries_are_called_by_what_speaks_of_them() -> None:
    assert noun_from_heading("All products") == "product"
    assert noun_from_heading("Latest gadgets") == "gadget"
    assert noun_from_heading("A very long heading about something") == ""
    assert noun_from_words("todo-list view") == "todo"
    assert noun_from_words("main menu") == ""
    assert noun_from_path("https://x.example/shop/orders/12") == "order"
    assert noun_from_path("https://x.example/") == ""
    assert most_frequent_noun(["a", "b", "b", ""]) == "b"
    assert most_frequent_noun([]) == ""
