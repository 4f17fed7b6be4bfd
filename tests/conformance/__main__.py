"""The real server with the fixtures of the MCP conformance suite: `python -m tests.conformance PORT`."""

from __future__ import annotations

import sys

from tabmux.daemon.server import serve
from tabmux.settings import resolve
from tests.conformance.fixtures import Fixtures

if __name__ == "__main__":
    flags = {"http": True, "no_auth": True, "port": int(sys.argv[1]), "headless": True}
    sys.exit(serve(resolve(flags, {}), Fixtures))
