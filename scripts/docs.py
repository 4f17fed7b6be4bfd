"""Writes the references in docs/ from the code itself, or checks that they are fresh."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import Field
from pathlib import Path
from typing import Any

import click

from tabmux.cli.command_table import COMMANDS, load_command
from tabmux.errors import CODES
from tabmux.mcp.tool_messages import listing
from tabmux.policy.policy import Policy
from tabmux.settings import ENVIRONMENT_PREFIX, flag_fields, setting_fields
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.arguments import listed
from tabmux.tools.pipeline.tool import Tool

DOCS = Path(__file__).parents[1] / "docs"


def tools() -> Iterator[str]:
    """Return the lines of the reference of tools."""
    yield "# Tools\n"
    yield "This page is written by `scripts/docs.py` from the tools themselves.\n"
    yield "Tools that act on a page also take `pageId`; without it they mean the selected page."
    yield (
        'Where a tool takes a uid, it also takes a role and name (`button "Save"`), a test id '
        "(`testid=save`) or CSS (`css=.save`), which must mean one element."
    )
    yield "While several browsers are registered every tool takes `browserIndex` (index or name)."
    yield "Arguments marked as unlisted are taken, but left out of `tools/list`.\n"
    yield from costs()
    for group, modules in catalog.GROUPS.items():
        state = "on" if group in catalog.DEFAULT_GROUPS else "off"
        yield f"## {group} ({state} by default)\n"
        for module in modules:
            for tool in catalog.tools_of(module):
                yield from section(tool)


def costs() -> Iterator[str]:
    """Return the table of what each group adds to `tools/list`."""
    yield "`enable_tools` and `--tools +group` switch groups on, `--tools -group` off.\n"
    yield "| group | by default | tools | characters of `tools/list` |"
    yield "| --- | --- | --- | --- |"
    for group in catalog.GROUPS:
        specs = [listed(tool, Policy(), browser=False) for tool in catalog.tools([group])]
        tools = listing(specs, {})["tools"]
        cost = sum(len(compact(each)) + 1 for each in tools)
        state = "on" if group in catalog.DEFAULT_GROUPS else "off"
        yield f"| {group} | {state} | {len(tools)} | {cost:,} |"
    yield ""


def compact(value: Any) -> str:
    """Return JSON as clients get it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def section(tool: Tool) -> Iterator[str]:
    """Return the lines of one tool."""
    yield f"### {tool.name}\n"
    yield f"{tool.description}\n"
    required = tool.schema.get("required", ())
    for name, about in tool.schema["properties"].items():
        need = "required" if name in required else "optional"
        if name in tool.unlisted_arguments:
            need += ", unlisted"
        if "default" in about:
            need += f", default `{about['default']}`"
        yield f"- `{name}` ({kind(about)}, {need}): {about['description']}"
    if tool.schema["properties"]:
        yield ""


def kind(about: dict[str, Any]) -> str:
    """Name the type of an argument."""
    if "enum" in about:
        return " | ".join(f"`{value}`" for value in about["enum"])
    if about.get("type") == "array":
        return f"list of {kind(about['items'])}"
    return str(about.get("type", "any"))


def errors() -> Iterator[str]:
    """Return the lines of the reference of error codes."""
    yield "# Errors\n"
    yield "This page is written by `scripts/docs.py` from `errors.py`.\n"
    yield "A call that fails sets `isError`; its text begins with `Error [code]:` and ends with"
    yield "what to do; `_meta.code` is the code. Codes are stable: programs may rely on them."
    yield "The focus toolset's own tools answer JSON, `{error, code, hint}`, when they fail, too;"
    yield "a `batch` begins with its steps, and a page tool that the page refused with"
    yield "`validation_error`.\n"
    yield "| code | what it means | what to do |"
    yield "| --- | --- | --- |"
    for code, about in sorted(CODES.items()):
        yield f"| `{code}` | {about.meaning} | {about.next_step} |"


SCOPES = {
    "session": "of a client's session",
    "browser": "of the browsers that a client sees",
    "rule": "that are rules, which a client may make narrower for its session",
    "daemon": "of the whole daemon",
}


def settings() -> Iterator[str]:
    """Return the lines of the reference of settings."""
    yield "# Settings\n"
    yield "This page is written by `scripts/docs.py` from `settings.py`.\n"
    yield "Every setting is a flag, an environment variable and a key of the file that `--config`"
    yield "names. A flag beats the environment, which beats the file. `--browser-url` is also"
    yield "`--browserUrl`, the variable `TABMUX_BROWSER_URL` and the key `browser-url`."
    yield "What may be given more than once is a list in the file, and lines in the variable."
    yield "A truth value is `1`, `true` or `yes`, or `0`, `false` or `no`.\n"
    yield "[Whose flags are they](many.md#whose-flags-are-they) says what a client that joins a"
    yield "running daemon can set.\n"
    for scope, title in SCOPES.items():
        yield f"## Settings {title}\n"
        for each in setting_fields():
            if each.metadata["scope"] == scope:
                yield from setting_lines(each)


def setting_lines(each: Field[Any]) -> Iterator[str]:
    """Return the lines of one setting."""
    about, flag = each.metadata, each.name.replace("_", "-")
    yield f"### {flag}\n"
    yield f"{about['help']}\n"
    if each in flag_fields():
        value = f" {about['metavar'] or value_of(each)}" if str(each.type) != "bool" else ""
        yield f"- flag: `--{flag}{value}`" + also(about["aliases"])
        yield f"- variable: `{ENVIRONMENT_PREFIX}{each.name.upper()}`, key: `{flag}`"
    else:
        yield "- only in the file"
    if about["choices"]:
        yield "- one of " + ", ".join(f"`{choice}`" for choice in about["choices"])
    if str(each.type).startswith("tuple") and each in flag_fields():
        yield "- may be given more than once"
    elif each.default not in (None, False, ""):
        yield f"- default: `{each.default}`"
    yield ""


def value_of(each: Field[Any]) -> str:
    """Name the kind of value that a flag takes."""
    return "NUMBER" if str(each.type) == "int" else "VALUE"


def also(aliases: tuple[str, ...]) -> str:
    """Name the other spellings of a flag."""
    return "".join(f", also `--{alias.replace('_', '-')}`" for alias in aliases)


def commands() -> Iterator[str]:
    """Return the lines of the reference of commands."""
    yield "# Commands\n"
    yield "This page is written by `scripts/docs.py` from the commands themselves."
    yield "[The command line](command-line.md) says what they have in common.\n"
    yield "Commands marked with [settings](settings.md) take every setting as a flag, too.\n"
    for name in sorted(COMMANDS):
        yield from command_lines(f"tabmux {name}", load_command(name), 2)


def command_lines(words: str, command: click.Command, depth: int) -> Iterator[str]:
    """Return the lines of a command and of those below it."""
    if command.hidden:
        return
    context = click.Context(command, info_name=words)
    yield f"{'#' * depth} {words}\n"
    yield f"```\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n"
    yield paragraphs(command.help or command.short_help or "")
    flags = {each.name for each in flag_fields()} | {"config"}
    own = [each for each in command.params if each.name not in flags]
    for option in own:
        if isinstance(option, click.Option) and not option.hidden:
            yield option_line(option)
    if len(own) < len(command.params):
        yield "- [settings](settings.md)"
    yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from command_lines(f"{words} {name}", found, depth + 1)


def option_line(option: click.Option) -> str:
    """Describe an option: its names, its value, what it does and its default."""
    value = option.make_metavar(click.Context(click.Command("")))
    value = re.sub(r"^(INTEGER|FLOAT).*", "NUMBER", value)
    names = ", ".join(
        f"`{name}`" if option.is_flag else f"`{name} {value}`" for name in option.opts
    )
    has_default = isinstance(option.default, str | int) and option.default and not option.is_flag
    return f"- {names}: {option.help}" + (f" Default: `{option.default}`." if has_default else "")


def paragraphs(text: str) -> str:
    """Return help as Markdown: paragraphs in lines, examples as they are."""
    blocks = inspect.cleandoc(text).split("\n\n")
    kept = [f"```\n{each[1:].strip()}\n```" if each[0] == "\b" else each for each in blocks if each]
    return "\n\n".join(kept) + "\n"


PAGES = {
    "tools.md": tools,
    "errors.md": errors,
    "settings.md": settings,
    "commands.md": commands,
}


def main() -> int:
    """Write the files, or with --check compare them."""
    stale = []
    for name, lines in PAGES.items():
        file, text = DOCS / name, "\n".join(lines()).rstrip() + "\n"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.stderr.write(f"{', '.join(stale)}: stale; run .venv/bin/python scripts/docs.py\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
