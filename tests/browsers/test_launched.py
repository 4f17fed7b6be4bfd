from __future__ import annotations

import asyncio
import errno
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from tabmux.browsers import chrome_process, launched
from tabmux.browsers.browser_state import BrowserState
from tabmux.browsers.executable import find_executable, user_data_folder
from tabmux.browsers.launched import (
    QUIET_ARGUMENTS,
    LaunchedSpec,
    LaunchOptions,
    running_chrome,
    with_features_joined,
)
from tabmux.browsers.profiles import profile_folder, refuse_if_in_use, remove_profile
from tabmux.browsers.registry import Browsers
from tabmux.cdp.cdp_connection import CdpConnection
from tabmux.daemon import app
from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse, TabmuxError
from tabmux.settings import Settings
from tabmux.temporary_folder import OF_THIS_PROCESS, TemporaryFolder
from tabmux.timings import Timings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.secure_site import secure_site
from tests.serving import running
from tests.site import Site

OPTIONS = LaunchOptions(headless=True)
SERVER = [
    sys.executable,
    "-m",
    "tabmux",
    "serve",
    "--stdio",
    "--launch",
    "--headless",
    "--isolated",
]
CALL = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_pages","arguments":{}}}\n'
)


def chromes_of(parent: psutil.Process) -> list[psutil.Process]:
    return [p for p in parent.children(recursive=True) if "chrom" in p.name()]


def leaders() -> set[psutil.Process]:
    """The browsers that this process has started."""
    return {p for p in chromes_of(psutil.Process()) if p.ppid() == os.getpid()}


async def gone(processes: list[psutil.Process]) -> bool:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, 20)
    return not alive


def test_what_the_user_switches_off_does_not_undo_what_tabmux_does() -> None:
    """Of several arguments Chrome heeds the last."""
    ours = [each for each in QUIET_ARGUMENTS if each.startswith("--disable-features=")]
    found = with_features_joined([*QUIET_ARGUMENTS, "--mute-audio", "--disable-features=Translate"])
    assert [each for each in found if each.startswith("--disable-features=")] == [
        f"{ours[0]},Translate"
    ]
    assert "--mute-audio" in found
    assert with_features_joined(["--mute-audio"]) == ["--mute-audio"]


def test_same_profile_is_the_same_browser() -> None:
    folder = LaunchOptions(user_data_dir=Path("/x"))
    assert LaunchedSpec(folder).same_as(LaunchedSpec(folder))
    assert not LaunchedSpec().same_as(LaunchedSpec())


def test_launched_browser_is_named_by_what_it_is() -> None:
    assert LaunchedSpec().label == "launched"
    headless = LaunchOptions(headless=True, user_data_dir=Path("/profiles/work"))
    assert LaunchedSpec(headless).label == "launched headless on work"


async def test_browser_and_its_profile_are_gone_after_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other tests make profiles of their own in the common one.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(launched, "OF_THIS_PROCESS", TemporaryFolder())
    async with running_chrome(OPTIONS) as transport:
        connection = CdpConnection(transport)
        assert "Chrom" in (await connection.browser.call("Browser.getVersion"))["product"]
        (folder,) = tmp_path.glob("tabmux-files-*/profile-*")
        chromes = chromes_of(psutil.Process())
        mine = [p for p in chromes if str(folder) in " ".join(p.cmdline())]
        assert mine
    assert await gone(mine)
    assert not folder.exists()


@pytest.mark.parametrize("temporary", [True, False])
async def test_killed_browser_leaves_no_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: bool
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(launched, "OF_THIS_PROCESS", TemporaryFolder())
    named = LaunchOptions(headless=True, user_data_dir=tmp_path / "named")
    before = leaders()
    async with running_chrome(OPTIONS if temporary else named) as transport:
        await CdpConnection(transport).browser.call("Browser.getVersion")
        (folder,) = tmp_path.glob("tabmux-files-*/profile-*" if temporary else "named")
        socket = Path(os.readlink(folder / "SingletonSocket"))
        assert socket.is_socket()
        (leader,) = leaders() - before
        leader.kill()
    assert not socket.parent.exists()
    assert temporary or folder.exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
async def test_no_browser_outlives_a_server_that_is_killed(number: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        *SERVER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(CALL)
    async with asyncio.timeout(50):
        while b'"id":2' not in await process.stdout.readline():
            pass
    chromes = chromes_of(psutil.Process(process.pid))
    assert chromes
    os.kill(process.pid, number)
    await process.communicate()
    assert await gone(chromes)


async def test_profile_in_use_is_refused_and_its_user_named(tmp_path: Path) -> None:
    options = LaunchOptions(headless=True, user_data_dir=tmp_path)
    async with running_chrome(options) as transport:
        await CdpConnection(transport).browser.call("Browser.getVersion")
        with pytest.raises(BrowserTrouble, match=r"is in use by chrom.* \(process \d+\)"):
            async with running_chrome(options):
                pass
    refuse_if_in_use(tmp_path)
    assert tmp_path.exists()


def test_lock_of_a_dead_process_is_no_obstacle(tmp_path: Path) -> None:
    os.symlink(f"{os.uname().nodename}-999999999", tmp_path / "SingletonLock")
    refuse_if_in_use(tmp_path)


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".hidden", "x" * 65, "a\0b"])
def test_profile_names_cannot_leave_their_folder(name: str) -> None:
    with pytest.raises(Misuse):
        profile_folder(name)


def test_profiles_are_made_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = profile_folder("work")
    assert folder.is_relative_to(tmp_path)
    assert folder.stat().st_mode & 0o077 == 0
    remove_profile("work")
    assert not folder.exists()
    with pytest.raises(Misuse, match="no profile"):
        remove_profile("work")


def test_named_browser_is_found_as_text(tmp_path: Path) -> None:
    """Not as a path: the environment of a process takes only text."""
    program = tmp_path / "chrome"
    program.touch(mode=0o700)
    found = find_executable(path=str(program))
    assert (type(found), found) == (str, str(program))


def test_missing_browsers_are_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BrowserTrouble, match="no browser to start at"):
        find_executable(path="/nowhere/chrome")
    with pytest.raises(Misuse, match="Unknown channel"):
        find_executable("nightly")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BrowserTrouble, match="No browser is installed"):
        find_executable()
    with pytest.raises(BrowserTrouble, match="channel beta"):
        find_executable("beta")


def test_each_channel_has_a_folder_of_its_own() -> None:
    folders = {user_data_folder(name) for name in (None, "beta", "chromium", "edge", "brave")}
    assert len(folders) == 5
    with pytest.raises(Misuse):
        user_data_folder("nightly")


async def test_browser_that_dies_as_it_starts_is_quoted(tmp_path: Path) -> None:
    program = tmp_path / "chrome"
    program.write_text(
        "#!/bin/sh\necho 'libnss3.so: cannot open shared object file' >&2\nexit 127\n"
    )
    program.chmod(0o755)
    async with Browsers() as browsers:
        options = LaunchOptions(headless=True, executable_path=str(program))
        with pytest.raises(BrowserTrouble, match=r"ended as it started: libnss3\.so: cannot open"):
            await browsers.connect(browsers.register(LaunchedSpec(options)))


async def test_browser_that_writes_without_end_is_not_held_up(tmp_path: Path) -> None:
    program = tmp_path / "chrome"
    program.write_text("#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x >&2\necho the end >&2\n")
    program.chmod(0o755)
    async with Browsers() as browsers:
        options = LaunchOptions(headless=True, executable_path=str(program))
        with pytest.raises(BrowserTrouble, match=r"xthe end$") as caught:
            await browsers.connect(browsers.register(LaunchedSpec(options)))
    assert len(caught.value.message) < 1500


async def test_frozen_browser_is_killed_at_once() -> None:
    before = leaders()
    async with running_chrome(OPTIONS) as transport:
        await CdpConnection(transport).browser.call("Browser.getVersion")
        (leader,) = leaders() - before
        leader.suspend()
        began = time.monotonic()
    assert time.monotonic() - began < chrome_process.STOP_SECONDS
    assert await gone([leader])


async def test_start_that_fails_leaves_no_descriptor_open(monkeypatch: pytest.MonkeyPatch) -> None:
    OF_THIS_PROCESS.make("warm-up").rmdir()
    opened = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    for error in (OSError(errno.EMFILE, "Too many open files"), OSError(errno.ENOEXEC, "no")):

        def fail(*_: object, error: OSError = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(os, "posix_spawn", fail)
        with pytest.raises(TabmuxError) as caught:
            async with running_chrome(OPTIONS):
                pass
        assert caught.value.code == (
            "too_many_files" if error.errno == errno.EMFILE else "browser_unreachable"
        )
    assert not opened or len(os.listdir("/proc/self/fd")) == opened


async def test_browser_that_was_frozen_for_a_while_keeps_its_pages() -> None:
    async with Browsers(Timings(heartbeat=0.05, heartbeat_deadline=0.05)) as browsers:
        before = leaders()
        browser = await browsers.connect(browsers.register(LaunchedSpec(OPTIONS)))
        (leader,) = leaders() - before
        page = await browser.new_page()
        leader.suspend()
        with pytest.raises(DeadlineExceeded):
            await browser.channel.call("Browser.getVersion", timeout=1)
        leader.resume()
        await browser.channel.call("Browser.getVersion")
        assert browser.state is BrowserState.CONNECTED
        assert browser.history.connections == 1
        assert page in browser.pages.values()


async def test_frozen_browser_does_not_hold_up_the_end_of_the_server() -> None:
    before = leaders()
    async with app.running(Settings(launch=True, headless=True, isolated=True)) as server:
        sessions = [server.open() for _ in range(2)]
        for session in sessions:
            await session.open_page(server.browsers.all()[0])
        (leader,) = leaders() - before
        leader.suspend()
        began = time.monotonic()
    assert time.monotonic() - began < AT_ONCE
    assert await gone([leader])


@pytest.mark.parametrize("accepts", [False, True])
async def test_sites_with_untrusted_certificates_are_opened_where_the_user_says_so(
    tmp_path: Path, site: Site, accepts: bool
) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, accept_insecure_certs=accepts)
    with secure_site(tmp_path) as url:
        async with running(settings) as server, Agent.joined(server, site) as agent:
            reply = await agent.reply("navigate_page", url=url)
    assert ('("Secure")' in reply.text) == accepts
    assert ("start the browser with --accept-insecure-certs" in reply.text) == (not accepts)
