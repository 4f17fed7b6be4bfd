"""Questions to the client, in both eras."""

from __future__ import annotations

from typing import Any

import pytest

from tabmux.mcp.dispatch.client_questions import PendingQuestions
from tabmux.mcp.rpc import RpcError
from tests.mcp.asking_backend import NAME, AskingBackend, accepted
from tests.mcp.raw_clients import INITIALIZE, Http, Lines, http, lines, request, serving, text

CAPABLE = {**INITIALIZE, "capabilities": {"elicitation": {}}}
ELICITS: dict[str, Any] = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}
STATE = "requestState is not what this server handed out."


@pytest.fixture
def asking() -> AskingBackend:
    return AskingBackend()


async def opened(client: Lines) -> None:
    await client.ask("initialize", **CAPABLE)


async def test_a_client_is_asked_on_the_stream_of_its_call(asking: AskingBackend) -> None:
    async with lines(asking) as client:
        await opened(client)
        client.send(request(7, "tools/call", name="greet", arguments={}))
        question = await client.receive()
        answer = {"jsonrpc": "2.0", "id": question["id"], "result": accepted("Ada")}
        client.send(answer)
        reply = await client.answer(7)

    assert question["method"] == "elicitation/create"
    assert text(reply) == "Hello, Ada!"


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"error": {"code": -1, "message": "no"}}, -32603),
        ({"result": {"action": "perhaps"}}, -32602),
        ({"result": 5}, -32603),
    ],
)
async def test_a_bad_answer_fails_the_call(
    asking: AskingBackend, answer: dict[str, Any], code: int
) -> None:
    async with lines(asking) as client:
        await opened(client)
        client.send(request(7, "tools/call", name="greet", arguments={}))
        question = await client.receive()
        client.send({"jsonrpc": "2.0", "id": "never asked", "result": accepted("Eve")})
        client.send({"jsonrpc": "2.0", "id": question["id"], **answer})
        reply = await client.answer(7)

    assert reply["error"]["code"] == code


async def test_a_client_that_never_answers_is_not_waited_for_without_end() -> None:
    asked: list[bytes] = []
    questions = PendingQuestions(seconds=0.02)

    with pytest.raises(RpcError, match="The client did not answer in time"):
        await questions.put({"name": NAME}, Writer(asked))

    assert len(asked) == 1
    assert not questions._waiting


class Writer:
    """Keeps what is sent."""

    def __init__(self, sent: list[bytes]) -> None:
        self.send = sent.append


async def test_a_client_is_never_asked_what_it_did_not_declare(asking: AskingBackend) -> None:
    async with lines(asking) as client:
        await opened(client)
        reply = await client.call("look")

    assert reply["error"]["code"] == -32021
    assert reply["error"]["data"] == {"requiredCapabilities": {"roots": {}}}


async def test_over_http_the_question_comes_on_the_calls_own_stream(asking: AskingBackend) -> None:
    async with serving(asking) as address, http(address) as client:
        opening = await client.post(request(0, "initialize", **CAPABLE))
        client.session = opening.headers["mcp-session-id"]
        body = request(1, "tools/call", name="greet", arguments={})
        kinds = {"accept": "application/json, text/event-stream", **client.headers}
        async with client.client.stream("POST", "/mcp", json=body, headers=kinds) as response:
            heard = ""
            async for chunk in response.aiter_text():
                heard += chunk
                if '"id":"tabmux-1"' in chunk:
                    answer = {"jsonrpc": "2.0", "id": "tabmux-1", "result": accepted("Ada")}
                    accepted_answer = await client.post(answer, **client.headers)

    assert accepted_answer.status_code == 202
    assert "Hello, Ada!" in heard


async def asked(client: Http, name: str, **params: Any) -> dict[str, Any]:
    answer = await client.ask_stateless("tools/call", name=name, _meta=ELICITS, **params)
    return dict(answer.get("result") or answer["error"])


async def test_a_stateless_client_is_asked_by_the_result_and_calls_again(
    asking: AskingBackend,
) -> None:
    async with serving(asking) as address, http(address) as client:
        first = await asked(client, "greet")
        again = {"requestState": first["requestState"], "inputResponses": {"name": accepted("Ada")}}
        second = await asked(client, "greet", **again)

    assert first["resultType"] == "input_required"
    assert first["inputRequests"]["name"]["method"] == "elicitation/create"
    assert second["resultType"] == "complete"
    assert second["content"][0]["text"].startswith("Hello, Ada!\nsession=")


async def test_rounds_share_one_session_and_remember_the_answers(asking: AskingBackend) -> None:
    async with serving(asking) as address, http(address) as client:
        first = await asked(client, "introduce")
        state = {"requestState": first["requestState"]}
        second = await asked(client, "introduce", inputResponses={"name": accepted("Ada")}, **state)
        state = {"requestState": second["requestState"]}
        third = await asked(client, "introduce", inputResponses={"color": accepted("red")}, **state)

    assert first["requestState"] != second["requestState"]
    assert list(second["inputRequests"]) == ["color"]
    assert third["content"][0]["text"].startswith("Ada likes red; begun 3 times")
    assert len(asking.opened) == 1


@pytest.mark.parametrize("changed", ["{0}x", "x{0}", "{1}", "{1}.", "", "é.é", ".", 5])
async def test_a_state_that_was_changed_is_refused(asking: AskingBackend, changed: object) -> None:
    async with serving(asking) as address, http(address) as client:
        state = str((await asked(client, "greet"))["requestState"])
        if isinstance(changed, str):
            changed = changed.format(state, state.partition(".")[0])
        answers = {"name": accepted("Eve")}
        second = await asked(client, "greet", requestState=changed, inputResponses=answers)

    assert second["code"] == -32602


async def test_a_state_is_good_for_its_own_call_only(asking: AskingBackend) -> None:
    async with serving(asking) as address, http(address) as client:
        first = await asked(client, "introduce")
        other = await asked(client, "greet", requestState=first["requestState"])
        more = await asked(
            client, "introduce", requestState=first["requestState"], arguments={"text": "x"}
        )

    assert (other["message"], more["message"]) == (STATE, STATE)


async def test_an_undeclared_capability_is_status_400_for_a_stateless_client(
    asking: AskingBackend,
) -> None:
    async with serving(asking) as address, http(address) as client:
        answer = await client.ask_stateless("tools/call", name="look")
        left = len(asking.sessions)

    assert answer["error"]["code"] == -32021
    assert left == 0


async def test_a_prompt_may_ask_too(asking: AskingBackend) -> None:
    async with serving(asking) as address, http(address) as client:
        first = await client.ask_stateless("prompts/get", name="any", _meta=ELICITS)
        again = {"inputResponses": {"name": accepted("Ada")}}
        second = await client.ask_stateless("prompts/get", name="any", _meta=ELICITS, **again)

    assert first["result"]["resultType"] == "input_required"
    assert second["result"]["messages"][0]["content"]["text"] == "Ada"
