"""The first thing that runs: relays at once, or hands over to the command line."""

from __future__ import annotations

import sys

_TALK = ("-h", "--help", "--version")


def main() -> None:
    """Be a relay where no command is named; a client starts one for every agent, so it is lean."""
    arguments = sys.argv[1:]
    if arguments and (arguments[0] in _TALK or not arguments[0].startswith("-")):
        from tabmux.cli.main import main as command_line

        command_line()
        return
    from tabmux.cli.relay import relay
    from tabmux.errors import TabmuxError

    try:
        sys.exit(relay(arguments))
    except TabmuxError as error:
        sys.stderr.write(f"Error: {error.message} {error.hint}".rstrip() + "\n")
        sys.exit(1)
