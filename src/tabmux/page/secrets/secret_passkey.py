"""Passkey use: a virtual authenticator in a tab, with one passkey of the user's or none yet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from tabmux.concurrency import Signal
from tabmux.errors import Refused, TabmuxError
from tabmux.page.frame_tree import Frame
from tabmux.secrets.origins import is_private, origin_of
from tabmux.secrets.passkey import Passkey, store, stored
from tabmux.secrets.secret import SecretText
from tabmux.secrets.sources import prove_writable

if TYPE_CHECKING:
    from tabmux.page.page import Page

KEYRING_SECONDS = 25.0
_OPTIONS = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


class Authenticator:
    """A virtual authenticator in a tab.

    Args:
        frame: The tab's own.
        origins: Whose pages may use it.
    """

    def __init__(self, frame: Frame, origins: frozenset[str]) -> None:
        self._frame, self._channel, self._origins = frame, frame.channel, origins
        self._ident = ""
        self.signal = Signal()
        # What it holds now, once a page has used it or registered with it.
        self.used: Passkey | None = None

    @asynccontextmanager
    async def attached(self, passkey: Passkey | None) -> AsyncIterator[None]:
        """Let the page have it for the length of the block, or until it goes elsewhere."""
        stops = [
            self._channel.on("WebAuthn.credentialAsserted", self._note),
            self._channel.on("WebAuthn.credentialAdded", self._note),
            self._channel.on("Network.requestWillBeSent", self._note_request),
            self._channel.on("Page.frameNavigated", self._note_document),
        ]
        try:
            await self._add(passkey)
            yield
        finally:
            for stop in stops:
                stop()
            with suppress(TabmuxError):
                await self._channel.call("WebAuthn.disable")

    async def _add(self, passkey: Passkey | None) -> None:
        # A dialog of Chrome's own would wait for its user.
        await self._channel.call("WebAuthn.enable", {"enableUI": False})
        made = await self._channel.call(
            "WebAuthn.addVirtualAuthenticator", {"options": dict(_OPTIONS)}
        )
        self._ident = made["authenticatorId"]
        if passkey is not None:
            given = {"authenticatorId": self._ident, "credential": dict(passkey.credential)}
            await self._channel.call("WebAuthn.addCredential", given)

    def _note(self, params: dict[str, Any]) -> None:
        if params["authenticatorId"] == self._ident:
            self.used = Passkey.of(params["credential"])
            self.signal.notify()

    def _note_request(self, params: dict[str, Any]) -> None:
        if params.get("type") == "Document" and params.get("frameId") == self._frame.id:
            self._leave_for(params["request"]["url"])

    def _note_document(self, params: dict[str, Any]) -> None:
        if params["frame"]["id"] == self._frame.id:
            self._leave_for(params["frame"]["url"])

    def _leave_for(self, url: str) -> None:
        """Take it away from a tab that goes where the secret does not belong, on the way there.

        A site may let all its hosts use a passkey, and a secret may be of one of them.
        """
        if origin_of(url) not in self._origins:
            self._channel.send("WebAuthn.disable")


async def kept_passkey(page: Page, text: SecretText) -> Passkey | None:
    """Return the passkey of a secret, if it has one and the page may use it."""
    await refuse_elsewhere(page, text)
    found = await stored(text.secret.sources["passkey"], KEYRING_SECONDS)
    if found is not None and not found.fits(text.secret.origins):
        raise Refused(f"The passkey of {text.secret.name} is of a site beside its origins.")
    return found


@asynccontextmanager
async def passkey_in(
    page: Page, text: SecretText, passkey: Passkey | None
) -> AsyncIterator[Authenticator]:
    """Give a page an authenticator with a passkey, or an empty one, for the length of the block.

    What it holds at the end is kept: a new passkey, or how often the one was used. A site may
    refuse a passkey that was used less often than it knows. The place of a new one is written to
    before: a site keeps what was registered, whether we could or not.
    """
    place = text.secret.sources["passkey"]
    if passkey is None:
        await prove_writable(place, "passkey", KEYRING_SECONDS)
    await refuse_elsewhere(page, text)
    made = Authenticator(page.main, text.secret.origins)
    try:
        async with made.attached(passkey):
            yield made
    finally:
        if made.used is not None and made.used.fits(text.secret.origins):
            await store(place, made.used, KEYRING_SECONDS)


async def refuse_elsewhere(page: Page, text: SecretText) -> None:
    """Refuse where the secret does not belong, or something of the agent's could misuse it."""
    await page.secrets.refuse_watchers()
    origin = origin_of(page.url)
    if origin not in text.secret.origins or not is_private(origin):
        raise Refused(
            f"The secret may not be given to {origin}.",
            hint="Log in where the secret belongs, or ask the user to type it.",
        )
