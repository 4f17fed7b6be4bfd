"""Attacks on every tool at once: what they would make this very process do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.hostile import inputs
from tests.hostile.tally import WHOLE_SECONDS, whole
from tests.ports import free_port
from tests.site import Site

# It is there to connect.
CONNECTS = {"connect_browser"}
_connections: list[str] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.getaddrinfo"):
        _connections.append(str(arguments))


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_no_address_in_an_argument_makes_this_process_connect_to_it(
    everything: App, site: Site, tmp_path: Path
) -> None:
    """Pages may go there, by the policy; who runs tabmux may reach more than they do."""
    sys.addaudithook(_note)  # cannot be taken away again, and costs next to nothing
    port = free_port()
    (dice,) = inputs.seeds(1, 1)
    tried = 0
    async with Agent.joined(everything, site) as agent:
        await agent.open("<title>Victim</title><button>Go</button>")
        for tool in catalog.tools(None):
            if tool.name in CONNECTS:
                continue
            for key in tool.schema["properties"]:
                given = inputs.fitted(tool.schema, dice, str(tmp_path))
                await agent.reply(tool.name, **given | {key: f"http://localhost:{port}/canary"})
                tried += 1
                assert not [each for each in _connections if str(port) in each], (tool.name, key)
    assert tried > 300
