"""Browser checks: what can be started, where it shows windows, and what was paired."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from tabmux.cli.checks.check import Check
from tabmux.cli.checks.writing import writing_trouble
from tabmux.cli.control_lines import read_answer, send_line
from tabmux.cli.daemon_ending import find_daemon
from tabmux.display import find_display
from tabmux.errors import TabmuxError
from tabmux.settings import resolve_settings

VERSION_SECONDS = 5.0
ANSWER_SECONDS = 2.0
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


def check_browser(name: str, seconds: float = VERSION_SECONDS) -> Check:
    """Look whether there is a browser that starts."""
    from tabmux.browsers.executable import find_executable

    try:
        settings = resolve_settings({})
        path = find_executable(settings.channel, settings.executable_path)
    except TabmuxError as error:
        return Check(name, "problem", error.message, error.hint)
    version, complaint = _browser_version(path, seconds)
    if complaint:
        fix = f"Run {path} --version to see why, or name another with --executable-path."
        return Check(name, "problem", f"{path} {complaint}", fix)
    return Check(name, "ok", f"{path}: {version}.")


def _browser_version(path: str, seconds: float) -> tuple[str, str]:
    """Ask a browser for its version; a complaint stands second."""
    import signal
    import subprocess

    # Debian's wrapper of Chromium 156 prints shell noise on standard error, and is no reason
    # for concern. A wrapper has children, so the whole group goes when the time is up.
    with subprocess.Popen(
        [path, "--version"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "", f"did not say its version within {seconds:g} s."
    lines = output.decode(errors="replace").split("\n")
    if process.returncode or not lines[0].strip():
        return "", f"does not start (exit code {process.returncode})."
    return lines[0].strip(), ""


def check_sandbox(name: str) -> Check:
    """Look whether browsers start in their sandbox."""
    if sys.platform == "linux" and os.geteuid() == 0:
        fix = "Run tabmux as an ordinary user."
        return Check(name, "warning", "Running as root: browsers start without a sandbox.", fix)
    return Check(name, "ok", "Browsers start in their sandbox.")


def check_display(name: str) -> Check:
    """Look where browsers can show windows, and how it was found: the daemon looks for itself."""
    environment = _environment_of_daemon()
    who = "the daemon" if environment is not None else "tabmux"
    environment = os.environ if environment is None else environment
    if display := find_display(environment):
        detail = f"{who.capitalize()} shows windows on {display.name} (found by {display.found})."
        return Check(name, "ok", detail)
    set_to = [f"{each}={environment[each]}" for each in _DISPLAYS if environment.get(each)]
    silent = f" {' and '.join(set_to)} does not answer." if set_to else ""
    fix = "Use --headless, or run tabmux in a desktop session or under xvfb-run."
    detail = f"{who.capitalize()} finds no display: browsers can only start headless.{silent}"
    return Check(name, "warning", detail, fix)


def _environment_of_daemon() -> Mapping[str, str] | None:
    """Return what the daemon was started with; None when none runs."""
    import psutil

    try:
        process = find_daemon()
        return process.environ() if process is not None else None
    except psutil.Error:
        return None


def check_profiles(name: str) -> Check:
    """Look whether profiles can be kept, and which are in use."""
    from tabmux.browsers import profiles

    folder = profiles.profiles_folder()
    if trouble := writing_trouble(folder):
        return Check(name, "problem", *trouble)
    found = []
    for each in profiles.named_profiles():
        holder = profiles.holder_of(each)
        found.append(f"{each.name} (in use by {holder})" if holder else each.name)
    return Check(name, "ok", f"{folder}: {', '.join(found) or 'none yet'}.")


def check_extension(name: str, seconds: float = ANSWER_SECONDS) -> Check:
    """Look which browsers are paired by the extension, and which of them are connected."""
    from tabmux.bridge.pairing import user_keys

    paired = [each.name for each in user_keys().all()]
    if not paired:
        return Check(name, "ok", "No browser is paired; tabmux extension pair does it.")
    try:
        lines = send_line("bridge_list", required=False, seconds=seconds)
        connected = {str(words.get("name")) for words in read_answer(lines)}
    except TabmuxError:
        connected = set()
    states = ", ".join(
        f"{each} ({'connected' if each in connected else 'not connected'})" for each in paired
    )
    if connected & set(paired):
        return Check(name, "ok", f"Paired: {states}.")
    fix = "Open that browser; the popup of the extension says whether it has found tabmux."
    return Check(name, "warning", f"Paired: {states}.", fix)
