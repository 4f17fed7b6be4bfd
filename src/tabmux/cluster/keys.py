"""Keys: where what lies in Redis; pure.

All names have the same hash tag, so that a script may touch several of them on a Redis Cluster.
"""

from __future__ import annotations

PREFIX = "{tabmux}:"
# Another form of what is kept is another cluster: daemons of two forms refuse each other.
FORM = 1

# What every daemon must agree on: form and digest of the key.
AGREEMENT = f"{PREFIX}agreement"
# Who answers for each shard: "<daemon> <epoch>".
SHARDS = f"{PREFIX}shards"
# Which shard a session's name is in.
LABELS = f"{PREFIX}labels"
# Tabs of sessions in browsers that several daemons see, each with its shard.
TABS = f"{PREFIX}tabs"


def lease(daemon: str) -> str:
    """Return where a daemon's lease is; it holds the daemon's address."""
    return f"{PREFIX}lease:{daemon}"


def sessions(shard: str) -> str:
    """Return where the rows of a shard's sessions are, by handle."""
    return f"{PREFIX}sessions:{shard}"


def uses(shard: str) -> str:
    """Return where it is noted when sessions were last used."""
    return f"{PREFIX}uses:{shard}"


def connections(shard: str) -> str:
    """Return where the rows of connections are, by id."""
    return f"{PREFIX}connections:{shard}"


def storage(shard: str) -> str:
    """Return where cookies and local storage are."""
    return f"{PREFIX}storage:{shard}"


def calls(shard: str) -> str:
    """Return where the actions are that were begun and not answered, by time."""
    return f"{PREFIX}calls:{shard}"


def numbers(kind: str) -> str:
    """Return where it is counted which numbers were given out."""
    return f"{PREFIX}numbers:{kind}"


def of_shard(shard: str) -> tuple[str, ...]:
    """Return everything that is kept for a shard."""
    return sessions(shard), uses(shard), connections(shard), storage(shard), calls(shard)
