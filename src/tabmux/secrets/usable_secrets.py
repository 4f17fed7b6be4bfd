"""Usable secrets: those that one call may use, because the user has agreed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tabmux.errors import Refused
from tabmux.secrets.secret import PREFIX, Part, Secret, Secrets, SecretText


class NeedsHuman(Refused):
    """Only a person can agree to it, and nobody can be asked."""

    code = "needs_human"


@dataclass(frozen=True)
class UsableSecrets:
    """The secrets of one call.

    Args:
        secrets: All that the user has set up.
        allowed: The names of those that may be used.
        alive: Whether the session that uses them is still there.
    """

    secrets: Secrets = field(default_factory=Secrets)
    allowed: frozenset[str] = frozenset()
    alive: Callable[[], bool] = lambda: False

    def named(self, name: str) -> Secret:
        """Return a secret that may be used now."""
        secret = self.secrets.named(name.removeprefix(PREFIX))
        if secret.name not in self.allowed:
            raise NeedsHuman(
                f"The user must agree to the use of the secret {secret.name}, and was not asked.",
                hint="Name it in the arguments of the call itself.",
            )
        return secret

    def part(self, secret: Secret, part: Part) -> SecretText:
        """Return what stands for a part of a secret until it is typed."""
        found = secret.text(part)
        found.alive = self.alive
        return found

    def meant(self, text: str) -> str:
        """Return what a reference stands for; another text as it is."""
        found = self.secrets.meant(text)
        return text if found is None else self.part(self.named(found.secret.name), found.part)
