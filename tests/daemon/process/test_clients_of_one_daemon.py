"""One daemon, many clients: each has its own browsers, flags and tabs."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.chromium import Chromium, chromium
from tests.daemon.process.relays import relay, run
from tests.ports import free_port
from tests.site import Site

# What both MCP SDKs hand down to a server, beside HOME.
SDK_VARIABLES = ("LOGNAME", "PATH", "SHELL", "TERM", "USER")


@pytest.fixture(scope="module")
async def one(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
async def other(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def home(home: dict[str, str]) -> AsyncIterator[dict[str, str]]:
    """A home whose daemon is stopped afterwards."""
    yield home
    await run(home, "daemon", "stop")


async def daemons(home: dict[str, str]) -> int:
    """Count the daemons of a home, asked of the processes rather than of the socket."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
            variables = (process / "environ").read_bytes()
        except OSError:
            continue
        is_daemon = b"daemon" in command and f"HOME={home['HOME']}".encode() in variables
        count += is_daemon and any(word.startswith(b"run") for word in command)
    return count


async def test_clients_with_any_environment_share_one_daemon(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    flags = ("--browser-url", one.url)
    desktop = {**home, "XDG_RUNTIME_DIR": "/run/user/0", "TMPDIR": "/var/tmp", "DISPLAY": ":77"}
    needed = ("HOME", "PATH", "PYTHONPATH")
    sdk = {name: value for name, value in home.items() if name in (*SDK_VARIABLES, *needed)}
    bare = {name: value for name, value in home.items() if name in needed}
    async with (
        relay(desktop, *flags) as a,
        relay(sdk, *flags) as b,
        relay(bare, *flags) as c,
    ):
        for number, client in enumerate((a, b, c)):
            await client.call("navigate_page", url=site.page(f"<title>Mine {number}</title>"))
        for number, client in enumerate((a, b, c)):
            assert re.findall(r"Mine \d", await client.call("list_pages")) == [f"Mine {number}"]
        assert await daemons(home) == 1


async def test_each_client_sees_the_browser_that_it_named(
    home: dict[str, str], one: Chromium, other: Chromium, site: Site
) -> None:
    async with (
        relay(home, "--browserUrl", one.url) as a,
        relay(home, "--browserUrl", other.url) as b,
    ):
        for client, browser in ((a, one), (b, other)):
            text = await client.call("navigate_page", url=site.page("<title>Here</title>"))
            assert text.startswith("Successfully")
            text = await client.call("list_browsers")
            assert f"[1] {browser.url} - connected" in text
            assert "Total browsers: 1" in text
            assert "more browser" in text


@pytest.mark.parametrize(
    "flags", [["--verbose"], ["--uid-style", "long"], ["--tools", "+files"], ["--headless"]]
)
async def test_flags_of_a_second_client_leave_the_first_alone(
    home: dict[str, str], one: Chromium, site: Site, flags: list[str]
) -> None:
    async with relay(home, "--browser-url", one.url) as first, relay(home, *flags) as second:
        await second.call("list_browsers")
        text = await first.call("navigate_page", url=site.page("<title>Fine</title>"))
        assert text.startswith("Successfully")
        assert "Total browsers: 1" in await first.call("list_browsers")


async def test_isolated_browsers_are_each_client_s_own(home: dict[str, str], site: Site) -> None:
    flags = ("--isolated", "--headless")
    async with relay(home, *flags) as a, relay(home, *flags) as b:
        for name, client in (("a", a), ("b", b)):
            await client.call("navigate_page", url=site.page("<title>Own</title>"))
            await client.call("evaluate_script", function=f"() => document.cookie = 'who={name}'")
            assert "Total browsers: 1" in await client.call("list_browsers")
        assert "who=a" in await a.call("evaluate_script", function="() => document.cookie")
        assert "who=b" in await b.call("evaluate_script", function="() => document.cookie")


async def test_dead_address_of_one_client_is_nobody_elses_trouble(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    dead = f"http://127.0.0.1:{free_port()}"
    async with relay(home, "--browser-url", dead) as unlucky:
        assert "browser_unreachable" in await unlucky.call("list_pages")
        async with relay(home, "--browser-url", one.url) as client:
            text = await client.call("navigate_page", url=site.page("<title>Fine</title>"))
            assert text.startswith("Successfully")


async def test_flags_of_a_client_are_for_its_own_session(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    url = site.page("<title>Flags</title><button>Go</button>")
    own = ("--tools", "+files", "--uid-style", "long", "--no-fence", "--viewport", "700x500")
    async with (
        relay(home, "--browser-url", one.url) as usual,
        relay(home, "--browser-url", one.url, *own) as special,
    ):
        names = {}
        for client in (usual, special):
            tools = (await client.request("tools/list", {}))["tools"]
            names[client] = {tool["name"] for tool in tools}
            await client.call("navigate_page", url=url)
        assert names[special] - names[usual] >= {"list_downloads"}
        assert "uid=u:" in await special.call("take_snapshot")
        assert "uid=u:" not in await usual.call("take_snapshot")
        size = "() => `${innerWidth}x${innerHeight}`"
        assert "700x500" in await special.call("evaluate_script", function=size)
        assert "700x500" not in await usual.call("evaluate_script", function=size)
        assert "<page " in await usual.call("take_snapshot")
        assert "<page " not in await special.call("take_snapshot")


async def test_narrower_rules_hold_for_the_client_that_wants_them(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    flags = ("--browser-url", one.url)
    async with (
        relay(home, *flags) as usual,
        relay(home, *flags, "--read-only") as flagged,
        relay({**home, "TABMUX_READ_ONLY": "1"}, *flags) as by_environment,
    ):
        page = site.page("<title>Rules</title>")
        for client in (usual, flagged, by_environment):
            assert (await client.call("navigate_page", url=page)).startswith("Successfully")
        call = {"name": "evaluate_script", "arguments": {"function": "() => 1"}}
        assert not (await usual.request("tools/call", call))["isError"]
        for client in (flagged, by_environment):
            assert (await client.request("tools/call", call))["isError"]


@pytest.mark.parametrize(
    "flags",
    [["--idle-exit", "7"], ["--allow-path", "/srv"], ["--deny-url", "a.com"], ["--port", "4444"]],
)
async def test_what_concerns_every_client_is_refused_with_the_way_to_change_it(
    home: dict[str, str], one: Chromium, flags: list[str]
) -> None:
    await run(home, "daemon", "start", "--browser-url", one.url)
    code, text = await run(home, *flags)
    assert code == 1
    assert f"without this {flags[0]}" in text
    assert "tabmux daemon restart" in text


async def test_sessions_are_listed_with_who_uses_them_and_how(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    async with relay(home, "--browser-url", one.url, session="work") as client:
        await client.call("navigate_page", url=site.page("<title>Work</title>"))
        _, out = await run(home, "session", "list", "--json")
        (found,) = json.loads(out)
        assert found["client"] == "t/1"
        assert found["last_call"] == "navigate_page"
        assert found["browser"] == one.url
        assert int(found["age"]) < 100


async def test_stopping_the_daemon_leaves_tabs_in_the_user_s_own_browser(
    home: dict[str, str], one: Chromium, site: Site
) -> None:
    url = site.page("<title>Stays</title>")
    async with relay(home, "--browser-url", one.url) as client:
        await client.call("new_page", url=url)
        await run(home, "daemon", "stop")
    async with relay(home, "--browser-url", one.url) as client:
        assert url in await client.call("list_pages")


async def test_a_browser_that_the_user_adds_is_there_for_every_client_that_named_none(
    home: dict[str, str], one: Chromium, other: Chromium
) -> None:
    code, out = await run(home, "browser", "add", one.url, "--name", "mine", "--json")
    assert code == 0, out
    (added,) = json.loads(out)
    assert (added["name"], added["state"], added["own"]) == ("mine", "connected", True)
    async with relay(home) as client, relay(home, "--browser-url", other.url) as elsewhere:
        assert one.url in await client.call("list_browsers")
        assert one.url not in await elsewhere.call("list_browsers")
        _, out = await run(home, "browser", "list", "--json")
        assert {row["address"] for row in json.loads(out) if row["own"] is False} == {other.url}
        code, _ = await run(home, "browser", "remove", "mine")
        assert code == 0
        assert one.url not in await client.call("list_browsers")
    code, out = await run(home, "browser", "remove", "mine")
    assert code == 1
    assert "no browser" in out
