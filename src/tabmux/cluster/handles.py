"""Handles: ids that say which shard they belong to, and cannot be made up; pure.

`<shard>.<random>.<mac>`: the shard is the name under which a daemon opens sessions. The mac is
made with the key of the cluster, so that whoever guesses costs no look into the store.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

_FORM = re.compile(r"([a-z2-7]{8})\.([\w-]{24})\.([\w-]{22})", re.ASCII)


def new_shard() -> str:
    """Return a name for a shard that no other has."""
    return base64.b32encode(secrets.token_bytes(5)).decode().lower()


def is_handle(text: str) -> bool:
    """Whether a text has the form of a handle, made up or not."""
    return _FORM.fullmatch(text) is not None


class Handles:
    """Makes and checks the handles of a cluster.

    Args:
        key: The key of the cluster.
    """

    def __init__(self, key: bytes) -> None:
        self._key = derived_key(key, "handles")

    def new(self, shard: str) -> str:
        """Return a handle in a shard."""
        text = f"{shard}.{secrets.token_urlsafe(18)}"
        return f"{text}.{self._mac(text)}"

    def shard_of(self, handle: str) -> str | None:
        """Return the shard of a handle; None for one that the cluster has not made."""
        found = _FORM.fullmatch(handle)
        if found is None:
            return None
        shard, middle, mac = found.groups()
        return shard if hmac.compare_digest(mac, self._mac(f"{shard}.{middle}")) else None

    def _mac(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(), "sha256")[:16]
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def derived_key(key: bytes, purpose: str) -> bytes:
    """Return a key for one purpose: what one shows says nothing of the others."""
    return hmac.digest(key, f"tabmux cluster {purpose}".encode(), "sha256")


def key_from(secret: str) -> bytes:
    """Return the key of a cluster from a secret that its daemons share."""
    return hashlib.sha256(f"tabmux cluster {secret}".encode()).digest()
