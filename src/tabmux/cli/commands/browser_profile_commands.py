"""Commands browser and profile: the daemon's browsers, and named profiles."""

from __future__ import annotations

import json
import shlex
import sys

import click

from tabmux.cli import terminal

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _send(line: str, *, as_json: bool = False) -> None:
    """Ask the daemon about its browsers, and print what it says of them."""
    from tabmux.cli import control_lines, daemon_client

    daemon_client.connect_or_start().close()
    lines = control_lines.send_line(line)
    found = control_lines.read_answer(lines)
    rows = [{**each, "browser": int(each["browser"])} for each in found]  # elsewhere it is a name
    if as_json:
        click.echo(json.dumps(rows))
    elif terminal.is_terminal():
        terminal.print_table(rows, empty="No browsers.")
    else:
        click.echo("\n".join(lines))


@click.group()
def browser() -> None:
    """The daemon's own browsers, which agents use whose clients named none."""


@browser.command("list")
@_JSON
def list_browsers(as_json: bool) -> None:
    """List the browsers with their state, also those that only some client named."""
    _send("browser_list", as_json=as_json)


@browser.command("add")
@click.argument("address", required=False)
@click.option("--launch", is_flag=True, help="Start a browser instead of joining one.")
@click.option("--profile", help="Start it on this named profile.")
@click.option("--headless", is_flag=True, help="Start it without a window.")
@click.option("--name", help="What to call it.")
@_JSON
def add_browser(as_json: bool, **wishes: str | bool | None) -> None:
    """Add a browser by its address, or start one."""
    words = [
        f"{key}={shlex.quote('true' if value is True else str(value))}"
        for key, value in wishes.items()
        if value not in (None, False)
    ]
    _send(f"browser_add {' '.join(words)}", as_json=as_json)


@browser.command("remove")
@click.argument("browser")
@_JSON
def remove_browser(browser: str, as_json: bool) -> None:
    """Let go of a browser, by index or name."""
    _send(f"browser_remove browser={shlex.quote(browser)}", as_json=as_json)


@browser.command("reconnect")
@click.argument("browser", default="")
@_JSON
def reconnect_browser(browser: str, as_json: bool) -> None:
    """Connect to a browser anew, by index or name."""
    _send(f"browser_reconnect browser={shlex.quote(browser)}", as_json=as_json)


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

    profiles.find_removable(name)
    if not yes:
        if not sys.stdin.isatty():
            raise click.UsageError("There is no terminal to ask on: say --yes.")
        click.confirm(f"Delete the profile {name} with its logins and history?", abort=True)
    profiles.remove_profile(name)
