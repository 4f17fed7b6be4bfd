"""Passkey: a key of the user's for one site, as the keyring keeps it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tabmux.secrets import sources

SCHEME = "keyring:"
# What of a credential is kept; Chrome wants the same names back.
_TEXTS = ("credentialId", "rpId", "privateKey")
_OPTIONAL = ("userHandle", "userName", "userDisplayName")


@dataclass(frozen=True)
class Passkey:
    """A passkey.

    Args:
        credential: What Chrome's virtual authenticator calls a credential.
    """

    credential: Mapping[str, Any]

    @classmethod
    def of(cls, credential: Mapping[str, Any]) -> Passkey:
        """Make it of what an authenticator holds, or the keyring."""
        kept = {key: str(credential[key]) for key in (*_TEXTS, *_OPTIONAL) if credential.get(key)}
        count = int(credential.get("signCount", 0))
        return cls({**kept, "signCount": count, "isResidentCredential": True})

    @classmethod
    def read(cls, text: str) -> Passkey:
        """Read what the keyring has; what is wrong with it is not said, for the key is in it."""
        try:
            values = json.loads(text)
            found = cls.of(values)
        except (ValueError, TypeError, AttributeError):
            found = cls({})
        if any(key not in found.credential for key in _TEXTS):
            raise sources.NoSecretValue(
                "What the keyring has is no passkey.",
                hint="Tell the user; register_passkey makes one in an empty place.",
            )
        return found

    @property
    def text(self) -> str:
        """What the keyring keeps."""
        return json.dumps(dict(self.credential))

    def fits(self, origins: Iterable[str]) -> bool:
        """Whether its site is a host of the origins, or one that such a host is a part of."""
        site = str(self.credential["rpId"])
        hosts = (urlsplit(each).hostname or "" for each in origins)
        return any(host == site or host.endswith(f".{site}") for host in hosts)


async def stored(reference: str, seconds: float) -> Passkey | None:
    """Return the passkey that is kept in a place; None where there is nothing."""
    try:
        return Passkey.read(await sources.fetched(reference, "passkey", seconds))
    except sources.EmptySource:
        return None


async def store(reference: str, passkey: Passkey, seconds: float) -> None:
    """Keep a passkey, in the place of what is there."""
    await sources.keep(reference, passkey.text, "passkey", seconds)
