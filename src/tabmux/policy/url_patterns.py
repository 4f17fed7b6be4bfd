"""URL patterns, as users write them: `https://*.example.com/docs/*`, `localhost:3000`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from tabmux.errors import Misuse
from tabmux.policy.url_parser import (
    DEFAULT_PORTS,
    ParsedUrl,
    canonical_host,
    ip_address_of,
    leads_to_this_machine,
    resolve_path,
)

# A pattern for a scheme is also one for the sockets that are opened beside it.
_SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss"), "*": ("http", "https", "ws", "wss")}
_OPAQUE_SCHEMES = frozenset({"data", "blob", "about"})
_PATTERN = re.compile(
    r"(?:(\*|[a-z][a-z0-9+.\-]*)://)?([^/:]*|\[[^\]]*\])(?::(\*|\d+))?(/.*)?", re.IGNORECASE
)
# What is syntax in Chrome's patterns, and how it is written where it is none.
_SYNTAX, _ESCAPED = re.compile(r"([{}():+?\\])"), r"\\\1"
_FOUR_LABELS = ":a.:b.:c.:d"
_LOOPBACK = ("localhost", "*.localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]")
# The same as patterns of Chrome's resolver, for which a star is any letters.
_LOOPBACK_NAMES: tuple[str, ...] = ("localhost", "*.localhost")
_LOOPBACK_NUMBERS: tuple[str, ...] = (
    "127.*.*.*",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:7f*]",
    "[::ffff:0:0]",
)


@dataclass(frozen=True)
class UrlPattern:
    """Which addresses are meant; what a user leaves out may be anything."""

    text: str
    schemes: tuple[str, ...]
    host: str = "*"
    port: int | None = None
    path: str = "/*"

    def matches(self, address: ParsedUrl) -> bool:
        """Whether an address is surely meant: in every way its path can be read."""
        return self.covers_origin(address) and all(map(self._matches_path, _path_readings(address)))

    def may_match(self, address: ParsedUrl) -> bool:
        """Whether an address may be meant: in one reading of its path, by one name of its host."""
        # Any name of this machine is as good as the one in the pattern.
        here = self.names_loopback and leads_to_this_machine(address.host)
        there = here or self._matches_host(address.host)
        return (
            there
            and self._matches_scheme_and_port(address)
            and any(map(self._matches_path, _path_readings(address)))
        )

    def covers(self, other: UrlPattern) -> bool:
        """Whether every address that another pattern means is surely meant, too."""
        return (
            set(other.schemes) <= set(self.schemes)
            and self.port in (None, other.port)
            and _host_covers(self.host, other.host)
            and _path_covers(self.path, other.path)
        )

    def common(self, other: UrlPattern) -> UrlPattern | None:
        """Return a pattern of the addresses that both mean; None where there are none.

        Where no pattern says it exactly, that of one of them stands for both, without sockets:
        requests are compared with both, sockets only with what Chrome is told.
        """
        schemes = tuple(scheme for scheme in self.schemes if scheme in other.schemes)
        host, exact_host = _common(self.host, other.host, _host_covers, _hosts_differ)
        path, exact_path = _common(self.path, other.path, _path_covers, _paths_differ)
        if not (exact_host and exact_path):
            schemes = tuple(scheme for scheme in schemes if scheme not in ("ws", "wss"))
        ports_fit = None in (self.port, other.port) or self.port == other.port
        if not schemes or host is None or path is None or not ports_fit:
            return None
        port = other.port if self.port is None else self.port
        return UrlPattern(f"{self.text} and {other.text}", schemes, host, port, path)

    @property
    def names_loopback(self) -> bool:
        """Whether the pattern means this machine, by one of its names."""
        return self.host != "*" and leads_to_this_machine(self.host.removeprefix("*."))

    @property
    def host_patterns(self) -> tuple[str, ...]:
        """The host as patterns of names; a star in front also means the name without it."""
        return (self.host, self.host[2:]) if self.host.startswith("*.") else (self.host,)

    @property
    def resolver_patterns(self) -> tuple[str, ...]:
        """The same as Chrome's resolver takes it; none where not all of a host or port is meant."""
        is_all = self.path == "/*" and len(self.schemes) > 2
        if not is_all or (self.host == "*" and self.port is None):
            return ()
        hosts = _LOOPBACK_NAMES if self.names_loopback else self.host_patterns
        numbers = _LOOPBACK_NUMBERS if self.names_loopback else ()
        # A name may be written with a dot at its end.
        names = [name for host in hosts for name in (host, f"{host}.")] + [*numbers]
        if self.port is None:
            return tuple(name.strip("[]") for name in names)
        return tuple(f"{name}:{self.port}" for name in names)

    def covers_origin(self, address: ParsedUrl) -> bool:
        """Whether some page of the address's host is meant."""
        return self._matches_host(address.host) and self._matches_scheme_and_port(address)

    def chrome_patterns(self, *, broad: bool) -> Iterator[str]:
        """Return the pattern as Chrome's network service takes it.

        Args:
            broad: Spell out every name of a host; for what is denied.
        """
        if self.schemes[0] not in DEFAULT_PORTS:
            return
        rest = f":{self.port or '*'}{re.sub(_SYNTAX, _ESCAPED, self.path)}"
        schemes = ("*",) if self.schemes == _SCHEMES["*"] else self.schemes
        if _is_ip_glob(self.host):
            # Chrome has no words for a range of numbers, only for four of them. More is cut off
            # than was asked for then, and no more let through: requests are held besides.
            some = ("ws", "wss") if broad else ("http", "https")
            yield from (f"{scheme}://{_FOUR_LABELS}{rest}" for scheme in some)
            return
        for host in _LOOPBACK if broad and self.names_loopback else (self.host,):
            yield from (
                f"{scheme}://{name}{rest}" for name in _chrome_hosts(host) for scheme in schemes
            )
        if broad and self.names_loopback:
            # Also sockets to 127.0.0.2 and its like; a host of four names without TLS is rare.
            yield f"ws://{_FOUR_LABELS}{rest}"

    def _matches_scheme_and_port(self, address: ParsedUrl) -> bool:
        if address.scheme not in self.schemes:
            return False
        return self.port is None or self.port == address.port

    def _matches_host(self, host: str) -> bool:
        wanted = self.host
        if wanted.startswith("*.") and "*" not in wanted[2:]:
            return host == wanted[2:] or host.endswith(wanted[1:])
        if _is_ip_glob(wanted) and ip_address_of(host) is None:
            return False
        return glob_matches(wanted, host)

    def _matches_path(self, path: str) -> bool:
        return glob_matches(self.path, path if "?" in self.path else path.partition("?")[0])


def parse_pattern(text: str) -> UrlPattern:
    """Read a pattern, or raise what is wrong with it."""
    wanted = text.strip()
    opaque = re.fullmatch(r"([a-z]+):\*?", wanted, re.IGNORECASE)
    if opaque and opaque[1].lower() in _OPAQUE_SCHEMES:
        return UrlPattern(text, (opaque[1].lower(),), path="*")
    if wanted.lower().startswith("file://"):
        return UrlPattern(text, ("file",), path=wanted[7:].partition("/")[1] + wanted[8:] or "/*")
    found = _PATTERN.fullmatch(wanted)
    if found is None or not found[2]:
        raise Misuse(
            f"{text!r} is not a pattern of URLs.",
            hint="Write it like https://*.example.com/* or localhost:3000.",
        )
    scheme, host, port, path = found.groups()
    if scheme and scheme != "*" and scheme.lower() not in DEFAULT_PORTS:
        raise Misuse(f"{text!r} names the scheme {scheme}, which has no hosts.")
    schemes = _SCHEMES.get((scheme or "*").lower(), ((scheme or "").lower(),))
    number = int(port) if port and port != "*" else None
    return UrlPattern(
        text, schemes, _parse_host(host, text), number, "/*" if path in (None, "/") else path
    )


def glob_matches(pattern: str, text: str) -> bool:
    """Whether a text is what a pattern says, where a star stands for anything."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == pattern
    if not text.startswith(first):
        return False
    place = len(first)
    for part in rest[:-1]:
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return len(text) - place >= len(rest[-1]) and text.endswith(rest[-1])


def _common(
    one: str,
    other: str,
    covers: Callable[[str, str], bool],
    differ: Callable[[str, str], bool],
) -> tuple[str | None, bool]:
    """Return what two patterns have in common, and whether that is exact."""
    if covers(one, other):
        return other, True
    if covers(other, one):
        return one, True
    return (None, True) if differ(one, other) else (one, False)


def _host_covers(host: str, other: str) -> bool:
    if host in ("*", other):
        return True
    if host.startswith("*.") and "*" not in host[2:]:
        plain = other.removeprefix("*.")
        return plain == host[2:] or plain.endswith(host[1:])
    return "*" not in other and UrlPattern("", (), host)._matches_host(other)


def _hosts_differ(host: str, other: str) -> bool:
    """Whether two hosts, of which none covers the other, surely have nothing in common."""
    if "*" not in host or "*" not in other or host.rfind("*") == other.rfind("*") == 0:
        return True
    (start, _, _), (other_start, _, _) = host.partition("*"), other.partition("*")
    (_, _, end), (_, _, other_end) = host.rpartition("*"), other.rpartition("*")
    starts_fit = start.startswith(other_start) or other_start.startswith(start)
    return not (starts_fit and (end.endswith(other_end) or other_end.endswith(end)))


def _path_covers(path: str, other: str) -> bool:
    if path in ("/*", "*", other):
        return True
    if path.endswith("*") and path.count("*") == 1:
        return other.startswith(path[:-1])
    return "*" not in other and "?" not in path and glob_matches(path, other.partition("?")[0])


def _paths_differ(path: str, other: str) -> bool:
    one, two = (re.split(r"[*?]", each)[0] for each in (path, other))
    return not (one.startswith(two) or two.startswith(one))


def _parse_host(host: str, text: str) -> str:
    if "*" not in host or host == "*":
        return host if host == "*" else _canonical(host, text)
    if _is_ip_glob(host):
        return host
    labels = host.lower().rstrip(".").split(".")
    if len(labels) < 2 or "*" in labels[-1] or re.match(r"\*[^.*-]", host):
        raise Misuse(
            f"{text!r} would match hosts that others own.",
            hint="A star stands for subdomains, as in *.example.com.",
        )
    if labels[0] == "*" and "*" not in "".join(labels[1:]):
        return f"*.{_canonical(host[2:], text)}"
    return ".".join(labels)


def _canonical(host: str, text: str) -> str:
    try:
        return canonical_host(host)
    except ValueError as error:
        raise Misuse(f"{text!r} is not a pattern of URLs: {error}.") from error


def _is_ip_glob(host: str) -> bool:
    return host != "*" and re.fullmatch(r"\d[\d.]*\*[\d.*]*", host) is not None


def _path_readings(address: ParsedUrl) -> tuple[str, ...]:
    """Return the ways in which a server may read a path."""
    query = f"?{address.query}" if address.query else ""
    plain = resolve_path(unquote(address.path).replace("\\", "/")) if address.path else "/"
    return (address.path or "/") + query, plain + query


def _chrome_hosts(host: str) -> Iterator[str]:
    """Return a host as Chrome's patterns name it."""
    number = ip_address_of(host)
    if host == "*" or (number is None and "*" in host and not host.startswith("*.")):
        yield host
    elif number is None:
        yield f"{{*.}}?{host[2:]}{{.}}?" if host.startswith("*.") else f"{host}{{.}}?"
    else:
        yield host.replace(":", r"\:")
        if number.version == 4:
            high, low = divmod(int(number), 1 << 16)
            yield rf"[\:\:ffff\:{high:x}\:{low:x}]"
