"""Owners: who answers for a shard, as the store tells it; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Owner:
    """Who answers for a shard.

    Attributes:
        daemon: The daemon.
        epoch: How often the shard has been taken over.
        address: Where the daemon is; empty when its lease has ended.
    """

    daemon: str
    epoch: int
    address: str = ""


def read_owner(text: str, leases: Mapping[str, str]) -> Owner:
    """Read who answers for a shard.

    Args:
        text: What the store says of the shard.
        leases: The addresses of daemons whose lease lasts.
    """
    daemon, _, epoch = text.partition(" ")
    return Owner(daemon, int(epoch), leases.get(daemon, ""))


def pairs(found: list[bytes]) -> dict[str, str]:
    """Read keys and values that come in turn."""
    words = [word.decode() if isinstance(word, bytes) else str(word) for word in found]
    return dict(zip(words[::2], words[1::2], strict=True))
