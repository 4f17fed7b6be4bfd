from __future__ import annotations

from tabmux.mcp.http.http_limits import SessionQuota
from tests.mcp.workshop import Workshop


async def test_beyond_the_quota_no_session_may_be_opened(shop: Workshop) -> None:
    quota = SessionQuota(1, 1)
    quota.count(shop.open(), "alice")

    assert quota.full("bob") == "Too many sessions are open."


async def test_an_address_may_have_only_its_share(shop: Workshop) -> None:
    quota, bench = SessionQuota(3, 1), shop.open()
    quota.count(bench, "alice")

    assert quota.full("alice") == "You have too many sessions open."
    assert not quota.full("bob")
    await bench.close()
    assert not quota.full("alice")
    assert len(quota) == 0
