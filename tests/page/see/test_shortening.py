from __future__ import annotations

import time

from tabmux.page.see.shortening import Line, cut, shortened
from tests.clock import AT_ONCE

PAGE = "\n".join(
    [
        'uid=a1_1 RootWebArea "T" url="http://a.test/a/long/address/that/stays"',
        *(
            f' uid=a1_{n}1 heading "Part {n}" level="2"\n'
            f'  "{"some words " * 30}"\n'
            f"  list\n"
            f'   listitem "The same everywhere"\n'
            f'  uid=a1_{n}2 link "Link {n}" url="https://other.org/some/where/{n}"\n'
            f'  uid=a1_{n}3 textbox "Field {n}" value="{"x" * 300}" length="900"\n'
            f'  uid=a1_{n}4 combobox "Choice {n}"\n   uid=a1_{n}5 option "One" selected\n'
            f'   uid=a1_{n}6 option "Two"\n  uid=a1_{n}7 button "Button {n}" disabled'
            for n in range(1, 41)
        ),
    ]
)


def test_every_line_is_read_as_it_was_written() -> None:
    for text in (*PAGE.split("\n"), '"say \\"hi\\""', "… 3 more options", "uid=a1_1 list", "list"):
        assert Line.read(text).text == text


def test_what_fits_stays_as_it_is() -> None:
    assert shortened(PAGE, 0) == PAGE
    assert shortened(PAGE, len(PAGE)) == PAGE


def test_what_is_left_out_is_what_matters_least() -> None:
    for budget in (28_000, 20_000, 12_000, 10_000):
        text = shortened(PAGE, budget)
        assert len(text) <= budget
        assert text.startswith(PAGE.partition("\n")[0])
        for n in range(1, 41):
            for control in (
                f'"Link {n}"',
                f'textbox "Field {n}"',
                f'button "Button {n}" disabled',
            ):
                assert control in text
    assert "40 texts, 40 lists, 40 listitems, 40 options" in shortened(PAGE, 10_000)


def test_fields_outlast_links() -> None:
    text = shortened(PAGE, 4_000)
    assert len(text) <= 4_000
    assert "link" not in text.rpartition("\n")[0]
    assert 'textbox "Field 1"' in text
    assert "40 links" in text


def test_a_page_of_links_shows_them_side_by_side() -> None:
    links = "\n".join(f' uid=a1_{n} link "Entry {n}" description="What it is"' for n in range(900))
    again = "\n".join(f' uid=a1_{n} link "Entry 1"' for n in range(900, 1000))
    text = shortened(f'uid=a1_1 RootWebArea "T"\n{links}\n{again}', 20_000)
    assert len(text) <= 20_000
    assert 'a1_5 "Entry 5", a1_6 "Entry 6"' in text
    assert 'a1_899 "Entry 899"' in text
    assert "Left out: 100 links." in text


def test_what_is_cut_keeps_its_end_and_whole_characters() -> None:
    assert cut("short", 10) == "short"
    assert cut("abcdefghijklmnopqrstuvwxyz", 16) == "abcdefghijklmno…"
    assert cut("abcde " * 20, 40) == "abcde abcde abcde abcde abc … cde abcde "
    assert cut('\\"' * 20, 16).count("\\") == cut('\\"' * 20, 16).count('"')


def test_a_page_of_nothing_but_text_shows_its_beginning() -> None:
    page = ['uid=a1_1 RootWebArea "Nodes"', *(f'  "text {n}"' for n in range(50_000))]
    found = shortened("\n".join(page), 2_000)
    assert '"text 0"' in found
    assert '"text 49999"' not in found
    assert 1_000 < len(found) <= 2_000
    assert "Left out: 49" in found


def test_what_stands_behind_half_a_million_texts_is_shown_at_once() -> None:
    texts = (f' "text {n}"' for n in range(500_000))
    page = ['uid=a1_1 RootWebArea "Nodes"', *texts, ' "text 1"', ' uid=a1_2 button "Last"']
    began = time.monotonic()
    found = shortened("\n".join(page), 20_000)
    assert time.monotonic() - began < AT_ONCE / 2
    assert ' uid=a1_2 button "Last"' in found
    shown = sum(' "text ' in line for line in found.split("\n"))
    assert shown > 1_000
    assert f"Left out: {500_001 - shown} texts." in found
