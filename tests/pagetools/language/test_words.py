"""Words of pages are made fit for names, keys and descriptions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.pagetools.language import words


def test_texts_lose_what_hides_or_turns_other_text() -> None:
    assert words.clean("a\u202eb\u200bc\u0000 d\n\te\u2066") == "abc d e"
    assert words.clean("x" * 50, 10) == "x" * 9 + "…"


@given(st.text())
def test_no_text_is_left_with_control_characters_or_grows(text: str) -> None:
    made = words.clean(text, 40)
    assert len(made) <= 40
    assert not re.search(r"[\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", made)


@given(st.text())
def test_slugs_and_names_are_fit_for_every_client(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9_]*", words.slug(text))
    assert re.fullmatch(r"(?:[a-z][a-z0-9_]{0,39})?", words.name_of(words.slug(text)))


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Add to Basket", "add_to_basket"),
        ("firstName", "first_name"),
        ("Straße & Ort", "strasse_and_ort"),
        ("Поиск товара", "poisk_tovara"),
        ("Αναζήτηση", "anazitisi"),
        ("Don't", "dont"),
        ("検索", ""),
    ],
)
def test_other_scripts_are_written_in_latin_letters_where_they_can_be(text: str, slug: str) -> None:
    assert words.slug(text) == slug


@pytest.mark.parametrize(
    ("many", "one"),
    [("products", "product"), ("categories", "category"), ("boxes", "box"), ("news", "news"),
     ("people", "person"), ("blog_posts", "blog_post"), ("movies", "movie"), ("status", "status")],
)  # fmt: skip
def test_nouns_have_a_singular(many: str, one: str) -> None:
    assert words.singular(many) == one


@pytest.mark.parametrize(
    ("one", "many"),
    [("product", "products"), ("category", "categories"), ("box", "boxes"), ("person", "people"), ("users", "users")],
)  # fmt: skip
def test_nouns_have_a_plural(one: str, many: str) -> None:
    assert words.plural(one) == many


def test_labels_lose_their_marks_and_tell_what_is_required() -> None:
    assert words.strip_label_marks("Name: *") == ("Name", True)
    assert words.strip_label_marks("* E-mail") == ("E-mail", True)
    assert words.strip_label_marks("Phone (optional)") == ("Phone", False)
    assert words.strip_label_marks("Town (required):") == ("Town", True)


def test_long_names_are_cut_between_words() -> None:
    made = words.name_of("subscribe_to_the_wonderful_weekly_letter_of_things")
    assert made == "subscribe_to_the_wonderful_weekly_letter"
    assert words.name_of("x" * 60) == "x" * 40
    assert words.name_of("2024", "report") == "n2024_report"


def test_keys_by_which_something_is_reached_are_no_part_of_its_name() -> None:
    assert words.slug("Show preview [alt-shift-p]") == "show_preview"
    assert words.slug("Search [f]") == "search"
    assert words.slug("Save page (Ctrl+S)") == "save_page"
    assert words.slug("Chapter (old)") == "chapter_old"


def test_a_name_says_its_verb_once() -> None:
    assert words.name_of("add", "add_member") == "add_member"
    assert words.name_of("add", "address") == "add_address"
