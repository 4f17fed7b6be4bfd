"""Redis link: the store that the daemons of a cluster share, its scripts and its errors."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.resources
import re
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, NoScriptError, RedisError, ResponseError

from tabmux.errors import Misuse, NoCapacity

# With users and passwords in URLs.
OLDEST_VERSION = (6, 0)
# A Redis that does not answer for so long is no help to a lease of three seconds.
ANSWER_SECONDS = 1.0
MOST_CONNECTIONS = 16

Word = str | bytes | int


class RedisUnreachable(NoCapacity):
    """The cluster's Redis does not answer."""


class RedisLink:
    """Connections to one Redis; an `async with`, which fails for one that cannot be used.

    Args:
        url: As the user gave it.
    """

    def __init__(self, url: str) -> None:
        try:
            pool = BlockingConnectionPool.from_url(
                url,
                max_connections=MOST_CONNECTIONS,
                timeout=ANSWER_SECONDS,
                socket_timeout=ANSWER_SECONDS,
                socket_connect_timeout=ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
            )
        except ValueError as error:
            raise _bad_url(url) from error
        self.url, self.place = url, without_password(url)
        # Much of the package is not typed.
        self._redis: Any = Redis(connection_pool=pool)
        self._digests: dict[str, str] = {}

    async def __aenter__(self) -> Self:
        try:
            await self._check()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._redis.aclose(close_connection_pool=True)

    async def ask(self, *words: Word) -> Any:
        """Run one command."""
        before = _cancellations()
        try:
            async with asyncio.timeout(2 * ANSWER_SECONDS):
                answer = await self._redis.execute_command(*words)
        except NoScriptError:
            raise
        except (RedisError, OSError, TimeoutError) as error:
            _end_if_cancelled(before)
            raise self._unreachable(error) from error
        _end_if_cancelled(before)
        return answer

    async def run(self, script: str, keys: Sequence[str], words: Sequence[Word]) -> Any:
        """Run one of the scripts in `lua/`, which nothing comes between."""
        given = (len(keys), *keys, *words)
        if script not in self._digests:
            source = _source(script)
            await self.ask("SCRIPT", "LOAD", source)
            # Redis names scripts so; nothing is kept secret by it.
            self._digests[script] = hashlib.sha1(source.encode()).hexdigest()
        try:
            return await self.ask("EVALSHA", self._digests[script], *given)
        except NoScriptError:
            return await self.ask("EVAL", _source(script), *given)

    async def own_address(self) -> str:
        """Return the address of this machine by which Redis is reached."""
        connection = await self._redis.connection_pool.get_connection()
        try:
            writer = getattr(connection, "_writer", None)
            name = writer.get_extra_info("sockname") if writer is not None else None
            return str(name[0]) if isinstance(name, tuple) else ""
        finally:
            await self._redis.connection_pool.release(connection)

    async def _check(self) -> None:
        try:
            info = await self.ask("INFO", "server")
        except RedisUnreachable as error:
            raise _cannot_be_used(self.place, error.__cause__ or error) from error
        found = re.search(r"redis_version:(\d+)\.(\d+)", _text(info))
        if found is None or (int(found[1]), int(found[2])) < OLDEST_VERSION:
            version = f"{found[1]}.{found[2]}" if found else "unknown"
            raise Misuse(
                f"The Redis at {self.place} has version {version}, which is too old.",
                hint="Use Redis 6.0 or newer, or any Valkey.",
            )

    def _unreachable(self, error: Exception) -> RedisUnreachable:
        why = f"refuses: {error}" if isinstance(error, ResponseError) else "does not answer"
        return RedisUnreachable(
            f"The cluster's Redis at {self.place} {why}.",
            hint="Sessions are kept; try again in 5 s. The operator should look after Redis.",
        )


def _cancellations() -> int:
    """Return how often the running task was cancelled; one that ends in order may still ask."""
    task = asyncio.current_task()
    return 0 if task is None else task.cancelling()


def _end_if_cancelled(before: int) -> None:
    """End a task that was cancelled while a library waited, which may have kept that to itself."""
    if _cancellations() > before:
        raise asyncio.CancelledError


def without_password(url: str) -> str:
    """Return the address of a Redis alone: a URL has passwords before the host and in its query."""
    try:
        parts = urlsplit(url)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return "…"
    # A password with a character that means something in URLs does not end where the host begins.
    if "//" not in url or "@" in f"{parts.path}{parts.query}{parts.fragment}":
        return "…"
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _bad_url(url: str) -> Misuse:
    return Misuse(
        f"--cluster {without_password(url)} is no address of a Redis.",
        hint="Write it like redis://:PASSWORD@host:6379/0, or rediss:// with TLS.",
    )


def _cannot_be_used(place: str, error: BaseException) -> Misuse:
    if isinstance(error, AuthenticationError) or "NOAUTH" in str(error) or "NOPERM" in str(error):
        why, hint = "refuses us", "Put user and password into the URL: redis://USER:PASSWORD@host."
    else:
        why, hint = "cannot be reached", "See whether it runs, and that the address is right."
    return Misuse(f"The Redis at {place} {why}: {str(error) or 'it took too long'}.", hint=hint)


def _text(info: Any) -> str:
    if isinstance(info, dict):
        return "\n".join(f"{key}:{value}" for key, value in info.items())
    return info.decode() if isinstance(info, bytes) else str(info)


def _source(script: str) -> str:
    return importlib.resources.files("tabmux.cluster.lua").joinpath(f"{script}.lua").read_text()
