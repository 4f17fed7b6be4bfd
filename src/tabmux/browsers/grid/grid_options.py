"""Grid options: which Selenium Grid is used, and how much of it."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from tabmux.cdp.discovery import LOOPBACK
from tabmux.errors import Misuse

USERNAME_VARIABLE, PASSWORD_VARIABLE = "TABMUX_GRID_USERNAME", "TABMUX_GRID_PASSWORD"
ISOLATIONS = ("context", "browser")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_DURATION = re.compile(r"(\d{1,9})([smhd]?)")
_NUMBERS = {"max_browsers": 1, "agents_per_browser": 1, "warm": 0, "queue": 0}


@dataclass(frozen=True)
class GridOptions:
    """What `--grid` and the `[grid]` table say.

    Attributes:
        url: Where the hub is.
        max_browsers: How many of its browsers tabmux may have at a time.
        agents_per_browser: How many sessions share one.
        isolation: Whether a session has a browser context, or a browser, of its own.
        warm: How many browsers wait for sessions to come.
        queue: How many seconds a session waits for room.
        retire: After how many seconds a browser takes no more sessions.
        capabilities: What is asked of a browser.
        username: For the hub; from the environment.
        password: The same.
    """

    url: str
    max_browsers: int = 40
    agents_per_browser: int = 16
    isolation: str = "context"
    warm: int = 2
    queue: int = 60
    retire: int = 4 * 3600
    capabilities: Mapping[str, Any] = field(default_factory=lambda: {"browserName": "chrome"})
    username: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def sessions_per_browser(self) -> int:
        """How many sessions a browser has room for."""
        return 1 if self.isolation == "browser" else self.agents_per_browser

    @cached_property
    def tls(self) -> ssl.SSLContext | None:
        """What the hub's certificate is checked with; `SSL_CERT_FILE` names other authorities."""
        return ssl.create_default_context() if urlsplit(self.url).scheme == "https" else None


def grid_options(
    url: str, table: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> GridOptions:
    """Read the settings of a grid; raises what is wrong with them.

    Args:
        url: Where the hub is.
        table: The rest of the `[grid]` table.
        environment: Where the credentials are; the process's own when absent.
    """
    variables = os.environ if environment is None else environment
    options = GridOptions(
        url.rstrip("/"),
        username=variables.get(USERNAME_VARIABLE, ""),
        password=variables.get(PASSWORD_VARIABLE, ""),
    )
    _check_url(options)
    values = {key.replace("-", "_"): value for key, value in table.items()}
    return replace(options, **{key: _value(key, value) for key, value in values.items()})


def _value(key: str, value: Any) -> Any:
    name = f"[grid]: {key.replace('_', '-')}"
    if key in _NUMBERS:
        if not isinstance(value, int) or isinstance(value, bool) or value < _NUMBERS[key]:
            raise Misuse(f"{name} must be a whole number, {_NUMBERS[key]} or more.")
        return value
    if key == "retire":
        return _seconds(name, value)
    if key == "isolation":
        if value not in ISOLATIONS:
            raise Misuse(f"{name} must be one of {', '.join(ISOLATIONS)}.")
        return value
    if key == "capabilities":
        if not isinstance(value, Mapping):
            raise Misuse(f"{name} must be a table.")
        return {"browserName": "chrome", **value}
    raise Misuse(f"[grid] has an unknown key: {key}.")


def _seconds(name: str, value: Any) -> int:
    found = _DURATION.fullmatch(str(value).strip())
    if found is None or int(found[1]) == 0:
        raise Misuse(f'{name} must be a time such as "90m" or "4h".')
    return int(found[1]) * _UNITS[found[2]]


def _check_url(options: GridOptions) -> None:
    """Refuse what is no hub, and to talk to one elsewhere in the clear or without credentials."""
    try:
        parts = urlsplit(options.url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise Misuse(f"--grid: {options.url!r} is not an address: {error}.") from error
    if parts.scheme not in ("http", "https") or not host:
        raise Misuse(
            f"--grid: {options.url!r} is not the address of a hub.",
            hint="It is like https://hub:4444.",
        )
    if parts.username or parts.password:
        raise Misuse(
            "--grid: an address with a password in it would be shown to everybody.",
            hint=f"Set {USERNAME_VARIABLE} and {PASSWORD_VARIABLE} instead.",
        )
    if host in LOOPBACK:
        return
    if parts.scheme != "https":
        raise Misuse(
            f"--grid: {host} is another machine, and http:// is not encrypted.",
            hint="Use https://, or a tunnel that ends on 127.0.0.1.",
        )
    if not (options.username and options.password):
        raise Misuse(
            f"--grid: {host} is another machine, which needs credentials.",
            hint=f"Set {USERNAME_VARIABLE} and {PASSWORD_VARIABLE}.",
        )
