"""A server on standard input and output for the tests to start; it also prints where it should not.

At the end it says on standard error how many sessions it left open.
"""

from __future__ import annotations

import asyncio
import os
import sys

from tabmux.mcp.stream.stdio import serve_stdio
from tests.mcp.fake_backend import FakeBackend, FakeSession


class _Noisy(FakeBackend):
    def open(self, label: str = "") -> FakeSession:
        sys.stdout.write("a stray print\n")
        sys.stdout.flush()
        os.write(1, b"a stray write\n")
        os.read(0, 100)
        return super().open(label)


async def _main() -> None:
    backend = _Noisy()
    await serve_stdio(backend, version="1.2.3")
    left = [session for session in backend.opened if not session.closed.is_set()]
    sys.stderr.write(f"left open: {len(left)}\n")


if __name__ == "__main__":
    asyncio.run(_main())
