"""Resources and prompts, which a workspace may offer."""

from __future__ import annotations

import pytest

from tests.mcp.asking_backend import AskingBackend
from tests.mcp.fake_backend import FakeBackend
from tests.mcp.raw_clients import events, http, lines, next_event, serving, stateless

UPDATED = "notifications/resources/updated"
CHANGED = "notifications/prompts/list_changed"


@pytest.fixture
def asking() -> AskingBackend:
    return AskingBackend()


async def test_a_server_without_a_repertoire_offers_none(backend: FakeBackend) -> None:
    async with lines(backend) as client:
        opened = await client.initialize()
        answer = await client.ask("resources/list")

    assert opened["result"]["capabilities"].keys() == {"tools", "logging"}
    assert answer["error"]["code"] == -32601


async def test_what_is_offered_is_told_and_answered_in_both_eras(asking: AskingBackend) -> None:
    async with lines(asking) as client:
        opened = await client.initialize()
        listed = await client.ask("resources/list")
        read = await client.ask("resources/read", uri="test://one")
        completion = await client.ask("completion/complete")
    async with serving(asking) as address, http(address) as client2:
        modern = await client2.ask_stateless("resources/list")

    assert opened["result"]["capabilities"]["prompts"] == {"listChanged": True}
    assert listed["result"] == {"resources": [{"uri": "test://one", "name": "one"}]}
    assert read["result"]["contents"][0]["text"] == "first"
    assert completion["error"]["code"] == -32601
    assert modern["result"]["cacheScope"] == "private"
    assert modern["result"]["ttlMs"] == 0


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {}),
        ("resources/read", {"uri": 5}),
        ("resources/read", {"uri": "test://none"}),
        ("resources/list", {"cursor": "made up"}),
        ("prompts/get", {}),
        ("resources/subscribe", {}),
    ],
)
async def test_bad_parameters_are_refused(
    asking: AskingBackend, method: str, params: dict[str, object]
) -> None:
    async with lines(asking) as client:
        await client.initialize()
        answer = await client.ask(method, **params)

    assert answer["error"]["code"] == -32602


async def test_a_client_hears_of_the_resources_it_subscribed_to(asking: AskingBackend) -> None:
    async with lines(asking) as client:
        await client.initialize()
        await client.ask("resources/subscribe", uri="test://one")
        asking.tell(UPDATED, uri="test://two")
        asking.tell(UPDATED, uri="test://one")
        asking.tell(CHANGED)
        await client.ask("resources/unsubscribe", uri="test://one")
        asking.tell(UPDATED, uri="test://one")
        await client.ask("ping")

    heard = [(note["method"], note.get("params", {}).get("uri")) for note in client.heard]
    assert heard == [(UPDATED, "test://one"), (CHANGED, None)]


async def test_a_stateless_client_hears_what_it_listens_for(asking: AskingBackend) -> None:
    wanted = {"promptsListChanged": True, "resourceSubscriptions": ["test://one"]}
    body = stateless("sub", "subscriptions/listen", notifications=wanted)
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen"}
    kinds = {"accept": "application/json, text/event-stream", **headers}
    async with serving(asking) as address, http(address) as client:
        async with client.client.stream("POST", "/mcp", json=body, headers=kinds) as response:
            stream = events(response)
            acknowledged = (await next_event(stream)).message
            asking.tell(UPDATED, uri="test://two")
            asking.tell(UPDATED, uri="test://one")
            first = (await next_event(stream)).message
            asking.change_tools()
            asking.tell(CHANGED)
            second = (await next_event(stream)).message

    assert acknowledged["params"]["notifications"] == wanted
    assert (first["method"], first["params"]["uri"]) == (UPDATED, "test://one")
    assert second["method"] == CHANGED
    assert asking.notices == []
