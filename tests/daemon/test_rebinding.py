"""S-11: pages in a real browser that try to reach the server, from a name that means this machine."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tests.agent import Agent
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import INITIALIZE, request, serving
from tests.serving import running
from tests.site import Site

TRY = """async () => {
  const out = {};
  const body = JSON.stringify(%(opening)s);
  const json = {'content-type': 'application/json', 'accept': 'application/json, text/event-stream'};
  const note = async (name, work) => {
    try { out[name] = await work(); } catch (error) { out[name] = 'blocked'; }
  };
  const seen = async (answer) =>
    answer.type === 'opaque' ? 'opaque' : answer.status + ' ' + (await answer.text());
  const socket = (url) => new Promise((resolve) => {
    const ws = new WebSocket(url);
    ws.onopen = () => resolve('OPEN');
    ws.onerror = () => resolve('blocked');
  });
  const source = (url) => new Promise((resolve) => {
    const events = new EventSource(url);
    const end = (word) => { events.close(); resolve(word); };
    events.onopen = () => end('OPEN');
    events.addEventListener('endpoint', () => end('OPEN'));
    events.onerror = () => end('blocked');
  });
  for (const base of %(bases)s) {
    const mcp = base + '/mcp';
    const post = {method: 'POST', body};
    await note(base + ' json', async () => seen(await fetch(mcp, {...post, headers: json})));
    await note(base + ' plain', async () => seen(await fetch(mcp, post)));
    await note(base + ' hidden', async () => seen(await fetch(mcp, {...post, mode: 'no-cors'})));
    await note(base + ' stream', async () => seen(await fetch(mcp, {mode: 'no-cors'})));
    await note(base + ' delete', async () => seen(await fetch(mcp, {method: 'DELETE'})));
    await note(base + ' health', async () => seen(await fetch(base + '/health')));
    await note(base + ' beacon', async () => { navigator.sendBeacon(mcp, body); return 'sent'; });
    await note(base + ' events', () => source(mcp));
    await note(base + ' socket', () => socket(base.replace('http', 'ws') + '/mcp/ws'));
  }
  return out;
}"""


@pytest.fixture(scope="module")
async def app(anyio_backend: str) -> AsyncIterator[App]:
    """A browser to which evil.test is this machine."""
    rules = "--host-resolver-rules=MAP evil.test 127.0.0.1"
    settings = Settings(launch=True, headless=True, isolated=True, chrome_arg=(rules,))
    async with running(settings) as app:
        yield app


async def tried(agent: Agent, page: str, port: str) -> dict[str, Any]:
    """Open a page and let it try everything; returns what it saw."""
    await agent("navigate_page", type="url", url=page)
    names = ("evil.test", "127.0.0.1", "localhost")
    bases = json.dumps([f"http://{name}:{port}" for name in names])
    opening = json.dumps(request(0, "initialize", **INITIALIZE))
    reply = await agent("evaluate_script", function=TRY % {"opening": opening, "bases": bases})
    return dict(json.loads(reply[reply.index("{") : reply.rindex("}") + 1]))


def accepted(seen: dict[str, Any]) -> dict[str, Any]:
    """Keep what is more than a refusal that the page may read, or an answer it may not."""
    refused = ("blocked", "opaque", "sent", "421 ", "403 ")
    return {name: what for name, what in seen.items() if not str(what).startswith(refused)}


@pytest.mark.parametrize("token", [None, "t"])
async def test_a_page_on_another_port_of_a_rebound_name_reaches_nothing(
    backend: FakeBackend, agent: Agent, site: Site, token: str | None
) -> None:
    page = site.page("<title>Evil</title>").replace("127.0.0.1", "evil.test")
    async with serving(backend, token=token) as address:
        seen = await tried(agent, page, address.rpartition(":")[2])

    assert len(seen) == 27
    assert accepted(seen) == {}
    assert backend.opened == []


async def test_a_page_of_the_same_origin_as_the_rebound_name_reaches_nothing(
    backend: FakeBackend, agent: Agent
) -> None:
    """The page's own origin is the server under a foreign name, as after a rebinding."""
    async with serving(backend) as address:
        port = address.rpartition(":")[2]
        seen = await tried(agent, f"http://evil.test:{port}/health", port)

    assert len(seen) == 27
    assert accepted(seen) == {}
    assert seen[f"http://evil.test:{port} json"].startswith("421 ")
    assert backend.opened == []


async def test_the_same_page_comes_in_where_the_user_allows_its_origin(
    backend: FakeBackend, agent: Agent, site: Site
) -> None:
    """The control: what the tests above see refused would otherwise work."""
    page = site.page("<title>Friend</title>").replace("127.0.0.1", "evil.test")
    origin = f"http://evil.test:{site.port}"
    async with serving(backend, allowed_origins=[origin]) as address:
        port = address.rpartition(":")[2]
        seen = await tried(agent, page, port)

    let_in = accepted(seen)
    assert let_in[f"http://127.0.0.1:{port} json"].startswith("200 ")
    assert let_in[f"http://127.0.0.1:{port} socket"] == "OPEN"
    assert let_in[f"http://127.0.0.1:{port} events"] == "OPEN"
    assert backend.opened
