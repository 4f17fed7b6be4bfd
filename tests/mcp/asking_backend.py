"""Workspaces that offer more than tools, for the tests of what the wire does with that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_types.jsonrpc import INVALID_PARAMS

from tabmux.content import Progress, Reply, ToolSpec
from tabmux.mcp.backend import Notice
from tabmux.mcp.dispatch.client_questions import ClientQuestion, elicitation
from tabmux.mcp.dispatch.request_context import current
from tabmux.mcp.rpc import RpcError
from tabmux.mcp.schema import RootsResult
from tests.mcp.fake_backend import FakeBackend, FakeSession

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
NAME = elicitation({"message": "Who?", "requestedSchema": FORM})
COLOR = elicitation({"message": "Which colour?", "requestedSchema": FORM})
ROOTS = ClientQuestion("roots/list", {}, "roots", RootsResult)


@dataclass
class AskingBackend(FakeBackend):
    """A workshop with resources and prompts, whose tools ask their clients."""

    capabilities: Mapping[str, Any] = field(
        default_factory=lambda: {
            "resources": {"subscribe": True, "listChanged": True},
            "prompts": {"listChanged": True},
        }
    )
    notices: list[Notice] = field(default_factory=list)

    def open(self, label: str = "") -> AskingSession:
        desk = AskingSession(self, label=label)
        self.sessions[desk.handle] = desk
        self.opened.append(desk)
        return desk

    async def answer(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        match method:
            case "resources/read" if params["uri"] == "test://one":
                return {"contents": [{"uri": "test://one", "text": "first"}]}
            case "resources/list":
                return {"resources": [{"uri": "test://one", "name": "one"}]}
            case "prompts/get":
                answers = await ask(name=NAME)
                text = {"type": "text", "text": answers["name"]["content"]["name"]}
                return {"messages": [{"role": "user", "content": text}]}
            case _:
                raise RpcError(INVALID_PARAMS, "Not found")

    def watch(self, uri: str) -> Callable[[], None]:
        return lambda: None

    def on_notice(self, listener: Notice) -> Callable[[], None]:
        self.notices.append(listener)
        return lambda: self.notices.remove(listener)

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification to all who listen."""
        for listener in list(self.notices):
            listener(method, params)


class AskingSession(FakeSession):
    """A session with tools that ask."""

    def tools(self) -> list[ToolSpec]:
        schema: dict[str, Any] = {"type": "object", "properties": {}}
        asking = [ToolSpec(name, "Asks.", schema) for name in ("greet", "introduce", "look")]
        return [*super().tools(), *asking]

    async def greet(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Ask for a name."""
        answers = await ask(name=NAME)
        return Reply(f"Hello, {answers['name']['content']['name']}!")

    async def introduce(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Ask twice."""
        self.notes.append("begun")
        first = (await ask(name=NAME))["name"]["content"]["name"]
        second = (await ask(color=COLOR))["color"]["content"]["name"]
        return Reply(f"{first} likes {second}; begun {len(self.notes)} times")

    async def look(self, arguments: Mapping[str, Any], progress: Progress) -> Reply:
        """Ask for roots."""
        return Reply(str((await ask(roots=ROOTS))["roots"]["roots"]))


def ask(**questions: ClientQuestion) -> Awaitable[dict[str, Any]]:
    """Ask the client of the running request."""
    context = current.get()
    assert context is not None
    assert context.questions is not None
    return context.questions.ask(questions)


def accepted(name: str) -> dict[str, Any]:
    """Make the answer of a person who filled in the form."""
    return {"action": "accept", "content": {"name": name}}
