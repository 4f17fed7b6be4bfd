"""Entry point: relays MCP at once, or runs a command of the command line."""

from __future__ import annotations

import os
import signal
import sys

from tabmux.cli import failures
from tabmux.cli.command_table import COMMANDS, run_command
from tabmux.errors import TabmuxError

# Set by a shell that asks for completions, as `tabmux completion` has taught it.
_COMPLETION = "_TABMUX_COMPLETE"
_ABOUT = ("-h", "--help", "--version")


def main() -> None:
    """Do what the arguments say; what goes wrong becomes one line."""
    words = sys.argv[1:]
    signal.signal(signal.SIGINT, _interrupt)
    try:
        _run(words)
    except TabmuxError as error:
        failures.report(error, words)
        sys.exit(_exit_code(words))
    except OSError as error:
        failures.report(failures.of_system(error), words)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(failures.INTERRUPTED)


def _exit_code(words: list[str]) -> int:
    """Return 2 for flags of a relay that make no sense; it is the daemon that reads them."""
    if words and words[0] not in COMMANDS:
        from tabmux.settings import parse_flags

        try:
            parse_flags(words)
        except TabmuxError:
            return 2
    return 1


def _interrupt(number: int, frame: object) -> None:
    """End what runs, once: a second Ctrl-C would only break off the ending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _run(arguments: list[str]) -> None:
    """Be a relay where no command is named; a client starts one for every agent, so it is lean."""
    first, completing = (arguments or ["-"])[0], _COMPLETION in os.environ
    if first in COMMANDS and not completing:
        run_command(first, arguments[1:])
    elif completing or first in _ABOUT or not first.startswith("-"):
        from tabmux.cli.root_command import root

        root(prog_name="tabmux")
    else:
        from tabmux.cli.stdio_relay import relay

        sys.exit(relay(arguments))


if __name__ == "__main__":
    main()
