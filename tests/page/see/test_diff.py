from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tabmux.page.see.diff import NOTHING, diff

BEFORE = """\
uid=a1_1 RootWebArea "Shop"
  uid=a1_2 heading "Cart" level="1"
  list
    listitem "Apple"
    listitem "Pear"
  uid=a1_3 textbox "Coupon"
  uid=a1_4 button "Pay" disabled"""


def test_same_text_is_no_change() -> None:
    assert diff(BEFORE, BEFORE) == NOTHING


def test_added_removed_and_changed_lines_are_marked() -> None:
    after = BEFORE.replace('    listitem "Pear"\n', "").replace(
        'button "Pay" disabled',
        'button "Pay"\n  uid=a1_5 dialog "Done"\n    uid=a1_6 button "Close"',
    )
    assert diff(BEFORE, after) == snapshot("""\
Changes (4):
- listitem "Pear"
~ uid=a1_4 button "Pay"
+ uid=a1_5 dialog "Done"
+   uid=a1_6 button "Close"\
""")


def test_element_that_only_moved_deeper_is_no_change() -> None:
    after = BEFORE.replace("  uid=a1_3", "    uid=a1_3")
    assert diff(BEFORE, after) == NOTHING


def test_budget_is_kept_and_the_rest_is_counted() -> None:
    after = BEFORE + "".join(f'\n  uid=a1_{n} button "Button {n}"' for n in range(10, 200))
    text = diff(BEFORE, after, 300)
    assert len(text) < 400
    assert text.startswith("Changes (190):")
    assert "more changed lines" in text


def test_pages_that_share_nothing_are_not_compared_line_by_line() -> None:
    before = "\n".join(f"line {n}" for n in range(5000))
    after = "\n".join(f"other {n}" for n in range(4000))
    assert diff(before, after) == "4000 lines are shown where there were 5000; take a snapshot."


WORST = {
    "equal lines that change": ([f"  x {n % 2}" for n in range(3000)], ["  x 2"] * 3000),
    "equal lines between others": (
        [f"a {n}" if n % 3 else "same" for n in range(3000)],
        [f"b {n}" if n % 2 else "same" for n in range(3000)],
    ),
    "lines in another order": (
        [f"line {n}" for n in range(3000)],
        [f"line {n}" for n in reversed(range(3000))],
    ),
    "equal lines, one more": (
        ["x"] * 1500 + ["y"] + ["x"] * 1400,
        ["x"] * 1400 + ["z"] + ["x"] * 1500,
    ),
    "one line among very many": (
        [f'uid=a1_{n} link "Go"' for n in range(200_000)],
        [f'uid=a1_{n} link "{"Stop" if n == 100_000 else "Go"}"' for n in range(200_000)],
    ),
    "elements that change": (
        [f'uid=a1_{n} button "Go"' for n in range(3000)],
        [f'uid=a1_{n} button "Stop"' for n in range(3000)],
    ),
}


@pytest.mark.parametrize("name", WORST)
def test_no_two_pages_take_long_to_compare(name: str) -> None:
    before, after = ("\n".join(lines) for lines in WORST[name])
    seconds = []
    for _ in range(3):
        start = time.thread_time()
        text = diff(before, after)
        seconds.append(time.thread_time() - start)
    assert text.startswith(("Changes (", NOTHING))
    # A few milliseconds, on a machine that does much else.
    assert min(seconds) < 0.05


def test_pages_of_equal_lines_are_compared_by_what_is_new_and_what_is_gone() -> None:
    rows = ["  cell x"] * 1000
    before = "\n".join(["uid=1 table", *rows, "  cell old", "uid=2 button", *rows, "end"])
    after = "\n".join(
        ["uid=1 grid", *rows[1:], "  cell new", "    cell in it", "uid=2 knob", *rows, "END"]
    )
    assert diff(before, after) == snapshot("""\
Changes (8):
- cell old
- cell x
- end
~ uid=1 grid
+   cell new
+     cell in it
~ uid=2 knob
+ END\
""")


lines = st.lists(st.sampled_from(["a", "b", "  c", "uid=a1_1 x", "uid=a1_2 y", ""]), max_size=12)


@given(lines, lines)
def test_any_two_texts_can_be_compared(before: list[str], after: list[str]) -> None:
    text = diff("\n".join(before), "\n".join(after))
    assert text == NOTHING or text.startswith("Changes (")


@given(st.lists(st.sampled_from(["a", "b", "ab", ""]), min_size=1, max_size=8), st.data())
def test_only_what_is_between_the_common_lines_is_told(
    before: list[str], data: st.DataObject
) -> None:
    """Also where it is the same as what stands around it."""
    place = data.draw(st.integers(0, len(before)))
    after = [*before[:place], "uid=1 new", *before[place:]]
    assert diff("\n".join(before), "\n".join(after)) == "Changes (1):\n+ uid=1 new"
    assert diff("\n".join(after), "\n".join(before)) == "Changes (1):\n- uid=1 new"


def test_options_of_a_changed_combobox_are_left_out() -> None:
    before = 'uid=1 combobox "City" value="Berlin"\n  uid=2 option "Berlin" selected\n  uid=3 option "Paris"'
    after = 'uid=1 combobox "City" value="Paris"\n  uid=2 option "Berlin"\n  uid=3 option "Paris" selected'
    assert diff(before, after) == 'Changes (1):\n~ uid=1 combobox "City" value="Paris"'
    before, after = (text.replace("combobox", "listbox") for text in (before, after))
    assert "option" in diff(before, after)
