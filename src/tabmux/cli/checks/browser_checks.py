"""Browser checks: what can be started, where it shows windows, and what was paired."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from tabmux.cli.checks.check import Check
from tabmux.cli.control_lines import read_answer, send_line
from tabmux.cli.daemon_ending import find_daemon
from tabmux.errors import TabmuxError
from tabmux.settings import resolve_settings

VERSION_SECONDS = 5.0
ANSWER_SECONDS = 2.0
_X11_FOLDER = Path("/tmp/.X11-unix")


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


def check_display(name: str, x11_folder: Path = _X11_FOLDER) -> Check:
    """Look where browsers can show windows: what counts is what the daemon was started with."""
    if sys.platform == "darwin":
        return Check(name, "ok", "Browsers can show windows.")
    ours, of_daemon = _display(os.environ), _display_of_daemon()
    if of_daemon == "" and ours:
        fix = "tabmux daemon restart"
        detail = f"The daemon was started without a display, so it does not use {ours}."
        return Check(name, "warning", detail, fix)
    if used := of_daemon or ours:
        whose = "; the daemon uses it" if of_daemon else ""
        return Check(name, "ok", f"Browsers can show windows on {used}{whose}.")
    if there := _screens(x11_folder):
        detail = f"No display is set, but there is {', '.join(there)}."
        return Check(name, "warning", detail, f"{there[0]} tabmux daemon restart")
    fix = "Use --headless, or run tabmux in a desktop session or under xvfb-run."
    return Check(name, "warning", "No display: browsers can only start headless.", fix)


def _display(environment: Mapping[str, str]) -> str:
    """Return the display that an environment names."""
    for name in ("WAYLAND_DISPLAY", "DISPLAY"):
        if value := environment.get(name):
            return f"{value} ({name})"
    return ""


def _display_of_daemon() -> str | None:
    """Return the display that the daemon was started with; None when none runs."""
    import psutil

    try:
        process = find_daemon()
        return _display(process.environ()) if process is not None else None
    except psutil.Error:
        return None


def _screens(x11_folder: Path) -> list[str]:
    """Find screens that nobody told us of."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    wayland = sorted(Path(runtime).glob("wayland-*")) if runtime else []
    found = [f"WAYLAND_DISPLAY={each.name}" for each in wayland if each.is_socket()]
    found += [f"DISPLAY=:{each.name[1:]}" for each in sorted(x11_folder.glob("X*"))]
    return found


def check_profiles(name: str) -> Check:
    """Look whether profiles can be kept, and which are in use."""
    from tabmux.browsers import profiles

    folder = profiles.profiles_folder()
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        fix = f"Make it a folder of yours: sudo chown -R {os.geteuid()} {there}"
        return Check(name, "problem", f"{there} cannot be written to.", fix)
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
