"""Things kept by key until they have been idle too long, and only so many of them."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Generic, Protocol, TypeVar

logger = logging.getLogger(__name__)


class Tenant(Protocol):
    """Something that can be kept."""

    @property
    def is_busy(self) -> bool:
        """Whether it is in use, however long ago it was asked for."""

    async def close(self) -> None:
        """Give up what it holds."""


T = TypeVar("T", bound=Tenant)


class ConnectionTable(Generic[T]):
    """Tenants by key."""

    def __init__(self, most: int, idle_seconds: float, most_each: int | None = None) -> None:
        self._most, self._idle_seconds = most, idle_seconds
        self._most_each = most if most_each is None else most_each
        self._owners: dict[str, str] = {}
        self._tenants: dict[str, T] = {}
        self._used: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._tenants)

    def __contains__(self, key: str) -> bool:
        return key in self._tenants

    def full(self, owner: str = "") -> str:
        """Say why no more can be taken in for this owner; nothing if one more can."""
        if len(self._tenants) >= self._most:
            return "Too many sessions are open."
        if list(self._owners.values()).count(owner) >= self._most_each:
            return "You have too many sessions open."
        return ""

    def add(self, key: str, tenant: T, owner: str = "") -> T:
        """Take one in."""
        self._tenants[key] = tenant
        self._owners[key] = owner
        self._used[key] = time.monotonic()
        return tenant

    def find(self, key: str) -> T | None:
        """Return a tenant, which thereby counts as used."""
        if (tenant := self._tenants.get(key)) is not None:
            self._used[key] = time.monotonic()
        return tenant

    def all(self) -> list[T]:
        """Return every tenant."""
        return list(self._tenants.values())

    async def remove(self, key: str) -> None:
        """Close one, which is unknown from now on."""
        self._used.pop(key, None)
        self._owners.pop(key, None)
        if tenant := self._tenants.pop(key, None):
            try:
                await tenant.close()
            except Exception:  # the rim: one that closes badly must not keep the others open
                logger.exception("A session did not close properly")

    async def clear(self) -> None:
        """Close all of them, at the same time."""
        async with asyncio.TaskGroup() as group:
            for key in list(self._tenants):
                group.create_task(self.remove(key))

    async def sweep(self) -> None:
        """Close what is idle, for ever."""
        while True:
            await asyncio.sleep(min(30.0, self._idle_seconds / 4))
            for key in self._idle():
                await self.remove(key)

    def _idle(self) -> list[str]:
        now = time.monotonic()
        for key, tenant in self._tenants.items():
            if tenant.is_busy:
                self._used[key] = now
        return [key for key, used in self._used.items() if now - used >= self._idle_seconds]
