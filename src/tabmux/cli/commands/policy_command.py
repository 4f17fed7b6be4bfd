"""Command policy: checks a policy file, and explains what it means for a call."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def policy() -> None:
    """What agents may do, as the file of --policy says it."""


@policy.command("check")
@click.argument("file", type=click.Path(dir_okay=False))
@_JSON
def check_command(file: str, as_json: bool) -> None:
    """Check a policy file; says what is wrong, by line, and ends with 1 if something is."""
    from tabmux.daemon.policy_settings import policy_file

    found = policy_file(file)
    wide = [(each.sources["widens"].line, each.title) for each in found.widening]
    if as_json:
        problems = [vars(each) for each in found.problems]
        notes = [{"line": line, "widens": title} for line, title in wide]
        sections = [each.title for each in found.sections]
        click.echo(json.dumps({"sections": sections, "problems": problems, "notes": notes}))
    else:
        for problem in found.problems:
            click.echo(f"{file}:{problem.line}: {problem.text} {problem.hint}".rstrip(), err=True)
        for line, title in wide:
            click.echo(f"{file}:{line}: note: {title} allows more than less specific sections do.")
        if not found.problems:
            click.echo(f"{file}: {len(found.sections)} sections, nothing wrong.")
    sys.exit(1 if found.problems else 0)


@policy.command("explain")
@click.argument("tool")
@click.argument("url", default="")
@click.option("--client", default="", help="What the client calls itself, such as claude-code.")
@click.option("--session", default="", help="What the session is called.")
@click.option(
    "--policy", "file", metavar="FILE", help="The policy file; else that of the settings."
)
@click.option("--config", metavar="FILE", help="A TOML file of settings, for rules beside it.")
@_JSON
def explain_command(
    tool: str,
    url: str,
    client: str,
    session: str,
    file: str | None,
    config: str | None,
    as_json: bool,
) -> None:
    """Say which rule decides about a call of TOOL, with URL or on a page at URL.

    Rules of the environment (TABMUX_…) and of --config count, too. Ends with 1 for a call that
    would be refused.
    """
    from tabmux.daemon.bridge.command_tools import COMMAND_TOOLS
    from tabmux.daemon.policy_settings import session_policies, tool_groups
    from tabmux.settings import resolve_settings
    from tabmux.tools.pipeline.policy_explanation import explain, refuse_unknown

    refuse_unknown(tool, {name for names in tool_groups().values() for name in names})
    settings = resolve_settings({"policy": file, "config": config})
    clients = [client] if client else []
    rules = session_policies(settings).of(settings, session, clients)
    found = explain(rules, tool, url, {each.name: each.refusal for each in COMMAND_TOOLS.values()})
    call = f"{tool} {url}".rstrip()
    if as_json:
        click.echo(json.dumps({"call": call, "allowed": found.allowed, **_plain(found)}))
    else:
        _print(call, found)
    sys.exit(0 if found.allowed else 1)


def _plain(found: Any) -> dict[str, Any]:
    decisions = [{**vars(each), "rule": each.rule and vars(each.rule)} for each in found.decisions]
    return {"decisions": decisions, "limits": list(found.limits)}


def _print(call: str, found: Any) -> None:
    click.echo(f"{'Allowed' if found.allowed else 'Refused'}: {call}")
    for each in found.decisions:
        click.echo(f"  {each.about}: {'allowed' if each.allowed else 'refused'}. {each.reason}")
        if each.change:
            click.echo(f"    To allow it: {each.change}")
    for line in found.limits:
        click.echo(f"  limit: {line}")
