"""Request state: what a stateless client carries from one round of its request to the next.

What the client has answered so far travels in its own `requestState`, signed, so the server keeps
nothing between two rounds, and the work simply starts anew with the answers at hand.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets

from tabmux.mcp import rpc
from tabmux.mcp.dispatch.client_questions import InputRequired, StatelessQuestions
from tabmux.mcp.rpc import Message, RpcError, RpcRequest
from tabmux.mcp.schema import INVALID_PARAMS


class SignedState:
    """Signs values; each is good for one purpose only.

    Args:
        key: One that other servers have, too; one of this process when absent.
    """

    def __init__(self, key: bytes = b"") -> None:
        self._key = key or secrets.token_bytes(32)

    def sign(self, value: Message, purpose: Message) -> str:
        """Return the value in a form to hand out."""
        body = rpc.encode(value)
        return f"{base64.urlsafe_b64encode(body).decode()}.{self._signature(body, purpose)}"

    def verify(self, text: object, purpose: Message) -> Message:
        """Return the value, or raise the error of one that is not ours or for something else."""
        try:
            body, _, signature = str(text).rpartition(".")
            plain = base64.b64decode(body.encode(), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            plain, signature = b"", ""
        if not hmac.compare_digest(signature.encode(), self._signature(plain, purpose).encode()):
            raise RpcError(INVALID_PARAMS, "requestState is not what this server handed out.")
        value: Message = json.loads(plain)
        return value

    def _signature(self, body: bytes, purpose: Message) -> str:
        canonical = json.dumps(purpose, sort_keys=True).encode()
        signed = hashlib.sha256(canonical).digest() + body
        return hmac.new(self._key, signed, hashlib.sha256).hexdigest()


class RequestRound:
    """One round of a request: knows what the rounds before brought, and signs it for the next."""

    def __init__(self, signer: SignedState, request: RpcRequest, capabilities: Message) -> None:
        self._signer, self._purpose = signer, _purpose(request)
        state = request.params.get("requestState")
        before = {} if state is None else signer.verify(state, self._purpose)
        self.session: str | None = before.get("session")
        self.questions = StatelessQuestions(
            capabilities, request.params.get("inputResponses"), before.get("known", {})
        )

    def next(self, required: InputRequired, session: str | None = None) -> Message:
        """Return the result that asks the client for its answers."""
        state = {"known": self.questions.known, "session": session}
        asked = {name: question.message for name, question in required.questions.items()}
        return {
            "resultType": "input_required",
            "inputRequests": asked,
            "requestState": self._signer.sign(state, self._purpose),
        }


def _purpose(request: RpcRequest) -> Message:
    """Return what must stay the same from round to round."""
    changing = ("_meta", "inputResponses", "requestState")
    kept = {key: value for key, value in request.params.items() if key not in changing}
    return {"method": request.method, "params": kept}
