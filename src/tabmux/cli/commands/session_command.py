"""Commands session and control: sessions of the daemon, and its line protocol."""

from __future__ import annotations

import json
import shlex
import sys

import click

from tabmux.cli import daemon_client, terminal
from tabmux.cli.completions import complete_sessions
from tabmux.cli.control_lines import read_answer, send_line


def _send(line: str, *, as_json: bool = False, many: bool = False) -> None:
    """Send a control line and print the answer."""
    lines = send_line(line)
    found = read_answer(lines)
    if as_json:
        click.echo(json.dumps(found if many else found[0]))
    elif many and terminal.is_terminal():
        terminal.print_table(found, empty="No sessions.")
    else:
        click.echo("\n".join(lines))


_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_SESSION = click.argument("session", envvar="TABMUX_SESSION", shell_complete=complete_sessions)


@click.group()
def session() -> None:
    """Agents' sessions: who works in which pages."""


@session.command("list")
@_JSON
@click.option("--debug", is_flag=True, help="Also the tab that is in front in its window.")
def list_command(as_json: bool, debug: bool) -> None:
    """List the sessions with their selected page."""
    _send(f"session_list debug={str(debug).lower()}", as_json=as_json, many=True)


@session.command("new")
@click.option("--name", default="", help="What to call it.")
@_JSON
def new_command(name: str, as_json: bool) -> None:
    """Start a session; give its name or handle to --session or TABMUX_SESSION."""
    daemon_client.connect_or_start().close()
    _send(f"session_new name={shlex.quote(name)}", as_json=as_json)


@session.command("show")
@_SESSION
@_JSON
def show_command(session: str, as_json: bool) -> None:
    """Show a session's selected page."""
    _send(f"session_page session={shlex.quote(session)}", as_json=as_json)


@session.command("page")
@_SESSION
@click.option("--url", default="about:blank", help="What to load.")
@click.option("--foreground", is_flag=True, help="Bring it to the front.")
@_JSON
def page_command(session: str, url: str, foreground: bool, as_json: bool) -> None:
    """Open a page for a session."""
    words = f"session={shlex.quote(session)} url={shlex.quote(url)}"
    _send(f"session_new_page {words} background={str(not foreground).lower()}", as_json=as_json)


@session.command("attach")
@_SESSION
@click.argument("page", type=int)
@_JSON
def attach_command(session: str, page: int, as_json: bool) -> None:
    """Give a tab that belongs to nobody to a session."""
    _send(f"session_attach session={shlex.quote(session)} page={page}", as_json=as_json)


@session.command("release")
@_SESSION
@_JSON
def release_command(session: str, as_json: bool) -> None:
    """Let a session's selected page go; the tab stays open."""
    _send(f"session_release_page session={shlex.quote(session)}", as_json=as_json)


@session.command("close")
@_SESSION
@_JSON
def close_command(session: str, as_json: bool) -> None:
    """End a session; pages made for it are closed, attached ones stay."""
    _send(f"session_close session={shlex.quote(session)}", as_json=as_json)


@click.command("control")
@click.argument("line")
def control(line: str) -> None:
    """Send one line of the control protocol, such as 'session_page session=a'."""
    if not line.strip():
        raise click.UsageError("The line is empty.")
    lines = send_line(line)
    failed = bool(lines) and lines[0].startswith("error ")
    click.echo("\n".join(lines), err=failed)
    sys.exit(1 if failed else 0)
