"""File policy: which files may be read and written."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabmux.errors import BadArguments, Refused

# Not files, although they have names: no root makes them so.
_SYSTEM_FOLDERS = tuple(map(Path, ("/proc", "/sys", "/dev")))
_NO_PLAIN_PATH = re.compile(r"[\x00-\x1f\x7f]|^[A-Za-z]:[\\/]|\\|^[A-Za-z][A-Za-z0-9+.\-]+:/")


@dataclass(frozen=True)
class FilePolicy:
    """Which folders may be read from and written to."""

    roots: Sequence[Path] = ()

    @classmethod
    def of(cls, paths: Iterable[str | Path]) -> FilePolicy:
        """Allow these folders and the temporary one."""
        return cls([Path(p).expanduser().resolve() for p in (*paths, tempfile.gettempdir())])

    def joined(self, paths: Iterable[Path]) -> FilePolicy:
        """Return a policy that allows these folders, too."""
        more = [path.resolve() for path in paths if path.is_absolute()]
        return replace(self, roots=[*self.roots, *(p for p in more if p not in self.roots)])

    def readable(self, path: str) -> Path:
        """Return an existing file inside the roots."""
        found = self._inside(path)
        status = _status(found)
        if status is None or not stat.S_ISREG(status.st_mode):
            raise BadArguments(f"There is no file {path}.")
        if status.st_nlink > 1:
            raise Refused(
                f"{path} has a second name (a hard link), perhaps outside the allowed folders.",
                hint="Copy it and use the copy.",
            )
        return found

    def writable(self, path: str) -> Path:
        """Return where to write, inside the roots; links are resolved first."""
        found = self._inside(path)
        status = _status(found)
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise BadArguments(f"{path} is a folder.", hint="Name a file in it.")
        if status is not None and not stat.S_ISREG(status.st_mode):
            raise Refused(f"{path} is not an ordinary file.")
        return found

    def _inside(self, path: str) -> Path:
        if not path or _NO_PLAIN_PATH.search(path):
            raise BadArguments(
                f"{path!r} is not a path.", hint="Give a plain path with forward slashes."
            )
        try:
            # resolve() follows every link, also those of the parents of a file yet to be made.
            found = Path(path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise BadArguments(f"{path!r} is not a usable path: {error}.") from error
        if not self._allows(found):
            allowed = ", ".join(str(root) for root in self.roots)
            literal = " (~ is not expanded)" if path.startswith("~") else ""
            raise Refused(
                f"The path {path} is outside the allowed folders{literal}.",
                hint=f"Use one of: {allowed}; or start tabmux with --allow-path.",
            )
        return found

    def _allows(self, path: Path) -> bool:
        if any(path.is_relative_to(special) for special in _SYSTEM_FOLDERS):
            return False
        return any(path.is_relative_to(root) and path != root for root in self.roots)


def _status(path: Path) -> os.stat_result | None:
    """Return what the system says of a path; None when there is nothing."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise BadArguments(f"{path} is not a usable path: {error}.") from error
