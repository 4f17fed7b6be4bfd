"""Stores: every source that a secret can have, holding canaries.

The keyring is a real one of the library's, in a file; `op` and `bw` are programs that take the
arguments of the real ones and write as they do.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import keyring
import keyrings.alt.file  # type: ignore[import-untyped]

from tests.secrets.canaries import CODE, PASSWORD, USER, Canaries, new_seed, secret_table

# As `op` 2 does: the value without an end of line when told so, complaints with a time and a code.
OP = """#!{python}
import json, sys
known = json.load(open({values!r}))["op"]
assert sys.argv[1:3] == ["read", "--no-newline"], sys.argv
value = known.get(sys.argv[3])
if value is None:
    sys.exit(f"[ERROR] 2026/11/16 12:00:00 could not read secret '{{sys.argv[3]}}': op-canary")
sys.stdout.buffer.write(value.encode())
"""
# As `bw` does: the bare value where it writes to a pipe, a coloured complaint, never a question.
BW = """#!{python}
import json, sys
known = json.load(open({values!r}))["bw"]
assert sys.argv[1:3] == ["--nointeraction", "get"], sys.argv
value = known.get(" ".join(sys.argv[3:5]))
if value is None:
    sys.stderr.write("\\x1b[31mNot found.\\x1b[39m")
    sys.exit(1)
sys.stdout.buffer.write(value.encode())
"""
OP_ITEM, OP_CODE = "op://Work/Shop", "one-time password?attribute=otp"
_ENVIRONMENT = {"username": f"env:{USER}", "password": f"env:{PASSWORD}"}


class Stores:
    """All sources; each page's canaries are kept in one or in all of them.

    Args:
        folder: Where the programs and the files are.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._values = folder / "values.json"
        # An otpauth address stands in the settings themselves, so its seed is one for the run.
        self.seed = new_seed()
        for name, text in (("op", OP), ("bw", BW)):
            program = folder / name
            program.write_text(text.format(python=sys.executable, values=str(self._values)))
            program.chmod(0o700)
        quoted = shlex.quote(str(folder))
        self.sources: dict[str, dict[str, str]] = {
            "env": {**_ENVIRONMENT, "totp": f"env:{CODE}"},
            "keyring": {part: f"keyring:tabmux/shop/{part}" for part in _PARTS},
            "op": {
                "username": f"{OP_ITEM}/username",
                "password": f"{OP_ITEM}/password",
                "totp": f"{OP_ITEM}/{OP_CODE}",
            },
            "bw": dict.fromkeys(_PARTS, "bw:Shop"),
            "otpauth": {**_ENVIRONMENT, "totp": address(self.seed)},
            "command": {part: f"command:cat {quoted}/{part}" for part in _PARTS},
        }

    def tables(self, *origins: str) -> tuple[tuple[tuple[str, Any], ...], ...]:
        """Return a [[secret]] table for each source, named as it is."""
        made = (
            {**dict(secret_table(*origins, **parts)), "name": name}
            for name, parts in self.sources.items()
        )
        return tuple(tuple(sorted(each.items())) for each in made)

    def canaries(self, source: str) -> Canaries:
        """Make values and put them where the source looks."""
        made = Canaries(seed=self.seed) if source == "otpauth" else Canaries()
        made.keep()
        parts = {"username": made.username, "password": made.password, "totp": made.code}
        kept = {
            "op": {reference: parts[part] for part, reference in self.sources["op"].items()},
            "bw": {f"{part} Shop": value for part, value in parts.items()},
        }
        self._values.write_text(json.dumps(kept))
        for part, value in parts.items():
            (self.folder / part).write_text(value)
        # A keyring keeps the seed, of which the code is made.
        for part, value in {**parts, "totp": address(made.seed)}.items():
            keyring.set_password("tabmux/shop", part, value)
        return made


_PARTS = ("username", "password", "totp")


def address(seed: str) -> str:
    """Return a seed as authenticators are given it; codes of eight digits are rare in texts."""
    return f"otpauth://totp/Shop:ann?secret={seed}&issuer=Shop&digits=8"


@contextmanager
def stores(folder: Path) -> Iterator[Stores]:
    """Put the programs into the path and a keyring in a file into the library's place."""
    path, before = os.environ["PATH"], keyring.get_keyring()
    own = keyrings.alt.file.PlaintextKeyring()
    own.file_path = str(folder / "keyring.cfg")
    keyring.set_keyring(own)
    os.environ["PATH"] = f"{folder}{os.pathsep}{path}"
    try:
        yield Stores(folder)
    finally:
        os.environ["PATH"] = path
        keyring.set_keyring(before)
