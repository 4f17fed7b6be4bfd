from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.pairing import PairedKeys, PairingFile
from tabmux.bridge.proofs import HandshakeTranscript
from tabmux.errors import Misuse

REPOSITORY = Path(__file__).parents[2]


def test_a_proof_is_good_for_one_role_port_key_and_pair_of_nonces() -> None:
    key = proofs.new_key()
    nonces = proofs.new_nonce(), proofs.new_nonce()
    exchange = HandshakeTranscript(8765, key.id, *nonces)
    proof = exchange.proof(key.secret, "extension")

    assert exchange.proves(key.secret, "extension", proof)
    assert not exchange.proves(key.secret, "server", proof)
    assert not exchange.proves(proofs.new_key().secret, "extension", proof)
    others = [
        HandshakeTranscript(8766, key.id, *nonces),
        HandshakeTranscript(8765, proofs.new_key_id(), *nonces),
        HandshakeTranscript(8765, key.id, proofs.new_nonce(), nonces[1]),
        HandshakeTranscript(8765, key.id, nonces[0], proofs.new_nonce()),
    ]
    assert not any(other.proves(key.secret, "extension", proof) for other in others)


@pytest.mark.parametrize("shown", [None, "", "x", 7, b"y", "A" * 43, "é" * 43, "A" * 44])
def test_what_is_no_proof_proves_nothing(shown: object) -> None:
    key = proofs.new_key()
    exchange = HandshakeTranscript(1, key.id, proofs.new_nonce(), proofs.new_nonce())

    assert not exchange.proves(key.secret, "extension", shown)


def test_a_code_may_be_typed_in_any_way() -> None:
    code = proofs.new_code()

    assert proofs.key_of_code(code) == proofs.key_of_code(f" {code.lower().replace('-', ' ')} ")
    assert proofs.key_of_code("O" * 20) == proofs.key_of_code("0" * 20)
    assert len(code.replace("-", "")) * 5 == 100


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_both_halves_of_the_handshake_agree() -> None:
    """The extension's half runs in node here; its messages cross as text."""
    code, server_nonce = proofs.new_code(), proofs.new_nonce()
    script = f"""
      import {{ Distrust, Handshake, keyOfCode }} from "./extension/trust.js";
      import {{ createHmac }} from "node:crypto";
      const key = await keyOfCode("{code.lower()}");
      const shake = new Handshake(key, 8765);
      const lie = {{ type: "challenge", nonce: "{server_nonce}", proof: "A".repeat(43) }};
      const distrusted = await shake.answer(lie, {{}}).then(() => false, (e) => e instanceof Distrust);
      const words = ["tabmux-bridge-1", "server", 8765, "pairing", shake.hello.nonce, lie.nonce];
      const mac = createHmac("sha256", Buffer.from(key.secret, "base64url")).update(words.join("\\n"));
      const proof = await shake.answer({{ ...lie, proof: mac.digest("base64url") }}, {{ name: "x" }});
      const kept = await shake.finish({{ type: "welcome", name: "n", keyId: "0123456789abcdef" }});
      console.log([distrusted, shake.hello.nonce, proof.proof, kept.key.secret].join(" "));
    """
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    distrusted, nonce, proof, secret = done.stdout.split()
    key = proofs.key_of_code(code)
    exchange = HandshakeTranscript(8765, "pairing", nonce, server_nonce)

    assert distrusted == "true"
    assert exchange.proves(key.secret, "extension", proof)
    assert secret == proofs.encode(exchange.granted(key.secret))


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
