"""Secret fields: types secrets into a page, and looks after the fields while they hold them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from tabmux.errors import Misuse, PageGone, Refused, StaleUid, TabmuxError
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.settling import unless_blocked
from tabmux.secrets.filled_values import FILLED
from tabmux.secrets.origins import is_private
from tabmux.secrets.secret import SecretText

if TYPE_CHECKING:
    from tabmux.page.page import Page

FETCH_SECONDS = 25.0
# A one-time code is worth nothing after this time.
CODE_SECONDS = 900.0


class SecretInPage(Refused):
    """It would show or touch a secret that stands in the page."""

    code = "secret_in_page"


class SecretFields:
    """The fields of one tab that secrets were typed into."""

    def __init__(self, page: Page) -> None:
        self._page, self._tab = page, page.handle.tab
        # Only the page that types into a field knows it again.
        self._typed = False
        self._filled_before = self._tab.filled.copy()
        # How many requests of the page the agent had altered when the document before this one
        # began, and when this one did.
        self._altered = (0, 0)

    def begin_document(self) -> None:
        """Note that the page has another document now."""
        self._altered = (self._altered[1], self._page.interception.altered)

    async def fill(self, element: Element, text: SecretText) -> None:
        """Give a field a part of a secret, in the place of what it holds."""
        target = {"epoch": element.epoch, "label": element.label}
        answer = await self.type_into(element.frame, target, text)
        element.checked(answer)

    async def type_focused(self, text: SecretText) -> None:
        """Type a part of a secret into the field that has the focus."""
        frame = await self._focused_frame()
        answer = await self.type_into(frame, {"focused": True}, text, replaces=False)
        if answer.get("trouble"):
            raise Misuse("The focused field cannot take the secret.", hint="Use fill with its uid.")

    async def type_into(
        self, frame: Frame, target: dict[str, Any], text: SecretText, *, replaces: bool = True
    ) -> dict[str, Any]:
        """Type a part of a secret, after a look whether it may be, before it is even fetched.

        The look is repeated in the same task of the page in which the value is typed: a document
        that came meanwhile gets nothing.
        """
        await self.refuse_watchers()
        origins = [each for each in text.secret.origins if is_private(each)]
        look = await self._look(frame, target, text.part, origins, None, replaces)
        if look.get("trouble"):
            return look
        value = await text.fetch(FETCH_SECONDS)
        await self.refuse_watchers()
        self.note(value, text)
        self._note_filled(frame)
        # A page may go on as soon as it has the value, and answer no more.
        arguments = (target, text.part, origins, value, replaces)
        answer = await unless_blocked(self._page, lambda: frame.run("fill_secret", *arguments))
        # It may have been another document than was known before.
        self._note_filled(frame)
        return _unless_refused(answer or {})

    async def for_tool(self, text: SecretText, origin: str, frame: Frame) -> str:
        """Return a part of a secret for a tool that the page itself declares."""
        await self.refuse_watchers()
        if origin not in text.secret.origins:
            raise Refused(f"The secret may not be given to {origin}.")
        value = await text.fetch(FETCH_SECONDS)
        await self.refuse_watchers()
        self.note(value, text)
        self._note_filled(frame)
        return value

    def note(self, value: str, text: SecretText) -> None:
        """Keep a value out of replies from now on; the name of a user is no secret in parts."""
        page, session_lives = self._page, text.alive
        end = monotonic() + CODE_SECONDS if text.part == "totp" else inf
        FILLED.note(
            value,
            lambda: (session_lives() or not page.gone) and monotonic() < end,
            partly=text.part in ("password", "value"),
            owner=(page, text.part, session_lives),
        )

    async def standing(self) -> bool:
        """Whether a secret stands in a field of the page now, or may."""
        if self._page.gone or not self._tab.filled:
            return False
        if any(frame.loader in self._filled_before for frame in self._page.frames):
            return True  # which fields they are is known no more
        if not self._typed:
            return False
        if self._page.dialogs.current is not None:
            return True  # it cannot be asked
        # All documents are asked: one may be back that was left with its fields filled.
        for frame in self._page.frames:
            with suppress(FrameGone):
                held = await frame.run("secret_fields", "standing")
                if held is True or FILLED.shows(held, partly=True):
                    return True
        return False

    async def refuse_if_standing(self, what: str) -> None:
        """Raise if a secret stands in the page, or in one that this page can reach."""
        for page in await _reachable(self._page):
            if await page.secrets.standing():
                raise SecretInPage(
                    f"{what} while a secret stands in a field of page {page.id}.",
                    hint="Send the form, empty the field with fill, or navigate; then try again.",
                )

    async def begin_script(self) -> None:
        """See that no secret stands in the page, and that none is typed while a script runs.

        The script is noted first: who types a secret meanwhile finds that, or is found here.
        """
        noted, loader = self._tab.scripted, self._page.main.loader
        is_new = loader not in noted
        noted.add(loader)
        try:
            await self.refuse_if_standing("No script runs")
        except BaseException:
            if is_new:
                noted.discard(loader)
            raise
        self.note_script()

    def note_script(self) -> None:
        """Note that a script of the agent's runs in the current document."""
        self._tab.scripted.add(self._page.main.loader)

    def _note_filled(self, frame: Frame) -> None:
        self._typed = True
        self._tab.filled.add(frame.loader)

    @property
    def is_scripted(self) -> bool:
        """Whether a script of the agent's may still run in the document."""
        main = self._page.frames.main
        return not self._page.gone and main is not None and main.loader in self._tab.scripted

    async def refuse_watchers(self) -> None:
        """Refuse where a script or a rule of the agent's could see what is typed."""
        page = self._page
        scripted = [each.id for each in await _reachable(page) if each.secrets.is_scripted]
        if scripted:
            raise SecretInPage(
                f"A script of yours has run in page {scripted[0]} and could see the secret.",
                hint="Reload that with navigate_page, then fill or log in without a script before.",
            )
        if page.interception.rules or page.interception.altered != self._altered[0]:
            raise SecretInPage(
                "Your rules for requests could see the secret, or have altered the page.",
                hint="Remove them with unroute_requests, then reload the page twice.",
            )
        if page.tracing.recording or page.screencast.is_running:
            raise SecretInPage("The page is being recorded.", hint="Stop the recording first.")

    @asynccontextmanager
    async def covered(self) -> AsyncIterator[None]:
        """Paint over all that shows a secret, for a picture that is taken in the block."""
        frames = list(self._page.frames) if FILLED.has_values else []
        try:
            # A page may draw what it was given, for as long as it has it.
            standing = bool(frames) and await self.standing()
            shown = sum([await self._cover(frame, pictures=standing) for frame in frames])
            if shown:
                await self._page.main.run("painted", 0)
            yield
        finally:
            for frame in frames:
                with suppress(TabmuxError):
                    await frame.run("secret_fields", "uncover")

    async def refuse_if_shown(self, what: str) -> None:
        """Raise if the page shows a secret, in a field or in a text."""
        await self.refuse_if_standing(what)
        for frame in self._page.frames if FILLED.has_values else ():
            if FILLED.shows("".join(await self._texts(frame))):
                raise SecretInPage(f"{what} while the page shows a secret.")

    async def _cover(self, frame: Frame, *, pictures: bool) -> int:
        texts = await self._texts(frame)
        showing = [number for number, text in enumerate(texts) if FILLED.shows(text)]
        if not showing and FILLED.shows("".join(texts)):
            raise SecretInPage("The page shows a secret in pieces, so no picture is taken of it.")
        with suppress(FrameGone):
            return int(await frame.run("secret_fields", "cover", showing, pictures))
        return 0

    async def _texts(self, frame: Frame) -> list[str]:
        try:
            return list(await frame.run("secret_fields", "texts"))
        except FrameGone:
            return []

    async def _focused_frame(self) -> Frame:
        focused = []
        for frame in self._page.frames:
            with suppress(FrameGone):
                if await frame.run("has_focused_field"):
                    focused.append(frame)
        if len(focused) != 1:
            raise Misuse("No field has the focus.", hint="Click it first, or use fill.")
        return focused[0]

    async def _look(self, frame: Frame, *arguments: Any) -> dict[str, Any]:
        """Ask the document whether a part of a secret may be typed into it."""
        try:
            return _unless_refused(await frame.run("fill_secret", *arguments))
        except FrameGone as error:
            raise StaleUid(
                "The page navigated before the secret was typed.",
                hint="Take a snapshot to see where it stands.",
            ) from error


def _unless_refused(answer: dict[str, Any]) -> dict[str, Any]:
    if refused := answer.get("refused"):
        raise Refused(
            str(refused), hint="Log in where the secret belongs, or ask the user to type it."
        )
    return answer


async def _reachable(page: Page) -> list[Page]:
    """Return a page, and those whose scripts may reach its own, which may have to be attached."""
    found = [page]
    for handle in [tab.handle for tab in page.handle.related_tabs()]:
        if handle is not None:
            with suppress(PageGone):
                found.append(handle.page or await handle.attach())
    return found
