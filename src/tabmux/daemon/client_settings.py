"""Client settings: what a client's flags mean for its own session, and which are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tabmux.browsers.browser_kind import BrowserSpec
from tabmux.daemon.browser_specs import browser_specs
from tabmux.errors import Misuse
from tabmux.settings import Settings, resolve_settings, settings_of

# How a browser is started, if one is; all other settings of browsers say which one is meant.
_HOW_TO_START = frozenset({"headless", "proxy_server", "chrome_arg", "keep"})
# Rules that a session can have beside those of the daemon.
_SWITCHES = ("read_only", "no_javascript_evaluation")


@dataclass(frozen=True)
class ClientSettings:
    """What a session is opened with.

    Args:
        settings: Those of the daemon, with what the client wants otherwise for itself.
        browsers: The browsers that the client named; none for the daemon's own.
    """

    settings: Settings
    browsers: tuple[BrowserSpec, ...] = ()


def without_client_settings(settings: Settings) -> Settings:
    """Leave out what concerns one client: it says so again when it joins."""
    default = Settings()
    names = settings_of("browser", "session")
    sources = {name: source for name, source in settings.sources.items() if name not in names}
    return replace(settings, **{n: getattr(default, n) for n in names}, sources=sources)


def client_settings(daemon: Settings, flags: Mapping[str, Any]) -> ClientSettings:
    """Read what a client wants; raises what the daemon that runs cannot give it."""
    wanted = resolve_settings(flags, {})
    given = {name for name in settings_of("daemon", "browser", "session", "rule") if name in flags}
    given |= set(wanted.sources)
    _refuse_daemon_settings(daemon, wanted, given)
    own = {name: getattr(wanted, name) for name in settings_of("session") if name in given}
    settings = replace(daemon, **own, **_rules(daemon, wanted, given))
    named = given.intersection(settings_of("browser"))
    if not named:
        return ClientSettings(settings)
    specs = browser_specs(wanted)
    if named - _HOW_TO_START:
        specs = [replace(spec, stand_in=False) for spec in specs]
    return ClientSettings(settings, tuple(specs))


def _refuse_daemon_settings(daemon: Settings, wanted: Settings, given: set[str]) -> None:
    differing = [
        name
        for name in settings_of("daemon")
        if name in given and not _has(daemon, name, getattr(wanted, name))
    ]
    if differing:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in differing)
        raise Misuse(
            f"The daemon that runs was started without this {flags}, and has other clients.",
            hint="Restart it with `tabmux daemon restart` and these flags, leave them out, or use "
            "`tabmux serve --stdio`, which shares nothing.",
        )


def _has(daemon: Settings, name: str, wanted: Any) -> bool:
    """Whether the daemon has a setting as wanted; of a list, all that is wanted."""
    have = getattr(daemon, name)
    return set(wanted) <= set(have) if isinstance(wanted, tuple) else bool(wanted == have)


def _rules(daemon: Settings, wanted: Settings, given: set[str]) -> dict[str, Any]:
    """Return the session's rules: they may be narrower than the daemon's, and not wider."""
    rules: dict[str, Any] = {}
    for name in given.intersection(settings_of("rule")):
        have, want = getattr(daemon, name), getattr(wanted, name)
        if have == want:
            continue
        if name in _SWITCHES and want:
            rules[name] = True
        elif name == "redact_headers" and "off" not in want:
            rules[name] = (*have, *want)
        else:
            flag = f"--{name.replace('_', '-')}"
            raise Misuse(
                f"The daemon that runs was started without this {flag}.",
                hint="Restart it with `tabmux daemon restart` and this flag, or use "
                "`tabmux serve --stdio`.",
            )
    return rules
