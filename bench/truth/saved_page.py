"""Saved page: a real page that comes with a package, and which half it belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Registry = Literal["npm", "pypi", "debian"]
Half = Literal["develop", "held-out"]


def half_of(name: str) -> Half:
    """Which half something belongs to: by its name, so that nobody chooses."""
    return "develop" if sha256(name.encode()).digest()[0] % 2 == 0 else "held-out"


@dataclass(frozen=True)
class SavedPage:
    """A page of a package.

    Attributes:
        path: In the package, without the folder that its archive begins with.
        archive: The file in the registry, where the version does not say which.
    """

    registry: Registry
    package: str
    version: str
    path: str
    archive: str = ""

    @property
    def name(self) -> str:
        """As in reports."""
        return f"{self.package} {self.path}"

    @property
    def half(self) -> Half:
        """Which half it belongs to."""
        return half_of(self.name)

    @property
    def folder(self) -> str:
        """Where its package is unpacked."""
        return f"saved/{self.registry}/{self.package.replace('/', '+')}-{self.version}"

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"/{self.folder}/{self.path}"
