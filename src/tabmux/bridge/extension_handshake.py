"""The server's half of the handshake: both sides prove themselves before anything else is said."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tabmux.bridge import proofs
from tabmux.bridge.bridge_socket import BAD_HANDSHAKE, UNKNOWN_KEY, WRONG_PROTOCOL
from tabmux.bridge.extension_link import BrowserInfo
from tabmux.bridge.messages import Malformed, Message, read
from tabmux.bridge.pairing import PairedKey, PairedKeys, PairingFile, PairingOffer
from tabmux.bridge.proofs import PAIRING, PROTOCOL, HandshakeTranscript, SharedKey

HANDSHAKE_SECONDS = 5.0
LONGEST_HANDSHAKE_MESSAGE = 4096
LONGEST_NAME = 100


class HandshakeRefused(Exception):
    """The other side is not let in; the socket is closed without a word."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class HandshakeSocket(Protocol):
    """What a handshake needs of a socket."""

    async def receive(self) -> str:
        """Wait for a message."""

    async def send(self, message: Message) -> None:
        """Send a message."""


@dataclass(frozen=True)
class AuthenticatedExtension:
    """Who came: which key it proved, which browser it is, and what it can do."""

    paired: PairedKey
    browser: BrowserInfo
    capabilities: frozenset[str]
    welcome: Message


class ExtensionHandshake:
    """Receives extensions on one port."""

    def __init__(self, port: int, keys: PairedKeys, pairing: PairingFile) -> None:
        self._port, self._keys, self._pairing = port, keys, pairing

    async def receive(self, wire: HandshakeSocket) -> AuthenticatedExtension:
        """Return who came, or raise Refusal. Only the challenge is sent before the proof."""
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                return await self._converse(wire)
        except TimeoutError:
            raise HandshakeRefused(BAD_HANDSHAKE, "The handshake took too long.") from None
        except Malformed as error:
            raise HandshakeRefused(BAD_HANDSHAKE, str(error)) from None

    async def _converse(self, wire: HandshakeSocket) -> AuthenticatedExtension:
        hello = _message(await wire.receive(), "hello")
        if hello.get("protocol") != PROTOCOL:
            raise HandshakeRefused(WRONG_PROTOCOL, f"This server speaks protocol {PROTOCOL}.")
        if not proofs.is_bytes(hello.get("nonce")):
            raise Malformed("The hello has no nonce.")
        known = self._known(hello.get("keyId"))
        exchange = HandshakeTranscript(self._port, known.key.id, hello["nonce"], proofs.new_nonce())
        secret = known.key.secret
        proof = exchange.proof(secret, "server")
        await wire.send({"type": "challenge", "nonce": exchange.server_nonce, "proof": proof})
        answer = _message(await wire.receive(), "proof")
        if not exchange.proves(secret, "extension", answer.get("proof")):
            raise HandshakeRefused(UNKNOWN_KEY, "The proof is wrong.")
        return self._let_in(known, exchange, answer)

    def _known(self, key_id: object) -> PairedKey | PairingOffer:
        known = self._pairing.pending() if key_id == PAIRING else self._keys.find(key_id)
        if known is None:
            text = "No code waits" if key_id == PAIRING else "This key is not known here"
            raise HandshakeRefused(UNKNOWN_KEY, f"{text}; run tabmux extension pair.")
        return known

    def _let_in(
        self, known: PairedKey | PairingOffer, exchange: HandshakeTranscript, answer: Message
    ) -> AuthenticatedExtension:
        browser = _browser(answer.get("browser"))
        able = _words(answer.get("capabilities"))
        if isinstance(known, PairedKey):
            welcome: Message = {"type": "welcome", "name": known.name}
            return AuthenticatedExtension(known, browser, able, welcome)
        if self._pairing.pending() != known:
            raise HandshakeRefused(UNKNOWN_KEY, "The code was used already.")
        key = SharedKey(proofs.new_key_id(), exchange.granted(known.key.secret))
        name = known.name or _slug(browser.name)
        paired = self._keys.add(key, name, browser.name, browser.profile_id)
        self._pairing.withdraw()
        welcome = {"type": "welcome", "name": paired.name, "keyId": key.id}
        return AuthenticatedExtension(paired, browser, able, welcome)


def _message(text: str, kind: str) -> Message:
    if len(text) > LONGEST_HANDSHAKE_MESSAGE:
        raise Malformed("The message is too long.")
    message = read(text)
    if message.get("type") != kind:
        raise Malformed(f"Expected {kind}.")
    return message


def _browser(given: object) -> BrowserInfo:
    fields: Mapping[str, Any] = given if isinstance(given, dict) else {}
    texts = [fields.get(name) for name in ("name", "version", "profileId")]
    if not all(isinstance(text, str) and len(text) <= LONGEST_NAME for text in texts):
        raise Malformed("The proof names no browser.")
    return BrowserInfo(*map(str, texts))


def _words(given: object) -> frozenset[str]:
    found = given if isinstance(given, list) else []
    return frozenset(word for word in found if isinstance(word, str))


def _slug(name: str) -> str:
    kept = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return kept.strip("-") or "browser"
