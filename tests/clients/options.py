"""The command line of scripts/clients."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from tests.clients.catalog import TOGETHER, ClientProgram, chosen

WAYS = ("stdio", "http")


@dataclass(frozen=True)
class Options:
    """What is to be run."""

    clients: list[ClientProgram]
    ways: list[str]
    together: bool
    upgrade: bool
    # Every client, both ways: what the document shows.
    whole: bool


def read_options() -> Options:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="scripts/clients")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--stdio", action="store_true", help="only over stdio")
    parser.add_argument("--http", action="store_true", help="only over HTTP")
    parser.add_argument("--together", action="store_true", help="ten clients on one daemon")
    parser.add_argument("--upgrade", action="store_true", help="install the newest releases")
    given = parser.parse_args()
    ways = [way for way in WAYS if getattr(given, way)] or list(WAYS)
    names = list(TOGETHER) if given.together and not given.names else given.names
    whole = not names and len(ways) == len(WAYS)
    return Options(chosen(names), ways, given.together, given.upgrade, whole)
