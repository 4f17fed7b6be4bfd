"""OpenAI Agents SDK: the example with a model of the framework's own interface."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from agents import Model, ModelResponse, Usage, set_tracing_disabled
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from script import ANSWER, TASK, ScriptedModel
from with_openai_agents import work


class FakeModel(Model):
    """A model that is asked by the runner."""

    def __init__(self, script: ScriptedModel) -> None:
        self._script = script

    async def get_response(
        self, system_instructions: Any, input: Any, *rest: Any, **more: Any
    ) -> ModelResponse:
        last = input[-1] if isinstance(input, list) else {}
        if last.get("type") == "function_call_output":
            self._script.hear(last["output"])
        output: Any
        if call := self._script.call():
            said = json.dumps(call[1])
            output = ResponseFunctionToolCall(
                type="function_call",
                call_id=f"c{len(self._script.told)}",
                name=call[0],
                arguments=said,
            )
        else:
            text = ResponseOutputText(type="output_text", text=ANSWER, annotations=[])
            output = ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[output], usage=Usage(), response_id=None)

    def stream_response(self, *rest: Any, **more: Any) -> Any:
        raise NotImplementedError


set_tracing_disabled(True)
script = ScriptedModel(sys.argv[1])
script.check(asyncio.run(work(TASK, FakeModel(script))))
