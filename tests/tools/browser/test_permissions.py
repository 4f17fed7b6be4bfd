from __future__ import annotations

from tests.agent import Agent

STATE = "async (name) => (await navigator.permissions.query({name: 'geolocation'})).state"


async def state(agent: Agent) -> str:
    text = await agent("evaluate_script", function=STATE)
    return next(word for word in ("granted", "denied", "prompt") if f'"{word}"' in text)


async def test_permission_is_granted_to_an_origin_and_reset(whole: Agent) -> None:
    await whole("new_page", url=whole.site.page("<p>Page</p>"), isolatedContext="permissions")
    before = await state(whole)
    text = await whole("grant_permissions", permissions=["geolocation", "notifications"])
    assert f"{whole.site.origin} may use geolocation, notifications" in text
    assert await state(whole) == "granted"
    await whole("grant_permissions", permissions=["geolocation"], origin=whole.site.other_origin)
    await whole("navigate_page", url=whole.site.page("<p>Other</p>", other=True))
    assert await state(whole) == "granted"
    await whole("grant_permissions", reset=True)
    assert await state(whole) == before


async def test_permissions_are_checked(whole: Agent) -> None:
    await whole("new_page", url="about:blank")
    for arguments in ({}, {"permissions": ["flying"]}, {"permissions": ["geolocation"]}):
        code, _ = await whole.fails("grant_permissions", **arguments)
        assert code == "bad_arguments"
