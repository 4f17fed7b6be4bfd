from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR

from tabmux.mcp import rpc
from tabmux.mcp.rpc import RpcError, RpcNotification, RpcRequest, RpcResponse


def test_a_request_is_read() -> None:
    message = rpc.parse(b'{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1}}')

    assert message == RpcRequest("a", "ping", {"x": 1})


def test_a_message_without_id_is_a_notification() -> None:
    assert rpc.parse(b'{"jsonrpc":"2.0","method":"x"}') == RpcNotification("x", {})


def test_a_result_is_an_answer() -> None:
    assert rpc.parse(b'{"jsonrpc":"2.0","id":3,"result":{}}') == RpcResponse(3, {})


def test_meta_that_is_no_object_counts_as_none() -> None:
    assert RpcRequest(1, "x", {"_meta": 5}).meta == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", PARSE_ERROR),
        (b"garbage", PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"x"', PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":"\xff","method":"x"}', PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"x"}', PARSE_ERROR),
        (b'{"jsonrpc":"2.0","method":"x"}{}', PARSE_ERROR),
        (b'{"params":' + b"[" * 100_000, PARSE_ERROR),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":'
            + b"[" * 500
            + b"]" * 500
            + b"}}",
            PARSE_ERROR,
        ),
        (b"[]", INVALID_REQUEST),
        (b"5", INVALID_REQUEST),
        (b'{"id":1,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":"' + b"x" * 300 + b'","method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}', INVALID_PARAMS),
    ],
)
def test_a_malformed_message_is_refused_with_its_code(line: bytes, code: int) -> None:
    with pytest.raises(RpcError) as caught:
        rpc.parse(line)

    assert caught.value.code == code


def test_a_refusal_names_the_id_when_it_could_be_read() -> None:
    with pytest.raises(RpcError) as caught:
        rpc.parse(b'{"jsonrpc":"2.0","id":7,"method":"x","params":"no"}')

    assert caught.value.ident == 7


def test_an_error_is_never_long() -> None:
    assert len(rpc.error(1, RpcError(1, "x" * 100_000))) < 2_000


def test_half_a_surrogate_pair_does_not_break_an_answer() -> None:
    frame = rpc.result(1, {"text": ["a\ud800b", {"\udfff": 1}]})

    assert json.loads(frame)["result"]["text"][0] == "a\ufffdb"


@given(st.binary(max_size=200))
def test_any_bytes_are_either_read_or_refused(line: bytes) -> None:
    with contextlib.suppress(RpcError):
        rpc.parse(line)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
    max_leaves=5,
)


@given(st.integers() | st.text("abc"), st.dictionaries(st.text("abc"), _JSON))
def test_what_is_encoded_is_one_line_that_reads_back(
    ident: int | str, value: dict[str, object]
) -> None:
    frame = rpc.result(ident, value)

    assert b"\n" not in frame
    assert json.loads(frame) == {"jsonrpc": "2.0", "id": ident, "result": value}


def test_halves_of_characters_are_replaced_and_the_request_is_known() -> None:
    line = rb'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"x\ud83d","\uDE00":1}}'
    found = rpc.parse(line)
    assert isinstance(found, RpcRequest)
    assert (found.id, found.params) == (7, {"a": "x\ufffd", "\ufffd": 1})
    whole = rpc.parse(rb'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\ud83d\ude00"}}')
    assert isinstance(whole, RpcRequest)
    assert whole.params == {"a": "\U0001f600"}
