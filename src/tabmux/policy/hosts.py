"""Hosts: one spelling for each, numbers dotted and names in ASCII."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import unquote_to_bytes

import idna

# What no host may contain once it is decoded.
_FORBIDDEN_IN_DOMAINS = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")


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
