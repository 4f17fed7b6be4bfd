from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tabmux.daemon.introduction import introduction
from tabmux.settings import Settings
from tests.agent import HELLO, Agent
from tests.mcp.raw_clients import SECONDS, request
from tests.serving import running
from tests.site import Site

# Each of them takes longer to load than the answer may.
HEAVY = (
    "asyncio",
    "pydantic",
    "starlette",
    "uvicorn",
    "uvloop",
    "picows",
    "psutil",
    "re2",
    "tabmux.browsers",
    "tabmux.daemon.app",
    "tabmux.page",
    "tabmux.policy",
    "tabmux.sessions",
    "tabmux.tools",
)


@pytest.mark.parametrize("settings", [Settings(toolset="focus"), Settings(slim=True), Settings()])
async def test_client_is_told_before_what_its_session_would_tell(
    site: Site, settings: Settings
) -> None:
    async with running(settings, bridged=False) as app, Agent.joined(app, site) as agent:
        told = await agent.request("initialize", **HELLO)
        info = introduction(settings)
        told["serverInfo"]["version"] = info.version  # the tests' own
        assert info.initialize(HELLO)[1] == told


def test_first_answer_waits_for_nothing_that_only_later_ones_need() -> None:
    """It is why `serve --stdio` answers long before everything is loaded."""
    code = (
        "import sys, tabmux.__main__\n"
        "from tabmux.cli.command_table import load_command\n"
        "load_command('serve')\n"
        "from tabmux.daemon.introduction import shake_hands\n"
        "from tabmux.settings import Settings\n"
        "shake_hands(Settings(stdio=True))\n"
        f"sys.stderr.write(repr(sorted(set({HEAVY!r}) & set(sys.modules))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(request(1, "initialize", **HELLO)) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS * 3,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "tabmux"
    assert done.stderr == "[]"
