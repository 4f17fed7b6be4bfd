"""Extension handshake: both sides prove themselves before anything else is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tabmux.bridge import proofs
from tabmux.bridge.bridge_limits import DEFAULT_LIMITS, BridgeLimits
from tabmux.bridge.extension_link import BrowserInfo
from tabmux.bridge.extension_socket import (
    BAD_HANDSHAKE,
    UNKNOWN_KEY,
    WRONG_PROTOCOL,
    ExtensionSocket,
)
from tabmux.bridge.messages import Malformed, Message, read
from tabmux.bridge.pairing import PairedKey, PairedKeys, PairingFile, PairingOffer
from tabmux.bridge.proofs import PAIRING, PROTOCOL, HandshakeTranscript, SharedKey

LONGEST_HANDSHAKE_MESSAGE = 4096
LONGEST_NAME = 100


class HandshakeRefused(Exception):
    """The connection is refused; the socket is closed without a message."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


@dataclass(frozen=True)
class AuthenticatedExtension:
    """Which key an extension proved, which browser it runs in, and what it can do."""

    paired: PairedKey
    browser: BrowserInfo
    capabilities: frozenset[str]
    welcome: Message


class ExtensionHandshake:
    """The server's half of the handshake, on one port."""

    def __init__(
        self,
        port: int,
        keys: PairedKeys,
        pairing: PairingFile,
        limits: BridgeLimits = DEFAULT_LIMITS,
    ) -> None:
        self._port, self._keys, self._pairing = port, keys, pairing
        self._limits = limits

    async def authenticate(self, socket: ExtensionSocket) -> AuthenticatedExtension:
        """Return who connected, or raise HandshakeRefused; only the challenge is sent before."""
        try:
            async with asyncio.timeout(self._limits.handshake_seconds):
                return await self._exchange_proofs(socket)
        except TimeoutError:
            raise HandshakeRefused(BAD_HANDSHAKE, "The handshake took too long.") from None
        except Malformed as error:
            raise HandshakeRefused(BAD_HANDSHAKE, str(error)) from None

    async def _exchange_proofs(self, socket: ExtensionSocket) -> AuthenticatedExtension:
        hello = _read_message(await socket.receive(), "hello")
        if hello.get("protocol") != PROTOCOL:
            raise HandshakeRefused(WRONG_PROTOCOL, f"This server speaks protocol {PROTOCOL}.")
        if not proofs.is_encoded_secret(hello.get("nonce")):
            raise Malformed("The hello has no nonce.")
        known = self._key_for(hello.get("keyId"))
        transcript = HandshakeTranscript(
            self._port, known.key.id, hello["nonce"], proofs.new_nonce()
        )
        secret = known.key.secret
        proof = transcript.proof(secret, "server")
        await socket.send({"type": "challenge", "nonce": transcript.server_nonce, "proof": proof})
        answer = _read_message(await socket.receive(), "proof")
        if not transcript.proves(secret, "extension", answer.get("proof")):
            raise HandshakeRefused(UNKNOWN_KEY, "The proof is wrong.")
        return self._accept(known, transcript, answer)

    def _key_for(self, key_id: object) -> PairedKey | PairingOffer:
        known = self._pairing.pending() if key_id == PAIRING else self._keys.find(key_id)
        if known is None:
            text = "No code waits" if key_id == PAIRING else "This key is not known here"
            raise HandshakeRefused(UNKNOWN_KEY, f"{text}; run tabmux extension pair.")
        return known

    def _accept(
        self, known: PairedKey | PairingOffer, transcript: HandshakeTranscript, answer: Message
    ) -> AuthenticatedExtension:
        browser = _browser_info(answer.get("browser"))
        capabilities = _strings(answer.get("capabilities"))
        if isinstance(known, PairedKey):
            welcome: Message = {"type": "welcome", "name": known.name}
            return AuthenticatedExtension(known, browser, capabilities, welcome)
        if self._pairing.pending() != known:
            raise HandshakeRefused(UNKNOWN_KEY, "The code was used already.")
        key = SharedKey(proofs.new_key_id(), transcript.derived_secret(known.key.secret))
        name = known.name or _slug(browser.name)
        paired = self._keys.add(key, name, browser.name, browser.profile_id)
        self._pairing.withdraw()
        welcome = {"type": "welcome", "name": paired.name, "keyId": key.id}
        return AuthenticatedExtension(paired, browser, capabilities, welcome)


def _read_message(text: str, kind: str) -> Message:
    if len(text) > LONGEST_HANDSHAKE_MESSAGE:
        raise Malformed("The message is too long.")
    message = read(text)
    if message.get("type") != kind:
        raise Malformed(f"Expected {kind}.")
    return message


def _browser_info(given: object) -> BrowserInfo:
    fields: Mapping[str, Any] = given if isinstance(given, dict) else {}
    texts = [fields.get(name) for name in ("name", "version", "profileId")]
    if not all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in texts):
        raise Malformed("The proof names no browser.")
    return BrowserInfo(*map(str, texts))


def _strings(given: object) -> frozenset[str]:
    found = given if isinstance(given, list) else []
    return frozenset(word for word in found if isinstance(word, str))


def _slug(name: str) -> str:
    kept = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return kept.strip("-") or "browser"
