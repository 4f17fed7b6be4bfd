"""What cannot be undone is asked of the user first, where the client can do that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tabmux.content import Reply
from tabmux.mcp.dispatch.client_questions import ClientQuestion
from tabmux.mcp.dispatch.request_context import current
from tabmux.mcp.rpc import Message, RpcError

Call = Callable[[Mapping[str, Any]], Awaitable[Reply]]

# To accept is the answer: there is nothing to fill in.
_NOTHING: Message = {"type": "object", "properties": {}}


async def consented(call: Call, name: str, arguments: Mapping[str, Any]) -> Reply:
    """Make a call; one that wants a confirmation is made again if the user gives it.

    Args:
        call: Makes the call with the arguments it is given.
        name: The tool that is called.
        arguments: What the client gave.
    """
    reply = await call(arguments)
    if not reply.question:
        return reply
    # Nothing has been done yet and no page is held, however long the user takes.
    allowed = await _allowed(reply.question)
    if allowed is None:
        return reply
    if not allowed:
        return Reply(
            "Error [refused_by_user]: The user was asked and did not allow it.",
            code="refused_by_user",
        )
    return await call(_confirmed(name, arguments))


async def _allowed(question: str) -> bool | None:
    """Ask the user of the current call's client; None if that client cannot ask."""
    exchange = current.get()
    dialogue = exchange.dialogue if exchange is not None else None
    if dialogue is None or not _has_forms(dialogue.capabilities.get("elicitation")):
        return None
    asked = ClientQuestion("elicitation/create", {"message": question, "requestedSchema": _NOTHING})
    try:
        answers = await dialogue.ask({"confirm": asked})
    except RpcError:
        return None
    return bool(answers["confirm"]["action"] == "accept")


def _has_forms(elicitation: Any) -> bool:
    """Whether a client shows forms: it says so, or says nothing of what it shows."""
    return isinstance(elicitation, dict) and (not elicitation or "form" in elicitation)


def _confirmed(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    if name != "call_page_tool":
        return {**arguments, "confirm": True}
    inner = arguments.get("arguments")
    return {
        **arguments,
        "arguments": {**(inner if isinstance(inner, dict) else {}), "confirm": True},
    }
