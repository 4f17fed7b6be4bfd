from __future__ import annotations

from tabmux.bridge.extension_package import extension_id


def test_the_id_is_that_of_the_key_in_the_manifest() -> None:
    assert len(extension_id()) == 32
    assert set(extension_id()) <= set("abcdefghijklmnop")
