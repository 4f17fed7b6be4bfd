"""Pairing: the code that pairs an extension, and the keys of those that are paired.

A code is typed into the extension's popup once. Every key is a file that only its owner can read.
"""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tabmux.bridge import proofs
from tabmux.bridge.proofs import SharedKey
from tabmux.errors import Misuse
from tabmux.folders import data_folder, make_private
from tabmux.json_text import decoded

logger = logging.getLogger(__name__)

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
    """At most one offer, in a file: the command line makes it, whichever server runs uses it."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def offer(self, name: str = "", seconds: float = CODE_SECONDS) -> PairingOffer:
        """Make a code; an earlier one is void."""
        made = PairingOffer(proofs.new_code(), name, time.time() + seconds)
        self.withdraw()
        _write_private(self._file, json.dumps(vars(made)))
        return made

    def pending(self) -> PairingOffer | None:
        """Return the code that may be used now."""
        with suppress(OSError, ValueError, TypeError, Misuse):
            offer = PairingOffer(**decoded(_read_private(self._file)))
            if time.time() < offer.expires:
                return offer
            self.withdraw()
        return None

    def withdraw(self) -> None:
        """Make the code void."""
        self._file.unlink(missing_ok=True)


@dataclass(frozen=True)
class PairedKey:
    """One key, and whose it is."""

    key: SharedKey
    name: str
    browser: str = ""
    profile: str = ""
    since: str = ""


class PairedKeys:
    """The keys in a folder; read anew each time, since other processes pair and revoke too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[PairedKey]:
        """Return every key, oldest first."""
        found = [self.find(file.stem) for file in sorted(self.folder.glob("*.json"))]
        return sorted((each for each in found if each is not None), key=lambda each: each.since)

    def find(self, key_id: object) -> PairedKey | None:
        """Return a key by its id."""
        if not isinstance(key_id, str) or not proofs.is_key_id(key_id):
            return None
        return _read_key(self._file(key_id))

    def has(self, key_id: str) -> bool:
        """Whether a key has not been revoked."""
        return self._file(key_id).exists()

    def of_token(self, token: str) -> PairedKey | None:
        """Return the key whose secret somebody shows."""
        matching = [each for each in self.all() if proofs.are_equal_secrets(each.key.token, token)]
        return matching[0] if matching else None

    def add(self, key: SharedKey, name: str, browser: str = "", profile: str = "") -> PairedKey:
        """Keep a key; a name that is taken gets a number, and a profile's earlier key goes."""
        for each in self.all():
            if profile and each.profile == profile:
                self.forget(each.key.id)
        since = datetime.now(UTC).isoformat()
        paired = PairedKey(key, self._free_name(name), browser, profile, since)
        fields = {
            "id": key.id, "secret": key.token, "name": paired.name,
            "browser": browser, "profile": profile, "since": since,
        }  # fmt: skip
        _write_private(self._file(key.id), json.dumps(fields))
        return paired

    def remove(self, name: str) -> PairedKey:
        """Forget a key, by its name or its id."""
        for each in self.all():
            if name in (each.name, each.key.id):
                self.forget(each.key.id)
                return each
        known = ", ".join(each.name for each in self.all()) or "none"
        raise Misuse(f"No extension is paired as {name!r}.", hint=f"Paired: {known}.")

    def forget(self, key_id: str) -> None:
        """Forget a key by its id; nothing happens when it is forgotten already."""
        if proofs.is_key_id(key_id):
            self._file(key_id).unlink(missing_ok=True)

    def _free_name(self, name: str) -> str:
        taken = {each.name for each in self.all()}
        wanted, number = name or "browser", 1
        while (free := wanted if number == 1 else f"{wanted}-{number}") in taken:
            number += 1
        return free

    def _file(self, key_id: str) -> Path:
        return self.folder / f"{key_id}.json"


def user_pairing() -> PairingFile:
    """Return the pairing of this user."""
    return PairingFile(Path(data_folder()) / "bridge" / "pairing.json")


def user_keys() -> PairedKeys:
    """Return the keys of this user."""
    return PairedKeys(Path(data_folder()) / "bridge" / "keys")


def _write_private(file: Path, text: str) -> None:
    """Write a file that did not exist, for its owner alone."""
    make_private(file.parent)
    file.parent.chmod(0o700)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as handle:
        handle.write(text)


def _read_private(file: Path) -> str:
    """Read a file that only its owner may read; one that others may read is refused."""
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8") as handle:
        if os.fstat(handle.fileno()).st_mode & 0o077:
            raise Misuse(f"Others can read the secret in {file}.", hint=f"Run chmod 600 {file}.")
        return handle.read()


def _read_key(file: Path) -> PairedKey | None:
    """Read a key; a file that is none, or that others can read, is passed over."""
    try:
        fields = decoded(_read_private(file))
        secret = proofs.decode(fields.pop("secret"))
        key = SharedKey(fields.pop("id"), secret)
        if len(secret) == 32 and key.id == file.stem:
            return PairedKey(key, **fields)
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        logger.warning("%s holds no key: %s", file, error)
    except Misuse as error:
        logger.warning("%s It is not used. %s", error.message, error.hint)
    return None
