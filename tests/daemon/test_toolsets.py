from __future__ import annotations

import re

import pytest

from tabmux.daemon.client_settings import ClientSettings
from tabmux.settings import Settings
from tests.agent import HELLO, Agent
from tests.serving import running
from tests.site import Site


@pytest.mark.parametrize("toolset", ["full", "focus", "slim"])
async def test_instructions_name_only_tools_of_their_toolset(site: Site, toolset: str) -> None:
    async with (
        running(Settings(toolset=toolset), bridged=False) as app,
        Agent.joined(app, site) as agent,
    ):
        said = (await agent.request("initialize", **HELLO))["instructions"]
        known = set(await agent.tools()) | {spec.name for spec in app.tools()}
    assert set(re.findall(r"\b[a-z]+_[a-z_]+\b", said)) <= known


async def test_instructions_are_those_of_the_session_s_own_toolset(site: Site) -> None:
    async with running(Settings(), bridged=False) as app:
        focus = ClientSettings(Settings(toolset="focus"))
        assert "connect_browser" in app.open(client=focus).instructions
        assert "take_snapshot" in app.open().instructions
