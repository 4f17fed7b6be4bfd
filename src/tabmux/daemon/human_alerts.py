"""Human alerts: a command or a webhook tells a person that an agent asks for one."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shlex
from collections.abc import Awaitable, Callable

from tabmux.concurrency import TaskOwner
from tabmux.errors import Misuse
from tabmux.page_text import address, visible_line
from tabmux.record.redaction import without_credentials
from tabmux.secrets.filled_values import FILLED
from tabmux.sessions.human_requests import HumanRequest
from tabmux.sessions.session import Session

logger = logging.getLogger(__name__)

ALERT_SECONDS = 10.0
# Of each kind, under way at the same time; and what waits for its turn, in all and of one session.
MOST_AT_ONCE = 2
MOST_WAITING, MOST_WAITING_OF_SESSION = 100, 5
LONGEST_REASON, LONGEST_URL = 1_000, 2_000


class AlertQueue:
    """Alerts of one kind: a few are under way, some wait, and others are left out.

    Args:
        tasks: What owns them.
    """

    def __init__(self, tasks: TaskOwner) -> None:
        self._tasks = tasks
        self._turn = asyncio.Semaphore(MOST_AT_ONCE)
        self._waiting: list[Session] = []

    def add(self, request: HumanRequest, alert: Callable[[], Awaitable[None]]) -> None:
        """Tell of a request when its turn comes, if it is still open then."""
        own = self._waiting.count(request.session)
        if own >= MOST_WAITING_OF_SESSION or len(self._waiting) >= MOST_WAITING:
            logger.warning("Nobody is told of a request: too many alerts wait.")
            return
        self._waiting.append(request.session)
        self._tasks.start_quietly(self._in_turn(request, alert))

    async def _in_turn(self, request: HumanRequest, alert: Callable[[], Awaitable[None]]) -> None:
        try:
            async with self._turn:
                if request.outcome is None:
                    await alert()
        finally:
            self._waiting.remove(request.session)


class HumanAlerts:
    """Tells people of requests, as the user has set it up.

    Args:
        command: What to run, without a shell.
        webhook: Where to post it.
        tasks: What owns the alerts under way.
    """

    def __init__(self, command: str | None, webhook: str | None, tasks: TaskOwner) -> None:
        self._command = _split(command or "")
        self._webhook = webhook
        # A command or a webhook that does not end must take neither processes nor threads from all.
        self._running, self._posting = AlertQueue(tasks), AlertQueue(tasks)
        if webhook and not webhook.startswith(("http://", "https://")):
            raise Misuse(f"--human-webhook {webhook!r} is no URL.", hint="It begins with https://.")

    def send(self, request: HumanRequest) -> None:
        """Tell of a request for help; questions for consent are for whoever looks already."""
        if request.kind != "help":
            return
        words = _words(request)
        if self._command:
            self._running.add(request, lambda: self._run(words))
        if webhook := self._webhook:
            self._posting.add(request, lambda: asyncio.to_thread(_post, webhook, words))

    async def _run(self, words: dict[str, str]) -> None:
        variables = {f"TABMUX_{name}": value for name, value in words.items()}
        silent = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=silent,
                stdout=silent,
                stderr=silent,
                env={**os.environ, **variables},
            )
        except OSError as error:
            logger.warning("--human-command could not be run: %s", error.strerror)
            return
        try:
            async with asyncio.timeout(ALERT_SECONDS):
                await process.wait()
        finally:
            if process.returncode is None:
                process.kill()


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise Misuse(
            f"--human-command {command!r} cannot be read: {error}.",
            hint="Close every quotation mark, or write a backslash before it.",
        ) from error


def _words(request: HumanRequest) -> dict[str, str]:
    """Return what a person is told; variables of a process have no room for more."""
    page = request.page
    words = {
        "REASON": visible_line(request.reason, LONGEST_REASON),
        "SESSION_NAME": visible_line(request.session.visible_name),
        "URL": address(without_credentials(page.url[:LONGEST_URL]), LONGEST_URL) if page else "",
    }
    return {name: FILLED.text(value) for name, value in words.items()}


def _post(url: str, words: dict[str, str]) -> None:
    body = json.dumps({name.lower(): value for name, value in words.items()}).encode()
    headers = {"content-type": "application/json"}
    # Imported late: few servers have a webhook, and all of them start.
    from urllib.request import Request, urlopen

    wanted = Request(url, body, headers, method="POST")
    try:
        with urlopen(wanted, timeout=ALERT_SECONDS):
            pass
    except OSError as error:
        logger.warning("--human-webhook could not be reached: %s", error)
