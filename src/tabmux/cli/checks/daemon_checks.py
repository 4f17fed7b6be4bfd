"""Daemon checks: its folder, whether it answers, its log, and what it listens on."""

from __future__ import annotations

import os
import stat
from datetime import datetime, timedelta
from pathlib import Path

from tabmux.cli.checks.check import Check
from tabmux.cli.checks.writing import writing_trouble
from tabmux.cli.control_lines import send_line
from tabmux.cli.log_file import last_lines, log_file
from tabmux.errors import DaemonTrouble
from tabmux.folders import config_folder, daemon_socket, runtime_folder

ANSWER_SECONDS = 2.0
_LOG_LINES = 1000
_RECENT = timedelta(days=1)
_LONGEST_LINE = 200


def check_runtime_folder(name: str) -> Check:
    """Look whether the folder of the socket is the user's alone."""
    folder = Path(runtime_folder())
    if not os.path.lexists(folder):
        if trouble := writing_trouble(folder):
            return Check(name, "problem", *trouble)
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
    if trouble := writing_trouble(folder):
        return Check(name, "problem", *trouble)
    return Check(name, "ok", f"{folder} is private.")


def check_daemon(name: str, seconds: float = ANSWER_SECONDS) -> Check:
    """Look whether a daemon runs and answers."""
    path = Path(daemon_socket())
    if not os.path.lexists(path):
        return Check(name, "ok", "Not running; it starts when it is needed.")
    mode = path.lstat().st_mode
    if not stat.S_ISSOCK(mode):
        return Check(name, "problem", f"{path} is not a socket.", f"Delete it: rm {path}")
    if mode & 0o077:
        return Check(name, "problem", f"Others can reach {path}.", f"chmod 600 {path}")
    return _check_answer(name, path, seconds)


def _check_answer(name: str, path: Path, seconds: float) -> Check:
    try:
        answered = send_line("ping", required=False, seconds=seconds)
    except DaemonTrouble:
        detail = f"It runs ({path}), but does not answer within {seconds:g} s."
        return Check(name, "problem", detail, "tabmux daemon restart")
    except OSError as error:
        return Check(name, "problem", f"{path}: {error}.", "tabmux daemon restart")
    if not answered:
        detail = f"{path} is stale: the daemon that made it is gone."
        return Check(name, "warning", detail, "tabmux daemon start")
    return Check(name, "ok", f"Running ({path}).")


def check_log(name: str, now: datetime | None = None) -> Check:
    """Look whether the daemon has written down errors of late."""
    file = log_file()
    try:
        with file.open("rb") as handle:
            lines = last_lines(file, _LOG_LINES, handle)
    except (FileNotFoundError, NotADirectoryError):
        return Check(name, "ok", f"{file} is made when the daemon starts.")
    since = (now or datetime.now()) - _RECENT
    errors = [text for line in lines if (text := _recent_error(line, since))]
    if not errors:
        return Check(name, "ok", f"{file} has no errors of the last day.")
    shown = " | ".join(each[:_LONGEST_LINE] for each in errors[-2:])
    detail = f"{file} has {len(errors)} errors of the last day; the last: {shown}"
    return Check(name, "warning", detail, f"See tabmux logs -n {_LOG_LINES}.")


def _recent_error(line: bytes, since: datetime) -> str:
    """Return the line of an error that is younger than that; nothing for another line."""
    text = line.decode(errors="replace").strip()
    day, _, rest = text.partition(" ")
    time, _, message = rest.partition(" ")
    if not message.startswith(("ERROR ", "CRITICAL ")):
        return ""
    try:
        written = datetime.strptime(f"{day} {time.partition(',')[0]}", "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return ""
    return text if written >= since else ""


def check_port(name: str, *, port: int, flag: str) -> Check:
    """Look whether a port is free."""
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


def check_token(name: str) -> Check:
    """Look whether the token of HTTP clients is the user's alone."""
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
