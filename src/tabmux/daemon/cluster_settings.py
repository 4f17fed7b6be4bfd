"""Cluster settings: the cluster that they name; nothing of it is loaded where they name none."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tabmux.errors import Misuse
from tabmux.settings import Settings

if TYPE_CHECKING:
    from tabmux.cluster.cluster import Cluster

KEY_VARIABLE = "TABMUX_CLUSTER_KEY"
SHORTEST_KEY = 20
_EVERYWHERE = ("0.0.0.0", "::", "[::]", "")


@asynccontextmanager
async def cluster_of(
    settings: Settings,
    port: int,
    token: str | None,
    environment: Mapping[str, str] = os.environ,
) -> AsyncIterator[Cluster | None]:
    """Be a daemon of the cluster that the settings name, for the length of the block.

    Args:
        settings: Those of the daemon.
        port: Where it listens.
        token: What its clients show.
        environment: What may hold the key of the cluster.
    """
    if settings.cluster is None:
        yield None
        return
    secret = _secret(token, environment)
    try:
        from tabmux.cluster.cluster import joined_cluster
        from tabmux.cluster.handles import key_from
    except ImportError as error:
        raise Misuse(
            "--cluster needs the Python package redis.",
            hint="Install it: pip install 'tabmux[cluster]'.",
        ) from error
    async with joined_cluster(
        settings.cluster, key_from(secret), lambda own: _address(settings, port, own)
    ) as cluster:
        yield cluster


def _secret(token: str | None, environment: Mapping[str, str]) -> str:
    secret = environment.get(KEY_VARIABLE) or token
    if secret is None:
        raise Misuse(
            "A cluster without a token needs a key of its own.",
            hint=f"Leave --no-auth out, or set {KEY_VARIABLE} to the same secret everywhere.",
        )
    if len(secret) < SHORTEST_KEY:
        raise Misuse(
            f"{KEY_VARIABLE} has fewer than {SHORTEST_KEY} characters.",
            hint="Make one, for example with: openssl rand -hex 32",
        )
    return secret


def _address(settings: Settings, port: int, own: str) -> str:
    """Return where other daemons reach this one.

    Args:
        settings: What the user says of it.
        port: Where it listens.
        own: The address of this machine by which Redis is reached.
    """
    if settings.cluster_address is not None:
        if not settings.cluster_address.startswith("http://"):
            raise Misuse(
                f"--cluster-address {settings.cluster_address!r} is no address.",
                hint="Write it like http://10.0.0.5:3000.",
            )
        return settings.cluster_address.rstrip("/")
    host = settings.host.strip("[]")
    host = own or "127.0.0.1" if host in _EVERYWHERE else host
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
