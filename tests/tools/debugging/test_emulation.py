from __future__ import annotations

from http.server import BaseHTTPRequestHandler

import pytest

from tests.agent import Agent
from tests.site import _send

CASES = [
    ({"colorScheme": "dark"}, "matchMedia('(prefers-color-scheme: dark)').matches", "true"),
    ({"prefersReducedMotion": "reduce"}, "matchMedia('(prefers-reduced-motion: reduce)').matches", "true"),
    ({"prefersContrast": "more"}, "matchMedia('(prefers-contrast: more)').matches", "true"),
    ({"forcedColors": "active"}, "matchMedia('(forced-colors: active)').matches", "true"),
    ({"userAgent": "Test/1"}, "navigator.userAgent", '"Test/1"'),
    ({"userAgent": "Mozilla/5.0 (Linux; Android 14) Chrome/150.0.1.2 Mobile"},
     "[navigator.userAgentData.mobile, navigator.userAgentData.platform, navigator.userAgentData.brands[0].version]",
     '[true,"Android","150"]'),
    ({"viewport": "400x800x2,mobile,touch"}, "[innerWidth, devicePixelRatio, navigator.maxTouchPoints]", "[400,2,1]"),
    ({"timezone": "Asia/Tokyo"}, "Intl.DateTimeFormat().resolvedOptions().timeZone", '"Asia/Tokyo"'),
    ({"locale": "de-DE"}, "(1.5).toLocaleString()", '"1,5"'),
]  # fmt: skip
META = "<meta name=viewport content='width=device-width'>"


@pytest.mark.parametrize(("arguments", "expression", "value"), CASES)
async def test_page_sees_it_and_it_survives_a_navigation_and_is_undone(
    agent: Agent, arguments: dict[str, str], expression: str, value: str
) -> None:
    await agent.open(META)
    before = await agent.value(expression)
    text = await agent("emulate", **arguments)
    assert "Emulati" in text.split("\n")[1]
    assert await agent.value(expression) == value
    await agent("navigate_page", url=agent.site.page(META + "again"))
    assert await agent.value(expression) == value
    assert "Emulating" in await agent("take_snapshot")
    assert "Nothing is emulated" in await agent("emulate")
    await agent("navigate_page", url=agent.site.page(META + "once more"))
    assert await agent.value(expression) == before


async def test_offline_really_is_and_ends(agent: Agent) -> None:
    there = agent.site.page("<title>There</title>")
    await agent("navigate_page", url=there)
    await agent("emulate", networkConditions="Offline")
    assert (await agent.fails("navigate_page", url=there))[0] == "navigation_failed"
    await agent("emulate")
    assert "There" in await agent("navigate_page", url=there)


async def test_headers_are_sent_kept_and_dropped(agent: Agent) -> None:
    seen: list[str | None] = []

    def answer(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers.get("x-test"))
        _send(handler, b"ok")

    url = agent.site.route(answer)
    await agent("emulate", extraHttpHeaders='{"X-Test": "yes"}')
    await agent("navigate_page", url=url)
    await agent("emulate", colorScheme="dark")
    await agent("navigate_page", url=url)
    await agent("emulate", extraHttpHeaders="")
    await agent("navigate_page", url=url)
    assert seen == ["yes", "yes", None]


async def test_frames_of_other_sites_see_it_too(agent: Agent) -> None:
    inner = agent.site.page("<script>document.write(navigator.userAgent)</script>", other=True)
    await agent.open("x")
    await agent("emulate", userAgent="Test/2")
    assert "Test/2" in await agent.open(f"<iframe src='{inner}'></iframe>")


@pytest.mark.parametrize(
    "arguments",
    [
        {"geolocation": "north"},
        {"geolocation": "91,0"},
        {"viewport": "wide"},
        {"viewport": "0x100x1"},
        {"cpuThrottlingRate": 50},
        {"extraHttpHeaders": "[1]"},
        {"extraHttpHeaders": '{"a":' * 20_000 + "1" + "}" * 20_000},
        {"networkConditions": "Dial-up"},
    ],
)
async def test_nonsense_is_refused(agent: Agent, arguments: dict[str, object]) -> None:
    assert (await agent.fails("emulate", **arguments))[0] == "bad_arguments"


async def test_content_gets_the_size_asked_for(agent: Agent) -> None:
    assert await agent("resize_page", width=900, height=700) == "The page is now 900 x 700."
    assert await agent.value("[innerWidth, innerHeight]") == "[900,700]"


async def test_tab_behind_another_is_resized_too_and_stays_so(agent: Agent) -> None:
    await agent.open("first")
    await agent("new_page", url=agent.site.page("<title>behind</title>"))
    assert await agent("resize_page", width=910, height=710) == "The page is now 910 x 710."
    await agent("emulate", viewport="400x800x2")
    assert await agent.value("[innerWidth, innerHeight]") == "[400,800]"
    await agent("emulate")
    assert await agent.value("[innerWidth, innerHeight]") == "[910,710]"
    assert await agent("resize_page", width=920, height=720) == "The page is now 920 x 720."
