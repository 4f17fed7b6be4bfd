"""`python -m bench.pagetools formasaurus|gold|todomvc|cost|stability|…`: scores; see COMMANDS."""

from __future__ import annotations

import sys

from bench.commands import main

PARTS = (
    "formasaurus", "gold", "todomvc", "cost", "stability", "probe", "execution", "task", "webmcp",
    "autopager", "miniwob",
)  # fmt: skip
COMMANDS = {part: f"bench.pagetools.{part}:run" for part in PARTS} | {
    "applications": "bench.pagetools.applications.command:run"
}

if __name__ == "__main__":
    sys.exit(main(COMMANDS))
