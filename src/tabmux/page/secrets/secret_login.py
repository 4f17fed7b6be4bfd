"""Login: finds what a page asks for to log in, gives it what a secret has, and goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from tabmux.errors import ElementTrouble, Refused, StaleUid, TabmuxError
from tabmux.page.act.keyboard import parse
from tabmux.page.element import Element
from tabmux.page.frame_tree import Frame, FrameGone
from tabmux.page.reactions import Reactions
from tabmux.page.secrets.secret_passkey import Authenticator, kept_passkey, passkey_in
from tabmux.page.settling import settled
from tabmux.secrets.secret import Part, SecretText
from tabmux.secrets.sources import NoSecretValue

if TYPE_CHECKING:
    from tabmux.page.page import Page

# A login asks at most for a name, a password, a code, and one of them again.
MOST_STEPS = 4
# How long a page may take to answer a step, or to show its form.
ANSWER_SECONDS = 8.0
PAUSE_SECONDS = 0.1


@dataclass(frozen=True)
class LoginOutcome:
    """How a login ended."""

    text: str
    code: str | None = None


DONE = LoginOutcome("Sent the login; the page asks for nothing more.")
STILL_COMING = LoginOutcome(
    "Sent the login; the page that answers is still loading. Look at it again in a while."
)
ASKS_BY_DIALOG = LoginOutcome("Sent the login; the page opened a dialog then.")
ASKS_ELSEWHERE = LoginOutcome(
    "The page went on to a login of another origin, which may not have the secret.",
    code="needs_human",
)
AGAIN = LoginOutcome(
    "The page still asks for what it was given; it may not have been accepted.",
    code="login_failed",
)
BY_PASSKEY = LoginOutcome("The page was given the passkey.")
NO_PASSKEY_TAKEN = LoginOutcome("The page did not take the passkey.", code="login_failed")
ASKS_CODE = LoginOutcome(
    "The page asks for a one-time code, which the secret does not have.", code="needs_human"
)
ASKS_MORE = LoginOutcome(
    "The page asked for more and more; the login was given up.", code="login_failed"
)


@dataclass(frozen=True)
class LoginForm:
    """What a frame asks for."""

    frame: Frame
    loader: str
    asks: Mapping[str, Any]

    @property
    def wants(self) -> frozenset[str]:
        """The kinds of its fields."""
        return frozenset(kind for kind in ("username", "password", "code") if self.asks[kind])


class Login:
    """One login on a page.

    Args:
        page: The tab.
        parts: What the secret has.
    """

    def __init__(self, page: Page, parts: Mapping[Part, SecretText]) -> None:
        self._page = page
        self._given: dict[str, SecretText] = {}
        self._answered: set[str] = set()
        # An origin that asks, and may not have the secret.
        self._elsewhere = ""
        # Whether a document that may ask has not come yet, or not whole.
        self._incomplete = False
        for kind, part in (("username", "username"), ("password", "password"), ("code", "totp")):
            if text := parts.get(part):  # type: ignore[call-overload]  # one of them
                self._given[kind] = text
        if value := parts.get("value"):
            self._given["password"] = value
        self._passkey = parts.get("passkey")
        self._authenticator: Authenticator | None = None

    async def run(self) -> LoginOutcome:
        """Answer what the page asks for, with the passkey if it takes one."""
        if self._passkey is None:
            return await self._by_form()
        passkey = await kept_passkey(self._page, self._passkey)
        if passkey is None and self._given:
            return await self._by_form()
        if passkey is None:
            raise NoSecretValue(
                f"The secret {self._passkey.secret.name} has no passkey yet.",
                hint="register_passkey makes one, on the site's page for passkeys.",
            )
        async with passkey_in(self._page, self._passkey, passkey) as self._authenticator:
            done = await self._by_passkey(self._authenticator)
            if self._is_by_passkey:
                await self._see_it_taken()
            return done

    async def _by_passkey(self, authenticator: Authenticator) -> LoginOutcome:
        main = self._page.main
        form = LoginForm(main, main.loader, await main.run("login_form"))
        if form.asks["passkey"]:
            await self._page.input.click(self._element(form, "passkey", "button"))
        elif form.wants & self._given.keys():
            return await self._by_form()
        else:
            # A page that asks by itself has asked before the passkey was there.
            await self._page.navigation.reload()
        signal = authenticator.signal
        await signal.until(lambda: authenticator.used is not None, ANSWER_SECONDS)
        return NO_PASSKEY_TAKEN if authenticator.used is None else BY_PASSKEY

    async def _see_it_taken(self) -> None:
        """Wait for what the page makes of the passkey, of which it hears after everybody else."""
        async with settled(self._page) as effects:
            with suppress(FrameGone):
                await self._page.main.call("watch")
            effects.reactions = Reactions()

    @property
    def _is_by_passkey(self) -> bool:
        return self._authenticator is not None and self._authenticator.used is not None

    async def _by_form(self) -> LoginOutcome:
        """Answer what the page asks for, step by step."""
        form = await self._asked(None)
        if form is None or not form.wants & self._given.keys():
            raise ElementTrouble(
                "The page shows no login form that the secret fits.",
                hint="Go to the login page first; take_snapshot shows what is here.",
                code="no_such_element",
            )
        for _ in range(MOST_STEPS):
            wanted = form.wants - self._answered
            if not wanted & self._given.keys():
                return ASKS_CODE if wanted == {"code"} else AGAIN
            async with settled(self._page, form.frame):
                await self._unless_dialog(self._answer(form, wanted))
            form = await self._asked(form)
            if self._is_by_passkey:
                return BY_PASSKEY
            if form is None or self._is_over(form):
                return self._end()
        return ASKS_MORE

    def _end(self) -> LoginOutcome:
        if self._page.dialogs.current is not None:
            return ASKS_BY_DIALOG
        if self._elsewhere:
            return ASKS_ELSEWHERE
        return STILL_COMING if self._incomplete else DONE

    def _is_over(self, form: LoginForm) -> bool:
        """Whether nothing but a name is asked for after the password, as by a newsletter."""
        return "password" in self._answered and form.wants == {"username"}

    async def _unless_dialog(self, work: Coroutine[Any, Any, None]) -> None:
        """Work until a dialog opens; behind one a page answers nothing."""
        async with asyncio.TaskGroup() as group:
            working = group.create_task(_failure_of(work))
            while not working.done() and self._page.dialogs.current is None:
                await self._page.signal.or_done(working)
            working.cancel()
        if not working.cancelled() and (failure := working.result()) is not None:
            raise failure

    async def _answer(self, form: LoginForm, wanted: frozenset[str]) -> None:
        for kind in ("username", "password", "code"):
            if kind in wanted and kind in self._given:
                target = {"login": kind}
                answer = await self._page.secrets.type_into(form.frame, target, self._given[kind])
                self._element(form, "field", kind).checked(answer)
                self._answered.add(kind)
        await self._go_on(form)

    async def _go_on(self, form: LoginForm) -> None:
        """Press the button, or Enter where there is none; a page may have gone on by itself."""
        with suppress(StaleUid, FrameGone):
            now = await form.frame.run("login_form")
            pressed = LoginForm(form.frame, form.frame.loader, now)
            if not _is_same(pressed, form):
                return
            if now["submit"]:
                await self._page.input.click(self._element(pressed, "submit", "button"))
            else:
                await self._page.input.press(parse("Enter"))

    async def _asked(self, before: LoginForm | None) -> LoginForm | None:
        """Return what the page asks for; after a step, once it asks for something else."""
        deadline = monotonic() + ANSWER_SECONDS
        while True:
            form = await self._look(before)
            found = self._is_by_passkey or self._is_news(form, before)
            if found or monotonic() > deadline or self._page.dialogs.current is not None:
                return form
            await asyncio.sleep(PAUSE_SECONDS)

    def _is_news(self, form: LoginForm | None, before: LoginForm | None) -> bool:
        """Whether the page asks for something else now, or has come and asks for nothing more."""
        if form is None:
            return before is not None and not self._incomplete
        return before is None or not _is_same(form, before)

    async def _look(self, before: LoginForm | None) -> LoginForm | None:
        """Find the frame that asks, the main one first; others may not have the secret anyway."""
        page, first = self._page, before is None
        if page.gone or page.dialogs.current is not None:
            return None
        origins = next(iter(self._given.values())).secret.origins
        self._elsewhere, self._incomplete = "", page.activity.navigating
        for frame in page.frames:
            form = await self._read(frame)
            if form is None or form.asks["loading"]:
                here = before is not None and frame is before.frame
                self._incomplete |= here or frame is page.frames.main
            if form is None:
                continue
            if form.wants and form.asks["origin"] in origins:
                return form
            if form.wants - {"username"} or (first and form.wants):
                self._elsewhere = str(form.asks["origin"])
        if self._elsewhere and first:
            raise Refused(
                f"The secret may not be given to {self._elsewhere}.",
                hint="Log in where the secret belongs, or ask the user to type it.",
            )
        return None

    async def _read(self, frame: Frame) -> LoginForm | None:
        with suppress(TabmuxError):
            loader = frame.loader
            return LoginForm(frame, loader, await frame.run("login_form"))
        return None

    def _element(self, form: LoginForm, key: str, name: str) -> Element:
        label, epoch = form.asks[key], form.asks["epoch"]
        return Element(self._page.handle, form.frame, epoch, label, f"login {name}")


async def _failure_of(work: Coroutine[Any, Any, None]) -> TabmuxError | None:
    try:
        await work
    except TabmuxError as error:
        return error
    return None


def _is_same(now: LoginForm, before: LoginForm) -> bool:
    return now.wants == before.wants and now.loader == before.loader
