"""File policy: which files may be read and written."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tabmux import folders
from tabmux.errors import BadArguments, Refused
from tabmux.policy.rule_source import RuleSource

# Not files, although they have names: no root makes them so.
_SYSTEM_FOLDERS = tuple(map(Path, ("/proc", "/sys", "/dev")))
_NO_PLAIN_PATH = re.compile(r"[\x00-\x1f\x7f]|^[A-Za-z]:[\\/]|\\|^[A-Za-z][A-Za-z0-9+.\-]+:/")


@dataclass(frozen=True)
class FileLimit:
    """A rule of the policy file: the only folders that may be used, beside the temporary one."""

    source: RuleSource
    roots: Sequence[Path]

    @classmethod
    def of(cls, source: RuleSource, folders: Iterable[Path]) -> FileLimit:
        """Make a rule of the folders of a section."""
        return cls(source, FilePolicy.of(folders).roots)


@dataclass(frozen=True)
class FilePolicy:
    """Which folders may be read from and written to.

    Args:
        roots: The folders.
        limits: Rules of the policy file, each of which must allow a path, too.
        kept: Files that no tool reads or writes, such as the policy file itself.
    """

    roots: Sequence[Path] = ()
    limits: tuple[FileLimit, ...] = ()
    kept: tuple[Path, ...] = ()

    @classmethod
    def of(cls, paths: Iterable[str | Path], *kept: str | None) -> FilePolicy:
        """Allow these folders and the temporary one, but not the files that are kept."""
        roots = [Path(p).expanduser().resolve() for p in (*paths, tempfile.gettempdir())]
        return cls(roots, kept=tuple(Path(each).expanduser().resolve() for each in kept if each))

    def joined(self, paths: Iterable[Path]) -> FilePolicy:
        """Return a policy that allows these folders, too."""
        more = [path.resolve() for path in paths if path.is_absolute()]
        return replace(self, roots=[*self.roots, *(p for p in more if p not in self.roots)])

    @property
    def names_folders(self) -> bool:
        """Whether the user named folders, beside the temporary one."""
        return len(self.roots) > 1

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
        self._refuse_beyond_limits(path, found)
        if found in self.kept or _is_inside(found, _own_folders()):
            raise Refused(f"The path {path} is tabmux's own.", hint="Use another folder.")
        return found

    def _allows(self, path: Path) -> bool:
        if any(path.is_relative_to(special) for special in _SYSTEM_FOLDERS):
            return False
        return _is_inside(path, self.roots)

    def _refuse_beyond_limits(self, path: str, found: Path) -> None:
        for limit in self.limits:
            if not _is_inside(found, limit.roots):
                raise Refused(
                    f"The path {path} is outside the folders of {limit.source}.",
                    hint=f"Use one of: {', '.join(map(str, limit.roots))}.",
                    rule=limit.source,
                )


def _own_folders() -> list[Path]:
    return [Path(os.path.realpath(each)) for each in folders.own_folders()]


def _is_inside(path: Path, roots: Iterable[Path]) -> bool:
    return any(path.is_relative_to(root) and path != root for root in roots)


def _status(path: Path) -> os.stat_result | None:
    """Return what the system says of a path; None when there is nothing."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise BadArguments(f"{path} is not a usable path: {error}.") from error
