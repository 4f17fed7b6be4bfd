"""The first thing that runs: relays at once, or hands over to the command line."""

from __future__ import annotations

import os
import sys

# Set by a shell that asks for completions: eval "$(_TABMUX_COMPLETE=bash_source tabmux)".
_COMPLETION = "_TABMUX_COMPLETE"
_TALK = ("-h", "--help", "--version")


def main() -> None:
    """Be a relay where no command is named; a client starts one for every agent, so it is lean."""
    arguments = sys.argv[1:]
    named = bool(arguments) and (arguments[0] in _TALK or not arguments[0].startswith("-"))
    if named or _COMPLETION in os.environ:
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
