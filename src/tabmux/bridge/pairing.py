"""The code that a user carries from the command line to the extension's popup, once."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tabmux.bridge import proofs
from tabmux.bridge.keys import read_private, write_private
from tabmux.bridge.proofs import SharedKey
from tabmux.errors import Misuse
from tabmux.folders import data_folder

CODE_SECONDS = 600.0


@dataclass(frozen=True)
class PairingOffer:
    """A code that waits to be used."""

    code: str
    name: str
    expires: float

    @property
    def key(self) -> SharedKey:
        """The key that the code stands for."""
        return proofs.key_of_code(self.code)


class PairingFile:
    """At most one offer, in a file: the command line makes it, whichever server runs takes it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def offer(self, name: str = "", seconds: float = CODE_SECONDS) -> PairingOffer:
        """Make a code; an earlier one is void."""
        made = PairingOffer(proofs.new_code(), name, time.time() + seconds)
        self.withdraw()
        write_private(self._file, json.dumps(vars(made)))
        return made

    def pending(self) -> PairingOffer | None:
        """Return the code that may be used now."""
        with suppress(OSError, ValueError, TypeError, Misuse):
            offer = PairingOffer(**json.loads(read_private(self._file)))
            if time.time() < offer.expires:
                return offer
            self.withdraw()
        return None

    def withdraw(self) -> None:
        """Make the code void."""
        self._file.unlink(missing_ok=True)


def user_pairing() -> PairingFile:
    """Return the pairing of this user."""
    return PairingFile(Path(data_folder()) / "bridge" / "pairing.json")
