"""Values that a client keeps for us and cannot change."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets

from tabmux.mcp import rpc
from tabmux.mcp.rpc import Message, RpcError
from tabmux.mcp.schema import INVALID_PARAMS


class SignedState:
    """Signs values with a key of this process; each is good for one purpose only."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def closed(self, value: Message, purpose: Message) -> str:
        """Return the value in a form to hand out."""
        body = rpc.encode(value)
        return f"{base64.urlsafe_b64encode(body).decode()}.{self._signature(body, purpose)}"

    def opened(self, text: object, purpose: Message) -> Message:
        """Return the value, or raise the fault of one that is not ours or for something else."""
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
