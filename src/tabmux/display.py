"""Display: the screen that browsers are shown on, whatever environment we were started in.

Clients start the daemon from terminals, desktops, cron and ssh, and many hand down no `DISPLAY`.
So it is looked for where displays are, and whoever starts the daemon decides nothing for others.
"""

from __future__ import annotations

import glob
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

X11_SOCKETS = "/tmp/.X11-unix"
RUNTIME_FOLDERS = "/run/user"
LOOK_SECONDS = 0.5


@dataclass(frozen=True)
class Display:
    """A screen: what it is called, where that was found, and what a browser must be told."""

    name: str
    found: str
    environment: Mapping[str, str] = field(default_factory=dict)


def find_display(environment: Mapping[str, str] | None = None) -> Display | None:
    """Return the display of this user; None where browsers can only run without a window."""
    if sys.platform == "darwin":
        return Display("the desktop", "macOS")
    variables = os.environ if environment is None else environment
    return next(_displays(variables), None)


def _displays(variables: Mapping[str, str]) -> Iterator[Display]:
    """Return those of the environment that answer, then the user's desktop, then a far one."""
    shown, wayland = variables.get("DISPLAY", ""), variables.get("WAYLAND_DISPLAY", "")
    runtime = variables.get("XDG_RUNTIME_DIR") or f"{RUNTIME_FOLDERS}/{os.getuid()}"
    is_far = bool(shown) and not shown.startswith((":", "unix:"))
    number = shown.rpartition(":")[2].partition(".")[0]
    if shown and not is_far and _answers(f"{X11_SOCKETS}/X{number}"):
        yield Display(shown, "DISPLAY")
    if wayland and _answers(os.path.join(runtime, wayland)):
        yield Display(wayland, "WAYLAND_DISPLAY")
    yield from _x11_desktops(variables, runtime)
    for path in sorted(glob.glob(f"{runtime}/wayland-*[0-9]")):
        if _is_ours(path) and _answers(path):
            name = os.path.basename(path)
            yield Display(name, path, {"WAYLAND_DISPLAY": name, "XDG_RUNTIME_DIR": runtime})
    if is_far:
        yield Display(shown, "DISPLAY")


def _x11_desktops(variables: Mapping[str, str], runtime: str) -> Iterator[Display]:
    authority = next(_authorities(variables, runtime), None)
    for path in sorted(glob.glob(f"{X11_SOCKETS}/X[0-9]*")):
        # Others' displays are in the same folder; one of root's is ours if we have its key.
        if (_is_ours(path) or authority is not None) and _answers(path):
            name = f":{os.path.basename(path)[1:]}"
            key = {"XAUTHORITY": authority} if authority is not None else {}
            yield Display(name, path, {"DISPLAY": name, **key})


def _authorities(variables: Mapping[str, str], runtime: str) -> Iterator[str]:
    """Return the files that may hold the key of the user's X display."""
    places = (
        variables.get("XAUTHORITY", ""),
        f"{runtime}/gdm/Xauthority",
        *glob.glob(f"{runtime}/.mutter-Xwaylandauth.*"),
        *glob.glob(f"{runtime}/xauth_*"),
        os.path.expanduser("~/.Xauthority"),
    )
    return (path for path in places if path and os.access(path, os.R_OK))


def _is_ours(path: str) -> bool:
    try:
        return os.stat(path).st_uid == os.getuid()
    except OSError:
        return False


def _answers(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(LOOK_SECONDS)
        try:
            probe.connect(path)
        except OSError:
            return False
    return True
