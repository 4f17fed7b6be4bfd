from __future__ import annotations

from typing import Any

import pytest

from tabmux.analysis.insights.cache import analyse, cache_expiry, hit_probability
from tests.analysis.insight_set_samples import part, request


def kept(control: str | None = None, **more: Any) -> float | None:
    headers = {} if control is None else {"cache-control": control}
    expiry = cache_expiry(request("a.js", **({"kind": "Script", "headers": headers} | more)))
    return None if expiry is None else expiry.seconds


def test_file_without_a_lifetime_is_fetched_again() -> None:
    assert kept() == 0


@pytest.mark.parametrize(
    "control", ["max-age=60", "public, MAX-AGE=60", 'max-age="60"', "max-age=60, ,"]
)
def test_short_lifetime_is_read_however_it_is_written(control: str) -> None:
    assert kept(control) == 60


@pytest.mark.parametrize(
    "control",
    [
        "no-store",
        "no-cache",
        "private, max-age=60",
        "must-revalidate",
        "max-age=0",
        "max-age=31536000",
    ],
)
def test_deliberate_or_long_lifetime_is_left_alone(control: str) -> None:
    assert kept(control) is None


def test_expiry_date_counts_when_no_age_is_given() -> None:
    dates = {"date": "Sun, 15 Nov 2026 08:00:00 GMT", "expires": "Sun, 15 Nov 2026 09:00:00 GMT"}

    assert kept(headers=dates) == 3600
    assert kept(headers={"expires": "-1"}) is None
    assert kept(headers=dates | {"expires": "soon"}) is None


@pytest.mark.parametrize("more", [{"kind": "Fetch"}, {"status": 404}, {"encoded": 0}])
def test_only_whole_static_files_count(more: dict[str, Any]) -> None:
    assert kept(**more) is None


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(0, 0), (720, 0.1), (3600, 0.2), (7200, 0.25), (31_536_000, 1), (9e9, 1)],
)
def test_chance_of_a_hit_grows_with_the_lifetime(seconds: float, expected: float) -> None:
    assert round(hit_probability(seconds), 6) == expected


def test_files_are_listed_by_what_they_cost() -> None:
    forever = request("c.js", kind="Script", headers={"cache-control": "max-age=31536000"})
    small = request("a.js", kind="Script")
    large = request("b.jpg", kind="Image", encoded=50_000, headers={"cache-control": "max-age=720"})
    found = analyse(part(small, large, forever))

    assert found.finding == "2 files expire too soon; a returning visitor fetches 46 kB again"
    assert found.details == (
        "45 kB, kept 12 min: https://shop.test/b.jpg",
        "1 kB, no lifetime given: https://shop.test/a.js",
    )
    assert found.noteworthy


@pytest.mark.parametrize("url", ["blob:https://shop.test/1", "file:///tmp/a.js"])
def test_file_that_no_server_sent_is_left_alone(url: str) -> None:
    assert cache_expiry(request(url, kind="Script")) is None


def test_one_file_expires_and_two_expire() -> None:
    files = [request(name, kind="Script") for name in ("a.js", "b.js")]

    assert analyse(part(files[0])).finding.startswith("1 file expires too soon")
    assert analyse(part(*files)).finding.startswith("2 files expire too soon")
