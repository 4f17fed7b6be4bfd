"""`python -m bench.pagetools formasaurus|gold|todomvc|cost|stability|…`: scores; see PARTS."""

from __future__ import annotations

import importlib
import sys

PARTS = (
    "formasaurus", "gold", "todomvc", "cost", "stability", "probe", "execution", "task", "webmcp",
)  # fmt: skip


def main(arguments: list[str]) -> int:
    """Run one part, and return the exit code."""
    if arguments[:1] and arguments[0] in PARTS:
        part = importlib.import_module(f"bench.pagetools.{arguments[0]}")
        return int(part.run(arguments[1:]))
    sys.stderr.write(f"{__doc__}\n")
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
