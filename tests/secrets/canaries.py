"""Canaries: values that must be seen nowhere, and every form in which they are looked for."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus

import pyotp

USER, PASSWORD, CODE = "TABMUX_TEST_USER", "TABMUX_TEST_PASSWORD", "TABMUX_TEST_CODE"


# How many codes of a seed are looked for: those of the last minutes, and the next.
_CODES_BEFORE, _CODE_SECONDS = 8, 30


def new_seed() -> str:
    """Return a seed of one-time codes."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


@dataclass(frozen=True)
class Canaries:
    """The values of one login; each is a new one."""

    username: str = field(default_factory=lambda: f"u{secrets.token_hex(4)}@canary.example")
    password: str = field(
        default_factory=lambda: f'P"{secrets.token_hex(5)}&é /+<{secrets.token_hex(3)}'
    )
    code: str = field(default_factory=lambda: str(secrets.randbelow(90_000_000) + 10_000_000))
    seed: str = field(default_factory=new_seed)

    def keep(self) -> None:
        """Put them where the secret's sources look."""
        os.environ.update({USER: self.username, PASSWORD: self.password, CODE: self.code})

    def seen_in(self, data: str | bytes) -> list[str]:
        """Return which values are in what was shown, and how."""
        shown = data if isinstance(data, bytes) else data.encode(errors="surrogatepass")
        found = [
            f"{name} {form}: {text!r}"
            for name, value in vars(self).items()
            for form, text in forms(value).items()
            if text.encode() in shown
        ]
        # A letter in each of several elements.
        letters = b"".join(re.findall(rb'uid=\S+ (?:button|StaticText) "(.)"', shown))
        spelled = [name for name, value in vars(self).items() if _longest_word(value) in letters]
        found += [f"{name} in letters" for name in spelled]
        # In longer numbers, such as times, a code is one by chance.
        codes = "|".join(self._codes()).encode()
        made = re.findall(rb"(?<![\d.])(?:%s)(?!\d)" % codes, shown)
        return found + [f"code of the seed: {each!r}" for each in made]

    def _codes(self) -> list[str]:
        now, made = int(time.time()), pyotp.TOTP(self.seed, digits=8)
        return [made.at(now + _CODE_SECONDS * step) for step in range(-_CODES_BEFORE, 2)]


def _longest_word(value: str) -> bytes:
    words: list[str] = re.findall("[A-Za-z0-9]+", value)
    return max(words, key=len).encode()


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
        "underscores": "_".join(value),
        "object": json.dumps(dict(enumerate(value)), ensure_ascii=False),
        "indented object": json.dumps(dict(enumerate(value)), ensure_ascii=False, indent=4)[1:-1],
        "codes": json.dumps(dict(enumerate(data)), separators=(",", ":"))[1:-1],
        "wide": "".join(chr(ord(c) + 65248) if " " < c <= "~" else c for c in value),
        "base64 twice": base64.b64encode(base64.b64encode(data)).decode().rstrip("=")[:-2],
    }


def secret_table(
    *origins: str, approve: str = "always", **parts: str
) -> tuple[tuple[str, Any], ...]:
    """Return a [[secret]] table named shop, as the settings keep it."""
    usual = {"username": f"env:{USER}", "password": f"env:{PASSWORD}", "totp": f"env:{CODE}"}
    table = {"name": "shop", "origins": origins, "approve": approve, **(parts or usual)}
    return tuple(sorted(table.items()))
