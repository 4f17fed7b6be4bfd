"""Command ui: opens the live view in the user's browser."""

from __future__ import annotations

import json

import click

from tabmux.errors import Misuse
from tabmux.settings import Settings

ANSWER_SECONDS = 10.0


@click.command()
@click.option("--view-only", is_flag=True, help="A link that can watch and nothing else.")
@click.option(
    "--minutes",
    default=60,
    show_default=True,
    type=click.IntRange(1, 7 * 24 * 60),
    help="For how long such a link can be used.",
)
@click.option("--no-open", is_flag=True, help="Only print the link.")
@click.option("--host", default=Settings.host, show_default=True, help="Where --port is.")
@click.option("--port", type=int, help="Look at `tabmux serve --http` on this port instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ui(
    view_only: bool, minutes: int, no_open: bool, host: str, port: int | None, as_json: bool
) -> None:
    """Open the live view of all sessions, to watch them and to step in.

    A link that can steer works once, within two minutes. One with --view-only is for somebody
    else, as often as wanted until it ends.
    """
    link = _of_server(host, port, view_only, minutes) if port else _of_daemon(view_only, minutes)
    if as_json:
        click.echo(json.dumps({"url": link, "viewOnly": view_only}))
        return
    click.echo(link)
    if not (no_open or view_only):
        click.launch(link)


def _of_daemon(view_only: bool, minutes: int) -> str:
    from tabmux.cli.control_lines import read_answer, send_line

    line = f"ui_link view_only={str(view_only).lower()} minutes={minutes}"
    (answer,) = read_answer(send_line(line, seconds=ANSWER_SECONDS))
    return str(answer["url"])


def _of_server(host: str, port: int, view_only: bool, minutes: int) -> str:
    """Ask a server over HTTP, which knows the user by the token."""
    import urllib.error
    import urllib.request

    from tabmux.daemon.http.token_file import read_or_make, token_file

    address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    query = f"view_only={str(view_only).lower()}&minutes={minutes}"
    headers = {"authorization": f"Bearer {read_or_make(token_file())}"}
    wanted = urllib.request.Request(
        f"{address}/ui/links?{query}", b"", headers=headers, method="POST"
    )
    try:
        with urllib.request.urlopen(wanted, timeout=ANSWER_SECONDS) as answer:
            return f"{address}{json.load(answer)['path']}"
    except (urllib.error.URLError, OSError) as error:
        raise Misuse(
            f"The server at {address} gives no link: {error}.",
            hint="Start it with tabmux serve --http.",
        ) from error
