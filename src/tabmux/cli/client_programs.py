"""Client programs: the MCP clients that tabmux can be installed in, and their files."""

from __future__ import annotations

import difflib
import json
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from tabmux.errors import Misuse
from tabmux.json_text import decoded

NAME = "tabmux"
Table = dict[str, Any]

# What says how a server is reached. Everything else in an entry is the user's, and stays.
_TRANSPORT_KEYS = frozenset(("type", "command", "args", "url", "httpUrl", "headers")) | frozenset(
    ("http_headers", "env_http_headers", "bearer_token_env_var")
)
_BLANK = re.compile(r"[ \t\r\n]*")
_TOML_HEADER = re.compile(r"[ \t]*\[")
_TOML_OURS = re.compile(
    r"""[ \t]*\[{1,2}[ \t]*(?:mcp_servers|"mcp_servers"|'mcp_servers')[ \t]*\."""
    r"""[ \t]*(?:tabmux|"tabmux"|'tabmux')[ \t]*(?P<end>[.\]])"""
)


@dataclass(frozen=True)
class ClientProgram:
    """A program that starts MCP servers, and the file in which it is told of them."""

    name: str
    title: str
    file: Path
    key: str = "mcpServers"
    typed: bool = False
    after: str = "Restart {} to use it."

    @property
    def next_step(self) -> str:
        """Say what the user has to do before the client starts tabmux."""
        return self.after.format(self.title)

    def entry(self, command: Sequence[str]) -> Table:
        """Return what the file should say of tabmux."""
        kind = {"type": "stdio"} if self.typed else {}
        return {**kind, "command": command[0], "args": list(command[1:])}

    def snippet(self, entry: Table) -> str:
        """Return the same as text to paste."""
        return self._with_entry("", entry)

    def installed(self, text: str) -> Table | None:
        """Return what the file says of tabmux now."""
        found: Table | None = self._servers(text).get(NAME)
        return found

    def with_tabmux(self, text: str, command: Sequence[str]) -> str:
        """Return the text of the file with tabmux in it, and nothing else changed."""
        entry = _merge_entry(self.entry(command), self.installed(text))
        if entry == self.installed(text):
            return text
        return self._checked(text, lambda: self._with_entry(text, entry), entry)

    def without_tabmux(self, text: str) -> str:
        """Return the text of the file without tabmux, and nothing else changed."""
        if self.installed(text) is None:
            return text
        return self._checked(text, lambda: self._without_entry(text), None)

    @property
    def _is_toml(self) -> bool:
        return self.file.suffix == ".toml"

    def _with_entry(self, text: str, entry: Table) -> str:
        return (
            _toml_with_entry(text, entry)
            if self._is_toml
            else _json_with_entry(text, self.key, entry)
        )

    def _without_entry(self, text: str) -> str:
        return _toml_without_entry(text) if self._is_toml else _json_without_entry(text, self.key)

    def _parsed(self, text: str) -> Table:
        kind = "TOML" if self._is_toml else "JSON"
        try:
            table = self._read(text)
        except ValueError as error:
            aside = "" if self._is_toml else " (comments and trailing commas are not)"
            raise Misuse(f"{self.file} is not plain {kind}{aside}: {error}.") from error
        if not isinstance(table, dict):
            raise Misuse(f"{self.file} does not hold a {kind} object.")
        return table

    def _read(self, text: str) -> Any:
        if self._is_toml:
            return tomllib.loads(text)
        return decoded(text) if text.strip() else {}

    def _servers(self, text: str) -> Table:
        servers = self._parsed(text).get(self.key, {})
        if not isinstance(servers, dict) or not isinstance(servers.get(NAME, {}), dict):
            raise Misuse(f"{self.key} in {self.file} is not a table of servers.")
        return servers

    def _checked(self, before: str, edit: Callable[[], str], entry: Table | None) -> str:
        """Refuse a text that says anything else than it should: layouts can be surprising."""
        try:
            after = edit()
            right = self.installed(after) == entry and self._others(before) == self._others(after)
        except (Misuse, ValueError):
            right = False
        if not right:
            raise Misuse(f"{self.file} is laid out in a way that tabmux does not edit.")
        return after

    def _others(self, text: str) -> tuple[Table, Table]:
        rest = {key: value for key, value in self._parsed(text).items() if key != self.key}
        return rest, {key: value for key, value in self._servers(text).items() if key != NAME}


def client_programs() -> dict[str, ClientProgram]:
    """Return the known clients by name."""
    home, settings = Path.home(), _client_config_folder()
    claude_code = Path(os.environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"
    claude_desktop = settings / "Claude" / "claude_desktop_config.json"
    codex = Path(os.environ.get("CODEX_HOME") or home / ".codex") / "config.toml"
    vscode = settings / "Code" / "User" / "mcp.json"
    gemini = home / ".gemini" / "settings.json"
    known = (
        ClientProgram("claude-code", "Claude Code", claude_code, typed=True),
        ClientProgram("claude-desktop", "Claude Desktop", claude_desktop),
        ClientProgram("codex", "Codex", codex, "mcp_servers"),
        ClientProgram("cursor", "Cursor", home / ".cursor" / "mcp.json", typed=True),
        ClientProgram(
            "vscode", "VS Code", vscode, "servers", True, "Start it in {} with “MCP: List Servers”."
        ),
        ClientProgram("gemini", "Gemini CLI", gemini),
    )
    return {client.name: client for client in known}


def suggest_client(name: str) -> str:
    """Say which clients there are, and which one the name comes closest to."""
    names = list(client_programs())
    close = difflib.get_close_matches(name.lower(), names, 1, cutoff=0.4)
    guess = f"Did you mean {close[0]}? " if close else ""
    return f"{guess}There are: {', '.join(names)}."


def own_command() -> tuple[str, ...]:
    """Return the command that starts this tabmux, by absolute path."""
    # A link is kept as it is: pipx and uv keep the link in place when they upgrade its target.
    for candidate in (Path(sys.argv[0]), Path(sys.executable).with_name(NAME)):
        if candidate.name == NAME and candidate.is_file() and os.access(candidate, os.X_OK):
            return (str(candidate.absolute()),)
    return (sys.executable, "-m", NAME)


def _client_config_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _merge_entry(entry: Table, old: Mapping[str, Any] | None) -> Table:
    return entry | {key: value for key, value in (old or {}).items() if key not in _TRANSPORT_KEYS}


@dataclass(frozen=True)
class _JsonMember:
    """Where a member of a JSON object stands in the text."""

    key: str
    start: int
    value: int
    stop: int


def _json_with_entry(text: str, key: str, entry: Table) -> str:
    text = text if text.strip() else "{}\n"
    root = _skip_blanks(text, 0)
    servers = _json_member(text, root, key)
    if servers is None:
        return _json_set_member(text, root, 1, key, {NAME: entry})
    return _json_set_member(text, servers.value, 2, NAME, entry)


def _json_set_member(text: str, start: int, depth: int, key: str, value: Table) -> str:
    """Set a member of the object at start, in the indentation of the file."""
    indent, newline = _json_indent(text), "\r\n" if "\r\n" in text else "\n"
    margin = newline + indent * depth
    shown = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", margin)
    if old := _json_member(text, start, key):
        return text[: old.value] + shown + text[old.stop :]
    line = f"{margin}{json.dumps(key)}: {shown}"
    if members := list(_json_members(text, start)):
        return text[: members[-1].stop] + "," + line + text[members[-1].stop :]
    close = _skip_blanks(text, start + 1)
    return text[: start + 1] + line + newline + indent * (depth - 1) + text[close:]


def _json_without_entry(text: str, key: str) -> str:
    servers = _json_member(text, _skip_blanks(text, 0), key)
    assert servers is not None
    members = list(_json_members(text, servers.value))
    at = max(index for index, member in enumerate(members) if member.key == NAME)
    if at + 1 < len(members):
        return text[: members[at].start] + text[members[at + 1].start :]
    if at > 0:
        return text[: members[at - 1].stop] + text[members[at].stop :]
    return text[: servers.value] + "{}" + text[servers.stop :]


def _json_indent(text: str) -> str:
    first = next(_json_members(text, _skip_blanks(text, 0)), None)
    before = text[: first.start] if first else ""
    return before.rpartition("\n")[2] if "\n" in before else "  "


def _json_member(text: str, start: int, key: str) -> _JsonMember | None:
    # The last one of a name is the one that counts.
    return next((m for m in reversed(list(_json_members(text, start))) if m.key == key), None)


def _json_members(text: str, start: int) -> Iterator[_JsonMember]:
    """Find the members of the object at start, in a text that is known to be valid."""
    decoder = json.JSONDecoder()
    at = _skip_blanks(text, start + 1)
    while text[at] != "}":
        key, end = decoder.raw_decode(text, at)
        value = _skip_blanks(text, _skip_blanks(text, end) + 1)
        _, stop = decoder.raw_decode(text, value)
        yield _JsonMember(key, at, value, stop)
        at = _skip_blanks(text, stop)
        at = _skip_blanks(text, at + 1) if text[at] == "," else at


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()


def _toml_with_entry(text: str, entry: Table) -> str:
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if "\r\n" in text else "\n"
    start, stop = next(
        ((start, stop) for start, stop, is_main in _toml_sections(lines) if is_main), (0, 0)
    )
    # What stands in tables of its own, as env may, stays where it is.
    own = tomllib.loads("".join(lines[start:stop])).get("mcp_servers", {}).get(NAME, {})
    entry = {key: value for key, value in entry.items() if key in own or key in _TRANSPORT_KEYS}
    shown = [f"[mcp_servers.{NAME}]", *(f"{k} = {_toml_value(v)}" for k, v in entry.items())]
    table = "".join(line + newline for line in shown)
    if stop:
        return "".join([*lines[:start], table, *lines[stop:]])
    gap = newline if text.strip() else ""
    return text + (newline if text and not text.endswith("\n") else "") + gap + table


def _toml_without_entry(text: str) -> str:
    lines = text.splitlines(keepends=True)
    for start, stop, _ in reversed(list(_toml_sections(lines))):
        gap = start > 0 and not lines[start - 1].strip()
        del lines[start - gap : stop]
    return "".join(lines)


def _toml_sections(lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Find our tables: first line, line after the last, and whether it is the main one."""
    headers = [at for at, line in enumerate(lines) if _TOML_HEADER.match(line)]
    for start, stop in pairwise([*headers, len(lines)]):
        if ours := _TOML_OURS.match(lines[start]):
            # Comments above the next table belong to that one.
            while lines[stop - 1].lstrip()[:1] in ("", "#"):
                stop -= 1
            yield start, stop, ours["end"] == "]"


def _toml_value(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_toml_value(each)}" for key, each in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, str | bool):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)
