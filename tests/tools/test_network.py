from __future__ import annotations

import re
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tests.agent import Agent
from tests.site import _send


async def listed(agent: Agent, text: str, **arguments: object) -> str:
    found = ""
    end = time.monotonic() + 15
    while text not in found and time.monotonic() < end:
        found = await agent("list_network_requests", **arguments)
    assert text in found
    return found


def request_id(text: str, part: str) -> int:
    found = re.search(rf"reqid=(\d+) \S+ \S*{re.escape(part)}", text)
    assert found, text
    return int(found[1])


async def test_requests_are_listed_with_status_time_and_size(agent: Agent) -> None:
    data = agent.site.page('{"a": 1}', kind="application/json")
    await agent.open(f"<script>fetch('{data}').then(r => r.text()); fetch('/nowhere')</script>")
    await listed(agent, "/nowhere [404]")
    text = await listed(agent, "[200] fetch, ")
    assert re.search(rf"GET {re.escape(data)} \[200\] fetch, \d+ ms, \d+ B", text)
    assert re.search(r"\[200\] document", text)


async def test_request_is_shown_whole(agent: Agent, tmp_path: Path) -> None:
    data = agent.site.page('{"answer": 42}', kind="application/json")
    await agent.open(
        f"<script>fetch('{data}', {{method: 'POST', body: 'question', "
        "headers: {Authorization: 'Bearer secret', 'X-Custom': 'shown'}}).then(r => r.text())</script>"
    )
    text = await listed(agent, "[200] fetch, ")
    ident = request_id(text, data)
    whole = await agent("get_network_request", reqid=ident)
    assert '{"answer": 42}' in whole
    assert "### Request body\nquestion" in whole
    assert "uthorization: <redacted>" in whole
    assert "secret" not in whole
    assert "X-Custom: shown" in whole
    path = tmp_path / "body"
    await agent("get_network_request", reqid=ident, responseFilePath=str(path))
    assert Path(f"{path}.network-response").read_text() == '{"answer": 42}'


async def test_redirects_are_entries_of_their_own(agent: Agent) -> None:
    there = agent.site.page("<title>There</title>")

    def redirect(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", there)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    first = agent.site.route(redirect)
    await agent("navigate_page", url=first)
    text = await listed(agent, f"{there} [200]")
    assert f"{first} [302]" in text
    whole = await agent("get_network_request", reqid=request_id(text, there))
    assert f"### Redirect chain\nreqid={request_id(text, first)}" in whole


async def test_binary_and_missing_bodies_are_said_so(agent: Agent) -> None:
    picture = agent.site.route(lambda h: _send(h, b"\x89PNG\xff\xfe" * 10, kind="image/png"))
    await agent.open(f"<script>fetch('{picture}').then(r => r.arrayBuffer())</script>")
    text = await listed(agent, f"{picture} [200] fetch, ")
    assert "60 bytes of binary data" in await agent(
        "get_network_request", reqid=request_id(text, picture)
    )
    assert (await agent.fails("get_network_request", reqid=9999))[0] == "no_such_request"
    assert (await agent.fails("get_network_request"))[0] == "bad_arguments"


async def test_pending_and_failed_requests(agent: Agent) -> None:
    silent = agent.site.silent()
    await agent.open(f"<script>fetch('{silent}'); fetch('http://127.0.0.1:1/')</script>")
    text = await listed(agent, "ERR_UNSAFE_PORT")
    assert f"{silent} [pending]" in text


async def test_types_filter(agent: Agent) -> None:
    style = agent.site.page("p {}", kind="text/css")
    await agent.open(f"<link rel=stylesheet href='{style}'>")
    text = await agent("list_network_requests", resourceTypes=["stylesheet"])
    assert style in text
    assert "document" not in text


async def test_frames_of_other_sites_are_included(agent: Agent) -> None:
    inner = agent.site.page("<script>fetch('/inside')</script>", other=True)
    await agent.open(f"<iframe src='{inner}'></iframe>")
    assert "localhost" in await listed(agent, "/inside [404]")
