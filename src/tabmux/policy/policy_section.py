"""Policy sections: the rules that a policy file has for everybody, a client or a session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tabmux.policy.rule_source import RuleSource
from tabmux.policy.tool_limit import ToolLimit
from tabmux.policy.url_patterns import UrlPattern, glob_matches

SectionKind = Literal["default", "client", "session"]
# From what holds for everybody to what is most specific.
KINDS: tuple[SectionKind, ...] = ("default", "client", "session")


@dataclass(frozen=True)
class PolicySection:
    """One section; a rule that is None is not in it.

    Args:
        kind: Whom it is for.
        name: A pattern of names of clients or sessions.
        title: As the file writes it: `[session.work]`.
        line: Where it begins.
        sources: Where each of its keys stands.
        urls: Where pages may go.
        deny_urls: Where they may not.
        tools: Which tools may be called.
        scripts: Whether agents may run scripts of their own.
        read_only: Whether agents may only look.
        files: Folders that may be read and written.
        downloads: Whether pages may download files.
        secrets: The names of the secrets that may be used.
        calls: How many calls a session may make.
        minutes: How long a session may make calls.
        widens: Whether it stands in the place of less specific sections, rather than beside them.
    """

    kind: SectionKind
    name: str
    title: str
    line: int
    sources: Mapping[str, RuleSource] = field(default_factory=dict)
    urls: tuple[UrlPattern, ...] | None = None
    deny_urls: tuple[UrlPattern, ...] | None = None
    tools: ToolLimit | None = None
    scripts: bool | None = None
    read_only: bool | None = None
    files: tuple[Path, ...] | None = None
    downloads: bool | None = None
    secrets: frozenset[str] | None = None
    calls: int | None = None
    minutes: float | None = None
    widens: bool = False

    def applies(self, session: str, clients: Iterable[str]) -> bool:
        """Whether it is for a session of this name that these clients have used."""
        if self.kind == "default":
            return True
        if self.kind == "session":
            return _matches(self.name, session)
        return any(self.means_client(client) for client in clients)

    def means_client(self, client: str) -> bool:
        """Whether a client is meant, by its name or its name and version."""
        return _matches(self.name, client) or _matches(self.name, client.partition("/")[0])

    def widens_for(self, clients: Iterable[str]) -> bool:
        """Whether it widens what these clients may do; it must be meant for every one of them."""
        return self.widens and (self.kind != "client" or all(map(self.means_client, clients)))


def _matches(pattern: str, name: str) -> bool:
    return bool(name) and glob_matches(pattern.casefold(), name.casefold())
