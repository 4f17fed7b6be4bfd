"""Session policies: what agents may do in each session, by the settings and the policy file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tabmux.policy.policy import Policy
from tabmux.policy.policy_combination import combined
from tabmux.policy.policy_file import PolicyFile
from tabmux.policy.url_policy import UrlPolicy
from tabmux.settings import Settings


class SessionPolicies:
    """Tells the policy of a session.

    Args:
        settings: The daemon's, which clients may have narrower for themselves.
        file: The policy file, if there is one.

    Attributes:
        common: What is allowed to those that no section of the file names.
    """

    def __init__(self, settings: Settings, file: PolicyFile | None = None) -> None:
        self._settings, self._sections = settings, file.sections if file is not None else []
        self._base = Policy.of(settings)
        self.common = self._combined(self._base, "", ())

    @property
    def browser_urls(self) -> UrlPolicy:
        """Where pages may go whosever they are, so that whole browsers can be held to it."""
        widened = {key for section in self._sections if section.widens for key in section.sources}
        limits = (limit for limit in self.common.urls.limits if limit.source.key not in widened)
        return replace(self._base.urls, limits=tuple(limits))

    @property
    def has_session_urls(self) -> bool:
        """Whether sessions may have rules of their own about that."""
        own = (section for section in self._sections if section.kind != "default")
        return any(not {"urls", "deny_urls"}.isdisjoint(section.sources) for section in own)

    def open(self, settings: Settings, session: str) -> SessionRules:
        """Return the rules of a session that nobody has used yet."""
        return SessionRules(self, settings, session)

    def sections_of(self, client: str) -> frozenset[str]:
        """Name the sections that mean a client."""
        own = (section for section in self._sections if section.kind == "client")
        return frozenset(section.title for section in own if section.means_client(client))

    def titles(self, session: str, clients: Sequence[str]) -> tuple[str, ...]:
        """Name the sections that apply to a session, the least specific first."""
        return tuple(each.title for each in self._sections if each.applies(session, clients))

    def of(self, settings: Settings, session: str, clients: Sequence[str]) -> Policy:
        """Return the policy of a session.

        Args:
            settings: What its client wants, at most as much as the daemon's.
            session: What it is called.
            clients: Who has used it.
        """
        if settings is not self._settings:
            return self._combined(Policy.of(settings), session, clients)
        policy = self._combined(self._base, session, clients)
        # The same object where it is the same, so that its tools are listed but once.
        return self.common if policy == self.common else policy

    def _combined(self, base: Policy, session: str, clients: Sequence[str]) -> Policy:
        sections = [each for each in self._sections if each.applies(session, clients)]
        return combined(base, sections, clients) if sections else base


class SessionRules:
    """The rules of one session, which become narrower when clients come that have narrower ones.

    Args:
        policies: The rules of all sessions.
        settings: What the session's client wants.
        session: What it is called.

    Attributes:
        policy: What is allowed in it now.
        sections: The titles of the sections of the file that say so, the least specific first.
    """

    def __init__(self, policies: SessionPolicies, settings: Settings, session: str) -> None:
        self._policies, self._settings, self._session = policies, settings, session
        # One client of each kind will do, however many come.
        self._clients: dict[frozenset[str], str] = {}
        self.policy = policies.of(settings, session, ())
        self.sections = policies.titles(session, ())

    def joined(self, client: str) -> Policy:
        """Return what is allowed now that a client uses the session, too."""
        kind = self._policies.sections_of(client)
        if kind not in self._clients:
            self._clients[kind] = client
            clients = list(self._clients.values())
            self.sections = self._policies.titles(self._session, clients)
            policy = self._policies.of(self._settings, self._session, clients)
            if policy != self.policy:
                self.policy = policy
        return self.policy
