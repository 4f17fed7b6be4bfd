"""Command ui: links to the live view of the daemon, and of a server over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import urllib.error
import urllib.request
from http.cookiejar import CookieJar

import pytest

from tests.cli.command_line import daemon, tabmux
from tests.daemon.server import process

NO_BROWSER = ("--browser-url", "http://127.0.0.1:1")


def opened(link: str) -> tuple[urllib.request.OpenerDirector, str]:
    """Follow a link as a browser does that keeps cookies."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with opener.open(link, timeout=10) as answer:
        assert answer.status == 200
    host = link.partition("/ui/")[0]
    with opener.open(f"{host}/ui/", timeout=10) as answer:
        return opener, answer.read().decode()


def test_the_daemon_gives_links_that_steer_once_and_links_that_view(home: dict[str, str]) -> None:
    with daemon(home, *NO_BROWSER):
        link = tabmux(home, "ui", "--no-open").stdout.strip()
        assert re.match(r"http://127\.0\.0\.1:\d+/ui/enter\?pass=", link)
        assert "/ui/static/main.js" in opened(link)[1]
        with pytest.raises(urllib.error.HTTPError, match="401"):
            opened(link)

        told = json.loads(tabmux(home, "ui", "--view-only", "--minutes", "5", "--json").stdout)
        assert told["viewOnly"] is True
        assert told["url"].partition("/enter")[0] == link.partition("/enter")[0]
        for _ in range(2):
            assert "/ui/static/main.js" in opened(told["url"])[1]


def test_without_a_daemon_it_says_so(home: dict[str, str]) -> None:
    ended = tabmux(home, "ui", "--no-open")
    assert ended.returncode != 0
    assert "No daemon runs." in ended.stderr


async def test_a_server_over_http_has_a_live_view_too(home: dict[str, str]) -> None:
    async with process(home, *NO_BROWSER) as server, asyncio.timeout(60):
        assert server.stdout is not None
        ready = (await server.stdout.readline()).decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", ready)
        assert found is not None
        ended = await asyncio.to_thread(tabmux, home, "ui", "--no-open", "--port", found[1])
        link = ended.stdout.strip()
        assert link.startswith(f"{found[0]}/ui/enter?pass=")
        opener, page = await asyncio.to_thread(opened, link)
        assert "/ui/static/main.js" in page
        # What lets a person look is no token for programs.
        with pytest.raises(urllib.error.HTTPError, match="401"):
            await asyncio.to_thread(opener.open, f"{found[0]}/metrics", None, 10)
