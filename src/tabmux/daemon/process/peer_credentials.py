"""Peer credentials: which user is at the other end of a socket."""

from __future__ import annotations

import os
import socket
import struct
import sys

# <sys/un.h> and <sys/ucred.h> of macOS, which Python does not name.
_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES = 0, 1, 76


def peer_uid(descriptor: int) -> int | None:
    """Return the user of the process at the other end; None where the system does not tell."""
    # A copy, since the sockets of uvloop answer no such question.
    with socket.socket(fileno=os.dup(descriptor)) as peer:
        if sys.platform == "linux":
            found = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
            return int(struct.unpack("3i", found)[1])
        if sys.platform == "darwin":
            found = peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
            return int(struct.unpack_from("II", found)[1])
    return None
