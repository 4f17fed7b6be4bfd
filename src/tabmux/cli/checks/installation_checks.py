"""Installation checks: Python, packages, extras, and the clients that start tabmux."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tabmux import __version__
from tabmux.cli.checks.check import Check
from tabmux.cli.client_programs import ClientProgram, client_programs
from tabmux.cli.own_command import EXTRAS, missing_extras, own_command
from tabmux.errors import Misuse

_OLDEST_PYTHON = (3, 11)
_PACKAGES = ("pydantic", "picows", "msgspec")
_USES = {"memory": "the memory tools", "audits": "accessibility in audit_page"}


def check_python(name: str) -> Check:
    """Look whether Python is new enough."""
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info >= _OLDEST_PYTHON:
        return Check(name, "ok", f"{found} ({sys.executable}).")
    return Check(name, "problem", f"{found} is too old.", "Install tabmux on Python 3.11 or newer.")


def check_tabmux(name: str) -> Check:
    """Look whether PATH finds this tabmux."""
    own, found = own_command(), shutil.which("tabmux")
    this = f"{__version__} ({' '.join(own)})"
    if found is None:
        fix = f"Add {Path(own[0]).parent} to PATH; clients set up by tabmux install do not need it."
        return Check(name, "warning", f"{this} is not on PATH.", fix)
    if len(own) == 1 and not os.path.samefile(found, own[0]):
        fix = "Remove one of the two, or change the order of PATH."
        return Check(name, "warning", f"{this}, but PATH finds {found}.", fix)
    return Check(name, "ok", f"{this}.")


def check_dependencies(name: str, packages: Sequence[str] = _PACKAGES) -> Check:
    """Look whether all packages are installed."""
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


def check_extra(name: str) -> Check:
    """Look whether an extra is installed, by its name."""
    module, use = EXTRAS[name], _USES[name]
    if name not in missing_extras():
        return Check(name, "ok", f"{module} is installed, for {use}.")
    fix = f"{sys.executable} -m pip install 'tabmux[{name}]'"
    return Check(name, "warning", f"{module} is missing; it is only for {use}.", fix)


def check_node(name: str) -> Check:
    """Look whether Node.js is there."""
    missing = [each for each in ("node", "npx") if shutil.which(each) is None]
    if not missing:
        return Check(name, "ok", f"{shutil.which('npx')}, for lighthouse_audit.")
    detail = f"{' and '.join(missing)} not found; only lighthouse_audit needs it."
    return Check(name, "warning", detail, "Install Node.js from your system or https://nodejs.org.")


def check_clients(name: str) -> Check:
    """Look whether the clients that tabmux is installed in can start it."""
    found = [each for each in map(_check_client, client_programs().values()) if each is not None]
    worst = [each for each in found if each.state != "ok"]
    worst.sort(key=lambda each: each.state != "problem")
    if not found:
        return Check(name, "ok", "tabmux is installed in none yet; see tabmux install --list.")
    details = " ".join(each.detail for each in (*worst, *(e for e in found if e not in worst)))
    if not worst:
        return Check(name, "ok", details)
    return Check(name, worst[0].state, details, worst[0].fix)


def _check_client(client: ClientProgram) -> Check | None:
    """Look at the file of one client; None when it does not name tabmux."""
    if client.by_hand or not client.file.is_file():
        return None
    try:
        entry = client.installed(client.file.read_bytes().decode("utf-8"))
    except (Misuse, UnicodeDecodeError, OSError) as error:
        text = error.message if isinstance(error, Misuse) else f"{client.file}: {error}."
        fix = f"Correct {client.file}, or take back a copy from beside it."
        return Check(client.name, "warning", f"{client.title}: {text}", fix)
    return None if entry is None else _check_entry(client, entry)


def _check_entry(client: ClientProgram, entry: Mapping[str, Any]) -> Check:
    fix = f"tabmux install {client.name}"
    words = client.command_in(entry)
    if not words:
        return Check(client.name, "ok", f"{client.title}: over HTTP.")
    if shutil.which(words[0]) is None:
        detail = f"{client.title}: {words[0]} is not there, or cannot be run."
        return Check(client.name, "problem", detail, fix)
    if not _is_own(words):
        detail = f"{client.title}: {' '.join(words)} is another tabmux than this one."
        return Check(client.name, "warning", detail, fix)
    return Check(client.name, "ok", f"{client.title}: {words[0]}.")


def _is_own(words: Sequence[str]) -> bool:
    own, program = own_command(), shutil.which(words[0]) or ""
    if os.path.exists(own[0]) and not os.path.samefile(program, own[0]):
        return False
    return tuple(words[1 : len(own)]) == own[1:]
