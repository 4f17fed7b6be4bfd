from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve

from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.site import _send, redirecting


async def listed(agent: Agent, text: str, **arguments: object) -> str:
    found = ""
    end = time.monotonic() + 15
    while text not in found and time.monotonic() < end:
        found = await agent("list_network_requests", **arguments)
    assert text in found
    return found


async def shown(agent: Agent, **arguments: object) -> str:
    """Show a request, once all of its answer is there."""
    async with asyncio.timeout(AT_ONCE):
        while "<still on its way" in (whole := await agent("get_network_request", **arguments)):
            pass
    return whole


@asynccontextmanager
async def echoing() -> AsyncIterator[str]:
    """A WebSocket that says everything back."""

    async def answer(connection: ServerConnection) -> None:
        async for message in connection:
            await connection.send(message)

    async with serve(answer, "127.0.0.1", 0) as server:
        (socket,) = server.sockets
        yield f"ws://127.0.0.1:{socket.getsockname()[1]}/"


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
    whole = await shown(agent, reqid=ident)
    assert '{"answer": 42}' in whole
    assert "### Request body\nquestion" in whole
    assert "uthorization: <redacted>" in whole
    assert "secret" not in whole
    assert "X-Custom: shown" in whole
    path = tmp_path / "body"
    await shown(agent, reqid=ident, responseFilePath=str(path))
    assert Path(f"{path}.network-response").read_text() == '{"answer": 42}'


async def test_redirects_are_entries_of_their_own(agent: Agent) -> None:
    there = agent.site.page("<title>There</title>")
    first = agent.site.route(redirecting(there))
    await agent("navigate_page", url=first)
    text = await listed(agent, f"{there} [200]")
    assert f"{first} [302]" in text
    whole = await shown(agent, reqid=request_id(text, there))
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


async def test_workers_requests_are_included(agent: Agent) -> None:
    data = agent.site.page("from worker", kind="text/plain")
    worker = agent.site.page(f"fetch('{data}').then(r => r.text())", kind="text/javascript")
    await agent.open(f"<script>new Worker('{worker}')</script>")
    text = await listed(agent, f"{data} [200] fetch, ")
    assert f"{worker} [200] script" in text
    whole = await shown(agent, reqid=request_id(text, data))
    assert "### Response body\nfrom worker" in whole


async def test_service_workers_answers_are_marked(agent: Agent) -> None:
    worker = agent.site.page(
        "onfetch = (e) => { if (/made-up$/.test(e.request.url)) e.respondWith(new Response('mine')) };"
        "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim())",
        kind="text/javascript",
    )
    await agent("new_page", url="about:blank", isolatedContext="served")
    await agent.open(f"""<script>
      navigator.serviceWorker.oncontrollerchange = () => fetch('/made-up').then(r => r.text());
      navigator.serviceWorker.register('{worker}');
    </script>""")
    text = await listed(agent, "/made-up [200] fetch, ")
    assert re.search(r"/made-up \[200\] fetch, .*from service worker", text)
    reqid = request_id(text, "/made-up")
    assert "### Response body\nmine" in await shown(agent, reqid=reqid)


async def test_answer_that_is_not_whole_yet_is_said_to_be_on_its_way(agent: Agent) -> None:
    rest = threading.Event()

    def halting(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.send_header("Content-Length", "8")
        handler.end_headers()
        handler.wfile.write(b"half")
        handler.wfile.flush()
        rest.wait(30)
        handler.wfile.write(b"half")

    url = agent.site.route(halting)
    try:
        await agent.open(f"<script>fetch('{url}').then(r => r.text())</script>")
        reqid = request_id(await listed(agent, f"{url} [200] fetch"), url)
        assert "### Response body\n<still on its way; ask again>" in await agent(
            "get_network_request", reqid=reqid
        )
    finally:
        rest.set()
    async with asyncio.timeout(AT_ONCE):
        while "half" not in (whole := await agent("get_network_request", reqid=reqid)):
            pass
    assert "### Response body\nhalfhalf" in whole


async def test_time_is_told_by_part(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.slow(1))
    text = await listed(agent, "[200] document, ")
    whole = await shown(agent, reqid=request_id(text, agent.site.origin))
    took = re.search(r"took (\d+) ms \(.*wait (\d+)", whole)
    assert took, whole
    # Chrome may note late that it has sent the request.
    assert int(took[1]) >= int(took[2]) >= 500
    assert "http/1.1 127.0.0.1" in whole


async def test_bodies_that_are_not_text_come_back_byte_by_byte(
    agent: Agent, tmp_path: Path
) -> None:
    echo = agent.site.page("ok")
    await agent.open(f"""<script>
      fetch('{echo}', {{method: 'POST', body: new Uint8Array([0, 255, 128, 10])}})
        .then(r => r.text())
    </script>""")
    text = await listed(agent, f"POST {echo} [200] fetch, ")
    path = tmp_path / "sent"
    await shown(agent, reqid=request_id(text, echo), requestFilePath=str(path))
    assert Path(f"{path}.network-request").read_bytes() == b"\x00\xff\x80\n"


async def test_event_streams_show_their_messages(agent: Agent) -> None:
    def stream(handler: BaseHTTPRequestHandler) -> None:
        _send(handler, b"data: one\n\nevent: tick\ndata: two\n\n", kind="text/event-stream")

    url = agent.site.route(stream)
    await agent.open(f"<script>new EventSource('{url}').onerror = (e) => e.target.close()</script>")
    text = await listed(agent, "2 messages", resourceTypes=["eventsource"])
    whole = await shown(agent, reqid=request_id(text, url))
    assert "### Messages\n← one\n← tick: two" in whole


async def test_web_sockets_show_their_messages(agent: Agent) -> None:
    async with echoing() as url:
        await agent.open(f"""<script>
          const socket = new WebSocket('{url}');
          socket.onopen = () => {{ socket.send('hello'); socket.send(new Uint8Array(3)) }};
        </script>""")
        text = await listed(agent, "4 messages", resourceTypes=["websocket"])
        assert f"GET {url} [101] websocket" in text
        whole = await shown(agent, reqid=request_id(text, url))
    messages = whole.partition("### Messages\n")[2].split("\n")
    assert "→ hello" in messages
    assert "← hello" in messages
    assert messages.count("→ <3 bytes of binary data>") == 1


async def test_frames_of_other_sites_are_included(agent: Agent) -> None:
    inner = agent.site.page("<script>fetch('/inside')</script>", other=True)
    await agent.open(f"<iframe src='{inner}'></iframe>")
    assert "localhost" in await listed(agent, "/inside [404]")


async def test_requests_are_filtered_by_address_method_and_status(agent: Agent) -> None:
    there, post = agent.site.page("ok"), agent.site.page("posted")
    script = (
        f"fetch('{there}?a=1'); fetch('/missing'); fetch('{post}', {{method: 'POST'}});"
        "fetch('http://127.0.0.1:1/').catch(() => 0)"
    )
    await agent.open(f"<script>{script}</script>")
    await agent("wait_for", networkIdle=True)
    for arguments, part in (
        ({"url": "?a="}, "?a=1"),
        ({"url": f"{there}*"}, "?a=1"),
        ({"url": r"/\?A=\d$/"}, "?a=1"),
        ({"method": "post"}, post),
        ({"status": "404"}, "/missing"),
        ({"status": "4xx"}, "/missing"),
        ({"status": "failed"}, "127.0.0.1:1/"),
        ({"status": "2xx", "method": "POST", "resourceTypes": ["fetch"]}, post),
    ):
        text = await listed(agent, part, **arguments)
        assert text.count("reqid=") == 1, (arguments, text)
    assert "No requests found." in await agent("list_network_requests", url="elsewhere")


async def test_wrong_filters_are_refused(agent: Agent) -> None:
    await agent.open("<p>Page</p>")
    for arguments in ({"status": "600"}, {"url": "/a(?=b)/"}, {"url": "/(/"}):
        code, _ = await agent.fails("list_network_requests", **arguments)
        assert code == "bad_arguments", arguments


async def test_requests_and_messages_since_the_last_action_are_told(agent: Agent) -> None:
    first, second = agent.site.page("1"), agent.site.page("2")
    await agent.open(
        f"<script>fetch('{first}'); console.log('same')</script>"
        f"<button onclick='fetch(`{second}`); console.log(`same`)'>Go</button>"
    )
    await listed(agent, first)
    await agent("click", uid='button "Go"')
    assert first not in await listed(agent, second, sinceLastAction=True)
    text = await agent("list_console_messages", sinceLastAction=True)
    assert text.count("[log] same") == 1
    assert "times" not in text
    # Looking is no action.
    await agent("take_snapshot")
    assert second in await agent("list_network_requests", sinceLastAction=True)


async def test_requests_since_an_action_include_those_before_its_navigation(agent: Agent) -> None:
    there = agent.site.page("<p>there</p>")
    beacon = agent.site.page("noted")
    await agent.open(
        f"<button onclick='navigator.sendBeacon(`{beacon}`); location = `{there}`'>Go</button>"
    )
    await agent("click", uid='button "Go"')
    text = await listed(agent, beacon, sinceLastAction=True)
    assert there in text
