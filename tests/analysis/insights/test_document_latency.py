from __future__ import annotations

import pytest

from tabmux.analysis.insights.document_latency import analyse, compressible
from tests.analysis.insight_set_samples import document, loaded
from tests.analysis.trace_builder import recorded


def test_redirect_is_counted_with_its_time() -> None:
    found = analyse(recorded("navigations").sets[0])

    assert (found.finding, found.noteworthy) == ("1 redirect cost 16 ms", True)


def test_slow_server_is_named_with_what_it_could_save() -> None:
    found = analyse(loaded(document=document(server_ms=900.0)))

    assert found.finding == "the server took 900 ms"
    assert found.savings.ms == 800


def test_uncompressed_document_is_named() -> None:
    found = analyse(loaded(document=document(decoded=10_000)))

    assert found.finding == "the HTML is not compressed, 6.7 kB could go"
    assert found.savings.bytes == 6700


@pytest.mark.parametrize(
    ("mime", "headers", "length", "expected"),
    [
        ("text/html", {}, 1399, 0),
        ("text/html", {"content-encoding": "gzip"}, 5000, 0),
        ("text/html", {"content-encoding": "identity, br"}, 5000, 0),
        ("text/plain", {}, 2000, 1000),
        ("application/pdf", {}, 5000, 0),
    ],
)
def test_only_plain_text_of_some_length_can_be_compressed(
    mime: str, headers: dict[str, str], length: int, expected: float
) -> None:
    assert compressible(document(mime=mime, headers=headers, decoded=length)) == expected


def test_quick_document_passes() -> None:
    assert not analyse(loaded()).noteworthy
