"""Control lines: questions to the daemon in its line protocol, and what the answers say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tabmux.cli.daemon_client import ANSWER_SECONDS, AnswerLines
from tabmux.daemon_connection import CONTROL_SECONDS, connect, lost_daemon
from tabmux.errors import CODES, Misuse, TabmuxError

# A quoted value begins with a quote, which no name, number or URL does.
_WORD = re.compile(r"""(\w+)=('[^']*'(?:"'"'[^']*')*|\S*)""")
_NUMBERS = frozenset(
    {
        "pid", "sessions", "browsers", "queued", "tasks", "pages", "page", "front_page", "page_id",
        "age", "idle", "snapshot_epoch", "tabs", "port",
    }
)  # fmt: skip
_TRUTHS = frozenset({"closed", "own", "page_created_by_daemon", "removed"})
# Answered by the page or the browser, not by the daemon alone.
_SLOW = (
    "session_new_page", "session_close", "bridge_listen", "debug=true", "browser_add",
    "browser_reconnect", "session_cdp",
)  # fmt: skip


def send_line(line: str, *, required: bool = True, seconds: float = CONTROL_SECONDS) -> list[str]:
    """Send one control line and return the lines of the answer.

    Args:
        line: The question.
        required: Whether it is an error that no daemon runs.
        seconds: For an answer that the daemon has at hand.
    """
    connection = connect(seconds)
    if connection is None:
        if required:
            raise Misuse("No daemon runs.", hint="Start one with tabmux daemon start.")
        return []
    slow = any(word in line for word in _SLOW)
    found: list[str] = []
    with connection:
        answer = AnswerLines(connection)
        answer.write(line.strip().encode())
        while text := answer.read(ANSWER_SECONDS if slow else seconds, ping=slow):
            if not text.strip():
                return found
            found.append(text.decode().rstrip("\n"))
    raise lost_daemon()


def read_answer(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return what an answer says, typed; an error is raised."""
    if lines and lines[0].startswith("error "):
        raise _error(read_words(lines[0]))
    return [read_words(each) for each in lines]


def read_words(line: str) -> dict[str, Any]:
    """Read the key=value words of an answer: numbers, truth values and texts; None for nothing."""
    return {key: _value(key, text) for key, text in _WORD.findall(line)}


def _value(key: str, text: str) -> Any:
    if text.startswith("'"):
        import shlex

        return shlex.split(text)[0]
    if key in _NUMBERS and text.isdecimal():
        return int(text)
    if key in _TRUTHS:
        return text == "true"
    return text or None


def _error(words: dict[str, Any]) -> TabmuxError:
    code = str(words.get("code"))
    about = CODES.get(code)
    hint = words.get("hint") or (about.next_step if about else "")
    return TabmuxError(str(words.get("message") or ""), hint=hint, code=code)
