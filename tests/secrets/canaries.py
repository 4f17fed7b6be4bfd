"""Canaries: values that must be seen nowhere, and every form in which they are looked for."""

from __future__ import annotations

import base64
import html
import json
import os
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus

USER, PASSWORD, CODE = "TABMUX_TEST_USER", "TABMUX_TEST_PASSWORD", "TABMUX_TEST_CODE"


@dataclass(frozen=True)
class Canaries:
    """The values of one login; each is a new one."""

    username: str = field(default_factory=lambda: f"u{secrets.token_hex(4)}@canary.example")
    password: str = field(
        default_factory=lambda: f'P"{secrets.token_hex(5)}&é /+<{secrets.token_hex(3)}'
    )
    code: str = field(default_factory=lambda: str(secrets.randbelow(90_000_000) + 10_000_000))

    def keep(self) -> None:
        """Put them where the secret's sources look."""
        os.environ.update({USER: self.username, PASSWORD: self.password, CODE: self.code})

    def seen_in(self, data: str | bytes) -> list[str]:
        """Return which values are in what was shown, and how."""
        shown = data if isinstance(data, bytes) else data.encode(errors="surrogatepass")
        return [
            f"{name} {form}: {text!r}"
            for name, value in vars(self).items()
            for form, text in forms(value).items()
            if text.encode() in shown
        ]


def forms(value: str) -> dict[str, str]:
    """Return a value as texts may show it; written apart from what hides it."""
    data = value.encode()
    return {
        "raw": value,
        "upper": value.upper(),
        "reversed": value[::-1],
        "url": quote(value, safe=""),
        "url in lower case": quote(value, safe="").lower(),
        "component": quote(value, safe="!'()*~"),
        "plus": quote_plus(value),
        "twice": quote(quote(value, safe=""), safe=""),
        "json": json.dumps(value)[1:-1],
        "plain json": json.dumps(value, ensure_ascii=False)[1:-1],
        "json in json": json.dumps(json.dumps(value))[3:-3],
        "html": html.escape(value),
        "entities": "".join(f"&#{ord(char)};" for char in value),
        "hex": data.hex(),
        "base64": base64.b64encode(data).decode().rstrip("=")[:-1],
        "base64 after 1": base64.b64encode(b":" + data).decode()[2:-4],
        "base64 after 2": base64.b64encode(b"a:" + data).decode()[3:-4],
        "base64url": base64.urlsafe_b64encode(data).decode().rstrip("=")[:-1],
        "spaced": " ".join(value),
        "letters": json.dumps(list(value)),
    }


def secret_table(
    *origins: str, approve: str = "always", **parts: str
) -> tuple[tuple[str, Any], ...]:
    """Return a [[secret]] table named shop, as the settings keep it."""
    usual = {"username": f"env:{USER}", "password": f"env:{PASSWORD}", "totp": f"env:{CODE}"}
    table = {"name": "shop", "origins": origins, "approve": approve, **(parts or usual)}
    return tuple(sorted(table.items()))
