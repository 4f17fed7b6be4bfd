from __future__ import annotations

import pytest

from tabmux.page.act.fill.moments import day_of, moment_of, time_of


@pytest.mark.parametrize(
    ("value", "days"),
    [
        ("2027-01-20", ["2027-01-20"]),
        ("2027-01-20T14:30", ["2027-01-20"]),
        ('["2027-01-20", "2027-02-03"]', ["2027-01-20", "2027-02-03"]),
        ("2027-01-20 – 2027-02-03", ["2027-01-20", "2027-02-03"]),
        ("2027-01-20 to 2027-02-03", ["2027-01-20", "2027-02-03"]),
        ("2027-03", ["2027-03"]),
        ("March 2027", ["2027-03"]),
        ("2041", ["2041"]),
    ],
)
def test_days_months_and_years_are_read(value: str, days: list[str]) -> None:
    moment = moment_of(value)
    assert moment is not None
    assert list(moment.days) == days


@pytest.mark.parametrize("value", ["", "Apple", "12", '["Apple"]', "[1", "13:45", "March"])
def test_what_names_no_day_is_none(value: str) -> None:
    assert moment_of(value) is None


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2027-01-20", "2027-01-20"),
        ("1/20/2027", "2027-01-20"),
        ("20/1/2027", "2027-01-20"),
        ("9.5.2027", "2027-05-09"),
        ("5/5/2027", ""),
        ("9/5/2027", ""),
        ("20/20/2027", ""),
        ("soon", ""),
    ],
)
def test_a_day_is_read_where_month_and_day_cannot_be_confused(value: str, day: str) -> None:
    assert day_of(value) == day


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("13:45", (13, 45, None)),
        ("1:45 PM", (13, 45, None)),
        ("12:05 am", (0, 5, None)),
        ("07:08:09", (7, 8, 9)),
        ("25:00", None),
        ("noon", None),
    ],
)
def test_times_are_read_in_both_ways_to_write_them(
    value: str, time: tuple[int, int, int | None] | None
) -> None:
    assert time_of(value) == time
