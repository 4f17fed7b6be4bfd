from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.errors import Misuse


def test_secrets_are_kept_where_only_their_owner_can_read_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keys, pairing = (
        PairedKeys(tmp_path / "b" / "keys"),
        PairingFile(tmp_path / "b" / "pairing.json"),
    )
    keys.add(proofs.new_key(), "work")
    pairing.offer()
    files = [*keys.folder.iterdir(), tmp_path / "b" / "pairing.json"]

    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(keys.folder.stat().st_mode) == 0o700
    files[0].chmod(0o644)
    assert keys.all() == []
    assert "Others can read the secret" in caplog.text


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("untouched", encoding="utf-8")
    (tmp_path / "pairing.json").symlink_to(target)
    pairing = PairingFile(tmp_path / "pairing.json")
    assert pairing.pending() is None
    pairing.offer()

    assert target.read_text(encoding="utf-8") == "untouched"
    assert not os.path.islink(tmp_path / "pairing.json")


def test_only_the_exact_token_is_the_token(tmp_path: Path) -> None:
    keys, key = PairedKeys(tmp_path), proofs.new_key()
    keys.add(key, "work")
    token = key.token
    near = [token[:-1], f"{token}x", "", f" {token}", f"{token}\n", f"{token}\0", token[1:] + "Ａ"]

    assert [keys.of_token(each) for each in near] == [None] * len(near)
    assert keys.of_token(token) is not None


def test_keys_are_listed_named_and_forgotten(tmp_path: Path) -> None:
    keys = PairedKeys(tmp_path / "keys")
    first, second = proofs.new_key(), proofs.new_key()
    names = [keys.add(first, "chrome").name, keys.add(second, "chrome").name]
    (tmp_path / "keys" / "0000000000000000.json").write_text("half", encoding="utf-8")
    (tmp_path / "keys" / "0000000000000000.json").chmod(0o600)

    assert names == ["chrome", "chrome-2"]
    assert [each.key for each in keys.all()] == [first, second]
    assert keys.find("../../etc/passwd") is None
    keys.remove("chrome")
    with pytest.raises(Misuse) as caught:
        keys.remove("chrome")
    assert "chrome-2" in caught.value.hint


def test_pairing_a_browser_again_replaces_its_key(tmp_path: Path) -> None:
    keys, newer = PairedKeys(tmp_path), proofs.new_key()
    keys.add(proofs.new_key(), "chrome", "Chrome", "profile-1")
    keys.add(proofs.new_key(), "chrome", "Chrome", "profile-2")
    again = keys.add(newer, "chrome", "Chrome", "profile-1")

    assert again.name == "chrome"
    assert [(each.name, each.profile) for each in keys.all()] == [
        ("chrome-2", "profile-2"),
        ("chrome", "profile-1"),
    ]
