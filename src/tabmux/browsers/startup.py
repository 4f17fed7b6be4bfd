"""Runs the command that the user gave for starting a browser."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

from tabmux.folders import log_folder

logger = logging.getLogger(__name__)

SETTLE_SECONDS = 1.0
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def output_file() -> Path:
    """Return where start commands leave what they print."""
    folder = Path(log_folder())
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder / "start-command.log"


async def run_start_command(command: str) -> None:
    """Start a command in a session of its own.

    It is the user's own shell line, from the command line or a configuration file, and the
    browser it starts is the user's: it goes on when tabmux ends, so it must not depend on a
    pipe of ours either.
    """
    output = output_file()
    logger.info("Starting a browser: %s (its output is in %s)", command, output)
    pid = os.posix_spawn(  # noqa: ASYNC221  # returns as soon as the process exists
        "/bin/sh",
        ["/bin/sh", "-c", command],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output), _APPEND, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    for _ in range(int(SETTLE_SECONDS / 0.05)):
        await asyncio.sleep(0.05)
        done, status = os.waitpid(pid, os.WNOHANG)  # noqa: ASYNC222  # WNOHANG does not block
        if done:
            if code := os.waitstatus_to_exitcode(status):
                logger.warning("The start command ended with code %d: %s", code, command)
            return
