"""`python -m bench.pagetools formasaurus|gold|todomvc|cost|stability|…`: scores; see COMMANDS."""

from __future__ import annotations

import sys

from bench.commands import main

PARTS = (
    "formasaurus", "gold", "todomvc", "cost", "stability", "probe", "execution", "task", "webmcp",
)  # fmt: skip
COMMANDS = {part: f"bench.pagetools.{part}:run" for part in PARTS}

if __name__ == "__main__":
    sys.exit(main(COMMANDS))
