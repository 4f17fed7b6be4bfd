from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tabmux.concurrency import TaskOwner
from tabmux.daemon.human_alerts import (
    MOST_AT_ONCE,
    MOST_WAITING_OF_SESSION,
    HumanAlerts,
)
from tabmux.errors import Misuse
from tabmux.sessions.human_requests import HumanRequest, HumanRequests, PageState
from tests.agent import Agent
from tests.site import Site

PAGE = PageState(1, "https://shop.example/pay")
REASON = "Solve it; $(touch hacked)"


def request(agent: Agent, requests: HumanRequests) -> HumanRequest:
    return requests.make(agent.session, "help", REASON, 60, PAGE)


async def test_a_command_is_told_by_its_environment(agent: Agent, tmp_path: Path) -> None:
    file = tmp_path / "told"
    told = "os.environ['TABMUX_REASON'] + os.environ['TABMUX_URL']"
    script = f"import os; open({str(file)!r}, 'w').write({told})"
    async with TaskOwner() as tasks:
        requests = HumanRequests(tasks)
        alerts = HumanAlerts(f'{sys.executable} -c "{script}"', None, tasks)
        alerts.send(request(agent, requests))
        await tasks.idle()
    assert file.read_text() == f"{REASON}{PAGE.url}"
    assert not (tmp_path / "hacked").exists()


async def test_a_webhook_gets_json(agent: Agent, site: Site) -> None:
    posted: list[bytes] = []

    def respond(handler: Any) -> None:
        posted.append(handler.body)
        handler.send_response(204)
        handler.end_headers()

    url = site.route(respond)
    async with TaskOwner() as tasks:
        requests = HumanRequests(tasks)
        HumanAlerts(None, url, tasks).send(request(agent, requests))
        await tasks.idle()
    name = agent.session.visible_name
    assert json.loads(posted[0]) == {"reason": REASON, "session_name": name, "url": PAGE.url}


async def test_what_cannot_be_told_harms_nobody(agent: Agent) -> None:
    async with TaskOwner() as tasks:
        requests = HumanRequests(tasks)
        alerts = HumanAlerts("/no/such/command", "http://127.0.0.1:9/", tasks)
        alerts.send(request(agent, requests))
        await tasks.idle()


def test_a_webhook_is_a_web_address() -> None:
    with pytest.raises(Misuse):
        HumanAlerts(None, "file:///etc/passwd", TaskOwner())


def test_a_command_that_cannot_be_read_is_refused_with_what_to_do() -> None:
    with pytest.raises(Misuse, match="No closing quotation") as refused:
        HumanAlerts("notify 'x", None, TaskOwner())
    assert "backslash" in refused.value.hint


async def test_no_page_keeps_a_person_from_being_told(agent: Agent, tmp_path: Path) -> None:
    file = tmp_path / "told"
    script = f"import os; open({str(file)!r}, 'w').write(os.environ['TABMUX_URL'])"
    page = PageState(1, "https://shop.example/?access_token=s3cret&q=" + "x" * 1_000_000)
    async with TaskOwner() as tasks:
        requests = HumanRequests(tasks)
        made = requests.make(agent.session, "help", "Look\0" + "y" * 1_000_000, 60, page)
        HumanAlerts(f'{sys.executable} -c "{script}"', None, tasks).send(made)
        await tasks.idle()
    told = file.read_text()
    assert told.startswith("https://shop.example/?access_token=")
    assert "s3cret" not in told
    assert len(told) < 3_000


async def test_commands_of_many_requests_run_a_few_at_a_time(agent: Agent, tmp_path: Path) -> None:
    begun, gate = tmp_path / "begun", tmp_path / "gate"
    begun.mkdir()
    script = (
        f"import os, pathlib, time; pathlib.Path({str(begun)!r}, str(os.getpid())).touch()\n"
        f"while not os.path.exists({str(gate)!r}): time.sleep(0.01)"
    )
    file = tmp_path / "command.py"
    file.write_text(script)
    async with TaskOwner() as tasks:
        requests = HumanRequests(tasks)
        alerts = HumanAlerts(f"{sys.executable} {file}", None, tasks)
        made = [requests.make(agent.session, "help", str(each), 60, PAGE) for each in range(5)]
        for each in (*made, *made):
            alerts.send(each)
        while len(list(begun.iterdir())) < MOST_AT_ONCE:
            await asyncio.sleep(0.01)
        # Nobody need come any more for what has ended by the time that it is told.
        requests.end(made[-1], "done")
        gate.touch()
        await tasks.idle()
    assert len(list(begun.iterdir())) == MOST_WAITING_OF_SESSION - 1
