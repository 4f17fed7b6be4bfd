"""`python -m bench [COMMAND]`: measure tabmux, its peers and Chromium itself."""

from __future__ import annotations

import sys

from bench.commands import main

COMMANDS = {
    "": "bench.comparison:compare",
    "agents": "bench.agents.command:agents",
    "extension": "bench.extension:extension",
    "floor": "bench.floor:floor",
    "flood": "bench.flood:flood",
    "http": "bench.http:http",
    "install": "bench.comparison:install",
    "library": "bench.library:library",
    "live-view": "bench.live_view:live_view",
    "neighbours": "bench.neighbours:neighbours",
    "tabbench": "bench.tabbench.command:tabbench",
    "trace": "bench.trace:trace",
    "truth": "bench.truth.command:truth",
}

if __name__ == "__main__":
    sys.exit(main(COMMANDS))
