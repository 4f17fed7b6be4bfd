"""Folders: where runtime files, logs, data and settings are kept; light, for the relay's sake.

All of them follow from the user's home alone. Clients start tabmux with whatever environment they
like (both MCP SDKs drop `XDG_*` and `TMPDIR`), and all of them must find the same daemon.
"""

from __future__ import annotations

import os
import sys

# The longest address of a socket is 104 bytes on macOS and 108 on Linux.
_LONGEST_SOCKET = 100


def runtime_folder(home: str = "~") -> str:
    """Return where the daemon's socket and lock are."""
    # Homes may be shared by machines, sockets and locks may not.
    folder = os.path.join(_state_folder(home), "run", *_machine())
    if len(os.path.join(folder, "daemon.sock").encode()) <= _LONGEST_SOCKET:
        return folder
    from hashlib import sha256

    return f"/tmp/tabmux-{os.getuid()}-{sha256(folder.encode()).hexdigest()[:8]}"


def daemon_socket(home: str = "~") -> str:
    """Return where the daemon listens."""
    return os.path.join(runtime_folder(home), "daemon.sock")


def daemon_lock(home: str = "~") -> str:
    """Return the file that the daemon holds locked; it names its process and its log."""
    return os.path.join(runtime_folder(home), "daemon.lock")


def restart_mark(home: str = "~") -> str:
    """Return the file that is there while somebody starts the daemon anew."""
    return os.path.join(runtime_folder(home), "daemon.restarting")


def start_lock(home: str = "~") -> str:
    """Return the file that whoever starts the daemon holds locked meanwhile."""
    return os.path.join(runtime_folder(home), "daemon.starting")


def config_folder(home: str = "~") -> str:
    """Return where the user's settings of tabmux are kept."""
    return _in_home(home, ".config/tabmux", "Library/Application Support/tabmux")


def log_folder(home: str = "~") -> str:
    """Return where logs are kept."""
    return _in_home(home, ".local/state/tabmux/log", "Library/Logs/tabmux")


def daemon_log(home: str = "~") -> str:
    """Return where the daemon logs, unless it is told to log elsewhere."""
    return os.path.join(log_folder(home), "daemon.log")


def record_folder(home: str = "~") -> str:
    """Return where the record of the calls is kept."""
    return os.path.join(_state_folder(home), "record")


def data_folder(home: str = "~") -> str:
    """Return where things are kept that outlive every process."""
    return _in_home(home, ".local/share/tabmux", "Library/Application Support/tabmux")


def sessions_folder(home: str = "~") -> str:
    """Return where servers write down their sessions; browsers are a machine's own."""
    return os.path.join(_state_folder(home), "sessions", *_machine())


def own_folders(home: str = "~") -> list[str]:
    """Return all folders that hold what is nobody's but tabmux's: settings, tokens, sessions."""
    found = (config_folder(home), _state_folder(home), data_folder(home), log_folder(home))
    return list(dict.fromkeys((*found, runtime_folder(home))))


def make_private(folder: str | os.PathLike[str]) -> None:
    """Make a folder that nobody else can enter, and so all that are missing above it.

    `Path.mkdir` leaves those to the umask, and who may write to one of them may swap the others.
    """
    path, missing = os.path.abspath(folder), list[str]()
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for each in reversed(missing):
        try:
            os.mkdir(each, 0o700)
        except FileExistsError:
            if not os.path.isdir(each):
                raise


def _state_folder(home: str) -> str:
    return _in_home(home, ".local/state/tabmux", "Library/Application Support/tabmux")


def _in_home(home: str, elsewhere: str, on_mac: str) -> str:
    place = on_mac if sys.platform == "darwin" else elsewhere
    # HOME may be relative, and the daemon runs elsewhere than its clients.
    return os.path.abspath(os.path.join(os.path.expanduser(home), place))


def _machine() -> list[str]:
    try:
        with open("/etc/machine-id", encoding="ascii") as file:
            found = file.read(8)
    except (OSError, ValueError):
        return []
    return [found] if found.isalnum() else []
