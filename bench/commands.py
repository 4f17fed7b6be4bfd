"""Commands: each is imported when it is run, says what it lacks, and ends with an exit code."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Mapping, Sequence

from bench.trouble import BenchError

FAILED, STOPPED = 1, 130
HOW = "Run scripts/install in the repository, then .venv/bin/python instead of this Python."


def run_command(place: str, arguments: Sequence[str]) -> int:
    """Run one command.

    Args:
        place: Its module and function, as `bench.flood:flood`.
        arguments: What follows its name.
    """
    module, _, function = place.partition(":")
    try:
        command = getattr(importlib.import_module(module), function)
        return int(command(list(arguments)))
    except ModuleNotFoundError as missing:
        if (missing.name or "bench").partition(".")[0] in ("bench", "tests"):
            raise
        return _end(f"{missing.name} is not installed. {HOW}")
    except BenchError as error:
        return _end(str(error))
    except (KeyboardInterrupt, asyncio.CancelledError):
        _end("stopped")
        return STOPPED


def choose(commands: Mapping[str, str], arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the place of the command that the first argument names, and the other arguments.

    Without a name it is the command whose name is empty, if there is one.
    """
    if arguments and arguments[0] in commands:
        return commands[arguments[0]], arguments[1:]
    if "" in commands and not (arguments and not arguments[0].startswith("-")):
        return commands[""], arguments
    raise BenchError(f"Say one of {', '.join(name for name in commands if name)}.")


def main(commands: Mapping[str, str]) -> int:
    """Run the command that the command line names."""
    try:
        place, rest = choose(commands, sys.argv[1:])
    except BenchError as error:
        return _end(str(error), 2)
    return run_command(place, rest)


def _end(message: str, code: int = FAILED) -> int:
    sys.stderr.write(f"bench: {message}\n")
    return code
