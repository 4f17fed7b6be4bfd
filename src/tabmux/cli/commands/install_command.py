"""Command install: writes tabmux into the configuration file of an MCP client."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from tabmux.cli.client_programs import ClientProgram, client_programs, suggest_client
from tabmux.cli.completions import complete_clients
from tabmux.cli.own_command import own_command
from tabmux.errors import Misuse

_ARGUMENTS = "tabmux.install.arguments"


class _InstallCommand(click.Command):
    """A command that leaves everything after -- to the server it installs."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])


@click.command(cls=_InstallCommand, options_metavar="[OPTIONS]")
@click.argument(
    "client",
    required=False,
    metavar="CLIENT [-- ARGUMENTS]",
    shell_complete=complete_clients,
)
@click.option("--remove", is_flag=True, help="Take tabmux out again.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--list", "as_list", is_flag=True, help="List the clients and their files.")
@click.pass_context
def install(
    context: click.Context,
    client: str | None,
    remove: bool,
    dry_run: bool,
    yes: bool,
    as_list: bool,
) -> None:
    """Add tabmux to an MCP client.

    CLIENT is claude-code, claude-desktop, codex, cursor, vscode, gemini, windsurf, zed,
    opencode, cline, amp or goose.
    What follows -- are flags with which the client shall start tabmux.
    The change is shown first, and a copy of the file is kept beside it.
    """
    arguments: tuple[str, ...] = context.meta[_ARGUMENTS]
    if as_list:
        _list_clients()
        return
    change = _plan_change(_choose_client(client), arguments, remove)
    if change.after == (change.before or ""):
        state = "not installed" if remove else "already installed"
        click.echo(f"tabmux is {state} in {change.client.title} ({change.client.file}).")
        return
    _show_diff(change)
    if dry_run:
        return
    if not yes:
        _confirm(change)
    _apply_change(change)
    click.echo(f"tabmux is {'removed from' if remove else 'installed in'} {change.client.title}.")
    if not remove:
        click.echo(change.client.next_step, err=True)


@dataclass(frozen=True)
class _Change:
    """A file as it is and as it shall be."""

    client: ClientProgram
    file: Path  # where the links end
    before: str | None
    after: str


def _choose_client(name: str | None) -> ClientProgram:
    if name is None:
        raise click.UsageError(f"Name a client. {suggest_client('')}")
    if name not in client_programs():
        raise click.UsageError(f"Unknown client {name!r}. {suggest_client(name)}")
    return client_programs()[name]


def _list_clients() -> None:
    for client in client_programs().values():
        click.echo(f"{client.name:<15} {_install_state(client):<14} {client.file}")


def _install_state(client: ClientProgram) -> str:
    if client.by_hand:
        return "by hand"
    try:
        text = read_text(client.file)
        return "installed" if client.installed(text or "") is not None else "not installed"
    except Misuse:
        return "unreadable"


def _plan_change(client: ClientProgram, arguments: tuple[str, ...], remove: bool) -> _Change:
    """Work out the change; when tabmux cannot make it, say how to make it by hand."""
    # Dotfiles are often links into a repository: the file behind the link is the one to edit.
    file = Path(os.path.realpath(client.file))
    try:
        before = read_text(file)
        if remove:
            after = client.without_tabmux(before or "")
        else:
            after = client.with_tabmux(before or "", (*own_command(), *arguments))
    except Misuse as error:
        raise _manual_instructions(client, arguments, remove, error) from error
    return _Change(client, file, before, after)


def _manual_instructions(
    client: ClientProgram, arguments: tuple[str, ...], remove: bool, error: Misuse
) -> Misuse:
    if remove:
        hint = f"Nothing was changed. Take tabmux out of {client.key} by hand."
    else:
        click.echo(client.snippet(client.entry((*own_command(), *arguments))), nl=False)
        hint = f"Nothing was changed. Add the lines printed above to {client.file} by hand."
    return Misuse(error.message, hint=hint)


def read_text(file: Path) -> str | None:
    """Return what a file holds; None when it is not there."""
    try:
        if file.exists() and not file.is_file():
            raise Misuse(f"{file} is not a file.")
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"Could not read {file}: {error}.") from error


def _show_diff(change: _Change) -> None:
    before = (change.before or "").splitlines()
    source = os.devnull if change.before is None else str(change.file)
    # Little context: the lines around may hold other servers' secrets.
    lines = difflib.unified_diff(
        before, change.after.splitlines(), source, str(change.file), n=1, lineterm=""
    )
    plain = bool(os.environ.get("NO_COLOR"))
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in lines:
        click.secho(line, fg=colours.get(line[:1]), color=False if plain else None)


def _confirm(change: _Change) -> None:
    if not _has_terminal():
        raise click.UsageError("There is no terminal to ask on: say --yes, or --dry-run to look.")
    click.confirm(f"Write {change.file}?", abort=True, err=True)


def _has_terminal() -> bool:
    return sys.stdin.isatty()


def _apply_change(change: _Change) -> None:
    try:
        change.file.parent.mkdir(parents=True, exist_ok=True)
        if change.before is not None:
            click.echo(f"The file as it was: {_back_up(change.file, change.before)}", err=True)
        _replace_file(change)
    except OSError as error:
        raise Misuse(f"Could not write {change.file}: {error}.") from error


def _back_up(file: Path, text: str) -> Path:
    """Keep a copy beside the file, under the time of day."""
    from datetime import datetime

    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    copy = file.with_name(f"{file.name}.{stamp}.bak")
    descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    _write_like(descriptor, text, file)
    return copy


def _replace_file(change: _Change) -> None:
    """Put the new text in place in one step, so that a reader sees the old or the new one."""
    import tempfile

    descriptor, name = tempfile.mkstemp(dir=change.file.parent, prefix=f".{change.file.name}.")
    try:
        _write_like(descriptor, change.after, change.file)
        if read_text(change.file) != change.before:
            raise Misuse(f"{change.file} changed meanwhile.", hint="Run the command again.")
        os.replace(name, change.file)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _write_like(descriptor: int, text: str, model: Path) -> None:
    """Write a file that has the owner and the mode of another, if that one is there."""
    with os.fdopen(descriptor, "wb") as handle:
        handle.write(text.encode())
        handle.flush()
        with contextlib.suppress(FileNotFoundError):
            status = model.stat()
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, status.st_uid, status.st_gid)
            os.fchmod(descriptor, status.st_mode & 0o7777)
        os.fsync(descriptor)
