"""Command url: the address of a server over HTTP, with the name of a session in it."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable

import click

from tabmux.settings import Settings

_SESSION = re.compile(r"[A-Za-z0-9._-]{1,64}")


def _servers(key: str, **more: str) -> Callable[[str], str]:
    return lambda url: json.dumps({key: {"tabmux": {**more, "url": url}}}, indent=2)


# How each client is told of a server over HTTP.
_CLIENTS: dict[str, Callable[[str], str]] = {
    "claude-code": lambda url: f"claude mcp add --transport http tabmux '{url}'",
    "codex": lambda url: f"[mcp_servers.tabmux]\nurl = {json.dumps(url)}",
    "cursor": _servers("mcpServers"),
    "gemini": lambda url: f"gemini mcp add --transport http tabmux '{url}'",
    "json": _servers("mcpServers", type="http"),
    "vscode": _servers("servers", type="http"),
}


@click.command()
@click.option("--session", default="", help="What the session is called; a new name when absent.")
@click.option("--client", type=click.Choice(sorted(_CLIENTS)), help="Write it for this client.")
@click.option("--host", default=Settings.host, show_default=True, help="Where the server listens.")
@click.option("--port", default=Settings.port, show_default=True, help="Where the server listens.")
@click.option("--no-auth", is_flag=True, help="Leave the token out.")
def url(session: str, client: str | None, host: str, port: int, no_auth: bool) -> None:
    """Print the URL of `tabmux serve --http` with the name of a session.

    Every client with this URL works in that session: use it for clients that keep none
    themselves, and a URL of its own for each agent.
    """
    from tabmux.daemon.http.token_file import read_or_make, token_file

    name = session or f"agent-{secrets.token_hex(3)}"
    if not _SESSION.fullmatch(name):
        raise click.UsageError("A session's name has up to 64 letters, digits, '.', '_' and '-'.")
    token = "" if no_auth else f"token={read_or_make(token_file())}&"
    address = f"[{host}]" if ":" in host else host
    found = f"http://{address}:{port}/mcp?{token}session={name}"
    click.echo(_CLIENTS[client](found) if client else found)
