"""Commands daemon install and uninstall: have the system start the daemon at login."""

from __future__ import annotations

from typing import Any

import click

from tabmux.cli import autostart, control_lines
from tabmux.cli.click_options import DaemonCommand, setting_options
from tabmux.cli.own_command import own_command
from tabmux.errors import Misuse
from tabmux.settings import flag_words, parse_flags

# A daemon that the system started is there for as long as the user is.
_ALWAYS = {"idle_exit": 0}


class InstallCommand(DaemonCommand):
    """A command with a flag for every setting, and two of its own."""

    _OWN = ("--print", "--no-start")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take out the flags that are no settings."""
        found = {word: word in args for word in self._OWN}
        rest = super().parse_args(ctx, [word for word in args if word not in self._OWN])
        ctx.params |= {"only_print": found["--print"], "no_start": found["--no-start"]}
        return rest


@click.command("install", cls=InstallCommand)
@click.option("--print", "only_print", is_flag=True, help="Only print the file.")
@click.option("--no-start", is_flag=True, help="Start it from the next login on, not now.")
@setting_options
def install_command(only_print: bool, no_start: bool, **flags: Any) -> None:
    """Start the daemon at every login, with these flags (systemd or launchd)."""
    settings = flag_words({**_ALWAYS, **flags})
    parse_flags(settings)
    text = autostart.autostart_text((*own_command(), "daemon", "run", *settings))
    if only_print:
        click.echo(text, nl=False)
        return
    file = autostart.autostart_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    click.echo(f"Wrote {file}")
    runs = not no_start and bool(control_lines.send_line("status", required=False))
    now = not no_start and not runs
    _run(autostart.start_commands() if now else autostart.enable_commands())
    if runs:
        click.echo("A daemon runs already; the system starts its own at the next login.", err=True)
        click.echo("To change over now: tabmux daemon stop && tabmux daemon install", err=True)


@click.command("uninstall")
def uninstall_command() -> None:
    """Start the daemon no longer at login; one that the system started is stopped."""
    file = autostart.autostart_file()
    if not file.exists():
        raise Misuse(f"There is no {file}.", hint="tabmux daemon install makes it.")
    trouble = autostart.run_commands(autostart.stop_commands())
    file.unlink()
    click.echo(f"Deleted {file}")
    if trouble:
        click.echo(f"The system said: {trouble}", err=True)


def _run(commands: list[list[str]]) -> None:
    """Run the system's commands, or say which ones are left to the user."""
    trouble = autostart.run_commands(commands)
    if not trouble:
        click.echo("The daemon starts at every login.")
        return
    lines = "\n".join(f"  {' '.join(command)}" for command in commands)
    raise Misuse(
        f"The file is there, but the system did not take it: {trouble}.", hint=f"Run:\n{lines}"
    )
