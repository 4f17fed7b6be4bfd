"""A backend whose connections go on in the next server, as far as answers are concerned."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from tests.mcp.fake_backend import FakeBackend


@dataclass
class KeepingBackend(FakeBackend):
    """Notes whose clients have their answers."""

    answers: list[str] = field(default_factory=list)
    keeps_connections: bool = True
    signing_key: bytes = b"key"

    def new_id(self) -> str:
        return secrets.token_urlsafe(24)

    async def written(self) -> None:
        pass

    def connection(self, ident: str) -> bytes | None:
        return None

    def keep_connection(self, ident: str, row: bytes) -> None:
        pass

    def drop_connection(self, ident: str) -> None:
        pass

    def answered(self, key: str) -> None:
        self.answers.append(key)

    def unanswered(self, prefix: str) -> list[str]:
        return []
