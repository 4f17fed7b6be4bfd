from __future__ import annotations

import pytest

from tabmux.analysis.insights.third_parties import analyse, entity, site
from tabmux.analysis.trace.call_frames import CallFrame
from tests.analysis.insight_set_samples import calls, part, request

OURS = CallFrame("main", "https://cdn.shop.test/app.js")
TAG = CallFrame("tag", "https://www.googletagmanager.com/gtm.js")


def test_time_in_a_call_made_by_another_is_charged_to_the_callee() -> None:
    nested = calls((100, 50, OURS), (110, 20, TAG), (115, 5, OURS), (300, 10, TAG))
    sent = (request("https://cdn.shop.test/app.js"), request(TAG.url, encoded=5000))
    found = analyse(part(*sent, calls=nested))

    assert found.details == ("Google Tag Manager: 25 ms, 5 kB",)
    assert found.finding == "1 other site took 25 ms of the main thread and sent 5 kB"
    assert found.resources == (TAG.url,)


def test_other_site_that_cost_nothing_is_left_out() -> None:
    cached = request("https://fonts.example/a.woff2", encoded=0)
    found = analyse(part(cached, calls=calls((100, 0.01, CallFrame("f", cached.url)))))

    assert not found.noteworthy
    assert found.details == ()


def test_page_of_its_own_has_no_third_parties() -> None:
    assert not analyse(part(request("https://cdn.shop.test/app.js"))).noteworthy


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.shop.test/a", "shop.test"),
        ("https://a.b.shop.co.uk/", "shop.co.uk"),
        ("https://me.github.io/x", "me.github.io"),
        ("https://x.bucket.s3.amazonaws.com/", "bucket.s3.amazonaws.com"),
        ("http://127.0.0.1:8080/", "127.0.0.1"),
        ("http://[::1]:8080/", "::1"),
        ("http://localhost:9342/", "localhost"),
        ("about:blank", ""),
    ],
)
def test_site_is_what_someone_could_have_registered(url: str, expected: str) -> None:
    assert site(url) == expected


def test_known_services_go_by_their_owner() -> None:
    assert entity("https://connect.facebook.net/en/sdk.js") == "Facebook"
