"""Pydantic AI: the example with a function as its model."""

from __future__ import annotations

import asyncio
import sys

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from script import ANSWER, TASK, ScriptedModel
from with_pydantic_ai import work

script = ScriptedModel(sys.argv[1])


async def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Follow the script."""
    for part in messages[-1].parts:
        if isinstance(part, ToolReturnPart):
            script.hear(part.content)
    call = script.call()
    return ModelResponse([ToolCallPart(*call) if call else TextPart(ANSWER)])


script.check(asyncio.run(work(TASK, FunctionModel(model))))
