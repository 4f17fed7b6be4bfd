"""Command doctor: checks everything tabmux needs, and says how to mend what is missing."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import click

from tabmux import __version__
from tabmux.cli.own_command import own_command
from tabmux.errors import TabmuxError
from tabmux.folders import config_folder, daemon_socket, runtime_folder
from tabmux.settings import Settings, resolve_settings

VERSION_SECONDS = 5.0
CONNECT_SECONDS = 1.0
_OLDEST_PYTHON = (3, 11)
_PACKAGES = ("pydantic", "picows", "msgspec")


@dataclass(frozen=True)
class Check:
    """What one look found, and what to do about it."""

    name: str
    state: Literal["ok", "warning", "problem"]
    detail: str
    fix: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(context: click.Context, as_json: bool) -> None:
    """Check browser, daemon, ports and permissions, and say how to fix each."""
    checks = run_checks()
    healthy = all(check.state != "problem" for check in checks)
    if as_json:
        click.echo(json.dumps({"ok": healthy, "checks": [asdict(check) for check in checks]}))
    elif sys.stdout.isatty():
        _print_table(checks)
    else:
        _print_lines(checks)
    context.exit(0 if healthy else 1)


def run_checks() -> list[Check]:
    """Look at everything, in the order in which trouble comes."""
    looks: dict[str, Callable[[str], Check]] = {
        "python": _check_python,
        "tabmux": _check_tabmux,
        "dependencies": _check_dependencies,
        "browser": _check_browser,
        "sandbox": _check_sandbox,
        "display": _check_display,
        "runtime-folder": _check_runtime_folder,
        "daemon": _check_daemon,
        f"port-{Settings.port}": partial(_check_port, port=Settings.port, flag="--port"),
        f"port-{Settings.bridge_port}": partial(
            _check_port, port=Settings.bridge_port, flag="--bridge-port"
        ),
        "token": _check_token,
        "profiles": _check_profiles,
        "node": _check_node,
        "memory": _check_memory,
    }
    return [_run_check(name, look) for name, look in looks.items()]


def _run_check(name: str, look: Callable[[str], Check]) -> Check:
    try:
        return look(name)
    except OSError as error:
        return Check(name, "problem", f"Could not look: {error}.")


def _print_table(checks: Sequence[Check]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "warning": "yellow", "problem": "bold red"}
    table = Table.grid(padding=(0, 2))
    for check in checks:
        found = Text(check.detail)
        if check.fix:
            found.append(f"\n{check.fix}", style="italic")
        table.add_row(Text(check.state, style=colours[check.state]), Text(check.name), found)
    Console().print(table)


def _print_lines(checks: Sequence[Check]) -> None:
    for check in checks:
        fix = f" Fix: {check.fix}" if check.fix else ""
        click.echo(f"{check.state:<8} {check.name}: {check.detail}{fix}")


def _check_python(name: str) -> Check:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= _OLDEST_PYTHON:
        return Check(name, "ok", f"{found} ({sys.executable}).")
    return Check(name, "problem", f"{found} is too old.", "Install tabmux on Python 3.11 or newer.")


def _check_tabmux(name: str) -> Check:
    own, found = own_command(), shutil.which("tabmux")
    this = f"{__version__} ({' '.join(own)})"
    if found is None:
        fix = f"Add {Path(own[0]).parent} to PATH; clients set up by tabmux install do not need it."
        return Check(name, "warning", f"{this} is not on PATH.", fix)
    if len(own) == 1 and not os.path.samefile(found, own[0]):
        fix = "Remove one of the two, or change the order of PATH."
        return Check(name, "warning", f"{this}, but PATH finds {found}.", fix)
    return Check(name, "ok", f"{this}.")


def _check_dependencies(name: str, packages: Sequence[str] = _PACKAGES) -> Check:
    from importlib.metadata import PackageNotFoundError, version

    found, missing = [], []
    for package in packages:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    if missing:
        fix = f"Install tabmux again with {sys.executable} -m pip install --force-reinstall tabmux."
        return Check(name, "problem", f"Not installed: {', '.join(missing)}.", fix)
    return Check(name, "ok", f"{', '.join(found)}.")


def _check_browser(name: str, seconds: float = VERSION_SECONDS) -> Check:
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


def _check_sandbox(name: str) -> Check:
    if sys.platform == "linux" and os.geteuid() == 0:
        fix = "Run tabmux as an ordinary user."
        return Check(name, "warning", "Running as root: browsers start without a sandbox.", fix)
    return Check(name, "ok", "Browsers start in their sandbox.")


def _check_display(name: str) -> Check:
    shown = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    if shown or sys.platform == "darwin":
        return Check(name, "ok", f"Browsers can show windows{f' on {shown}' if shown else ''}.")
    fix = "Use --headless, or run tabmux in a desktop session or under xvfb-run."
    return Check(name, "warning", "No display: browsers can only start headless.", fix)


def _check_runtime_folder(name: str) -> Check:
    folder = Path(runtime_folder())
    if not os.path.lexists(folder):
        return Check(name, "ok", f"{folder} is made when the daemon starts.")
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        what = "a link" if stat.S_ISLNK(status.st_mode) else "not a folder"
        return Check(name, "problem", f"{folder} is {what}.", f"Delete it: rm {folder}")
    for each in (folder.parent, folder):
        owner = each.stat().st_uid
        if owner != os.geteuid() and (owner != 0 or each == folder):
            fix = "Remove it, or set HOME to a folder of your own."
            return Check(name, "problem", f"{each} belongs to another user ({owner}).", fix)
    if (mode := stat.S_IMODE(status.st_mode)) != 0o700:
        return Check(name, "problem", f"{folder} has mode {mode:04o}.", f"chmod 700 {folder}")
    return Check(name, "ok", f"{folder} is private.")


def _check_daemon(name: str, seconds: float = CONNECT_SECONDS) -> Check:
    path = Path(daemon_socket())
    if not os.path.lexists(path):
        return Check(name, "ok", "Not running; it starts when it is needed.")
    mode = path.lstat().st_mode
    if not stat.S_ISSOCK(mode):
        return Check(name, "problem", f"{path} is not a socket.", f"Delete it: rm {path}")
    if mode & 0o077:
        return Check(name, "problem", f"Others can reach {path}.", f"chmod 600 {path}")
    return _check_connection(name, path, seconds)


def _check_connection(name: str, path: Path, seconds: float) -> Check:
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(seconds)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            detail = f"{path} is stale: the daemon that made it is gone."
            return Check(name, "warning", detail, "tabmux daemon start")
        except (TimeoutError, BlockingIOError):  # the latter from a full queue on Linux
            detail = f"{path} takes no connection within {seconds:g} s."
            return Check(name, "problem", detail, "tabmux daemon restart")
        except OSError as error:
            fix = "tabmux daemon restart"
            return Check(name, "problem", f"{path}: {error}.", fix)
    return Check(name, "ok", f"Running ({path}).")


def _check_port(name: str, *, port: int, flag: str) -> Check:
    import errno
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
        else:
            return Check(name, "ok", f"Port {port} is free.")
    owner = _port_owner(port)
    if owner.startswith("tabmux"):
        return Check(name, "ok", f"Port {port} is used by {owner}.")
    return Check(name, "warning", f"Port {port} is used by {owner}.", f"Use another with {flag}.")


def _port_owner(port: int) -> str:
    """Name the process that listens on a port, as far as the system lets us know."""
    import psutil

    try:
        for each in psutil.net_connections("tcp"):
            address = each.laddr
            if each.status == psutil.CONN_LISTEN and address and address.port == port and each.pid:
                process = psutil.Process(each.pid)
                ours = any(Path(word).name == "tabmux" for word in process.cmdline()[:3])
                return f"{'tabmux' if ours else process.name()} (process {each.pid})"
    except psutil.Error:
        pass
    return "another process"


def _check_token(name: str) -> Check:
    file = Path(config_folder()) / "token"
    if not os.path.lexists(file):
        return Check(name, "ok", "None yet; tabmux serve --http makes one.")
    status = file.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        fix = f"Delete it to get a new one: rm {file}"
        return Check(name, "problem", f"{file} is not a file of your own.", fix)
    if status.st_mode & 0o077:
        return Check(name, "problem", f"Others can read {file}.", f"chmod 600 {file}")
    return Check(name, "ok", f"{file} is private.")


def _check_profiles(name: str) -> Check:
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


def _check_node(name: str) -> Check:
    missing = [each for each in ("node", "npx") if shutil.which(each) is None]
    if not missing:
        return Check(name, "ok", f"{shutil.which('npx')}, for lighthouse_audit.")
    detail = f"{' and '.join(missing)} not found; only lighthouse_audit needs it."
    return Check(name, "warning", detail, "Install Node.js from your system or https://nodejs.org.")


def _check_memory(name: str) -> Check:
    from importlib.util import find_spec

    if find_spec("numpy") is not None:
        return Check(name, "ok", "numpy is installed, for the memory tools.")
    fix = f"{sys.executable} -m pip install 'tabmux[memory]'"
    return Check(name, "warning", "numpy is missing; only the memory tools need it.", fix)
