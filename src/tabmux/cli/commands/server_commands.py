"""Commands serve, bridge and embed: servers in the foreground, without the daemon."""

from __future__ import annotations

import sys
from typing import Any

import click

from tabmux.cli.click_options import SettingsCommand, setting_options
from tabmux.settings import Settings, resolve_settings

_BRIDGE_HELP = f"""Run only the bridge, which sessions of another process use.

It listens on --bridge-port (BROWSER_MCP_DAEMON_PORT, {Settings.bridge_port}) and tells the server
at BROWSER_MCP_HTTP_URL (http://{Settings.host}:{Settings.port}) what extensions say.
That server finds it by BROWSER_MCP_DAEMON_URL.
"""


@click.command(cls=SettingsCommand)
@setting_options
def serve(**flags: Any) -> None:
    """Serve MCP in this process, over --stdio or --http."""
    settings = resolve_settings(flags)
    if settings.stdio == settings.http:
        raise click.UsageError("Say either --stdio or --http.")
    if settings.stdio and settings.cluster:
        raise click.UsageError("--cluster goes with --http: over stdio there is one client.")
    handshake = None
    if settings.stdio:
        from tabmux.daemon.introduction import shake_hands

        handshake = shake_hands(settings)
    _postpone_collections()
    # Loaded when a client that waits already has its first answer.
    from tabmux.daemon import server

    sys.exit(server.serve(settings, handshake))


@click.command(cls=SettingsCommand, help=_BRIDGE_HELP)
@setting_options
def bridge(**flags: Any) -> None:
    """Run only the bridge."""
    from tabmux.daemon.bridge.local_bridge import serve_bridge_alone
    from tabmux.daemon.process import server_loop
    from tabmux.observability import start_logging

    settings = resolve_settings(flags)
    start_logging(settings.log_file, verbose=settings.verbose)
    server_loop.run(serve_bridge_alone(settings))


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def embed(context: click.Context, arguments: tuple[str, ...]) -> None:
    """Serve MCP over HTTP for one running browser: --cdp-port=N --mcp-port=M.

    Both ports are needed: where the browser is debugged, and where MCP is served.
    The exit code is 1 for wrong arguments, 2 without a browser, 3 when the port is taken.
    """
    if arguments in (("--help",), ("-h",)):  # among others they are unknown, as products expect
        click.echo(context.get_help())
        return
    _postpone_collections()
    from tabmux.daemon import embedded_server

    sys.exit(embedded_server.embed(arguments))


def _postpone_collections() -> None:
    """Load the server without looking for garbage: modules leave none.

    The server's loop begins to collect it.
    """
    import gc

    gc.disable()
