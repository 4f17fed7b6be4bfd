"""The rounds of a stateless request whose answer needs more of the client first."""

from __future__ import annotations

from tabmux.mcp.dispatch.client_questions import InputRequired, StatelessQuestions
from tabmux.mcp.dispatch.request_context import RequestContext
from tabmux.mcp.dispatch.request_state import SignedState
from tabmux.mcp.rpc import Message, RpcRequest


class Rounds:
    """One round: knows what the rounds before brought, and seals it for the next.

    What the client has answered so far travels in its own `requestState`, so the server keeps
    nothing between two rounds, and the work simply starts anew with the answers at hand.
    """

    def __init__(self, seal: SignedState, exchange: RequestContext, capabilities: Message) -> None:
        self._seal, self._purpose = seal, _purpose(exchange.request)
        params = exchange.request.params
        state = params.get("requestState")
        before = {} if state is None else seal.opened(state, self._purpose)
        self.session: str | None = before.get("session")
        self._replay = StatelessQuestions(
            capabilities, params.get("inputResponses"), before.get("known", {})
        )
        exchange.dialogue = self._replay

    def another(self, pending: InputRequired, session: str | None = None) -> Message:
        """Return the result that asks the client for its answers."""
        state = {"known": self._replay.known, "session": session}
        asked = {name: question.message for name, question in pending.questions.items()}
        return {
            "resultType": "input_required",
            "inputRequests": asked,
            "requestState": self._seal.closed(state, self._purpose),
        }


def _purpose(request: RpcRequest) -> Message:
    """Return what must stay the same from round to round."""
    changing = ("_meta", "inputResponses", "requestState")
    kept = {key: value for key, value in request.params.items() if key not in changing}
    return {"method": request.method, "params": kept}
