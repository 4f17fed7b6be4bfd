"""Commands call and batch: calls of tools from a shell, one or a list of them."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from tabmux.cli import daemon_client, failures
from tabmux.cli.completions import complete_sessions, complete_tools
from tabmux.errors import CODES, TabmuxError
from tabmux.json_text import decoded

_SESSION = click.option(
    "--session",
    envvar="TABMUX_SESSION",
    shell_complete=complete_sessions,
    help="The session to work in.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("call")
@click.argument("tool", shell_complete=complete_tools)
@click.argument("arguments", nargs=-1)
@_SESSION
@_JSON
@click.option("--raw", is_flag=True, help="Print the result as MCP returns it.")
def call(
    tool: str, arguments: tuple[str, ...], session: str | None, as_json: bool, raw: bool
) -> None:
    """Call a tool: `tabmux call click uid=a1_5`, or with one JSON object."""
    with daemon_client.session_client(session) as client:
        schema = _find_schema(client, tool) if arguments else {}
        result = client.call(tool, _parse_arguments(arguments, schema))
    _print_result(result, as_json=as_json, raw=raw)
    sys.exit(1 if result.get("isError") else 0)


@click.command("batch")
@click.argument("file", type=click.File("r"), default="-")
@_SESSION
@_JSON
@click.option("--bail", is_flag=True, help="Stop at the first failure.")
def batch(file: Any, session: str | None, as_json: bool, bail: bool) -> None:
    """Call tools in order, one a line: `click uid=a1_5`, or {"tool": …, "arguments": …}."""
    failed = False
    with daemon_client.session_client(session) as client:
        schemas = {tool["name"]: tool["inputSchema"] for tool in client.tools()}
        for tool, words in _read_steps(file):
            given = words if isinstance(words, Mapping) else None
            arguments = given or _parse_arguments(tuple(words), schemas.get(tool, {}))
            result = client.call(tool, arguments)
            _print_result(result, as_json=as_json, raw=False)
            failed = failed or bool(result.get("isError"))
            if failed and bail:
                break
    sys.exit(1 if failed else 0)


mcp = click.Group("mcp", commands=[call, batch], help="Other names of call and batch.")


def _read_steps(file: Iterator[str]) -> Iterator[tuple[str, Any]]:
    import shlex

    for number, line in enumerate(file, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found: tuple[str, Any]
        try:
            if text.startswith("{"):
                found = _read_object(text)
            else:
                tool, *words = shlex.split(text)
                found = tool, words
        except ValueError as error:
            raise click.ClickException(f"Line {number} is not a call: {error}") from error
        yield found


def _read_object(text: str) -> tuple[str, Mapping[str, Any]]:
    step = decoded(text)
    tool, arguments = step.get("tool"), step.get("arguments", {})
    if not isinstance(tool, str) or not isinstance(arguments, Mapping):
        raise ValueError('it must be like {"tool": "click", "arguments": {"uid": "a1_5"}}.')
    return tool, arguments


def _find_schema(client: daemon_client.DaemonClient, tool: str) -> dict[str, Any]:
    schemas = {each["name"]: each["inputSchema"] for each in client.tools()}
    return dict(schemas.get(tool, {}))


def _parse_arguments(words: tuple[str, ...], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Read KEY=VALUE words, or one JSON object; the tool's schema says what a value is."""
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        try:
            found: dict[str, Any] = decoded(words[0])
        except ValueError as error:
            raise click.UsageError(f"The arguments are not JSON: {error}") from error
        return found
    arguments = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(f"{word!r} is not of the form KEY=VALUE.")
        about = schema.get("properties", {}).get(key, {})
        arguments[key] = _parse_value(value, about)
    return arguments


def _parse_value(text: str, about: Mapping[str, Any]) -> Any:
    kind = about.get("type")
    if kind in ("string", None) and about:
        return text
    try:
        return decoded(text)
    except ValueError:
        return text.split(",") if kind == "array" else text


def _print_result(result: Mapping[str, Any], *, as_json: bool, raw: bool) -> None:
    if raw:
        click.echo(json.dumps(result))
        return
    texts = [item["text"] for item in result["content"] if item["type"] == "text"]
    images = [_save_image(item) for item in result["content"] if item["type"] == "image"]
    if as_json:
        shape: dict[str, Any] = {
            "ok": not result.get("isError"),
            "code": result.get("_meta", {}).get("code"),
            "text": "\n".join(texts),
            "images": images,
        }
        if result.get("isError"):
            shape["error"] = failures.describe(_error(result, texts))
        click.echo(json.dumps(shape))
        return
    click.echo("\n".join([*texts, *images]), err=bool(result.get("isError")))


def _error(result: Mapping[str, Any], texts: list[str]) -> TabmuxError:
    """Return what a failed call said; its first line is the error, labelled with its code."""
    code = str(result.get("_meta", {}).get("code") or TabmuxError.code)
    about = CODES.get(code)
    message = "\n".join(texts).removeprefix(f"Error [{code}]: ")
    return TabmuxError(message, hint=about.next_step if about else "", code=code)


def _save_image(image: Mapping[str, Any]) -> str:
    """Save a picture, and return its path."""
    import tempfile

    suffix = "." + image["mimeType"].partition("/")[2]
    with tempfile.NamedTemporaryFile(prefix="tabmux-", suffix=suffix, delete=False) as file:
        file.write(base64.b64decode(image["data"]))
    return file.name
