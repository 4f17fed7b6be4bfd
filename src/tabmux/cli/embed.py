"""A server for products that embed one: one browser, one port, no daemon."""

from __future__ import annotations

import sys

import click


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def embed(arguments: tuple[str, ...]) -> None:
    """Serve MCP over HTTP for one running browser: --cdp-port=N --mcp-port=M."""
    from tabmux.daemon import embedded_server as server

    sys.exit(server.embed(arguments))
