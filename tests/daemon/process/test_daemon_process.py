from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from tabmux.folders import runtime_folder
from tests.chromium import Chromium, chromium
from tests.daemon.process.relays import relay, run
from tests.site import Site


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def daemon(home: dict[str, str], browser: Chromium) -> AsyncIterator[dict[str, str]]:
    code, out = await run(home, "daemon", "start", "--browser-url", browser.url)
    assert code == 0, out
    yield home
    await run(home, "daemon", "stop")


async def test_two_clients_that_start_at_once_share_one_daemon(
    home: dict[str, str], browser: Chromium, site: Site
) -> None:
    flags = ("--browser-url", browser.url)
    async with relay(home, *flags) as one, relay(home, *flags) as two:
        await one.call("navigate_page", url=site.page("<title>One</title>"))
        await two.call("navigate_page", url=site.page("<title>Two</title>"))
        for client, mine, other in ((one, "One", "Two"), (two, "Two", "One")):
            text = await client.call("list_pages")
            assert mine in text
            assert other not in text
        _, status = await run(home, "daemon", "status", "--json")
        assert len(json.loads(status)["sessions"]) == 2
    code, _ = await run(home, "daemon", "stop")
    assert code == 0
    assert browser.process.returncode is None


async def test_socket_and_its_folder_are_private(daemon: dict[str, str]) -> None:
    folder = Path(runtime_folder(daemon["HOME"]))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "daemon.sock").stat().st_mode & 0o777 == 0o600


async def test_folder_that_is_a_link_is_refused(home: dict[str, str], tmp_path: Path) -> None:
    runtime = Path(runtime_folder(home["HOME"]))
    runtime.parent.mkdir(parents=True)
    runtime.symlink_to(tmp_path)
    code, out = await run(home, "daemon", "run")
    assert code == 1
    assert "not a folder of yours" in out


async def test_session_survives_its_connection_and_is_taken_up_again(
    daemon: dict[str, str], site: Site
) -> None:
    async with relay(daemon, session="work") as client:
        await client.call("navigate_page", url=site.page("<title>Kept</title><button>Go</button>"))
        snapshot = await client.call("take_snapshot")
        client.send("tools/call", WAITING)
        await run(daemon, "daemon", "status")
        client.process.kill()
        await client.process.wait()
    uid = snapshot.split('button "Go"')[0].split("uid=")[-1].strip()
    async with relay(daemon, session="work") as client:
        assert "Clicked" in await client.call("click", uid=uid)
        assert "Kept" in await client.call("list_pages")


async def kill_daemon(home: dict[str, str]) -> None:
    _, status = await run(home, "daemon", "status", "--json")
    os.kill(int(json.loads(status)["pid"]), signal.SIGKILL)


WAITING = {"name": "wait_for", "arguments": {"text": ["never"], "timeout": 30_000}}


async def test_client_ends_when_its_daemon_is_stopped(
    home: dict[str, str], browser: Chromium
) -> None:
    async with relay(home, "--browser-url", browser.url) as client:
        await run(home, "daemon", "stop")
        async with asyncio.timeout(40):
            assert await client.process.wait() == 0
    assert (await run(home, "daemon", "status"))[0] == 1


async def test_killed_daemon_is_replaced_by_the_next_client(
    daemon: dict[str, str], browser: Chromium
) -> None:
    await kill_daemon(daemon)
    async with relay(daemon, "--browser-url", browser.url) as client:
        assert "## Pages" in await client.call("list_pages")
    assert browser.process.returncode is None


async def test_daemon_whose_socket_was_deleted_is_found_again(
    daemon: dict[str, str], site: Site
) -> None:
    """As cleaners of temporary folders do; no second daemon comes in its place."""
    async with relay(daemon, session="work") as client:
        await client.call("navigate_page", url=site.page("<title>Kept</title>"))
        (Path(runtime_folder(daemon["HOME"])) / "daemon.sock").unlink()
        async with relay(daemon, session="work") as second:
            assert "Kept" in await second.call("list_pages")


async def test_call_and_batch_work_in_a_named_session(
    daemon: dict[str, str], site: Site, tmp_path: Path
) -> None:
    code, out = await run(daemon, "session", "new", "--name", "shop")
    assert code == 0
    assert out.startswith("session=shop handle=")
    url = site.page("<title>Shop</title>")
    code, out = await run(daemon, "call", "navigate_page", f"url={url}", "--session", "shop")
    assert code == 0
    assert out.startswith(f"Successfully navigated to {url}")
    code, out = await run(daemon, "call", "take_screenshot", "--session", "shop", "--json")
    picture = Path(json.loads(out)["images"][0])
    assert picture.read_bytes().startswith(b"\x89PNG")
    picture.unlink()
    steps = tmp_path / "steps"
    steps.write_text('take_snapshot\n{"tool": "click", "arguments": {"uid": "zz"}}\nlist_pages\n')
    code, out = await run(daemon, "batch", str(steps), "--session", "shop", "--bail")
    assert code == 1
    assert "RootWebArea" in out
    assert "## Pages" not in out
    code, out = await run(daemon, "call", "list_pages", "--session", "new-one")
    assert code == 0
    _, out = await run(daemon, "session", "list")
    assert "session=new-one" in out


async def test_control_lines_answer_in_the_form_of_the_protocol(
    daemon: dict[str, str], site: Site
) -> None:
    url = site.page("<title>Page</title>")
    await run(daemon, "session", "new", "--name", "s")
    _, out = await run(daemon, "control", "session_page session=s")
    assert out == "session=s page= url=\n"
    _, out = await run(daemon, "control", f"session_new_page session=s url={url} background=true")
    page = out.split("page=")[1].split()[0]
    assert out == f"session=s page={page} url={url}\n"
    _, out = await run(daemon, "control", "session_page session=s")
    assert out == f"session=s page={page} url={url}\n"
    code, out = await run(daemon, "control", "session_new_page session=s url=file:///etc/passwd")
    assert (code, out.split()[1]) == (1, "code=refused_by_policy")
    _, out = await run(daemon, "control", "session_page session=s")
    assert f"page={page} " in out
    _, out = await run(daemon, "control", "session_release_page session=s")
    assert out == "session=s page=\n"
    _, out = await run(daemon, "control", f"session_attach session=s page={page}")
    assert out == f"session=s page={page}\n"
    _, out = await run(daemon, "control", "session_list")
    assert f"page={page} url={url}" in out
    _, out = await run(daemon, "control", "session_page session=s debug=true")
    assert out == (
        f"session=s page={page} url={url} front_page= page_id={page} "
        "page_created_by_daemon=false snapshot_epoch=0\n"
    )
    _, out = await run(daemon, "browser", "list", "--json")
    (browser,) = json.loads(out)
    assert browser["state"] == "connected"
    code, out = await run(daemon, "control", "session_page session=nobody")
    assert code == 1
    assert out.startswith("error code=no_such_session")


async def test_address_with_blanks_is_one_word_of_a_control_line(daemon: dict[str, str]) -> None:
    await run(daemon, "call", "new_page", "url=data:text/html,a page=99 b='", "--session", "s")
    _, out = await run(daemon, "session", "list", "--json")
    (session,) = json.loads(out)
    assert session["url"] == "data:text/html,a%20page=99%20b='"
    assert session["page"] != 99


@pytest.mark.timeout(120)
async def test_expired_session_loses_its_own_pages_and_leaves_attached_ones(
    home: dict[str, str], browser: Chromium
) -> None:
    await run(home, "daemon", "start", "--browser-url", browser.url, "--session-idle", "8")
    try:
        await run(home, "session", "new", "--name", "made")
        _, made = await run(home, "session", "page", "made")
        await run(home, "session", "new", "--name", "borrowed")
        _, keeper = await run(home, "session", "page", "borrowed")
        page = keeper.split("page=")[1].split()[0]
        await run(home, "session", "release", "borrowed")
        await run(home, "session", "attach", "borrowed", page)
        end = time.monotonic() + 40
        while (await run(home, "control", "session_list"))[1].strip() and time.monotonic() < end:
            pass
        _, listed = await run(home, "call", "list_pages")
        gone = made.split("page=")[1].split()[0]
        assert f"\n{page}: about:blank [not attached]" in listed
        assert f"\n{gone}: " not in listed
    finally:
        await run(home, "daemon", "stop")


async def test_daemon_that_nobody_needs_ends(home: dict[str, str], browser: Chromium) -> None:
    _code, out = await run(
        home,
        "daemon",
        "start",
        "--browser-url",
        browser.url,
        "--idle-exit",
        "1",
        "--session-idle",
        "1",
    )
    pid = int(out.split("pid=")[1].split()[0])
    # It may have ended before its starter has.
    with contextlib.suppress(psutil.NoSuchProcess):
        await asyncio.to_thread(psutil.Process(pid).wait, 40)
    assert (await run(home, "daemon", "status")) == (1, "No daemon runs.\n")
