"""Command completion: prints what a shell must read to complete the words of tabmux."""

from __future__ import annotations

import click

VARIABLE = "_TABMUX_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a script that teaches a shell the words of tabmux.

    \b
    bash   eval "$(tabmux completion bash)"   in ~/.bashrc
    zsh    eval "$(tabmux completion zsh)"    in ~/.zshrc, after compinit
    fish   tabmux completion fish > ~/.config/fish/completions/tabmux.fish
    """
    from click.shell_completion import get_completion_class

    from tabmux.cli.root_command import root

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(root, {}, "tabmux", VARIABLE).source())
