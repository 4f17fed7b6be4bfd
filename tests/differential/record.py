"""What the peer was seen to do, so that the comparison needs neither it nor its moods.

The peer waits for fixed times and lets some failures pass for successes on a busy machine, so its
answers are recorded on a quiet one: `scripts/differential` calls both servers and writes them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.servers import CHROME_DEVTOOLS
from tests.differential.side import Side

RECORD = Path(__file__).with_name("peer.json")
LIVE = bool(os.environ.get("TABMUX_LIVE_PEER"))


def plain(facts: object) -> Any:
    """Facts as they come back from a file."""
    return json.loads(json.dumps(facts, default=sorted))


def taken(side: Side) -> dict[str, Any]:
    """The tools of a server and what they take, without its words."""
    return {
        name: {
            "required": sorted(tool["inputSchema"].get("required", ())),
            "properties": {
                key: _kind(about) for key, about in tool["inputSchema"]["properties"].items()
            },
        }
        for name, tool in side.tools.items()
    }


def _kind(about: dict[str, Any]) -> dict[str, Any]:
    choices = about.get("enum") or about.get("items", {}).get("enum")
    return {"type": about.get("type"), **({"choices": sorted(choices)} if choices else {})}


class Record:
    """The tools and the facts of the peer, by behaviour."""

    def __init__(self) -> None:
        kept = json.loads(RECORD.read_text())
        self.tools: dict[str, Any] = kept["tools"]
        self.facts: dict[str, Any] = kept["facts"]

    def write(self, behaviours: Iterable[str]) -> None:
        """Keep what was seen of these; what a run left out, or saw in a mood, stays as it was."""
        peer = " ".join(CHROME_DEVTOOLS.package or ())
        facts = {name: self.facts[name] for name in behaviours if name in self.facts}
        kept = {"peer": peer, "tools": self.tools, "facts": facts}
        RECORD.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
