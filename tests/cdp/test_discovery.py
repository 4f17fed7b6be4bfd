from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabmux.cdp.discovery import find_endpoint, read_active_port
from tabmux.errors import BrowserTrouble, Misuse
from tests.site import Site, _send


def serve(site: Site, answer: str) -> None:
    site._routes["/json/version"] = lambda handler: _send(handler, answer.encode())


async def test_socket_address_is_taken_as_it_is() -> None:
    assert await find_endpoint("ws://host/devtools") == "ws://host/devtools"


async def test_address_is_asked_for_its_socket() -> None:
    with Site() as site:
        endpoint = f"ws://localhost:{site.port}/devtools/browser/1"
        serve(site, json.dumps({"webSocketDebuggerUrl": endpoint}))
        assert await find_endpoint(site.origin) == endpoint
        assert await find_endpoint(str(site.port)) == endpoint


async def test_socket_on_another_host_is_refused() -> None:
    with Site() as site:
        serve(site, json.dumps({"webSocketDebuggerUrl": "ws://evil.example/devtools"}))
        with pytest.raises(BrowserTrouble, match="another host"):
            await find_endpoint(site.origin)


GRID = json.dumps({"value": {"ready": True, "message": "Selenium Grid ready.", "nodes": []}})


@pytest.mark.parametrize("answer", ["<html>", "[]", "{}", "null", "[" * 100_000, GRID])
async def test_answer_of_something_else_is_refused(answer: str) -> None:
    with Site() as site:
        serve(site, answer)
        with pytest.raises(BrowserTrouble, match="not as a browser does"):
            await find_endpoint(site.origin)


async def test_nobody_there_is_said_plainly() -> None:
    with pytest.raises(BrowserTrouble, match=r"No browser answers at http://127\.0\.0\.1:1"):
        await find_endpoint("1")


@pytest.mark.parametrize("address", ["", "ftp://host", "chrome"])
async def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(Misuse):
        await find_endpoint(address)


def test_profile_folder_tells_the_socket_of_its_browser(tmp_path: Path) -> None:
    (tmp_path / "DevToolsActivePort").write_text("9222\n/devtools/browser/abc\n")
    assert read_active_port(tmp_path) == "ws://127.0.0.1:9222/devtools/browser/abc"


@pytest.mark.parametrize("content", [None, "", "port\n/path", "9222"])
def test_profile_without_a_running_browser_is_an_error(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "DevToolsActivePort").write_text(content)
    with pytest.raises(BrowserTrouble):
        read_active_port(tmp_path)
