"""Command extension: where the extension is, pairing, and what was paired."""

from __future__ import annotations

import json
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tabmux.cli import control_lines, daemon_client
from tabmux.json_text import decoded
from tabmux.settings import Settings, resolve_settings

if TYPE_CHECKING:
    from tabmux.bridge.pairing import PairedKey, PairedKeys, PairingFile, PairingOffer

HEALTH_SECONDS = 2.0
HEALTH_BYTES = 10_000
LOOK_SECONDS = 0.2


@click.group()
def extension() -> None:
    """The extension that lends tabs of your everyday browser to agents."""


@extension.command("path")
def path_command() -> None:
    """Print the folder to load at chrome://extensions with "Load unpacked"."""
    from tabmux.bridge.extension_package import extension_folder

    click.echo(extension_folder())


@extension.command("pack")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def pack_command(file: Path | None) -> None:
    """Write the extension into a zip file."""
    from tabmux import __version__
    from tabmux.bridge.extension_package import pack

    click.echo(pack(file or Path(f"tabmux-extension-{__version__}.zip")))


@extension.command("pair")
@click.option("--name", default="", help="What to call the browser.")
@click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    help=f"The port of the bridge, instead of --bridge-port ({Settings.bridge_port}).",
)
@click.option("--no-wait", is_flag=True, help="Print the code and leave.")
def pair_command(name: str, port: int | None, no_wait: bool) -> None:
    """Show a code; type or paste it into the extension's popup within ten minutes."""
    from tabmux.bridge.pairing import user_keys, user_pairing

    pairing, keys = user_pairing(), user_keys()
    # Before there is a code, which may be used as soon as it is shown.
    known = {each.key.id for each in keys.all()}
    offer = pairing.offer(name)
    try:
        listening = _listening_port(port)
        click.echo(f"Code:  {offer.code}")
        click.echo("Open the tabmux popup in your browser and paste it there.", err=True)
        if listening != Settings.bridge_port:
            click.echo(f"Set the port {listening} in the popup first.", err=True)
        if no_wait:
            return
        paired = _wait_for_pairing(pairing, offer, keys, known)
    except BaseException:
        pairing.withdraw()
        raise
    if paired is None:
        raise click.ClickException("Nobody used the code, and it has expired.")
    click.echo(f"Paired with {paired.browser} as {paired.name}.")


@extension.command("token")
@click.argument("name", default="custom")
def token_command(name: str) -> None:
    """Make a token for an extension or a program of your own, and print it."""
    from tabmux.bridge import proofs
    from tabmux.bridge.pairing import user_keys

    key = proofs.new_key()
    paired = user_keys().add(key, name, "token")
    click.echo(key.token)
    click.echo(f"Take it back with tabmux extension revoke {paired.name}.", err=True)


@extension.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_command(as_json: bool) -> None:
    """List what was paired, and what is connected to the daemon."""
    from tabmux.bridge.pairing import user_keys

    connected = _connected_names()
    found = [
        {
            "name": each.name,
            "browser": each.browser,
            "since": each.since,
            "connected": each.name in connected,
        }
        for each in user_keys().all()
    ]
    if as_json:
        click.echo(json.dumps(found))
        return
    for each in found:
        state = "connected" if each["connected"] else "not connected"
        click.echo(f"{each['name']}  {each['browser']}  {state}")


@extension.command("revoke")
@click.argument("name")
def revoke_command(name: str) -> None:
    """Take back a pairing or a token, by name; what is connected with it is cut off."""
    from tabmux.bridge.pairing import user_keys

    click.echo(f"Revoked {user_keys().remove(name).name}.")


def _listening_port(port: int | None) -> int:
    """Make sure that a bridge listens: somebody's that does already, or else the daemon's."""
    wanted = port or resolve_settings({}).bridge_port
    if _is_bridge(wanted):
        return wanted
    # A daemon that starts now listens at once, since there is somebody to pair with.
    daemon_client.connect_or_start(("--bridge-port", str(port)) if port else ()).close()
    line = f"bridge_listen port={port}" if port else "bridge_listen"
    (words,) = control_lines.read_answer(control_lines.send_line(line))
    return int(words["port"])


def _is_bridge(port: int) -> bool:
    # No proxy: the environment may name one for everything.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with suppress(OSError, ValueError):
        with opener.open(f"http://127.0.0.1:{port}/health", timeout=HEALTH_SECONDS) as answer:
            told: Any = decoded(answer.read(HEALTH_BYTES))
        return isinstance(told, dict) and told.get("service") == "tabmux-bridge"
    return False


def _wait_for_pairing(
    pairing: PairingFile, offer: PairingOffer, keys: PairedKeys, known: set[str]
) -> PairedKey | None:
    """Wait until a code is used by somebody not yet known; None when it has expired."""
    while time.time() < offer.expires:
        is_used = pairing.pending() != offer
        if new := [each for each in keys.all() if each.key.id not in known]:
            return new[-1]
        if is_used:
            raise click.ClickException("Another code was asked for meanwhile.")
        time.sleep(LOOK_SECONDS)
    return None


def _connected_names() -> set[str]:
    lines = control_lines.send_line("bridge_list", required=False)
    return {str(words.get("name")) for words in control_lines.read_answer(lines)}
