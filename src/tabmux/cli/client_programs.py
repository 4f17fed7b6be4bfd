"""Client programs: the MCP clients that tabmux can be installed in, and their files."""

from __future__ import annotations

import difflib
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabmux.cli.client_json import JsonText
from tabmux.cli.client_toml import toml_with_entry, toml_without_entry
from tabmux.errors import Misuse

NAME = "tabmux"
Table = dict[str, Any]

# What says how a server is reached. Everything else in an entry is the user's, and stays.
_TRANSPORT_KEYS = frozenset(
    {
        "type", "command", "args", "url", "httpUrl", "serverUrl", "headers",
        "http_headers", "env_http_headers", "bearer_token_env_var",
    }
)  # fmt: skip


@dataclass(frozen=True)
class ClientProgram:
    """A program that starts MCP servers, and the file in which it is told of them.

    Attributes:
        name: What the user calls it here.
        title: What it calls itself.
        file: Where it is told of servers.
        key: Under which key.
        kind: What it wants to read as the type of a server that it starts; empty for nothing.
        comments: Whether its JSON may have comments and trailing commas.
        one_list: Whether the command and its arguments are one list.
        inner_key: A key below, in files of a newer form; those of an older one are read as well.
        after: What the user has to do then.
    """

    name: str
    title: str
    file: Path
    key: str = "mcpServers"
    kind: str = ""
    comments: bool = False
    one_list: bool = False
    inner_key: str = ""
    after: str = "Restart {} to use it."

    @property
    def next_step(self) -> str:
        """Say what the user has to do before the client starts tabmux."""
        return self.after.format(self.title)

    @property
    def by_hand(self) -> bool:
        """Whether the user has to edit the file."""
        return False

    def entry(self, command: Sequence[str]) -> Table:
        """Return what the file should say of tabmux."""
        kind = {"type": self.kind} if self.kind else {}
        if self.one_list:
            return {**kind, "command": list(command)}
        return {**kind, "command": command[0], "args": list(command[1:])}

    def command_in(self, entry: Mapping[str, Any]) -> list[str]:
        """Return the command that an entry starts; none when it names a URL."""
        command, arguments = entry.get("command") or [], entry.get("args") or []
        words = [command] if isinstance(command, str) else command
        return [str(word) for word in (*words, *arguments)]

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
        if self._is_toml:
            return toml_with_entry(text, entry, _TRANSPORT_KEYS)
        return self._json(text).with_member((*self._keys(text), NAME), entry)

    def _without_entry(self, text: str) -> str:
        if self._is_toml:
            return toml_without_entry(text)
        return self._json(text).without_member((*self._keys(text), NAME))

    def _json(self, text: str) -> JsonText:
        return JsonText(text, comments=self.comments)

    def _keys(self, text: str) -> tuple[str, ...]:
        outer = self._parsed(text).get(self.key) if self.inner_key else None
        inner = outer.get(self.inner_key) if isinstance(outer, dict) else None
        # A server can have that name as well; it says of what type it is.
        if isinstance(inner, dict) and not isinstance(inner.get("type"), str):
            return (self.key, self.inner_key)
        return (self.key,)

    def _parsed(self, text: str) -> Table:
        kind = "TOML" if self._is_toml else "JSON"
        try:
            table = tomllib.loads(text) if self._is_toml else self._json(text).parsed()
        except (ValueError, RecursionError) as error:
            aside = (
                "" if self._is_toml or self.comments else " (comments and trailing commas are not)"
            )
            raise Misuse(f"{self.file} is not plain {kind}{aside}: {error}.") from error
        if not isinstance(table, dict):
            raise Misuse(f"{self.file} does not hold a {kind} object.")
        return table

    def _servers(self, text: str) -> Table:
        servers: Any = self._parsed(text)
        for key in self._keys(text):
            servers = servers.get(key, {})
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


class YamlClientProgram(ClientProgram):
    """A client with a YAML file, which its user edits."""

    @property
    def by_hand(self) -> bool:
        """Whether the user has to edit the file."""
        return True

    def snippet(self, entry: Table) -> str:
        """Return the lines to add; JSON values are YAML too."""
        import json

        about = {
            "name": NAME,
            "type": "stdio",
            "enabled": True,
            "cmd": entry["command"],
            "args": entry["args"],
            "timeout": 300,
        }
        lines = [f"    {key}: {json.dumps(value)}" for key, value in about.items()]
        return "\n".join([f"{self.key}:", f"  {NAME}:", *lines, ""])

    def _parsed(self, text: str) -> Table:
        raise Misuse(f"{self.file} is YAML, which tabmux does not edit.")


def client_programs() -> dict[str, ClientProgram]:
    """Return the known clients by name."""
    home, settings = Path.home(), _client_config_folder()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    vscode = settings / "Code" / "User"
    known = (*_usual_clients(home, settings), *_commented_clients(config, vscode))
    cline = ClientProgram("cline", "Cline", _cline_file(vscode))
    goose = YamlClientProgram("goose", "Goose", config / "goose" / "config.yaml", "extensions")
    return {client.name: client for client in (*known, cline, goose)}


def _usual_clients(home: Path, settings: Path) -> Iterator[ClientProgram]:
    """Return those with plain files."""
    claude_code = Path(os.environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json"
    claude_desktop = settings / "Claude" / "claude_desktop_config.json"
    codex = Path(os.environ.get("CODEX_HOME") or home / ".codex") / "config.toml"
    windsurf = home / ".codeium" / "windsurf" / "mcp_config.json"
    yield ClientProgram("claude-code", "Claude Code", claude_code, kind="stdio")
    yield ClientProgram("claude-desktop", "Claude Desktop", claude_desktop)
    yield ClientProgram("codex", "Codex", codex, "mcp_servers")
    yield ClientProgram("cursor", "Cursor", home / ".cursor" / "mcp.json", kind="stdio")
    yield ClientProgram("gemini", "Gemini CLI", home / ".gemini" / "settings.json")
    yield ClientProgram("windsurf", "Windsurf", windsurf)


def _commented_clients(config: Path, vscode: Path) -> Iterator[ClientProgram]:
    """Return those whose files may have comments."""
    after = "Start it in {} with “MCP: List Servers”."
    file = vscode / "mcp.json"
    yield ClientProgram(
        "vscode", "VS Code", file, "servers", kind="stdio", comments=True, after=after
    )
    file = config / "zed" / "settings.json"
    yield ClientProgram("zed", "Zed", file, "context_servers", comments=True)
    file = config / "amp" / "settings.json"
    yield ClientProgram("amp", "Amp", file, "amp.mcpServers", comments=True)
    yield ClientProgram(
        "opencode",
        "opencode",
        _opencode_file(config),
        "mcp",
        kind="local",
        comments=True,
        one_list=True,
        inner_key="servers",
    )


def suggest_client(name: str) -> str:
    """Say which clients there are, and which one the name comes closest to."""
    names = list(client_programs())
    close = difflib.get_close_matches(name.lower(), names, 1, cutoff=0.4)
    guess = f"Did you mean {close[0]}? " if close else ""
    return f"{guess}There are: {', '.join(names)}."


def _client_config_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _opencode_file(config: Path) -> Path:
    """Return the file that is there; either name is read."""
    plain = config / "opencode" / "opencode.json"
    commented = plain.with_suffix(".jsonc")
    return commented if commented.exists() and not plain.exists() else plain


def _cline_file(vscode: Path) -> Path:
    """Return the file of the extension where it is installed, else that of the program."""
    name = "cline_mcp_settings.json"
    if given := os.environ.get("CLINE_MCP_SETTINGS_PATH"):
        return Path(given)
    extension = vscode / "globalStorage" / "saoudrizwan.claude-dev"
    if extension.exists():
        return extension / "settings" / name
    return Path.home() / ".cline" / "data" / "settings" / name


def _merge_entry(entry: Table, old: Mapping[str, Any] | None) -> Table:
    return entry | {key: value for key, value in (old or {}).items() if key not in _TRANSPORT_KEYS}
