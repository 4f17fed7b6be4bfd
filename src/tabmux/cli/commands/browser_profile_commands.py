"""Commands browser and profile: the daemon's browsers, and named profiles."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from tabmux.cli import terminal

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _call_tool(tool: str, /, **arguments: Any) -> None:
    from tabmux.cli import daemon_client

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
@_JSON
def list_browsers(as_json: bool) -> None:
    """List the browsers with their state."""
    from tabmux.cli import control_lines, daemon_client

    if not as_json and not terminal.is_terminal():
        _call_tool("list_browsers")
    daemon_client.connect_or_start().close()
    found = control_lines.read_answer(control_lines.send_line("browser_list"))
    rows = [{**each, "browser": int(each["browser"])} for each in found]  # elsewhere it is a name
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
def add_browser(
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
def remove_browser(browser: str) -> None:
    """Let go of a browser, by index or name."""
    _call_tool("disconnect_browser", browserIndex=browser)


@browser.command("reconnect")
@click.argument("browser", required=False)
def reconnect_browser(browser: str | None) -> None:
    """Connect to a browser anew, by index or name."""
    _call_tool("reconnect_browser", browserIndex=browser)


@click.group()
def profile() -> None:
    """Named profiles, each with logins and settings of its own."""


@profile.command("list")
@_JSON
def list_profiles(as_json: bool) -> None:
    """List the profiles, and what uses them."""
    from tabmux.browsers import profiles

    found = [
        {"name": folder.name, "path": str(folder), "in_use_by": profiles.holder_of(folder)}
        for folder in profiles.named_profiles()
    ]
    if as_json:
        click.echo(json.dumps(found))
        return
    if terminal.is_terminal():
        terminal.print_table(found, empty="No profiles.")
        return
    for each in found:
        used = f" (in use by {each['in_use_by']})" if each["in_use_by"] else ""
        click.echo(f"{each['name']}{used}")


@profile.command("create")
@click.argument("name")
def create_profile(name: str) -> None:
    """Make a profile; start a browser on it with --profile NAME."""
    from tabmux.browsers import profiles

    click.echo(profiles.profile_folder(name))


@profile.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove_profile(name: str, yes: bool) -> None:
    """Delete a profile with everything in it."""
    from tabmux.browsers import profiles

    if not yes:
        click.confirm(f"Delete the profile {name} with its logins and history?", abort=True)
    profiles.remove_profile(name)
