"""Daemon ending: asks the daemon to stop, and ends it by force when it does not."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from tabmux.cli.control_lines import send_line
from tabmux.cli.terminal import spinner
from tabmux.errors import DaemonTrouble
from tabmux.folders import daemon_lock, daemon_socket

if TYPE_CHECKING:
    import psutil

# Browsers that it started have five seconds of these.
STOP_SECONDS = 15.0
# One that holds the lock and does not listen is starting, or ends already.
LISTENING_SECONDS = 3.0
SIGNAL_SECONDS = 10.0
KILL_SECONDS = 5.0
# Chrome ends by itself when its pipe is closed.
BROWSER_SECONDS = 3.0
# What no browser has that tabmux did not start.
_LAUNCHED = "--remote-debugging-pipe"


def end_daemon(*, for_another: bool = False) -> None:
    """Stop the daemon, if one runs: in order if it still can, else by force.

    Args:
        for_another: Whether another one follows, so that calls under way should end first.
    """
    process = find_daemon()
    with spinner("Stopping the daemon"):
        if process is not None:
            _wait_until_listening(process)
        try:
            answered = bool(send_line("stop drain=true" if for_another else "stop", required=False))
        except DaemonTrouble:
            answered = False
        if process is None:
            if answered:
                _wait_for_socket()
            return
        if (answered or not _is_listening()) and _has_ended(process, STOP_SECONDS):
            return
    _end_by_force(process)


def find_daemon() -> psutil.Process | None:
    """Return the process that the lock names, if it is ours and does have the lock open."""
    import psutil

    try:
        with open(daemon_lock(), encoding="utf-8", errors="surrogateescape") as file:
            process = psutil.Process(int(file.readline()))
        if process.uids().real != os.getuid():
            return None
        held = any(os.path.samefile(each.path, daemon_lock()) for each in process.open_files())
    except (OSError, ValueError, psutil.Error):
        return None
    return process if held else None


def _end_by_force(process: psutil.Process) -> None:
    browsers = _launched_browsers(process)
    click.echo("The daemon does not stop when asked; ending it.", err=True)
    # The one that is stopped by a signal gets ours only when it goes on.
    for number in (signal.SIGTERM, signal.SIGCONT):
        _send(process, number)
    if not _has_ended(process, SIGNAL_SECONDS):
        # A relay that still finds the socket would start another daemon.
        with suppress(FileNotFoundError):
            os.unlink(daemon_socket())
        _send(process, signal.SIGKILL)
        if not _has_ended(process, KILL_SECONDS):
            raise DaemonTrouble(
                f"The daemon (process {process.pid}) cannot be ended.",
                hint="It may wait for a disk; see what the system says of it.",
            )
    for browser in browsers:
        if not _has_ended(browser, BROWSER_SECONDS):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(browser.pid, signal.SIGKILL)


def _launched_browsers(process: psutil.Process) -> list[psutil.Process]:
    """Find the browsers that the daemon started; each is the head of its own group."""
    import psutil

    found = []
    for child in process.children():
        with suppress(psutil.Error, ProcessLookupError):
            if _LAUNCHED in child.cmdline() and os.getpgid(child.pid) == child.pid:
                found.append(child)
    return found


def _send(process: psutil.Process, number: signal.Signals) -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):
        process.send_signal(number)  # after a look whether it is still the same process


def _has_ended(process: psutil.Process, seconds: float) -> bool:
    import psutil

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if process.status() == psutil.STATUS_ZOMBIE or not process.is_running():
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def _wait_until_listening(process: psutil.Process) -> None:
    """Wait for a daemon that starts: it could not be asked before."""
    end = time.monotonic() + LISTENING_SECONDS
    while not _is_listening() and process.is_running() and time.monotonic() < end:
        time.sleep(0.02)


def _is_listening() -> bool:
    return os.path.exists(daemon_socket())


def _wait_for_socket() -> None:
    """Wait until a daemon that the lock does not name has taken its socket away."""
    end = time.monotonic() + STOP_SECONDS
    while _is_listening() and time.monotonic() < end:
        time.sleep(0.02)
    if _is_listening():
        raise DaemonTrouble("The daemon did not stop in time.", hint="tabmux doctor says more.")
