"""Policy combination: the rules of the command line and of the sections that apply, as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabmux.policy.file_policy import FileLimit, FilePolicy
from tabmux.policy.policy import Policy
from tabmux.policy.policy_section import PolicySection
from tabmux.policy.rule_source import RuleSource
from tabmux.policy.url_policy import UrlLimit, UrlPolicy


def combined(base: Policy, sections: Sequence[PolicySection], clients: Iterable[str]) -> Policy:
    """Narrow what the command line allows by each section.

    Args:
        base: What the command line allows; no section goes beyond it.
        sections: Those that apply, the least specific first.
        clients: Who has used the session; what widens must be meant for all of them.
    """
    return _Combination(base, sections, list(clients)).policy()


class _Combination:
    """The sections of one session."""

    def __init__(self, base: Policy, sections: Sequence[PolicySection], clients: list[str]) -> None:
        self._base, self._sections, self._clients = base, sections, clients
        self._sources: dict[str, RuleSource] = {}

    def policy(self) -> Policy:
        base = self._base
        read_only = base.read_only or self._switched("read_only", to=True)
        # A script can do everything that read-only is to prevent.
        scripts = base.scripts and not self._switched("scripts", to=False) and not read_only
        if read_only and "read_only" in self._sources:
            self._sources.setdefault("scripts", self._sources["read_only"])
        return replace(
            base,
            urls=self._urls(base.urls if scripts else base.urls.without_scripts()),
            files=self._files(base.files),
            scripts=scripts,
            read_only=read_only,
            tools=tuple(each.tools for each in self._having("tools") if each.tools is not None),
            secrets=self._secrets(),
            downloads=not self._switched("downloads", to=False),
            calls=self._least("calls"),
            minutes=self._least("minutes"),
            sources=self._sources,
        )

    def _having(self, key: str) -> list[PolicySection]:
        """Return the sections whose rule counts: from the last one that widens."""
        having = [section for section in self._sections if key in section.sources]
        widening = [n for n, each in enumerate(having) if each.widens_for(self._clients)]
        return having[widening[-1] :] if widening else having

    def _switched(self, key: str, *, to: bool) -> bool:
        """Whether a section says so; the most specific is named."""
        return self._note(key, [s for s in self._having(key) if getattr(s, key) is to])

    def _note(self, key: str, sections: Sequence[PolicySection]) -> bool:
        if sections:
            self._sources[key] = sections[-1].sources[key]
        return bool(sections)

    def _least(self, key: str) -> Any:
        having = self._having(key)
        least = min(having, key=lambda section: getattr(section, key), default=None)
        if least is None:
            return None
        self._note(key, [least])
        return getattr(least, key)

    def _secrets(self) -> frozenset[str] | None:
        lists = [s.secrets for s in self._having("secrets") if s.secrets is not None]
        self._note("secrets", self._having("secrets"))
        return frozenset.intersection(*lists) if lists else None

    def _urls(self, urls: UrlPolicy) -> UrlPolicy:
        limits = [UrlLimit(s.sources["urls"], allow=s.urls) for s in self._having("urls")]
        limits += [
            UrlLimit(s.sources["deny_urls"], deny=s.deny_urls or ())
            for s in self._having("deny_urls")
        ]
        return replace(urls, limits=tuple(limits))

    def _files(self, files: FilePolicy) -> FilePolicy:
        having = self._having("files")
        limits = tuple(FileLimit.of(s.sources["files"], s.files or ()) for s in having)
        granted: list[Path] = []
        # Where the command line names no folders, the least specific section does.
        if having and not files.names_folders:
            first = having[0]
            if first.kind == "default" or first.widens_for(self._clients):
                granted = list(first.files or ())
        return replace(files.joined(granted), limits=limits)
