"""Dialogs: the JavaScript dialog that is open in a tab, and answers given by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tabmux.cdp.channel import Channel, Params
from tabmux.concurrency import Signal
from tabmux.errors import DialogOpen, Misuse
from tabmux.page_text import in_quotes

ANSWER_SECONDS = 5.0


@dataclass(frozen=True)
class Dialog:
    """An alert, confirm, prompt or beforeunload that waits for an answer."""

    kind: str
    message: str
    default: str = ""

    @property
    def line(self) -> str:
        """One line that says what the dialog shows."""
        default = f' (default value: "{self.default}")' if self.default else ""
        return f"{self.kind}: {self.message}{default}"

    @property
    def quotation(self) -> str:
        """The same inside a sentence of ours."""
        return f"{self.kind}: {in_quotes(self.message)}"


@dataclass(frozen=True)
class DialogAnswer:
    """What to do with a dialog by itself: accept or dismiss it, with a prompt's text."""

    accept: bool
    text: str | None = None


class Dialogs:
    """Knows the open dialog, and answers those that a call said to answer."""

    def __init__(self, channel: Channel, signal: Signal) -> None:
        self._channel, self._signal = channel, signal
        self._answers: list[dict[str, DialogAnswer]] = []
        self.current: Dialog | None = None
        self.answered: list[str] = []
        channel.on("Page.javascriptDialogOpening", self._opened)
        channel.on("Page.javascriptDialogClosed", self._closed)

    @contextmanager
    def answering(self, answer: DialogAnswer, *kinds: str) -> Iterator[list[str]]:
        """Answer dialogs of these kinds by themselves inside the block; yields what it did."""
        rule = dict.fromkeys(kinds or ("alert", "confirm", "prompt", "beforeunload"), answer)
        self._answers.append(rule)
        self.answered = []
        try:
            yield self.answered
        finally:
            self._answers.remove(rule)

    async def answer(self, accept: bool, text: str | None = None) -> Dialog:
        """Accept or dismiss the open dialog."""
        dialog = self.current
        if dialog is None:
            raise Misuse("No dialog is open on this page.", code="no_dialog")
        reply = dialog.default if text is None else text
        await self._channel.call(
            "Page.handleJavaScriptDialog",
            {"accept": accept, "promptText": reply},
            timeout=ANSWER_SECONDS,
        )
        # The next one may be open before Chrome has said that this one is closed.
        if self.current is dialog:
            self._closed({})
        return dialog

    def refuse_if_open(self) -> None:
        """Fail when a dialog blocks the page."""
        if self.current is not None:
            raise DialogOpen(
                f"A dialog is open ({self.current.quotation}).",
                hint="Call handle_dialog to accept or dismiss it first.",
            )

    def forget(self) -> None:
        """A dialog cannot outlive its document."""
        self.current = None

    def _opened(self, params: Params) -> None:
        dialog = Dialog(params["type"], params["message"], params.get("defaultPrompt") or "")
        for rule in reversed(self._answers):
            if answer := rule.get(dialog.kind):
                self._answer_now(dialog, answer)
                return
        self.current = dialog
        self._signal.notify()

    def _answer_now(self, dialog: Dialog, answer: DialogAnswer) -> None:
        text = dialog.default if answer.text is None else answer.text
        self._channel.send(
            "Page.handleJavaScriptDialog", {"accept": answer.accept, "promptText": text}
        )
        verb = "Accepted" if answer.accept else "Dismissed"
        self.answered.append(f"{verb} a dialog ({dialog.quotation}).")

    def _closed(self, _: Params) -> None:
        self.current = None
        self._signal.notify()
