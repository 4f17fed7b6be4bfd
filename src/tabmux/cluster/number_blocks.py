"""Number blocks: numbers that only one daemon of a cluster gives, reserved many at a time."""

from __future__ import annotations

import secrets

from tabmux.cluster import keys
from tabmux.cluster.redis_link import RedisLink
from tabmux.numbering import Numbering

BLOCK = 1_000
# Where nothing was reserved in time: far above what blocks reach, and unlikely to meet.
_FAR = 1 << 40


class NumberBlocks(Numbering):
    """Counts through blocks of numbers.

    Args:
        link: Where blocks are reserved.
        kind: What is numbered.
        first: The first number of all.
    """

    def __init__(self, link: RedisLink, kind: str, first: int) -> None:
        super().__init__(first)
        self._link, self._kind, self._first = link, kind, first
        self._blocks: list[range] = []
        # How far numbers were given, as far as this daemon knows.
        self._end = 0

    def __next__(self) -> int:
        while self._blocks:
            block = self._blocks[0]
            if block:
                self._blocks[0] = block[1:]
                return block[0]
            del self._blocks[0]
        return _FAR + secrets.randbelow(_FAR)

    def pass_over(self, used: int) -> None:
        """Note a number that another daemon gave: it is in no block of ours, nor may become so."""
        if used < _FAR:
            self._end = max(self._end, used + 1 - self._first)

    async def reserve(self) -> None:
        """See that there are numbers for a while."""
        while sum(map(len, self._blocks)) < BLOCK:
            end = await self._reserved(BLOCK)
            if not end:
                # Others may know of later ones that were given, and write them anew first.
                return
            self._end = max(self._end, end)
            self._blocks.append(range(end - BLOCK + self._first, end + self._first))

    async def write_again(self) -> None:
        """See that nobody is given again what was given, where Redis has lost it."""
        await self._reserved(0)

    async def _reserved(self, many: int) -> int:
        key = keys.numbers(self._kind)
        return int(await self._link.run("reserve", [key], [self._end, many]))
