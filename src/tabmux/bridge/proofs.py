"""Proofs: how the server and an extension prove that they were paired; values only.

Both sides know a secret. Each proof is an HMAC-SHA-256 over the prover's role, the port, the
key's id and a nonce of each side, so that it is good for one connection and cannot be sent back.
The port keeps out a server on another port that passes messages on to this one.

Pairing is the same handshake with a key made of a code of 100 bits. The secret for later
connections is then derived on both sides from the code's key and both nonces: it is as secret
as if it had been sent encrypted under that key, and it is never sent at all.
The extension's half is extension/handshake.js.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass

PROTOCOL = 1
PAIRING = "pairing"
CODE_LENGTH = 20
_CONTEXT = "tabmux-bridge-1"
# Crockford's letters: none is mistaken for another.
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_BYTES = re.compile(r"[A-Za-z0-9_-]{43}")
_KEY_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class SharedKey:
    """What both sides of a link know."""

    id: str
    secret: bytes

    @property
    def token(self) -> str:
        """The secret as clients show it that cannot do the handshake."""
        return encode(self.secret)


@dataclass(frozen=True)
class HandshakeTranscript:
    """The public facts of one handshake."""

    port: int
    key_id: str
    client_nonce: str
    server_nonce: str

    def proof(self, secret: bytes, role: str) -> str:
        """Return what `role` shows to prove that it knows the secret."""
        return encode(self._mac(secret, role))

    def proves(self, secret: bytes, role: str, shown: object) -> bool:
        """Whether what was shown is the proof of `role`."""
        if not isinstance(shown, str) or not is_encoded_secret(shown):
            return False
        return hmac.compare_digest(decode(shown), self._mac(secret, role))

    def derived_secret(self, secret: bytes) -> bytes:
        """Return the secret that pairing leaves both sides with."""
        return self._mac(secret, "grant")

    def _mac(self, secret: bytes, role: str) -> bytes:
        parts = (_CONTEXT, role, str(self.port), self.key_id, self.client_nonce, self.server_nonce)
        return hmac.digest(secret, "\n".join(parts).encode(), hashlib.sha256)


def new_nonce() -> str:
    """Return a nonce that was never used before."""
    return encode(secrets.token_bytes(32))


def new_key() -> SharedKey:
    """Make a key."""
    return SharedKey(new_key_id(), secrets.token_bytes(32))


def new_key_id() -> str:
    """Make the public name of a key."""
    return secrets.token_hex(8)


def new_code() -> str:
    """Make a pairing code: 100 bits, in groups that can be typed."""
    letters = [secrets.choice(_LETTERS) for _ in range(CODE_LENGTH)]
    return "-".join("".join(letters[start : start + 5]) for start in range(0, CODE_LENGTH, 5))


def key_of_code(code: str) -> SharedKey:
    """Return the key that a pairing code stands for."""
    tidy = re.sub(r"[\s-]", "", code.upper()).replace("O", "0")
    tidy = re.sub("[IL]", "1", tidy)
    return SharedKey(
        PAIRING, hmac.digest(f"{_CONTEXT} code".encode(), tidy.encode(), hashlib.sha256)
    )


def is_key_id(text: object) -> bool:
    """Whether this can be the public name of a key; it is also the name of a file."""
    return isinstance(text, str) and _KEY_ID.fullmatch(text) is not None


def is_encoded_secret(text: object) -> bool:
    """Whether this is 32 bytes as we write them."""
    return isinstance(text, str) and _BYTES.fullmatch(text) is not None


def are_equal_secrets(one: str, other: str) -> bool:
    """Compare secrets in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def encode(data: bytes) -> str:
    """Write bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """Read base64url without padding; nothing when it is none."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except (ValueError, binascii.Error):
        return b""
