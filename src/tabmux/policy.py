"""May this URL or file be used? Pure decisions, made before anything happens."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tabmux.errors import BadArguments, Refused

_SECRET_HEADERS = frozenset(
    {
        "authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key",
        "x-auth-token", "x-csrf-token", "x-xsrf-token", "www-authenticate",
    }
)  # fmt: skip

OPEN_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})


def redacted(header: str, value: str) -> str:
    """Return a header's value, unless it is a credential."""
    name = header.lower()
    secret = name in _SECRET_HEADERS or name.endswith(("-token", "-secret", "-api-key"))
    return "<redacted>" if secret else value


@dataclass(frozen=True)
class UrlPolicy:
    """Which addresses a tab may be sent to."""

    allowed_schemes: frozenset[str] = OPEN_SCHEMES

    def check(self, url: str) -> str:
        """Return the URL to use, or raise why it may not be used."""
        text = url.strip()
        parts = _split(text)
        if not parts.scheme:
            raise BadArguments(
                f"{url!r} is not a complete URL.", hint=f"Did you mean https://{text} ?"
            )
        if parts.scheme not in self.allowed_schemes:
            raise Refused(
                f"Navigating to {parts.scheme}: URLs is not allowed.",
                hint=f"Start tabmux with --allow-scheme {parts.scheme} to permit it.",
            )
        if parts.scheme in ("http", "https") and not parts.hostname:
            raise BadArguments(f"{url!r} names no host.")
        return text


@dataclass(frozen=True)
class FilePolicy:
    """Which folders may be read from and written to."""

    roots: Sequence[Path] = ()

    @classmethod
    def of(cls, paths: Iterable[str | Path]) -> FilePolicy:
        """Allow these folders and the temporary one."""
        return cls([Path(p).expanduser().resolve() for p in (*paths, tempfile.gettempdir())])

    def readable(self, path: str) -> Path:
        """Return an existing file inside the roots."""
        found = self._inside(path)
        if not found.is_file():
            raise BadArguments(f"There is no file {path}.")
        return found

    def writable(self, path: str) -> Path:
        """Return where to write, inside the roots; links are resolved first."""
        found = self._inside(path)
        if found.is_dir():
            raise BadArguments(f"{path} is a folder.", hint="Name a file in it.")
        return found

    def _inside(self, path: str) -> Path:
        # resolve() follows every link, also those of the parents of a file yet to be made.
        found = Path(path).expanduser().resolve()
        if not any(found.is_relative_to(root) for root in self.roots):
            allowed = ", ".join(str(root) for root in self.roots)
            raise Refused(
                f"The path {path} is outside the allowed folders.",
                hint=f"Use one of: {allowed}; or start tabmux with --allow-path.",
            )
        return found


def _split(text: str) -> _Parts:
    try:
        parts = urlsplit(text)
        return _Parts(parts.scheme.lower(), parts.hostname or "")
    except ValueError as error:
        raise BadArguments(f"{text!r} is not a valid URL: {error}.") from error


@dataclass(frozen=True)
class _Parts:
    scheme: str
    hostname: str
