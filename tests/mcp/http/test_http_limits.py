from __future__ import annotations

import pytest

from tabmux.mcp.http.http_limits import HttpLimits, RateLimit, TokenBucket
from tabmux.mcp.http.http_request import HttpRefusal
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, http, request, serving, text


def test_a_bucket_empties_and_fills_again() -> None:
    bucket = TokenBucket(rate=10, size=2, level=2, filled=0)

    assert [bucket.take(0), bucket.take(0)] == [0, 0]
    assert bucket.take(0) == pytest.approx(0.1)
    assert bucket.take(0.1) == 0
    assert [bucket.take(100), bucket.take(100)] == [0, 0]
    assert bucket.take(100) > 0


def test_clients_do_not_share_a_bucket() -> None:
    allowed = RateLimit(rate=0.1, burst=1)
    allowed.spend("alice")
    allowed.spend("bob")

    with pytest.raises(HttpRefusal) as refused:
        allowed.spend("alice")

    assert (refused.value.status, list(refused.value.headers)) == (429, [("retry-after", "10")])


def test_only_so_many_buckets_are_kept() -> None:
    allowed = RateLimit(rate=0.1, burst=1, most_buckets=2)
    for client in ("alice", "bob", "carol", "alice"):
        allowed.spend(client)

    assert len(allowed._buckets) == 2


async def test_a_session_that_asks_too_fast_does_not_hinder_another(backend: FakeBackend) -> None:
    limits = HttpLimits(rate=0.1, burst=3)
    async with serving(backend, limits=limits) as address, http(address) as client:
        async with http(address) as other:
            await client.initialize()
            await other.initialize()
            for _ in range(3):
                await client.call("echo", text="x")
            refused = await client.post(request(9, "ping"), **client.headers)
            answer = await other.call("echo", text="calm")

    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "10"
    assert text(answer) == "calm"


async def test_one_address_may_hold_only_its_share_of_the_sessions(backend: FakeBackend) -> None:
    limits = HttpLimits(sessions=10, sessions_each=1)
    async with serving(backend, limits=limits) as address, http(address) as client:
        await client.initialize()
        refused = await client.post(request(0, "initialize", **INITIALIZE))
        answer = await client.call("echo", text="still there")

    assert refused.status_code == 503
    assert "You have too many sessions open" in refused.text
    assert text(answer) == "still there"
