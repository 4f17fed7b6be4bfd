from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tabmux.bridge import proofs
from tabmux.bridge.proofs import HandshakeTranscript

REPOSITORY = Path(__file__).parents[2]


def test_a_proof_is_good_for_one_role_port_key_and_pair_of_nonces() -> None:
    key = proofs.new_key()
    nonces = proofs.new_nonce(), proofs.new_nonce()
    transcript = HandshakeTranscript(8765, key.id, *nonces)
    proof = transcript.proof(key.secret, "extension")

    assert transcript.proves(key.secret, "extension", proof)
    assert not transcript.proves(key.secret, "server", proof)
    assert not transcript.proves(proofs.new_key().secret, "extension", proof)
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
    transcript = HandshakeTranscript(1, key.id, proofs.new_nonce(), proofs.new_nonce())

    assert not transcript.proves(key.secret, "extension", shown)


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
      import {{ UnprovenServer, Handshake, keyOfCode }} from "./extension/handshake.js";
      import {{ createHmac }} from "node:crypto";
      const key = await keyOfCode("{code.lower()}");
      const shake = new Handshake(key, 8765);
      const lie = {{ type: "challenge", nonce: "{server_nonce}", proof: "A".repeat(43) }};
      const distrusted = await shake.answer(lie, {{}}).then(() => false, (e) => e instanceof UnprovenServer);
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
    transcript = HandshakeTranscript(8765, "pairing", nonce, server_nonce)

    assert distrusted == "true"
    assert transcript.proves(key.secret, "extension", proof)
    assert secret == proofs.encode(transcript.derived_secret(key.secret))
