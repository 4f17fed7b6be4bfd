"""Command profile: list, create, remove named profiles."""

from __future__ import annotations

import json

import click

from tabmux.cli import terminal


@click.group()
def profile() -> None:
    """Named profiles, each with logins and settings of its own."""


@profile.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
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


@profile.command()
@click.argument("name")
def create(name: str) -> None:
    """Make a profile; start a browser on it with --profile NAME."""
    from tabmux.browsers import profiles

    click.echo(profiles.profile_folder(name))


@profile.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(name: str, yes: bool) -> None:
    """Delete a profile with everything in it."""
    from tabmux.browsers import profiles

    if not yes:
        click.confirm(f"Delete the profile {name} with its logins and history?", abort=True)
    profiles.remove_profile(name)
