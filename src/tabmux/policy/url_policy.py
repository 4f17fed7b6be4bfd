"""URL policy: where pages may go, and what they may ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from tabmux.errors import BadArguments, Refused
from tabmux.policy.own_addresses import OWN
from tabmux.policy.rule_source import RuleSource
from tabmux.policy.url_parser import DEFAULT_PORTS, ParsedUrl, parse_url, shorten_url, strip_url
from tabmux.policy.url_patterns import UrlPattern, parse_pattern

OPEN_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})
_ALLOWED_ABOUT_PAGES = frozenset({"blank", "srcdoc"})
# Pages that a browser shows before it has been sent anywhere, or instead of what it cannot load.
_START_PAGES = (
    "about:blank", "chrome-error://", "chrome://newtab", "chrome://new-tab-page", "edge://newtab",
    "brave://newtab",
)  # fmt: skip


@dataclass(frozen=True)
class UrlLimit:
    """A rule of the policy file, which holds beside all others.

    Args:
        source: Where it stands.
        allow: Patterns, one of which must match; None where the rule denies.
        deny: Patterns, none of which may match.
    """

    source: RuleSource
    allow: tuple[UrlPattern, ...] | None = None
    deny: tuple[UrlPattern, ...] = ()

    def permits(self, address: ParsedUrl) -> bool:
        """Whether the rule lets an address pass."""
        return _permits(address, self.allow, self.deny)


@dataclass(frozen=True)
class UrlPolicy:
    """Which addresses pages may have.

    Args:
        schemes: The only ones that a page may be sent to.
        allow: Patterns, one of which must match; none means that every host may be visited.
        deny: Patterns, none of which may match.
        limits: Rules of the policy file.
    """

    schemes: frozenset[str] = OPEN_SCHEMES
    allow: tuple[UrlPattern, ...] = ()
    deny: tuple[UrlPattern, ...] = ()
    limits: tuple[UrlLimit, ...] = ()

    @classmethod
    def of(
        cls,
        allow: Iterable[str] = (),
        deny: Iterable[str] = (),
        schemes: Iterable[str] = (),
        *,
        scripts: bool = True,
    ) -> UrlPolicy:
        """Make a policy of what the user wrote; `schemes` come on top of the usual ones.

        Args:
            allow: Patterns of what may be visited.
            deny: Patterns of what may not.
            schemes: Further schemes.
            scripts: Whether an agent may bring scripts of its own, which a data: URL may hold.
        """
        wanted = OPEN_SCHEMES | {scheme.lower().rstrip(":/") for scheme in schemes}
        if not scripts:
            wanted -= {"data", "javascript"}
        return cls(wanted, tuple(map(parse_pattern, allow)), tuple(map(parse_pattern, deny)))

    def within(self, allow: Iterable[str], deny: Iterable[str]) -> UrlPolicy:
        """Return the policy of one browser: an own list of what is allowed, and more denied."""
        own = tuple(map(parse_pattern, allow))
        return replace(self, allow=own or self.allow, deny=(*self.deny, *map(parse_pattern, deny)))

    def without_scripts(self) -> UrlPolicy:
        """Return a policy without addresses that may hold a script of the agent's."""
        return replace(self, schemes=self.schemes - {"data", "javascript"})

    def narrowed(self, other: UrlPolicy) -> UrlPolicy:
        """Return a policy that also holds to the schemes and to the file's rules of another."""
        more = tuple(limit for limit in other.limits if limit not in self.limits)
        if not more and self.schemes <= other.schemes:
            return self
        return replace(self, schemes=self.schemes & other.schemes, limits=(*self.limits, *more))

    @property
    def is_restricted(self) -> bool:
        """Whether there are patterns, so that requests must be watched."""
        return bool(self.allow or self.deny or self.limits)

    def check(self, url: str) -> str:
        """Return the URL to use, or raise why it may not be used."""
        text = self.check_form(url)
        if limit := self.limit_against(text):
            source = limit.source
            raise Refused(
                f"The policy does not allow {shorten_url(text)}: {source} is against it.",
                hint="Tell the user if you need it.",
                rule=source,
            )
        if not self.permits(text):
            raise Refused(
                f"The policy does not allow {shorten_url(text)}.",
                hint="It is set with --allow-url and --deny-url; tell the user if you need it.",
            )
        return text

    def check_form(self, url: str) -> str:
        """Check what holds for every browser: the spelling and the scheme."""
        for address in parse_url(url).chain():
            self._check_scheme(address)
            if OWN.refuse(address, url):
                raise Refused(
                    f"{shorten_url(url)} is tabmux itself, where people decide about agents.",
                    hint="Ask the user to open it.",
                )
        return strip_url(url)

    def permits(self, url: str) -> bool:
        """Whether the patterns let a request pass; what cannot be read does not."""
        try:
            address = parse_url(url)
        except BadArguments:
            return False
        return all(map(self._permits, address.chain()))

    def limit_against(self, url: str) -> UrlLimit | None:
        """Return the rule of the policy file that is against an address, if one is."""
        try:
            chain = list(parse_url(url).chain())
        except BadArguments:
            return None
        against = (each for each in self.limits if not all(map(each.permits, chain)))
        return next(against, None)

    def shows(self, url: str) -> bool:
        """Whether a page that is there already may be looked at and acted upon."""
        if not url or url.startswith((*_START_PAGES, "chrome-extension://")):
            return True
        try:
            self.check(url)
        except (BadArguments, Refused):
            return False
        return True

    def restriction(self, what: str) -> Refused | None:
        """Say why something is refused that would be outside the reach of the patterns, if so."""
        if not self.is_restricted:
            return None
        by_flags = bool(self.allow or self.deny)
        rules = "--allow-url and --deny-url" if by_flags else self.limits[0].source
        return Refused(
            f"{what} cannot be held to {rules}.",
            hint="They are not available while such patterns are set.",
        )

    def refuse_if_restricted(self, what: str) -> None:
        """Raise where something would be outside the reach of the patterns."""
        if refused := self.restriction(what):
            raise refused

    def may_host(self, url: str) -> bool:
        """Whether pages from where this URL comes may be visited at all."""
        try:
            *_, address = parse_url(url).chain()
        except BadArguments:
            return True
        if address.scheme in ("data", "blob", "about"):
            return True  # made by a page, whichever that is
        return all(any(p.covers_origin(address) for p in each) for each in self._allow_lists)

    def conditions(self) -> list[dict[str, Any]]:
        """Return the patterns as rules of Chrome's network service; the first that fits counts."""
        rules = [
            _rule(text, offline=True)
            for p in self._denied
            for text in p.chrome_patterns(broad=True)
        ]
        if self._allow_lists:
            rules += [
                _rule(text, offline=False)
                for p in self._allowed
                for text in p.chrome_patterns(broad=False)
            ]
            rules.append(_rule("", offline=True))
        return rules

    def blocked_patterns(self) -> list[dict[str, Any]]:
        """Return the same rules for what makes the requests; the first that fits counts."""
        return [
            {"urlPattern": rule["urlPattern"] or "*://*:*/*", "block": rule["offline"]}
            for rule in self.conditions()
        ]

    def launch_arguments(self, *, has_proxy: bool) -> list[str]:
        """Return what makes a browser that we start not even resolve the hosts in question.

        It catches what no protocol command can: connections made ahead, prefetched pages, and
        sockets that were waiting for their turn when their tab was closed.
        """
        if has_proxy or not self.is_restricted:
            return []  # a proxy resolves names itself, and must be found by its own
        rules = [f"MAP {name} ~NOTFOUND" for p in self._denied for name in p.resolver_patterns]
        if self._allow_lists and all(pattern.host != "*" for pattern in self._allowed):
            rules.append("MAP * ~NOTFOUND")
            rules += [f"EXCLUDE {name}" for p in self._allowed for name in p.host_patterns]
        return [f"--host-resolver-rules={','.join(rules)}"] if rules else []

    def _check_scheme(self, address: ParsedUrl) -> None:
        if address.scheme not in self.schemes:
            raise Refused(
                f"Navigating to {address.scheme}: URLs is not allowed.",
                hint=f"Start tabmux with --allow-scheme {address.scheme} to permit it.",
            )
        # Chrome takes about:version for chrome://version.
        page = address.path.partition("#")[0].partition("?")[0].lower()
        if address.scheme == "about" and page not in _ALLOWED_ABOUT_PAGES:
            raise Refused("Of about: URLs only about:blank is allowed.")

    def _permits(self, address: ParsedUrl) -> bool:
        here = _permits(address, self.allow or None, self.deny)
        return here and all(limit.permits(address) for limit in self.limits)

    @property
    def _allow_lists(self) -> list[tuple[UrlPattern, ...]]:
        """The lists of each of which one pattern must match."""
        own = [self.allow] if self.allow else []
        return own + [limit.allow for limit in self.limits if limit.allow is not None]

    @property
    def _denied(self) -> list[UrlPattern]:
        return [*self.deny, *(pattern for limit in self.limits for pattern in limit.deny)]

    @property
    def _allowed(self) -> list[UrlPattern]:
        """The patterns of what all lists have in common."""
        return reduce(_in_common, map(list, self._allow_lists))


def _permits(
    address: ParsedUrl, allow: tuple[UrlPattern, ...] | None, deny: tuple[UrlPattern, ...]
) -> bool:
    if any(pattern.may_match(address) for pattern in deny):
        return False
    if allow is None or not (address.scheme in DEFAULT_PORTS or address.scheme == "file"):
        return True
    return any(pattern.matches(address) for pattern in allow)


def _in_common(some: list[UrlPattern], others: list[UrlPattern]) -> list[UrlPattern]:
    pairs = (one.common(other) for one in some for other in others)
    return [pattern for pattern in pairs if pattern is not None]


def _rule(pattern: str, *, offline: bool) -> dict[str, Any]:
    speed = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    return {"urlPattern": pattern, "offline": offline, **speed}
