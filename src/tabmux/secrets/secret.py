"""Secret: a login that the user has set up, and what of it may be used where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from tabmux.errors import Misuse, Refused
from tabmux.secrets import passkey, sources
from tabmux.secrets.origins import is_private, origin_of

PREFIX = "$secret:"
ENVIRONMENT = "TABMUX_SECRET_"

Approve = Literal["ask", "session", "always"]
# What a secret consists of; one that was set by a flag is a single value.
Part = Literal["username", "password", "totp", "value", "passkey"]
_PARTS: tuple[Part, ...] = ("username", "password", "totp", "passkey")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_REFERENCE = re.compile(r"\$secret:([A-Za-z_][A-Za-z0-9_-]*)(?:\.(\w+))?")


@dataclass(frozen=True)
class Secret:
    """A login of the user's.

    Args:
        name: What agents call it.
        origins: The pages it may be typed into.
        sources: Where each part is kept.
        approve: When the user is asked.
    """

    name: str
    origins: frozenset[str]
    sources: Mapping[Part, str]
    approve: Approve = "ask"

    def text(self, part: Part) -> SecretText:
        """Return what stands for a part until it is typed."""
        if part not in self.sources:
            raise Refused(
                f"The secret {self.name} has no {part}.",
                hint=f"It has {', '.join(self.sources)}.",
                code="no_such_secret",
            )
        return SecretText(self, part)


class SecretText(str):
    """The name of a part of a secret, in the place of its value.

    As text it is the reference that the agent wrote: whoever does not know of secrets handles
    only that. The value is fetched where it is typed, and kept nowhere.
    """

    secret: Secret
    part: Part
    # Whether the session is still there that it was made for.
    alive: Callable[[], bool]

    def __new__(cls, secret: Secret, part: Part) -> SecretText:
        """Make it of a secret and the part that is meant."""
        made = super().__new__(cls, f"{PREFIX}{secret.name}.{part}")
        made.secret, made.part, made.alive = secret, part, lambda: False
        return made

    async def fetch(self, seconds: float) -> str:
        """Return the value, from where the user keeps it."""
        value = await sources.fetched(self.secret.sources[self.part], self.part, seconds)
        if len(value) < sources.SHORTEST and self.part != "username":
            raise Refused(
                f"The {self.part} of {self.secret.name} is too short to be kept out of replies.",
                hint="Ask the user to type it.",
            )
        if len(value) > sources.LONGEST and self.part != "passkey":
            raise Refused(
                f"The {self.part} of {self.secret.name} is too long to be kept out of replies.",
                hint="Ask the user to type it.",
            )
        return value


@dataclass(frozen=True)
class Secrets:
    """All secrets that the user has set up."""

    known: Mapping[str, Secret] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Iterable[str | tuple[tuple[str, Any], ...]]) -> Secrets:
        """Read settings of the form NAME=ORIGIN, and tables of the file."""
        found: dict[str, Secret] = {}
        for each in settings:
            made = _of_flag(each) if isinstance(each, str) else _of_table(dict(each))
            before = found.get(made.name)
            if before is not None and (before.sources != made.sources):
                raise Misuse(f"There are two secrets of the name {made.name}.")
            if before is not None:
                made = Secret(made.name, made.origins | before.origins, made.sources, made.approve)
            found[made.name] = made
        return cls(found)

    def __iter__(self) -> Iterator[Secret]:
        """Go through the secrets."""
        return iter(self.known.values())

    def named(self, name: str) -> Secret:
        """Return a secret, or say that there is none."""
        if (found := self.known.get(name)) is None:
            raise Refused(
                f"There is no secret {name[:60]!r}.",
                hint="The user sets it up as a [[secret]] table of the configuration file; "
                "list_secrets shows which there are.",
                code="no_such_secret",
            )
        return found

    def meant(self, text: str) -> SecretText | None:
        """Return what a reference stands for; None for a text that is none."""
        if not text.startswith(PREFIX):
            return None
        matched = _REFERENCE.fullmatch(text.strip())
        if matched is None:
            raise Refused(
                f"{text[:60]!r} names no secret.",
                hint=f"Write {PREFIX}NAME.password, .username or .totp.",
                code="no_such_secret",
            )
        secret = self.named(matched[1])
        if matched[2] == "passkey":
            raise Refused("A passkey is not typed.", hint="Call log_in.", code="no_such_secret")
        usual = "value" if "value" in secret.sources else "password"
        return secret.text(cast(Part, matched[2] or usual))


def _of_flag(text: str) -> Secret:
    name, _, origin = text.partition("=")
    if not NAME.fullmatch(name) or origin_of(origin) == "null":
        raise Misuse(
            f"--secret {name!r} is not of the form NAME=ORIGIN.",
            hint=f"Say --secret LOGIN=https://example.com and set {ENVIRONMENT}LOGIN.",
        )
    source = f"env:{ENVIRONMENT}{name}"
    # Who starts tabmux with the value in its environment has agreed.
    return Secret(name, frozenset({origin_of(origin)}), {"value": source}, "always")


def _of_table(table: Mapping[str, Any]) -> Secret:
    name, origins = str(table.get("name", "")), table.get("origins", ())
    where = f"[[secret]] {name or '(without a name)'}"
    if unknown := sorted(set(table) - {"name", "origins", "approve", *_PARTS}):
        raise Misuse(f"{where}: unknown key {unknown[0]!r}.")
    if not NAME.fullmatch(name):
        raise Misuse(f"{where}: name must be a word of letters, digits, _ and -.")
    approve = str(table.get("approve", "ask"))
    if approve not in get_args(Approve):
        raise Misuse(f"{where}: approve is one of {', '.join(get_args(Approve))}.")
    parts = {part: str(table[part]) for part in _PARTS if part in table}
    if not parts:
        raise Misuse(f"{where}: it has neither {', '.join(_PARTS)}.")
    for part, source in parts.items():
        if not sources.is_source(source):
            raise Misuse(f"{where}: {part} names no source.", hint=sources.KNOWN)
    if not parts.get("passkey", passkey.SCHEME).startswith(passkey.SCHEME):
        raise Misuse(f"{where}: a passkey is kept in the keyring.", hint="keyring:SERVICE/USER")
    return Secret(name, _checked_origins(origins, where), parts, cast(Approve, approve))


def _checked_origins(origins: Any, where: str) -> frozenset[str]:
    listed = [origins] if isinstance(origins, str) else origins
    # What is no text is no origin either.
    is_list = isinstance(listed, list | tuple)
    found = frozenset(origin_of(str(each)) for each in listed) if is_list else frozenset()
    if not found or "null" in found:
        raise Misuse(f'{where}: origins must be a list such as ["https://shop.example"].')
    if public := sorted(each for each in found if not is_private(each)):
        raise Misuse(f"{where}: {public[0]} would get the secret over plain HTTP.")
    return found
