"""Secrets: values that the agent names and only tabmux knows."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from tabmux.errors import Misuse, Refused
from tabmux.policy.rule_source import RuleSource

PREFIX = "$secret:"
ENVIRONMENT = "TABMUX_SECRET_"
HIDDEN = "•••"
# Shorter values occur in texts by chance.
_SHORTEST_HIDDEN = 4
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class Secrets:
    """Which secrets may be given to pages of which origins; values come from the environment.

    Args:
        origins: The origins that each secret may be given to, by its name.
        only: The names of those that may be used here; None for all.
        rule: Where the policy file says so.
    """

    origins: Mapping[str, frozenset[str]] = field(default_factory=dict)
    only: frozenset[str] | None = None
    rule: RuleSource | None = None

    @classmethod
    def of(cls, settings: Iterable[str]) -> Secrets:
        """Read settings of the form NAME=ORIGIN; a name may have several origins."""
        found: dict[str, frozenset[str]] = {}
        for text in settings:
            name, _, origin = text.partition("=")
            if not _NAME.fullmatch(name) or origin_of(origin) == "null":
                raise Misuse(
                    f"--secret {name!r} is not of the form NAME=ORIGIN.",
                    hint=f"Say --secret LOGIN=https://example.com and set {ENVIRONMENT}LOGIN.",
                )
            found[name] = found.get(name, frozenset()) | {origin_of(origin)}
        return cls(found)

    def limited(self, names: frozenset[str] | None, rule: RuleSource | None) -> Secrets:
        """Return the same with only these secrets, where the policy file names some."""
        return self if names is None else replace(self, only=names, rule=rule)

    def resolved(self, value: Any, origin: str) -> Any:
        """Return the value that a name stands for; anything else as it is."""
        if not isinstance(value, str) or not value.startswith(PREFIX):
            return value
        name = value.removeprefix(PREFIX)
        if self.only is not None and name not in self.only:
            raise Refused(
                f"The secret {name!r} may not be used here: {self.rule} does not name it.",
                hint="Tell the user if it is needed.",
                rule=self.rule,
            )
        if name not in self.origins:
            raise Refused(
                f"There is no secret {name!r}.",
                hint=f"The user sets {ENVIRONMENT}{name} and starts tabmux with "
                f"--secret {name}={origin}.",
                code="no_such_secret",
            )
        if origin not in self.origins[name]:
            raise Refused(
                f"The secret {name!r} may not be given to {origin}.",
                hint=f"The user may permit it with --secret {name}={origin}.",
            )
        found = os.environ.get(ENVIRONMENT + name)
        if not found:
            raise Refused(f"The secret {name!r} has no value; {ENVIRONMENT}{name} is not set.")
        return found


def refuse_unsafe(page_origin: str, frame_origin: str, action: str) -> None:
    """Raise why a secret must not be typed into a form.

    Args:
        page_origin: The origin of the tab.
        frame_origin: The origin of the frame that the form is in.
        action: Where the form is sent to.
    """
    target = origin_of(action) if action else frame_origin
    for origin in (page_origin, frame_origin, target):
        if not is_private(origin):
            raise Refused(
                f"A secret is not sent over plain HTTP, to {origin}.",
                hint="Ask the user to type it.",
            )
    if frame_origin != page_origin:
        raise Refused(
            f"A secret is not typed into a frame of {frame_origin} on a page of {page_origin}.",
            hint="Open the frame's page in a tab of its own, or ask the user to type it.",
        )
    if target != frame_origin:
        raise Refused(
            f"A secret is not sent from {frame_origin} to {target}.",
            hint="Ask the user to type it.",
        )


def is_private(origin: str) -> bool:
    """Whether nobody on the way can read what is sent to an origin."""
    parts = urlsplit(origin)
    host = parts.hostname or ""
    return parts.scheme in ("https", "file") or host in _LOOPBACK or host.endswith(".localhost")


def origin_of(url: str) -> str:
    """Return the origin of a URL, as browsers write it; "null" where it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "null"
    if parts.scheme == "file":
        return "file://"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "null"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != default else "")


def hidden(text: str, secrets: Iterable[str]) -> str:
    """Take secrets out of a text."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        if len(secret) >= _SHORTEST_HIDDEN:
            text = text.replace(secret, HIDDEN)
    return text
