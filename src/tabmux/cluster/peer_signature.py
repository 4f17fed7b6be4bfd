"""Peer signature: how one daemon shows another that it passes on a request of a client; pure."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass

from tabmux.cluster.handles import derived_key

HEADER = "tabmux-forwarded"
# By how much the clocks of two machines may differ.
SKEW_SECONDS = 60.0


@dataclass(frozen=True)
class ForwardedRequest:
    """What a daemon says of a request that it passes on.

    Attributes:
        sender: The daemon.
        client: The address that the request came from.
        digest: That of the body.
    """

    sender: str
    client: str
    digest: str

    def fits(self, body: bytes) -> bool:
        """Whether this is the body that was signed."""
        return hmac.compare_digest(self.digest, digest_of(body))


def digest_of(body: bytes) -> str:
    """Return the digest of a body."""
    return hashlib.sha256(body).hexdigest()


class PeerSignature:
    """Signs requests to other daemons, and checks theirs.

    Args:
        key: The key of the cluster.
        clock: What tells the time, in seconds since 1970.
    """

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key, self._clock = derived_key(key, "requests"), clock

    def sign(self, request: ForwardedRequest, method: str, target: str) -> str:
        """Return the value of the header.

        Args:
            request: What is said of it.
            method: GET, POST or DELETE.
            target: Path and query.
        """
        words = [request.sender, str(int(self._clock())), request.client or "-", request.digest]
        return " ".join([*words, self._mac(words, method, target)])

    def check(self, header: str, method: str, target: str) -> ForwardedRequest | None:
        """Return what a daemon says of a request; None for what no daemon has signed just now."""
        *words, mac = header.split(" ")
        if len(words) != 4 or not hmac.compare_digest(
            mac.encode(), self._mac(words, method, target).encode()
        ):
            return None
        sender, sent, client, digest = words
        if abs(self._clock() - int(sent)) > SKEW_SECONDS:
            return None
        return ForwardedRequest(sender, "" if client == "-" else client, digest)

    def _mac(self, words: list[str], method: str, target: str) -> str:
        text = "\n".join([*words, method, target])
        return hmac.new(self._key, text.encode(), "sha256").hexdigest()
