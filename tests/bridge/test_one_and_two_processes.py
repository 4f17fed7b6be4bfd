"""Sessions, notifications, commands and tools, with bridge and server in one process and in two."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest

from tests.bridge.processes import Running, running
from tests.bridge.served_bridge import SECONDS, ExtensionClient
from tests.homes import home_in
from tests.mcp.raw_clients import Http, events, http, next_event, text


@pytest.fixture(scope="module", params=["one process", "two processes"])
async def unified(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, anyio_backend: str
) -> AsyncIterator[Running]:
    async with running(
        home_in(tmp_path_factory.mktemp("home")), apart="two" in request.param
    ) as it:
        yield it


async def opened(client: Http) -> str:
    await client.initialize()
    return client.session


async def answer(stub: ExtensionClient, data: dict[str, object]) -> dict[str, object]:
    """Answer the next command, and return it."""
    command = await stub.receive()
    await stub.send({"type": "response", "id": command["id"], "data": data})
    return command


async def test_every_client_gets_a_session_of_its_own_and_keeps_it(unified: Running) -> None:
    async with (
        http(unified.http, **unified.headers) as one,
        http(unified.http, **unified.headers) as two,
    ):
        first, second = await opened(one), await opened(two)
        again = await one.ask("ping")
        tools = await two.ask("tools/list")
        missing = await one.post({"jsonrpc": "2.0", "id": 9, "method": "tools/list"})
        unknown = await one.post(
            {"jsonrpc": "2.0", "id": 9, "method": "tools/list"}, mcp_session_id="nobody"
        )

    assert first
    assert first != second
    assert "result" in again
    assert tools["result"]["tools"]
    assert (missing.status_code, unknown.status_code) == (400, 404)


async def test_a_message_for_a_session_is_accepted_and_changes_its_tab(unified: Running) -> None:
    async with http(unified.http, **unified.headers) as client:
        session = await opened(client)
        async with client.listen(**client.headers) as stream:
            body = {"messageId": "m1", "type": "console.snapshot", "payload": {"lines": ["hi"]}}
            accepted = await unified.post(
                None, "/ws-message", body, x_instance_id=session, x_tab_id="41"
            )
            notice = (await next_event(events(stream))).message
        state = await debugged(unified, session)
        inside = {"messageId": "m2", "type": "tab", "payload": {"tabId": 42}}
        await unified.post(None, "/ws-message", inside, x_instance_id=session)
        later = await debugged(unified, session)
        nobody = await unified.post(None, "/ws-message", body, x_instance_id="nobody")
        nameless = await unified.post(None, "/ws-message", body)

    assert accepted.status_code == 202
    assert notice["method"] == "notifications/message"
    assert notice["params"]["level"] == "info"
    assert notice["params"]["data"] == {**body, "tabId": 41}
    assert (state["currentTabId"], state["queueLength"]) == (41, 0)
    assert later["currentTabId"] == 42
    assert (nobody.status_code, nameless.status_code) == (404, 400)


async def test_a_command_goes_to_the_extension_and_its_answer_comes_back(unified: Running) -> None:
    port = unified.bridge_port
    command = {"id": "c1", "type": "browser_navigate", "payload": {"url": "https://example.com"}}
    async with unified.stub("s1") as stub, asyncio.TaskGroup() as group:
        asked = group.create_task(
            unified.post(port, "/commands", command, x_instance_id="s1", x_tab_id="7")
        )
        sent = await answer(stub, {"url": "https://example.com/", "tabId": 7})
    absent = await unified.post(port, "/commands", command, x_instance_id="s2")
    async with httpx2.AsyncClient() as anyone:
        health = await anyone.get(f"http://127.0.0.1:{port}/health")

    done = asked.result()
    assert (done.status_code, done.json()) == (
        200,
        {"success": True, "payload": {"url": "https://example.com/", "tabId": 7}},
    )
    assert (sent["id"], sent["type"], sent["tabId"]) == ("c1", "browser_navigate", 7)
    assert sent["payload"] == {"url": "https://example.com", "tabId": 7}
    assert absent.status_code == 404
    assert health.json()["status"] == "ok"


async def test_the_tab_of_an_answer_to_a_command_is_remembered(unified: Running) -> None:
    port = unified.bridge_port
    command = {"type": "browser_navigate", "payload": {}}
    async with http(unified.http, **unified.headers) as client:
        session = await opened(client)
        async with unified.stub(session) as stub:
            sent = []
            answers: list[dict[str, object]] = [{"tabId": 7}, {"tabId": 7}, {"closed": 7}, {}]
            for data in answers:
                async with asyncio.TaskGroup() as group:
                    group.create_task(
                        unified.post(port, "/commands", command, x_instance_id=session)
                    )
                    sent.append(await answer(stub, data))
                if data.get("tabId"):
                    await until_tab(unified, session, 7)

    assert [each.get("tabId") for each in sent] == [None, 7, 7, None]


async def test_tools_reach_the_extension_and_sessions_and_tabs_stay_apart(unified: Running) -> None:
    async with (
        http(unified.http, **unified.headers) as one,
        http(unified.http, **unified.headers) as two,
    ):
        names = await opened(one), await opened(two)
        async with unified.stub(names[0]) as first, unified.stub(names[1]) as second:
            tools = await until_tools(one, there=True)
            sent = [
                (
                    await called(
                        one, first, {"tabId": 11}, "browser_navigate", url="https://a.example"
                    )
                )[0],
                (
                    await called(
                        two, second, {"tabId": 22}, "browser_navigate", url="https://b.example"
                    )
                )[0],
            ]
            scripted, told = await called(
                one, first, {"result": 42, "tabId": 11}, "browser_execute_js", code="6 * 7"
            )
            sent.append(scripted)
            await first.send({"type": "tab.activated", "payload": {"tabId": 12}})
            await until_tab(unified, names[0], 12)
            sent.append((await called(one, first, {"tabId": 12}, "browser_wait", time=0))[0])
            other = await debugged(unified, names[1])

        gone = await until_tools(one, there=False)

    assert {"browser_navigate", "browser_execute_js", "browser_tabs"} <= tools
    assert not [name for name in gone if name.startswith("browser_")]
    assert [(each["type"], each.get("tabId")) for each in sent] == [
        ("browser_navigate", None),
        ("browser_navigate", None),
        ("js.execute", 11),
        ("browser_wait", 12),
    ]
    assert json.loads(told) == {"result": 42, "tabId": 11}
    assert other["currentTabId"] == 22


async def test_a_failed_command_and_a_forbidden_address_are_told_to_the_agent(
    unified: Running,
) -> None:
    async with http(unified.http, **unified.headers) as client:
        session = await opened(client)
        async with unified.stub(session) as stub:
            failure = {"success": False, "error": "No such element."}
            _, failed = await called(client, stub, failure, "browser_click", selector="#no")
            refused = await client.call("browser_navigate", url="file:///etc/passwd")
            wrong = await client.call("browser_navigate", address="x")

    assert "No such element." in failed
    assert refused["result"]["isError"]
    assert "not allowed" in text(refused)
    assert wrong["result"]["isError"]


async def called(
    client: Http, stub: ExtensionClient, data: dict[str, object], tool: str, **arguments: Any
) -> tuple[dict[str, object], str]:
    """Call a tool, play the extension, and return what it was sent and what the agent read."""
    async with asyncio.TaskGroup() as group:
        calling = group.create_task(client.call(tool, **arguments))
        sent = await answer(stub, data)
    return sent, text(calling.result())


async def debugged(it: Running, session: str) -> dict[str, object]:
    async with httpx2.AsyncClient(headers=it.headers) as client:
        shown: dict[str, object] = (await client.get(f"{it.http}/debug/session/{session}")).json()
        return shown


async def until_tools(client: Http, *, there: bool) -> set[str]:
    """Wait until the tools of the session's extension are listed, or no longer are."""
    async with asyncio.timeout(SECONDS):
        while True:
            listed = (await client.ask("tools/list"))["result"]["tools"]
            names = {tool["name"] for tool in listed}
            if ("browser_navigate" in names) == there:
                return names


async def until_tab(it: Running, session: str, tab: int) -> None:
    async with asyncio.timeout(SECONDS):
        while (await debugged(it, session))["currentTabId"] != tab:
            pass
