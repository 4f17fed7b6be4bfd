"""The bridge alone, for a server in another process."""

from __future__ import annotations

import sys
from typing import Any

import click

from tabmux.cli.setting_options import settings_of, with_settings


@click.command()
@with_settings
def bridge(**flags: Any) -> None:
    """Run only the bridge, which sessions of another process use.

    It listens on --bridge-port (BROWSER_MCP_DAEMON_PORT, 8765) and tells the server at
    BROWSER_MCP_HTTP_URL (http://127.0.0.1:3000) what extensions say. That server finds it by
    BROWSER_MCP_DAEMON_URL.
    """
    from tabmux.daemon.standalone_bridge import run

    sys.exit(run(settings_of(flags)))
