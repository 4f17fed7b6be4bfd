"""LangChain: the example with a chat model that follows the script."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from script import ANSWER, TASK, ScriptedModel
from with_langchain import work


class FakeModel(BaseChatModel):
    """A chat model that can be given tools."""

    script: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *rest: Any, **more: Any) -> ChatResult:
        if isinstance(messages[-1], ToolMessage):
            self.script.hear(messages[-1].content)
        call = self.script.call()
        calls = (
            [{"name": call[0], "args": call[1], "id": f"c{len(self.script.told)}"}] if call else []
        )
        message = AIMessage("" if call else ANSWER, tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


script = ScriptedModel(sys.argv[1])
script.check(asyncio.run(work(TASK, FakeModel(script=script))))
