"""Folders: where runtime files, logs, data and settings are kept; light, for the relay's sake."""

from __future__ import annotations

import os


def runtime_folder() -> str:
    """Return where the daemon's socket and lock are."""
    if base := os.environ.get("XDG_RUNTIME_DIR"):
        return os.path.join(base, "tabmux")
    base = os.environ.get("TMPDIR") or "/tmp"
    return os.path.join(base, f"tabmux-{os.getuid()}")


def daemon_socket() -> str:
    """Return where the daemon listens."""
    return os.path.join(runtime_folder(), "daemon.sock")


def config_folder() -> str:
    """Return where the user's settings of tabmux are kept."""
    import platformdirs

    return platformdirs.user_config_dir("tabmux")


def log_folder() -> str:
    """Return where logs are kept."""
    import platformdirs

    return platformdirs.user_log_dir("tabmux")


def data_folder() -> str:
    """Return where things are kept that outlive every process."""
    import platformdirs

    return platformdirs.user_data_dir("tabmux")
