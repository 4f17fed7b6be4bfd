"""Real clients, each put through the same steps over stdio and HTTP."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.clients.matrix import Row, write_table
from tests.clients.options import Options, read_options
from tests.clients.packages import version
from tests.clients.running import default_environment, run_client, tabmux
from tests.clients.together import run_together
from tests.site import Site


def main() -> int:
    """Run what is asked for; returns the exit code."""
    options = read_options()
    # The script removes it when every process has ended.
    folder = Path(tempfile.gettempdir())
    if "No daemon" not in tabmux(default_environment(folder), "daemon", "status"):
        raise SystemExit("A daemon runs already; its clients would be counted too.")
    with Site() as site:
        if options.together:
            return run_together(options.clients, folder, site)
        return _run_matrix(options, folder, site)


def _run_matrix(options: Options, folder: Path, site: Site) -> int:
    rows = []
    for client in options.clients:
        row = Row(client, version(client))
        rows.append(row)
        for way in options.ways:
            outcome = run_client(client, way, folder / f"{client.name}-{way}", site)
            row.outcomes[way] = outcome
            sys.stdout.write(row.line(way) + "\n")
            sys.stdout.flush()
    if options.whole:
        write_table(rows)
    return 0 if all(row.complete for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
