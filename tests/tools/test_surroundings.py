"""What emulation makes of networks, places, languages and devices."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler

import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.site import _send

META = "<meta name=viewport content='width=device-width'>"
ANDROID = "Mozilla/5.0 (Linux; Android 14) Chrome/150.0.1.2 Mobile"
WHERE = """async () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
  (place) => resolve([place.coords.latitude, place.coords.longitude]),
  (error) => resolve(error.code), {maximumAge: 0, timeout: SECONDS * 1000}))"""


async def milliseconds(agent: Agent, url: str) -> float:
    script = (
        "async () => { const start = performance.now();"
        f" await (await fetch('{url}')).text(); return performance.now() - start }}"
    )
    return float((await agent("evaluate_script", function=script)).split("```json\n")[1].split()[0])


@pytest.mark.parametrize(
    ("preset", "least"), [("Slow 3G", 1900), ("Fast 3G", 500), ("Fast 4G", 150)]
)
async def test_network_has_the_latency_of_its_preset(
    agent: Agent, preset: str, least: float
) -> None:
    url = agent.site.page("x")
    await agent.open("x")
    text = await agent("emulate", networkConditions=preset)
    assert f"Emulating network conditions: {preset}" in text
    assert await milliseconds(agent, url) >= least
    await agent("emulate")
    assert min([await milliseconds(agent, url) for _ in range(5)]) < max(least, 500)


async def test_slow_network_limits_the_throughput(agent: Agent) -> None:
    url = agent.site.page("x" * 100_000)
    await agent.open("x")
    await agent("emulate", networkConditions="Slow 3G")
    assert await milliseconds(agent, url) >= 3500


async def test_slow_processor_is_slow(agent: Agent) -> None:
    # Pieces so short that many of them are done without a pause, however busy the machine is.
    work = """() => Array.from({length: 300}, () => { const start = performance.now();
      for (let i = 0, x = 0; i < 2e5; i++) x += Math.sqrt(i);
      return performance.now() - start }).sort((a, b) => a - b)"""

    async def costs() -> list[float]:
        text = await agent("evaluate_script", function=work, timeout=50_000)
        return [float(each) for each in json.loads(text.split("```json\n")[1].split("\n")[0])]

    await agent.open("x")
    before = await costs()
    assert "8x slowdown" in await agent("emulate", cpuThrottlingRate=8)
    assert (await costs())[225] > 2 * before[30]
    await agent("emulate")


async def test_place_is_set_and_clearing_really_clears(agent: Agent, app: App) -> None:
    await agent.open("x")
    page = next(iter(agent.session.pages.values()))
    browser = app.browsers.browser_of(page)
    assert browser is not None
    await browser.channel.call(
        "Browser.grantPermissions", {"permissions": ["geolocation"], "origin": agent.site.origin}
    )
    assert "latitude=48.1, longitude=11.6" in await agent("emulate", geolocation="48.1,11.6")
    assert "[48.1,11.6]" in await agent("evaluate_script", function=WHERE.replace("SECONDS", "10"))
    await agent("emulate", colorScheme="dark")
    text = await agent("evaluate_script", function=WHERE.replace("SECONDS", "1"))
    assert "[48.1,11.6]" not in text
    assert "[0,0]" not in text


async def test_client_hints_tell_the_story_of_the_user_agent(agent: Agent) -> None:
    seen: list[dict[str, str]] = []

    def note(handler: BaseHTTPRequestHandler) -> None:
        seen.append({name.lower(): value for name, value in handler.headers.items()})
        _send(handler, b"ok")

    await agent.open("x")
    await agent("emulate", userAgent=ANDROID)
    await agent("navigate_page", url=agent.site.route(note))
    assert seen[0]["user-agent"] == ANDROID
    assert seen[0]["sec-ch-ua-mobile"] == "?1"
    assert seen[0]["sec-ch-ua-platform"] == '"Android"'
    assert '"Chromium";v="150"' in seen[0]["sec-ch-ua"]
    hints = await agent(
        "evaluate_script",
        function="async () => [navigator.platform, (await navigator.userAgentData."
        "getHighEntropyValues(['fullVersionList'])).fullVersionList[0].version]",
    )
    assert '["Linux armv81","150.0.1.2"]' in hints


async def test_workers_hear_the_same_user_agent(agent: Agent) -> None:
    script = agent.site.page("postMessage(navigator.userAgent)", kind="text/javascript")
    await agent.open("x")
    await agent("emulate", userAgent="Test/4")
    heard = await agent(
        "evaluate_script",
        function=f"() => new Promise((resolve) => {{ new Worker('{script}').onmessage ="
        " (event) => resolve(event.data) })",
    )
    assert "Test/4" in heard


async def test_locale_is_that_of_the_page_and_of_its_requests(agent: Agent) -> None:
    seen: list[str | None] = []

    def note(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers.get("accept-language"))
        _send(handler, b"ok")

    await agent.open("x")
    await agent("emulate", locale="fr-FR")
    await agent("navigate_page", url=agent.site.route(note))
    assert seen == ["fr-FR"]
    languages = "[navigator.language, Intl.DateTimeFormat().resolvedOptions().locale]"
    assert await agent.value(languages) == '["fr-FR","fr-FR"]'
    await agent("emulate")
    assert "fr-FR" not in await agent.value(languages)


async def test_everything_holds_in_other_processes_and_after_leaving_the_site(
    agent: Agent,
) -> None:
    look = (
        "JSON.stringify([Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString(),"
        " navigator.userAgent, navigator.maxTouchPoints,"
        " matchMedia('(prefers-color-scheme: dark)').matches])"
    )
    inner = f"<script>document.write({look})</script>"
    frame = agent.site.page(inner, other=True)
    await agent.open("x")
    await agent(
        "emulate",
        timezone="Asia/Tokyo",
        locale="de-DE",
        userAgent="Test/3",
        viewport="400x800x2,mobile,touch",
        colorScheme="dark",
    )
    expected = ["Asia/Tokyo", "1,5", "Test/3", 1, True]
    text = await agent.open(f"{META}<iframe src='{frame}'></iframe>")
    assert json.dumps(json.dumps(expected, separators=(",", ":"))) in text
    await agent("navigate_page", url=agent.site.page(META, other=True))
    assert json.loads(json.loads(await agent.value(look))) == expected


@pytest.mark.parametrize(
    ("device", "size", "agent_word"),
    [("iPhone 15", [393, 3], "iPhone OS"), ("pixel 7", [412, 2.625], "Android")],
)
async def test_device_has_its_screen_touch_and_user_agent(
    agent: Agent, device: str, size: list[float], agent_word: str
) -> None:
    await agent.open(META)
    await agent("emulate", viewport=device)
    found = json.loads(
        await agent.value(
            "[innerWidth, devicePixelRatio, 'ontouchstart' in window, navigator.userAgent]"
        )
    )
    assert found[:3] == [*size, True]
    assert agent_word in found[3]
    await agent("emulate", viewport=device, userAgent="Mine/1")
    assert await agent.value("navigator.userAgent") == '"Mine/1"'


async def test_device_with_chrome_has_the_version_of_the_browser(agent: Agent) -> None:
    await agent.open(META)
    real = await agent.value("navigator.userAgentData.brands.map((b) => b.version).join()")
    await agent("emulate", viewport="Pixel 7")
    text = await agent.value("navigator.userAgent")
    assert text.split("Chrome/")[1].split(".")[0] in real


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"viewport": "iPhone 155"}, "Did you mean iPhone 15"),
        ({"viewport": "Toaster"}, "or name one of: iPhone SE"),
        ({"timezone": "Mars/Base"}, "like de-DE and Europe/Berlin"),
    ],
)
async def test_unknown_places_and_devices_change_nothing(
    agent: Agent, arguments: dict[str, str], hint: str
) -> None:
    await agent.open("x")
    await agent("emulate", timezone="Asia/Tokyo", colorScheme="dark")
    code, text = await agent.fails("emulate", **arguments)
    assert code == "bad_arguments"
    assert hint in text
    zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
    assert await agent.value(zone) == '"Asia/Tokyo"'
    assert "Emulating time zone: Asia/Tokyo" in await agent("take_snapshot")
