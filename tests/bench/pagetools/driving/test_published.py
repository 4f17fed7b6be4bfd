"""What an agent reads in a list of page tools."""

from __future__ import annotations

from bench.pagetools.driving.published import has_words, read_listing

LISTING = """<page abc>
log_in: [shop.example] Log in {"email*": {"type": "string"}, "remember": {"type": "boolean"}}
delete_order: [shop.example] Delete {"now"} (destructive) {"index*": {"type": "integer"}}
print_page: [shop.example] Print
Also: get_page_content, open_help
Entries of delete_order:
1. First order
2. Second order: paid
</page abc>"""


def test_tools_are_read_with_their_parameters() -> None:
    log_in, delete, plain = read_listing(LISTING).tools
    assert (log_in.name, log_in.label) == ("log_in", "Log in")
    assert log_in.required == frozenset({"email"})
    assert list(log_in.parameters) == ["email", "remember"]
    assert delete.destructive
    assert delete.takes_entry
    assert delete.label == 'Delete {"now"}'
    assert not plain.parameters


def test_entries_are_read_with_their_numbers() -> None:
    assert read_listing(LISTING).entries == {1: "First order", 2: "Second order: paid"}


def test_what_is_not_published_is_known_by_name_only() -> None:
    assert read_listing(LISTING).others == ("get_page_content", "open_help")


def test_labels_are_compared_without_case_and_accents() -> None:
    assert has_words("Título", ["titulo_da_tarefa"])
    assert not has_words("Título", ["subtitulo"])
    assert not has_words("", ["anything"])
