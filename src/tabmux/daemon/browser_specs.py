"""Browser specs: which browsers the settings name, and how each is reached or started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from tabmux.browsers.addressed import ProfileSpec, UrlSpec, WebSocketSpec, parse_address
from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.browsers.executable import user_data_folder
from tabmux.browsers.launched import LaunchedSpec, LaunchOptions
from tabmux.browsers.profiles import profile_folder
from tabmux.errors import Misuse
from tabmux.json_text import decoded
from tabmux.settings import Settings, parse_viewport
from tabmux.tools.pipeline import catalog

_TEXT, _TEXTS, _HEADERS, _SWITCH = "a text", "a list of texts", "a table of texts", "true or false"
_TABLE_KEYS = {
    "name": _TEXT, "url": _TEXT, "ws_endpoint": _TEXT, "headers": _HEADERS, "start_command": _TEXT,
    "tags": _TEXTS, "launch": _SWITCH, "headless": _SWITCH, "keep": _SWITCH, "channel": _TEXT,
    "executable_path": _TEXT, "user_data_dir": _TEXT, "profile": _TEXT, "viewport": _TEXT,
    "proxy_server": _TEXT, "chrome_arg": _TEXTS, "allow_url": _TEXTS, "deny_url": _TEXTS,
    "accept_insecure_certs": _SWITCH,
}  # fmt: skip


_ADDRESS_KEYS: dict[str, type[UrlSpec] | type[WebSocketSpec]] = {
    "url": UrlSpec,
    "ws_endpoint": WebSocketSpec,
}


def browser_specs(settings: Settings) -> list[BrowserSpec]:
    """Return the browsers that the settings name; one to launch when they name none.

    A grid is not among them: each session has a browser of its own there.
    """
    found = [*_running(settings), *(_of_table(settings, table) for table in settings.browser)]
    if settings.launch or settings.profile:
        found += _launched(settings)
    starts_one = not found or any(isinstance(each, LaunchedSpec) for each in found)
    if settings.accept_insecure_certs and (settings.grid is not None or not starts_one):
        raise Misuse(
            "--accept-insecure-certs is for a browser that tabmux starts.",
            hint="Start yours with --ignore-certificate-errors; a grid has acceptInsecureCerts.",
        )
    if settings.grid is not None:
        return found
    return found or [replace(spec, stand_in=True) for spec in _launched(settings)]


def launch_spec(settings: Settings) -> BrowserSpec:
    """Return the browser to start when one is asked for."""
    return next(_launched(settings))


def _running(settings: Settings) -> Iterator[BrowserSpec]:
    for text in settings.browser_url:
        yield parse_address(UrlSpec, text)
    headers = [_headers(text) for text in settings.ws_headers]
    if len(headers) > 1 and len(headers) != len(settings.ws_endpoint):
        raise Misuse("Give one --ws-headers for all --ws-endpoint, or one for each.")
    for number, text in enumerate(settings.ws_endpoint):
        given = headers[number if len(headers) > 1 else 0] if headers else {}
        yield parse_address(WebSocketSpec, text, given)
    if settings.auto_connect:
        folder = settings.user_data_dir or user_data_folder(settings.channel)
        yield ProfileSpec(str(Path(folder).expanduser()))


def _launched(settings: Settings) -> Iterator[BrowserSpec]:
    for name in settings.profile or ("",):
        folder = str(profile_folder(name)) if name else settings.user_data_dir
        options = _options(replace(settings, user_data_dir=folder))
        yield LaunchedSpec(options, name=name)


def _of_table(settings: Settings, given: Mapping[str, Any]) -> BrowserSpec:
    """Read a [[browser]] table; what it leaves out is as in the rest of the settings."""
    table = {key.replace("-", "_"): value for key, value in given.items()}
    if unknown := set(table) - set(_TABLE_KEYS):
        raise Misuse(f"[[browser]] has an unknown key: {', '.join(sorted(unknown))}.")
    for key, value in table.items():
        if not _fits(_TABLE_KEYS[key], value):
            raise Misuse(f"[[browser]]: {key.replace('_', '-')} must be {_TABLE_KEYS[key]}.")
    common: dict[str, Any] = {
        "name": str(table.get("name", "")),
        "tags": tuple(table.get("tags", ())),
        "allow_url": tuple(table.get("allow_url", ())),
        "deny_url": tuple(table.get("deny_url", ())),
    }
    headers, command = dict(table.get("headers", {})), str(table.get("start_command", ""))
    for key, kind in _ADDRESS_KEYS.items():
        if address := table.get(key):
            spec = parse_address(kind, address, headers)
            return replace(spec, start_command=command or spec.start_command, **common)
    known = {f.name for f in fields(Settings)}
    own = {key: value for key, value in table.items() if key in known and key != "profile"}
    if profile := table.get("profile"):
        own["user_data_dir"] = str(profile_folder(profile))
    options = _options(replace(settings, **own, isolated=not own.get("user_data_dir")))
    return LaunchedSpec(options, **common)


def _fits(kind: str, value: Any) -> bool:
    if kind == _TEXTS:
        return isinstance(value, list) and all(isinstance(each, str) for each in value)
    if kind == _HEADERS:
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    return isinstance(value, bool if kind == _SWITCH else str)


def _headers(text: str) -> dict[str, str]:
    try:
        found = decoded(text)
    except ValueError as error:
        raise Misuse(f"--ws-headers is not JSON: {error}.") from error
    if not isinstance(found, dict):
        raise Misuse("--ws-headers must be a JSON object.")
    return {str(key): str(value) for key, value in found.items()}


def _certificates(settings: Settings) -> tuple[str, ...]:
    return ("--ignore-certificate-errors",) if settings.accept_insecure_certs else ()


def _options(settings: Settings) -> LaunchOptions:
    folder: Path | None = None
    if settings.user_data_dir:
        folder = Path(settings.user_data_dir).expanduser()
    elif not settings.isolated:
        folder = profile_folder()
    elif settings.keep:
        raise Misuse("A browser that is kept needs a profile.", hint="Leave --isolated out.")
    return LaunchOptions(
        headless=settings.headless,
        channel=settings.channel,
        executable_path=settings.executable_path,
        user_data_dir=folder,
        viewport=parse_viewport(settings.viewport),
        proxy=settings.proxy_server,
        extensions="extensions" in catalog.chosen(settings.tools),
        keep=settings.keep,
        arguments=(*_certificates(settings), *settings.chrome_arg),
    )
