"""A server on standard input and output for the tests to start; it also prints where it should not.

At the end it says on standard error how many sessions it left open.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tabmux.mcp.stream.stdio import serve_stdio
from tests.mcp.workshop import Bench, Workshop


class _Noisy(Workshop):
    def open(self) -> Bench:
        sys.stdout.write("a stray print\n")
        sys.stdout.flush()
        os.write(1, b"a stray write\n")
        os.read(0, 100)
        return super().open()


async def _main() -> None:
    shop = _Noisy()
    await serve_stdio(shop, version="1.2.3")
    left = [bench for bench in shop.opened if not bench.closed.is_set()]
    sys.stderr.write(f"left open: {len(left)}\n")


if __name__ == "__main__":
    asyncio.run(_main())
