"""JSON-RPC: messages from bytes to values and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from tabmux.json_text import BadJson, check_depth, decoded, decoder
from tabmux.mcp.schema import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR
from tabmux.page_text import visible

Id = int | str
Message = dict[str, Any]

_LONGEST_ID = 256
_LONGEST_ERROR = 1_000


class RpcError(Exception):
    """A request that cannot be answered; becomes a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None, *, ident: Id | None = None):
        super().__init__(message)
        self.code, self.message, self.data, self.ident = code, message, data, ident


@dataclass(frozen=True, slots=True)
class RpcRequest:
    """A message that wants an answer."""

    id: Id
    method: str
    params: Message

    @property
    def meta(self) -> Message:
        """What travels beside the parameters."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


@dataclass(frozen=True, slots=True)
class RpcNotification:
    """A message that wants none."""

    method: str
    params: Message


@dataclass(frozen=True, slots=True)
class RpcResponse:
    """A client's answer to a request of ours; `result` is None when the client refused."""

    id: Id | None
    result: Message | None = None


Incoming = RpcRequest | RpcNotification | RpcResponse


class _Envelope(msgspec.Struct):
    jsonrpc: Any = None
    id: Any = UNSET
    method: Any = UNSET
    params: Any = UNSET
    result: Any = UNSET
    error: Any = UNSET


_decode_envelope = decoder(_Envelope)
_encoder = msgspec.json.Encoder()


def parse(data: bytes) -> Incoming:
    """Read one message, or raise the fault to answer with."""
    envelope = _decode(data)
    ident = _ident(envelope.id)
    if envelope.jsonrpc != "2.0":
        raise RpcError(INVALID_REQUEST, 'A message must have "jsonrpc": "2.0".', ident=ident)
    if envelope.method is UNSET and (envelope.result is not UNSET or envelope.error is not UNSET):
        return RpcResponse(ident, envelope.result if isinstance(envelope.result, dict) else None)
    if not isinstance(envelope.method, str):
        raise RpcError(INVALID_REQUEST, "A message must name a method.", ident=ident)
    params = {} if envelope.params is UNSET or envelope.params is None else envelope.params
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object.", ident=ident)
    if ident is None:
        return RpcNotification(envelope.method, params)
    return RpcRequest(ident, envelope.method, params)


def _decode(data: bytes) -> _Envelope:
    try:
        envelope = _decode_envelope(_mended_text(data))
        check_depth(data, [envelope.params, envelope.result])
    except BadJson as error:
        raise RpcError(PARSE_ERROR, f"The message is refused: {error}.") from None
    except msgspec.ValidationError:
        raise RpcError(INVALID_REQUEST, "A message must be one JSON object.") from None
    except ValueError:
        raise RpcError(PARSE_ERROR, "The message is not valid JSON.") from None
    return envelope


def _mended_text(data: bytes) -> bytes:
    """Replace halves of surrogate pairs, which JavaScript may send and our decoder refuses."""
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    try:
        value = decoded(data)
    except BadJson:
        return data
    # An answer must carry the very id of its request.
    ident = value.get("id") if isinstance(value, dict) else None
    return encode(value) if _mended(ident) == ident else data


def _ident(value: Any) -> Id | None:
    if value is UNSET:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise RpcError(INVALID_REQUEST, "An id must be a string or an integer.")
    if isinstance(value, str) and len(value) > _LONGEST_ID:
        raise RpcError(INVALID_REQUEST, f"An id must not exceed {_LONGEST_ID} characters.")
    return value


def result(ident: Id, value: Message) -> bytes:
    """Encode a successful answer."""
    return encode({"jsonrpc": "2.0", "id": ident, "result": value})


def error(ident: Id | None, fault: RpcError) -> bytes:
    """Encode a failed answer."""
    body: Message = {"code": fault.code, "message": visible(fault.message[:_LONGEST_ERROR])}
    if fault.data is not None:
        body["data"] = fault.data
    return encode({"jsonrpc": "2.0", "id": ident, "error": body})


def request(ident: Id, method: str, params: Message) -> bytes:
    """Encode a request of ours."""
    return encode({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})


def notification(method: str, params: Message | None = None) -> bytes:
    """Encode a notification."""
    message: Message = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    return encode(message)


def encode(value: Any) -> bytes:
    """Encode any JSON value; halves of surrogate pairs, which pages can contain, are replaced."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(_mended(value))


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(item) for item in value]
    return value
