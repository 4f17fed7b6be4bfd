from __future__ import annotations

from typing import Any

import pytest

from tabmux.analysis.insights.modern_http import analyse, is_local
from tests.analysis.insight_set_samples import part, request


def files(count: int, origin: str = "https://shop.test", **more: Any) -> list[Any]:
    told = {"kind": "Image", "protocol": "http/1.1"}
    return [request(f"{origin}/{i}.png", **(told | more)) for i in range(count)]


def test_crowded_origin_is_listed() -> None:
    found = analyse(part(*files(6)))

    assert found.finding == "6 requests went over HTTP/1; HTTP/2 or 3 would share a connection"
    assert found.details[0] == "https://shop.test: 6 files, 6 kB"


@pytest.mark.parametrize(
    "requests",
    [
        files(5),
        files(9, protocol="h2"),
        files(9, kind="Fetch"),
        files(9, cached=True),
        files(9, origin="https://cdn.other.test"),
    ],
    ids=["few", "modern", "not files", "cached", "third party"],
)
def test_what_would_gain_nothing_is_left_alone(requests: list[Any]) -> None:
    assert not analyse(part(*requests)).noteworthy


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:80", "[::1]", "app.localhost"])
def test_this_machine_is_local(host: str) -> None:
    assert is_local(f"http://{host}/a")
