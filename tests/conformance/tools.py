"""The tools that the MCP conformance suite calls."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct

from tabmux.content import Image, Progress, Reply, ToolSpec
from tabmux.mcp.dispatch.client_questions import ClientQuestion, ClientQuestions, elicitation
from tabmux.mcp.dispatch.request_context import current
from tabmux.mcp.http.replay_buffer import MessageStream
from tabmux.mcp.schema import RootsResult
from tests.conformance.values import (
    DEFAULTS,
    DRAFT_2020_12,
    ENUMS,
    NO_ARGUMENTS,
    PIXEL,
    SILENCE,
)

Arguments = Mapping[str, Any]


class Stage(Protocol):
    """What the tools act on."""

    def log(self, level: str, text: str) -> None:
        """Tell the client something."""

    def tools_changed(self) -> None:
        """Say that the list of tools has changed."""

    def prompts_changed(self) -> None:
        """Say that the list of prompts has changed."""


Tool = Callable[[Stage, Arguments, Progress], Awaitable[Reply]]
TOOLS: dict[str, tuple[Tool, dict[str, Any]]] = {}


def fixture(schema: dict[str, Any] = NO_ARGUMENTS) -> Callable[[Tool], Tool]:
    """Register a tool under its function's name."""

    def register(tool: Tool) -> Tool:
        TOOLS[tool.__name__] = (tool, schema)
        return tool

    return register


def specs() -> list[ToolSpec]:
    """Return the tools as clients see them."""
    return [
        ToolSpec(name, tool.__doc__ or name, schema, exact=True)
        for name, (tool, schema) in TOOLS.items()
    ]


class SampleResult(Struct):
    """The answer to `sampling/createMessage`."""

    role: Literal["user", "assistant"]
    content: dict[str, Any] | list[dict[str, Any]]
    model: str


def resource(uri: str, mime: str, text: str) -> dict[str, Any]:
    """Return a text that has an address of its own."""
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}}


def dialogue() -> ClientQuestions:
    """Return the way to ask the client of the running request."""
    context = current.get()
    assert context is not None
    assert context.questions is not None
    return context.questions


def form(message: str, **properties: str) -> ClientQuestion:
    """Make a question to the person in front of the client."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return elicitation({"message": message, "requestedSchema": schema})


def prompt(text: str) -> ClientQuestion:
    """Make a question to the client's model."""
    message = {"role": "user", "content": {"type": "text", "text": text}}
    params = {"messages": [message], "maxTokens": 100}
    return ClientQuestion("sampling/createMessage", params, "sampling", SampleResult)


ROOTS = ClientQuestion("roots/list", {}, "roots", RootsResult)


async def ask(**questions: ClientQuestion) -> dict[str, dict[str, Any]]:
    """Ask the client."""
    return await dialogue().ask(questions)


@fixture()
async def test_simple_text(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply("This is a simple text response for testing.")


@fixture()
async def test_image_content(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply(images=[Image(PIXEL, "image/png")])


@fixture()
async def test_audio_content(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply(attachments=[{"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}])


@fixture()
async def test_embedded_resource(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply(attachments=[resource("test://embedded-resource", "text/plain", "Embedded.")])


@fixture()
async def test_multiple_content_types(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    data = resource("test://mixed-content-resource", "application/json", '{"test": "data"}')
    image = Image(PIXEL, "image/png")
    return Reply("Multiple content types test:", [image], attachments=[data])


@fixture()
async def test_tool_with_logging(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        stage.log("info", text)
    return Reply("logged")


@fixture()
async def test_logging_tool(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    stage.log("info", "A line")
    return Reply("logged")


@fixture()
async def test_tool_with_progress(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    for done in (0, 50, 100):
        await progress(done, 100, f"Completed step {done} of 100")
    return Reply("done")


@fixture()
async def test_error_handling(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply("This tool intentionally returns an error for testing", code="test")


@fixture()
async def test_reconnection(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    stage.log("info", "Before the pause")
    context = current.get()
    if context is not None and isinstance(context.writer, MessageStream):
        context.writer.hang_up()
    return Reply("After the pause")


@fixture(DRAFT_2020_12)
async def json_schema_2020_12_tool(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return Reply(json.dumps(arguments))


@fixture()
async def test_trigger_tool_change(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    stage.tools_changed()
    return Reply("changed")


@fixture()
async def test_trigger_prompt_change(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    stage.prompts_changed()
    return Reply("changed")


@fixture({"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]})
async def test_sampling(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    answer = await ask(sample=prompt(str(arguments["prompt"])))
    return Reply(f"LLM response: {answer['sample']['content']['text']}")


@fixture({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]})
async def test_elicitation(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    return await _elicited(form(str(arguments["message"]), username="string", email="string"))


@fixture()
async def test_elicitation_sep1034_defaults(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    params = {"message": "Please fill in", "requestedSchema": DEFAULTS}
    return await _elicited(elicitation(params))


@fixture()
async def test_elicitation_sep1330_enums(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    params = {"message": "Please choose", "requestedSchema": ENUMS}
    return await _elicited(elicitation(params))


async def _elicited(question: ClientQuestion) -> Reply:
    answer = (await ask(form=question))["form"]
    content = json.dumps(answer.get("content", {}))
    return Reply(f"Elicitation completed: action={answer['action']}, content={content}")


@fixture()
async def test_missing_capability(stage: Stage, arguments: Arguments, progress: Progress) -> Reply:
    await ask(sample=prompt("Anything"))
    return Reply("sampled")


@fixture()
async def test_streaming_elicitation(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    await progress(1, None, "about to ask")
    await ask(name=form("Who?", name="string"))
    return Reply("asked")


@fixture()
async def test_input_required_result_elicitation(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    answer = await ask(user_name=form("What is your name?", name="string"))
    return Reply(f"Hello, {answer['user_name']['content']['name']}!")


@fixture()
async def test_input_required_result_sampling(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    answer = await ask(capital_question=prompt("What is the capital of France?"))
    return Reply(str(answer["capital_question"]["content"]["text"]))


@fixture()
async def test_input_required_result_list_roots(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    answer = await ask(client_roots=ROOTS)
    return Reply(json.dumps(answer["client_roots"]["roots"]))


@fixture()
async def test_input_required_result_request_state(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    await ask(confirm=form("Please confirm", ok="boolean"))
    return Reply("state-ok")


@fixture()
async def test_input_required_result_tampered_state(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    await ask(confirm=form("Please confirm", ok="boolean"))
    return Reply("confirmed")


@fixture()
async def test_input_required_result_multiple_inputs(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    await ask(
        user_name=form("What is your name?", name="string"),
        greeting=prompt("Generate a greeting"),
        client_roots=ROOTS,
    )
    return Reply("all answered")


@fixture()
async def test_input_required_result_multi_round(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    first = await ask(step1=form("Step 1: What is your name?", name="string"))
    second = await ask(step2=form("Step 2: What is your favorite color?", color="string"))
    return Reply(f"{first['step1']['content']['name']}: {second['step2']['content']['color']}")


@fixture()
async def test_input_required_result_capabilities(
    stage: Stage, arguments: Arguments, progress: Progress
) -> Reply:
    possible = {"name": form("Who?", name="string"), "greeting": prompt("Generate a greeting")}
    declared = dialogue().capabilities
    await ask(**{key: q for key, q in possible.items() if q.capability in declared})
    return Reply("asked what could be asked")
