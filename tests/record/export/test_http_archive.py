from __future__ import annotations

import pytest

from tabmux.record.call_entry import RecordedRequest
from tabmux.record.export.http_archive import har_entry


@pytest.mark.parametrize(
    ("url", "query"),
    [
        ("https://a.test/?q=1&empty=", [("q", "1"), ("empty", "")]),
        ("app://[no-address?q=1", []),
    ],
)
def test_request_has_its_query_where_its_address_is_one(
    url: str, query: list[tuple[str, str]]
) -> None:
    made = har_entry(RecordedRequest("GET", url, 200, "Document", 0.0, 1.0, 10, "text/html", ""))
    assert made["request"]["url"] == url
    found = [(each["name"], each["value"]) for each in made["request"]["queryString"]]
    assert found == query
