from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path

import pytest

from tabmux.browsers.addressed import ProfileSpec, UrlSpec, WebSocketSpec, parse_address
from tabmux.browsers.registry import Browsers
from tabmux.errors import BrowserTrouble, Misuse
from tests.ports import free_port


@pytest.mark.parametrize(
    ("kind", "text", "address", "name", "command"),
    [
        (UrlSpec, "http://127.0.0.1:9222", "http://127.0.0.1:9222", "", ""),
        (UrlSpec, "work=http://127.0.0.1:9222", "http://127.0.0.1:9222", "work", ""),
        (UrlSpec, "http://h:1/?a=b", "http://h:1/?a=b", "", ""),
        (UrlSpec, "http://h:1 | chrome --port=1", "http://h:1", "", "chrome --port=1"),
        (UrlSpec, "9222", "9222", "", ""),
        (WebSocketSpec, "main=ws://h/devtools/browser/x", "ws://h/devtools/browser/x", "main", ""),
    ],
)
def test_address_name_and_command_are_told_apart(
    kind: type[UrlSpec] | type[WebSocketSpec], text: str, address: str, name: str, command: str
) -> None:
    spec = parse_address(kind, text)
    assert (spec.address, spec.name, spec.start_command) == (address, name, command)
    assert spec.label == address


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (UrlSpec, "ws://h"),
        (WebSocketSpec, "http://h"),
        (UrlSpec, "host"),
        (UrlSpec, "http://["),
    ],
)
def test_wrong_scheme_is_refused(kind: type[UrlSpec] | type[WebSocketSpec], text: str) -> None:
    with pytest.raises(Misuse):
        parse_address(kind, text)


def test_same_address_is_the_same_browser() -> None:
    one, two = UrlSpec("http://h/"), UrlSpec("http://h", name="named")
    assert one.same_as(two)
    assert not one.same_as(WebSocketSpec("http://h"))


def test_running_browser_is_named_by_its_profile() -> None:
    assert ProfileSpec("/home/me/chrome").label == "running browser of /home/me/chrome"


async def test_lost_browser_is_tried_again_ever_more_rarely() -> None:
    async with Browsers() as browsers:
        browser = browsers.register(UrlSpec("http://127.0.0.1:1"))
        assert list(islice(browser.retry_delays(), 8)) == [1, 2, 4, 8, 16, 32, 60, 60]


async def test_browser_that_can_be_started_says_so_and_is_not_started_by_the_way(
    tmp_path: Path,
) -> None:
    log = tmp_path / "starts"
    command = f"touch {shlex.quote(str(log))}"
    async with Browsers() as browsers:
        spec = UrlSpec(f"http://127.0.0.1:{free_port()}", start_command=command)
        with pytest.raises(BrowserTrouble) as caught:
            await browsers.ensure_connected(browsers.register(spec))
    assert "reconnect_browser" in caught.value.hint
    assert not log.exists()
