"""Secret sources: where values are kept, each fetched when it is typed."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

from tabmux.errors import BrowserTrouble, DeadlineExceeded, Misuse, Refused

# A shorter value could not be told from other text, and so not be taken out of replies.
SHORTEST = 4
# A longer one takes too long to be looked for in every form.
LONGEST = 1_000
KNOWN = "Write env:NAME, keyring:SERVICE/USER, op://…, bw:ITEM, otpauth://… or command:…"
_SCHEMES = ("env:", "keyring:", "op://", "bw:", "otpauth:", "command:")
_CODE = re.compile(r"\d{6,10}")
_MOST_BYTES = 10_000
# Questions to the keyring that wait for an answer.
_MOST_THREADS, _THREAD = 4, "keyring"
T = TypeVar("T")


class NoSecretValue(Refused):
    """A source has no value, or did not give it."""

    code = "secret_unavailable"


class EmptySource(NoSecretValue):
    """A source has nothing in this place."""


def is_source(reference: str) -> bool:
    """Whether a text says where a value is kept."""
    return reference.startswith(_SCHEMES)


async def fetched(reference: str, part: str, seconds: float) -> str:
    """Return the value that a source holds; of a one-time password, the code of now.

    Args:
        reference: Where it is kept.
        part: What of a login it is.
        seconds: How long the source may take.
    """
    async with _answering(part, seconds):
        value = await _read(reference, part)
    if not value:
        raise EmptySource(f"The source of the {part} has no value.", hint="Tell the user.")
    return _code_of_now(value) if part == "totp" and not _CODE.fullmatch(value) else value


async def keep(reference: str, value: str, part: str, seconds: float) -> None:
    """Put a value into a place of the keyring, the only source that is written."""
    async with _answering(part, seconds):
        place = reference.partition(":")[2]
        await _in_own_thread(lambda: _into_keyring(place, value))


async def prove_writable(reference: str, part: str, seconds: float) -> None:
    """Fail where `keep` would, by writing nothing into the place if it is empty."""
    async with _answering(part, seconds):
        place = reference.partition(":")[2]
        await _in_own_thread(lambda: _nothing_into_keyring(place))


@asynccontextmanager
async def _answering(part: str, seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise DeadlineExceeded(
            f"The source of the {part} did not answer within {seconds:g} s.",
            hint="Perhaps it waits for the user to unlock it; then try again.",
        ) from error


async def _read(reference: str, part: str) -> str:
    scheme, _, rest = reference.partition(":")
    match scheme:
        case "env":
            return os.environ.get(rest, "")
        case "keyring":
            return await _in_own_thread(lambda: _from_keyring(rest))
        case "op":
            return await _output(["op", "read", "--no-newline", reference])
        case "bw":
            item = rest.removeprefix("//")
            return await _output(["bw", "--nointeraction", "get", part, item])
        case "otpauth":
            return reference
        case "command":
            return await _output(shlex.split(rest))
        case _:
            raise Misuse(f"The source of the {part} is of no known kind.", hint=KNOWN)


async def _in_own_thread(work: Callable[[], T]) -> T:
    """Ask the keyring; one that waits for its user may take for ever.

    The threads of `asyncio.to_thread` are few, all others wait for them, and so does the end of
    the process.
    """
    if sum(thread.name == _THREAD for thread in threading.enumerate()) >= _MOST_THREADS:
        raise NoSecretValue(
            "The keyring has not answered what it was asked before.",
            hint="Tell the user to unlock it.",
        )
    answer: Future[T] = Future()

    def run() -> None:
        if not answer.set_running_or_notify_cancel():
            return
        try:
            answer.set_result(work())
        except Exception as error:  # noqa: BLE001  # it is raised where it was asked
            answer.set_exception(error)

    threading.Thread(target=run, name=_THREAD, daemon=True).start()
    return await asyncio.wrap_future(answer)


def _from_keyring(place: str) -> str:
    with _opened_keyring(place) as (keyring, service, user):
        return keyring.get_password(service, user) or ""


def _into_keyring(place: str, value: str) -> None:
    with _opened_keyring(place) as (keyring, service, user):
        keyring.set_password(service, user, value)


def _nothing_into_keyring(place: str) -> None:
    with _opened_keyring(place) as (keyring, service, user):
        # In one go: another call may have kept something meanwhile.
        if not keyring.get_password(service, user):
            keyring.set_password(service, user, "")


@contextmanager
def _opened_keyring(place: str) -> Iterator[tuple[Any, str, str]]:
    keyring = _extra("keyring")
    service, _, user = place.rpartition("/")
    try:
        yield keyring, service, user
    except keyring.errors.KeyringError as error:
        kind = type(error).__name__
        raise NoSecretValue(
            f"The keyring did not give or take the value ({kind}).",
            hint="Tell the user to unlock it.",
        ) from error


def _code_of_now(value: str) -> str:
    """Make the code of a seed, which is an otpauth address or base32."""
    pyotp = _extra("pyotp")
    try:
        is_address = value.startswith("otpauth:")
        made = pyotp.parse_uri(value) if is_address else pyotp.TOTP(_plain(value))
        return str(made.now())
    except (ValueError, AttributeError, ArithmeticError):
        # What is wrong with it is not said: the seed would be in the message.
        raise NoSecretValue(
            "The one-time password is neither a code, an otpauth address nor a base32 seed.",
            hint="Tell the user.",
        ) from None


def _plain(seed: str) -> str:
    return seed.replace(" ", "").replace("-", "").upper()


def _extra(name: str) -> Any:
    import importlib

    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise BrowserTrouble(
            f"The source needs {name}, which is not installed.",
            hint="Tell the user: pip install 'tabmux[secrets]'.",
            code="missing_extra",
        ) from error
    if name == "keyring":
        importlib.import_module("keyring.errors")
    return module


async def _output(words: Sequence[str]) -> str:
    """Run a program and return what it writes; what it complains about stays with it."""
    program = words[0] if words else ""
    try:
        process = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise NoSecretValue(
            f"The program {os.path.basename(program)!r} could not be started.",
            hint="Tell the user.",
        ) from error
    assert process.stdout is not None
    try:
        data = b""
        while len(data) < _MOST_BYTES and (piece := await process.stdout.read(_MOST_BYTES)):
            data += piece
        code = await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if code != 0:
        raise NoSecretValue(
            f"{os.path.basename(program)} ended with code {code} and gave no value.",
            hint="Tell the user; perhaps it is locked.",
        )
    return data.decode("utf-8", errors="replace").rstrip("\r\n")
