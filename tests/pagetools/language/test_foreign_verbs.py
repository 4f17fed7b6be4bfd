"""What buttons say in other languages is read as the English verb."""

from __future__ import annotations

import pytest

from tabmux.pagetools.language.foreign_verbs import foreign_action
from tabmux.pagetools.language.verbs_and_nouns import action_of, is_destructive


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Benutzer hinzufügen", "add_benutzer"),
        ("Speichern", "save"),
        ("Enregistrer", "save"),
        ("Supprimer le compte", "delete_compte"),
        ("Añadir", "add"),
        ("Crea progetto", "create_progetto"),
        ("Verwijderen", "delete"),
        ("Zapisz", "save"),
        ("Удалить", "delete"),
        ("Сохранить", "save"),
        ("Kaydet", "save"),
        ("保存", "save"),
        ("削除", "delete"),
        ("저장", "save"),
        ("حفظ", "save"),
    ],
)
def test_a_verb_stands_first_in_the_name_wherever_it_stands(said: str, name: str) -> None:
    assert action_of(said) == name


@pytest.mark.parametrize(
    "said",
    ["Applications", "Important", "Changes", "Modified", "El Salvador", "Visa card", "Nieuws"],
)
def test_words_that_only_begin_like_a_verb_are_none(said: str) -> None:
    assert foreign_action(said)[0] == ""


def test_what_only_clears_what_is_shown_destroys_nothing() -> None:
    assert not is_destructive("Clear all filters")
    assert not is_destructive("Reset search")
    assert is_destructive("Clear history")
    assert is_destructive("Konto löschen")


@pytest.mark.parametrize(
    ("said", "verb"),
    [
        ("Neue Kategorie erstellen", "create"),
        ("Änderungen speichern", "save"),
        ("Uložit změny", "save"),
        ("Nouvel article", "new"),
        ("Insérer", "insert"),
    ],
)
def test_new_and_change_give_way_to_another_verb(said: str, verb: str) -> None:
    assert foreign_action(said)[0] == verb


def test_a_count_in_front_says_how_many_there_are() -> None:
    assert action_of("1 comment") == ""
    assert action_of("0 open tickets") == ""
    assert action_of("Comment") == "comment"


def test_what_was_made_of_a_verb_is_none() -> None:
    said = ("Bewertungen", "Publicaciones", "Réservations", "Bestellingen", "Публикации")
    assert [foreign_action(each)[0] for each in said] == [""] * len(said)
