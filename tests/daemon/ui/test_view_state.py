from __future__ import annotations

from pathlib import Path

from tabmux.content import SilentClient
from tabmux.daemon.ui.view_state import state
from tabmux.settings import Settings
from tests.agent import Agent
from tests.browsers.grid.fake_grid import FakeGrid, served
from tests.daemon.ui.person import Person
from tests.serving import running

POLICY = """\
[default]
calls = 100

[session.work]
minutes = 60
read_only = true

[client.other]
calls = 5
"""


async def test_a_person_sees_what_an_agent_may_do(tmp_path: Path, whole: Agent) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(POLICY)
    async with running(Settings(policy=str(file)), bridged=False) as app:
        session = app.open("work")
        session.made = 3
        (shown,) = state(app, "")["sessions"]
        sections = ["[default]", "[session.work]"]
        assert shown["policy"] == {
            "sections": sections,
            "readOnly": True,
            "calls": 100,
            "minutes": 60,
        }
        session.client = "other"
        assert state(app, "")["sessions"][0]["policy"]["calls"] == 5
        assert "[client.other]" in session.policy_sections
        person = Person(whole, app)
        await person.enter(text="3 of 5 calls")
        await person.sees("0 of 60 minutes · may only look · policy [default], [client.other], ")
        await whole("navigate_page", url="about:blank")


async def test_a_person_sees_where_on_the_grid_an_agent_works(whole: Agent) -> None:
    async with served(FakeGrid(2, 2)) as grid:
        settings = Settings(grid=grid.url, grid_options=(("warm", 0), ("queue", 5)))
        async with running(settings, timings={"grid_watch": 0.1}, bridged=False) as app:
            session = app.open("work")
            await session.call("list_pages", {}, SilentClient())
            await session.call("new_page", {"url": "about:blank"}, SilentClient())
            person = Person(whole, app)
            await person.enter(text="on http")
            await person.press("Health")
            await person.sees("1 of 4 slots in use, 0 queued, 2 nodes")
            await person.sees("waiting here for a browser")
            (browser,) = state(app, "")["browsers"]
            assert browser["places"] == state(app, "")["sessions"][0]["places"]
            assert any("sessions in it" in each for each in browser["places"])
            text = await whole("audit_page", categories=["accessibility"])
            assert text.startswith("0 findings"), text
            await whole("navigate_page", url="about:blank")
