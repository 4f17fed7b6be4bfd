from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabmux.bridge.messages import Malformed, read
from tabmux.json_text import DEEPEST, BadJson, check_depth, decoded, decoder

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=5),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
)


def nested(depth: int) -> str:
    return '[{"a":' * (depth // 2) + "1" + "}]" * (depth // 2)


@given(values)
def test_ordinary_values_are_read(value: object) -> None:
    assert decoded(msgspec.json.encode(value)) == value


def test_depth_is_limited_in_text_and_bytes() -> None:
    assert decoded(nested(DEEPEST)) is not None
    for depth in (DEEPEST + 2, 990, 100_000):
        for text in (nested(depth), nested(depth).encode()):
            with pytest.raises(BadJson, match="nested"):
                decoded(text)


def test_wide_values_are_not_deep() -> None:
    assert len(decoded("[" + "[]," * 100_000 + "{}]")) == 100_001
    check_depth("[[[[", [[[[]]]])


@pytest.mark.parametrize("text", ["", "{", "nope", b"\xff", b'"\xff"', "9" * 5000])
def test_what_is_no_json_is_a_short_error(text: str | bytes) -> None:
    with pytest.raises(BadJson) as caught:
        decoded(text)
    assert len(str(caught.value)) <= 200


def test_size_is_limited() -> None:
    with pytest.raises(BadJson, match="more than 10 characters"):
        decoded("[1, 2, 3, 4]", largest=10)


def test_typed_decoder_fails_only_as_decoders_do() -> None:
    decode = decoder(dict[str, object])
    assert decode(b'{"a":[1]}') == {"a": [1]}
    for text in (b'{"a":' + b"[" * 100_000, b"[]", b"{", b'{"a":"\xff"}', b'{"\xff":1}'):
        with pytest.raises(msgspec.DecodeError):
            decode(text)


def test_deep_message_of_an_extension_is_refused() -> None:
    with pytest.raises(Malformed, match="nested"):
        read('{"type":"ping","a":' + nested(500) + "}")
