"""What emulation makes of the world of workers."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from tests.agent import Agent
from tests.site import _send

# Answers every message with what the worker sees, and what a server sees of it.
CODE = """
const look = async (url) => [navigator.userAgent, navigator.language, navigator.onLine,
  Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString(),
  await fetch(url).then((answer) => answer.json(), () => 'no answer')];
self.onmessage = async ({data, ports, source}) =>
  (ports[0] ?? source ?? self).postMessage(await look(data));
self.onconnect = ({ports: [port]}) => {
  port.onmessage = async ({data}) => port.postMessage(await look(data)) };
"""
# A new worker of each kind has a new address.
STARTS = {
    "dedicated": "new Worker('$CODE?' + Math.random())",
    "shared": "new SharedWorker('$CODE?' + Math.random()).port",
    "service": """await (async () => {
      for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
      const made = await navigator.serviceWorker.register('$CODE?' + Math.random());
      return made.installing ?? made.waiting ?? made.active })()""",
}
ASK = """async () => {
  const worker = window.w ??= $START;
  const channel = new MessageChannel();
  const answer = new Promise((resolve) => {
    channel.port1.onmessage = worker.onmessage = (event) => resolve(event.data) });
  worker.postMessage('$URL', $PORTS);
  return answer;
}"""
EMULATED = {
    "userAgent": "Test/5",
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
    "extraHttpHeaders": '{"X-Test": "yes"}',
}
SEEN = ["Test/5", "de-DE", True, "Asia/Tokyo", "1,5", ["Test/5", "de-DE", "yes"]]


class Asked:
    """A worker of a page, and what it sees."""

    def __init__(self, agent: Agent, kind: str) -> None:
        self.agent, self.kind = agent, kind
        self.code = agent.site.page(CODE, kind="text/javascript")
        self.url = agent.site.route(_headers)

    async def sees(self, *, anew: bool = True) -> list[Any]:
        """Ask a worker that is started for it, or the one that was asked before."""
        start = STARTS[self.kind].replace("$CODE", self.code)
        if anew:
            await self.agent("evaluate_script", function="() => { delete window.w }")
        ports = "[]" if self.kind == "shared" else "[channel.port2]"
        script = ASK.replace("$START", start).replace("$PORTS", ports).replace("$URL", self.url)
        text = await self.agent("evaluate_script", function=script)
        found: list[Any] = json.loads(text.split("```json\n")[1].split("\n```")[0])
        if self.kind == "shared" and anew:
            # Chrome does not hold it for us, so it is told only when it runs.
            end = time.monotonic() + 5
            while found[1] != json.loads(await self.agent.value("navigator.language")):
                assert time.monotonic() < end
                found = await self.sees(anew=False)
        return found


def _headers(handler: BaseHTTPRequestHandler) -> None:
    seen = [handler.headers.get(n) for n in ("user-agent", "accept-language", "x-test")]
    _send(handler, json.dumps(seen).encode())


@pytest.fixture(params=STARTS)
async def asked(agent: Agent, request: pytest.FixtureRequest) -> AsyncIterator[Asked]:
    await agent("new_page", url=agent.site.page("x"), isolatedContext=f"emulated {request.param}")
    yield Asked(agent, request.param)
    await agent("emulate", extraHttpHeaders="")
    await agent(
        "evaluate_script",
        function="async () => Promise.all((await navigator.serviceWorker.getRegistrations())"
        ".map((each) => each.unregister()))",
    )


async def test_worker_that_starts_sees_the_same_as_the_page(asked: Asked) -> None:
    before = await asked.sees()
    assert before[0].startswith("Mozilla")
    assert before[3] != "Asia/Tokyo"
    await asked.agent("emulate", **EMULATED)
    assert await asked.sees() == SEEN
    await asked.agent("emulate", extraHttpHeaders="")
    assert await asked.sees() == before


async def test_worker_that_runs_already_follows(asked: Asked) -> None:
    before = await asked.sees()
    await asked.agent("emulate", **EMULATED)
    assert await asked.sees(anew=False) == SEEN
    await asked.agent("emulate", extraHttpHeaders="")
    assert await asked.sees(anew=False) == before


async def test_worker_that_started_under_emulation_learns_of_its_end(asked: Asked) -> None:
    before = await asked.sees()
    await asked.agent("emulate", **EMULATED)
    await asked.sees()
    await asked.agent("emulate", extraHttpHeaders="")
    assert await asked.sees(anew=False) == before


async def test_worker_is_offline_with_its_page(asked: Asked) -> None:
    await asked.sees()
    await asked.agent("emulate", networkConditions="Offline")
    offline = await asked.sees(anew=False)
    assert (offline[2], offline[5]) == (False, "no answer")
    await asked.agent("emulate")
    online = await asked.sees(anew=False)
    assert (online[2], online[5][2]) == (True, None)


async def test_page_knows_its_connection(agent: Agent) -> None:
    look = "[navigator.onLine, navigator.connection.effectiveType]"
    await agent.open("x")
    before = await agent.value(look)
    await agent("emulate", networkConditions="Slow 3G")
    assert await agent.value(look) == '[true,"2g"]'
    await agent("emulate", networkConditions="Offline")
    assert (await agent.value(look)).startswith("[false,")
    await agent("emulate")
    assert await agent.value(look) == before


async def test_busy_worker_does_not_hold_emulation_up(agent: Agent) -> None:
    code = agent.site.page("while (true);", kind="text/javascript")
    await agent.open(f"<script>window.w = new Worker('{code}')</script>")
    await agent("emulate", userAgent="Test/6")
    assert await agent.value("navigator.userAgent") == '"Test/6"'
    await agent("evaluate_script", function="() => w.terminate()")


async def test_locale_can_be_changed_while_workers_share_it(asked: Asked) -> None:
    await asked.sees()
    for locale, number in (("de-DE", "1,5"), ("en-US", "1.5"), ("fr-FR", "1,5")):
        await asked.agent("emulate", locale=locale)
        assert (await asked.sees(anew=False))[4] == number
        assert (await asked.sees())[4] == number
    code, _ = await asked.agent.fails("emulate", timezone="Mars/Base", locale="de-DE")
    assert code == "bad_arguments"
    assert (await asked.sees())[1] == (await asked.sees(anew=False))[1] == "fr-FR"
