"""Own addresses: where this process serves people, who decide there what agents may do.

One for the process: a page of any session that is there could answer in a person's name, with the
cookie that the person's browser has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tabmux.errors import BadArguments
from tabmux.policy.url_parser import (
    ParsedUrl,
    canonical_host,
    leads_to_this_machine,
    parse_url,
)


class OwnAddresses:
    """The ports that people are served at, and the names that lead there."""

    def __init__(self) -> None:
        self._hosts: dict[int, frozenset[str]] = {}
        self._lets_in: dict[int, Callable[[str], bool]] = {}

    def add(self, port: int, hosts: Iterable[str] = ()) -> None:
        """Note a port; `hosts` are further names of this machine, perhaps with a port."""
        self._hosts[port] = frozenset(filter(None, map(_host, hosts)))

    def let_in_by(self, port: int, lets_in: Callable[[str], bool]) -> None:
        """Have URLs at a port let an agent in of which this says so."""
        self._lets_in[port] = lets_in

    def forget(self, port: int) -> None:
        """Note that agents may go there."""
        self._hosts.pop(port, None)

    def refuse(self, address: ParsedUrl, url: str) -> bool:
        """Whether an agent may not go to an address, which is what a URL is or wraps.

        A link that lets people in was made by the user. Whoever gives it to an agent means it: to
        try the live view, or to film it. From then on agents may go there.
        """
        if not self.include(address):
            return False
        port = address.port or 0
        if (lets_in := self._lets_in.get(port)) is not None and lets_in(url):
            self.forget(port)
            return False
        return True

    def include(self, address: ParsedUrl) -> bool:
        """Whether an address leads to this process."""
        if not self._hosts or (hosts := self._hosts.get(address.port or 0)) is None:
            return False
        return leads_to_this_machine(address.host) or address.host in hosts

    def lead_here(self, url: str) -> bool:
        """Whether a URL, or what it wraps, leads to this process."""
        if not self._hosts:
            return False
        try:
            return any(map(self.include, parse_url(url).chain()))
        except BadArguments:
            return False


def _host(text: str) -> str:
    name = text if text.endswith("]") else text.rpartition(":")[0] or text
    try:
        return canonical_host(name)
    except ValueError:
        return ""


OWN = OwnAddresses()
