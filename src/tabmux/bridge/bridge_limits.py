"""Bridge limits: how long the bridge waits, and how much may wait in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BridgeLimits:
    """Limits of one bridge.

    Attributes:
        handshake_seconds: For an extension to prove itself.
        handshakes: How many extensions may do so at once.
        key_check_seconds: Between two looks whether a key was revoked; any process may do it.
        silence_seconds: Without a message before an extension is given up; it pings every 20 s.
        flush_seconds: For the last messages to be written to a link that was closed.
        waiting_bytes: What may wait for an extension that does not read.
        command_seconds: For an extension to carry out a command.
        session_socket_seconds: For our extension to open the socket of a session.
        listing_seconds: For a change of the sessions that can be served, when one is waited for.
        pending_commands: How many commands of a session may be under way.
        waiting_notifications: How many may wait to be forwarded, before the oldest is dropped.
    """

    handshake_seconds: float = 5.0
    handshakes: int = 16
    key_check_seconds: float = 1.0
    silence_seconds: float = 90.0
    flush_seconds: float = 1.0
    waiting_bytes: int = 64 * 1024 * 1024
    command_seconds: float = 30.0
    session_socket_seconds: float = 3.0
    listing_seconds: float = 20.0
    pending_commands: int = 64
    waiting_notifications: int = 1_000


DEFAULT_LIMITS = BridgeLimits()
