from __future__ import annotations

from tabmux.mcp.http.http_limits import SessionQuota
from tests.mcp.fake_backend import FakeBackend


async def test_beyond_the_quota_no_session_may_be_opened(backend: FakeBackend) -> None:
    quota = SessionQuota(1, 1)
    quota.count(backend.open(), "alice")

    assert quota.full("bob") == "Too many sessions are open."


async def test_an_address_may_have_only_its_share(backend: FakeBackend) -> None:
    quota, session = SessionQuota(3, 1), backend.open()
    quota.count(session, "alice")

    assert quota.full("alice") == "You have too many sessions open."
    assert not quota.full("bob")
    await session.close()
    assert not quota.full("alice")
    assert len(quota) == 0
