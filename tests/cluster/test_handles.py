from __future__ import annotations

import pytest

from tabmux.cluster.handles import Handles, derived_key, is_handle, key_from, new_shard

KEY = key_from("secret")


def test_handle_says_which_shard_it_is_in() -> None:
    handles, shard = Handles(KEY), new_shard()
    handle = handles.new(shard)
    assert handle.split(".")[0] == shard
    assert handles.shard_of(handle) == shard
    assert Handles(KEY).shard_of(handle) == shard


def test_no_two_handles_are_the_same() -> None:
    handles = Handles(KEY)
    assert len({handles.new("aaaaaaaa") for _ in range(1000)}) == 1000


@pytest.mark.parametrize("place", [0, 10, -1])
def test_handle_that_was_changed_is_not_ours(place: int) -> None:
    handles = Handles(KEY)
    handle = list(handles.new(new_shard()))
    handle[place] = "b" if handle[place] != "b" else "c"
    assert handles.shard_of("".join(handle)) is None


def test_handle_of_a_cluster_with_another_key_is_not_ours() -> None:
    assert Handles(KEY).shard_of(Handles(key_from("other")).new(new_shard())) is None


@pytest.mark.parametrize(
    "text", ["", "shop", "a.b.c", "Ük5n6TgqWyIRDb8uS0bK4w", "aaaaaaaa.x.y", "..", "a" * 10_000]
)
def test_other_texts_are_no_handles(text: str) -> None:
    assert not is_handle(text)
    assert Handles(KEY).shard_of(text) is None


def test_handle_fits_where_names_of_sessions_fit() -> None:
    assert len(Handles(KEY).new(new_shard())) <= 64


def test_keys_for_two_purposes_differ() -> None:
    assert derived_key(KEY, "handles") != derived_key(KEY, "requests")
