"""URL parser: reads a URL and its host as a browser would, so that one place has one spelling."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import idna

from tabmux.errors import BadArguments
from tabmux.page_text import address

# Schemes whose URLs name a host, with the ports they use unless told otherwise.
DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
# Schemes that wrap another URL.
WRAPPERS = frozenset({"view-source", "blob", "filesystem"})
# Chrome refuses longer ones itself.
MAX_LENGTH = 2 * 1024 * 1024
_REMEMBERED_LENGTH = 2000

_C0_CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")
# What no host may contain once it is decoded.
_FORBIDDEN_IN_DOMAINS = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
_DOT_SEGMENTS = {".": ".", "%2e": ".", "..": "..", ".%2e": "..", "%2e.": "..", "%2e%2e": ".."}


@dataclass(frozen=True)
class ParsedUrl:
    """The parts of a URL that decide where it leads.

    `host` is canonical: numbers in any spelling are dotted, names are ASCII and lower-case,
    without the dot that may end them. An opaque URL has only a scheme and a path.
    """

    scheme: str
    host: str = ""
    port: int | None = None
    path: str = ""
    query: str = ""
    inner: ParsedUrl | None = None

    def chain(self) -> Iterator[ParsedUrl]:
        """Return the address and those that it wraps."""
        yield self
        if self.inner is not None:
            yield from self.inner.chain()


def strip_url(url: str) -> str:
    """Drop what browsers drop: blanks around, and tabs and line breaks anywhere."""
    return re.sub(r"[\t\n\r]", "", url.strip(_C0_CONTROLS_AND_SPACE))


def parse_url(url: str) -> ParsedUrl:
    """Return where a complete URL leads, or raise what is wrong with it."""
    # The same few addresses are asked about with every call and every request.
    return _remembered(url) if len(url) <= _REMEMBERED_LENGTH else _parse(url)


@lru_cache(maxsize=1000)
def _remembered(url: str) -> ParsedUrl:
    return _parse(url)


def _parse(url: str) -> ParsedUrl:
    text = strip_url(url)
    if len(text) > MAX_LENGTH:
        raise BadArguments(f"The URL is too long ({len(text)} characters).")
    found = _SCHEME.match(text)
    if found is None or _is_host_and_port(found[1], text[found.end() :]):
        raise BadArguments(
            f"{shorten_url(url)} is not a complete URL.",
            hint=f"Did you mean https://{shorten_url(text)} ?",
        )
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme in DEFAULT_PORTS or scheme == "file":
        return _parse_hierarchical(scheme, rest, shorten_url(url))
    if scheme in WRAPPERS and _SCHEME.match(rest):
        return ParsedUrl(scheme, path=rest, inner=_parse(rest))
    return ParsedUrl(scheme, path=rest)


def shorten_url(url: str) -> str:
    """Return a URL short enough for a message."""
    return address(url, 200)


def resolve_path(path: str) -> str:
    """Resolve the dots of a path, as browsers do before they ask for it."""
    kept: list[str] = []
    parts = path.split("/")[1:]
    for number, part in enumerate(parts, 1):
        dots = _DOT_SEGMENTS.get(part.lower(), "")
        if dots == ".." and kept:
            kept.pop()
        if not dots:
            kept.append(part)
        elif number == len(parts):
            kept.append("")
    return "/" + "/".join(kept)


def _is_host_and_port(word: str, rest: str) -> bool:
    """Whether `word:` is the start of host:port rather than a scheme."""
    return "." in word or (
        re.match(r"\d+(/|$)", rest) is not None and word.lower() not in DEFAULT_PORTS
    )


def _parse_hierarchical(scheme: str, rest: str, url: str) -> ParsedUrl:
    rest, _, _ = rest.partition("#")
    rest, _, query = rest.partition("?")
    rest = rest.replace("\\", "/")
    if not rest.startswith("//"):
        raise BadArguments(f"{url!r} is not written as {scheme}://….")
    authority, slash, path = rest[2:].partition("/")
    path = resolve_path(slash + path)
    if scheme == "file":
        return ParsedUrl(scheme, authority.lower(), None, path, query)
    host, port = _parse_host_and_port(authority.rpartition("@")[2], scheme, url)
    return ParsedUrl(scheme, host, port, path, query)


def _parse_host_and_port(text: str, scheme: str, url: str) -> tuple[str, int]:
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?", text)
    if found is None or not found[1]:
        raise BadArguments(f"{url!r} names no host." if not text else f"{url!r} has a bad host.")
    port = int(found[2]) if found[2] and len(found[2]) < 9 else DEFAULT_PORTS[scheme]
    if port > 65535 or (found[2] and len(found[2]) >= 9):
        raise BadArguments(f"{url!r} has no valid port.")
    try:
        return canonical_host(found[1]), port
    except ValueError as error:
        raise BadArguments(f"{url!r} is not a valid URL: {error}.") from error


def canonical_host(text: str) -> str:
    """Return the one spelling of a host.

    Raises:
        ValueError: It is no host.
    """
    if text.startswith("["):
        return _parse_ipv6(text[1:-1])
    name = _domain_to_ascii(unquote_to_bytes(text).decode("utf-8"))
    if not name or _FORBIDDEN_IN_DOMAINS.search(name):
        raise ValueError("its host has characters that no host has")
    name = name.rstrip(".")
    if not name:
        raise ValueError("it names no host")
    return _parse_ipv4(name) if _ends_in_number(name) else name


def is_loopback(host: str) -> bool:
    """Whether what listens on a host is reached from this machine only."""
    number = ip_address_of(host)
    return host == "localhost" or (number is not None and number.is_loopback)


def leads_to_this_machine(host: str) -> bool:
    """Whether a connection to a canonical host ends on this machine, under whichever name.

    More than loopback: what listens on "any address" is reached from everywhere, but a
    connection to it ends here.
    """
    number = ip_address_of(host)
    is_any = number is not None and number.is_unspecified
    return is_any or is_loopback(host) or host.endswith(".localhost")


def ip_address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return a canonical host as the number it is, if it is one."""
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None


def _domain_to_ascii(name: str) -> str:
    """Map a name by UTS #46, as browsers do.

    Labels are not checked any further: Chrome refuses more, so nothing is reached by them.
    """
    try:
        mapped = idna.uts46_remap(name, std3_rules=False)
    except idna.IDNAError as error:
        raise ValueError("its host has characters that no host has, or too many") from error
    return ".".join(map(_label_to_ascii, mapped.split(".")))


def _label_to_ascii(part: str) -> str:
    return part if part.isascii() else "xn--" + part.encode("punycode").decode("ascii")


def _parse_ipv6(text: str) -> str:
    if "%" in text:
        raise ValueError("its host has a zone")
    number = ipaddress.IPv6Address(text)
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return f"[{number.compressed}]"


def _ends_in_number(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.isdigit() or re.fullmatch(r"0x[0-9a-f]*", last) is not None


def _parse_ipv4(name: str) -> str:
    """Read the spellings that browsers read: decimal, octal, hexadecimal, with parts left out."""
    parts = [_parse_ipv4_part(part) for part in name.split(".")]
    if len(parts) > 4 or any(part > 255 for part in parts[:-1]):
        raise ValueError("its host is a number that is no address")
    last = parts.pop()
    if last >= 256 ** (4 - len(parts)):
        raise ValueError("its host is a number that is no address")
    value = last + sum(part << (8 * (3 - place)) for place, part in enumerate(parts))
    return str(ipaddress.IPv4Address(value))


def _parse_ipv4_part(part: str) -> int:
    if re.fullmatch(r"0x[0-9a-f]*", part):
        return int(part[2:] or "0", 16)
    if re.fullmatch(r"0[0-7]+", part):
        return int(part, 8)
    if re.fullmatch(r"[0-9]{1,20}", part) and not re.fullmatch(r"0[0-9]+", part):
        return int(part)
    raise ValueError("its host is a number that is no address")
