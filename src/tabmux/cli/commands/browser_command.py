"""Command browser: list, add, remove, reconnect browsers of the daemon."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from tabmux.cli import daemon_client, terminal


def _call_tool(tool: str, /, **arguments: Any) -> None:
    given = {key: value for key, value in arguments.items() if value not in (None, False)}
    with daemon_client.session_client() as client:
        result = client.call(tool, given)
    text = "\n".join(item["text"] for item in result["content"])
    click.echo(text, err=bool(result.get("isError")))
    sys.exit(1 if result.get("isError") else 0)


@click.group()
def browser() -> None:
    """The browsers that agents can use."""


@browser.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> None:
    """List the browsers with their state."""
    if not as_json and not terminal.is_terminal():
        _call_tool("list_browsers")
    daemon_client.connect_or_start().close()
    lines = daemon_client.send_line("browser_list")
    rows = [daemon_client.read_words(line, quoted=True) for line in lines]
    if as_json:
        click.echo(json.dumps(rows))
    else:
        terminal.print_table(rows, empty="No browsers.")


@browser.command("add")
@click.argument("address", required=False)
@click.option("--launch", is_flag=True, help="Start a browser instead of joining one.")
@click.option("--profile", help="Start it on this named profile.")
@click.option("--headless", is_flag=True, help="Start it without a window.")
@click.option("--name", help="What to call it.")
def add_command(
    address: str | None, launch: bool, profile: str | None, headless: bool, name: str | None
) -> None:
    """Add a browser by its address, or start one."""
    url = address if address and not address.startswith("ws") else None
    socket = address if address and address.startswith("ws") else None
    _call_tool(
        "connect_browser",
        url=url,
        wsEndpoint=socket,
        launch=launch,
        profile=profile,
        headless=headless,
        name=name,
    )


@browser.command("remove")
@click.argument("browser")
def remove_command(browser: str) -> None:
    """Let go of a browser, by index or name."""
    _call_tool("disconnect_browser", browserIndex=browser)


@browser.command("reconnect")
@click.argument("browser", required=False)
def reconnect_command(browser: str | None) -> None:
    """Connect to a browser anew, by index or name."""
    _call_tool("reconnect_browser", browserIndex=browser)
