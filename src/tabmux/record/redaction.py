"""Redaction: what of a call is not written down, and the names that stand in its place.

Pure: what a page was typed into and which fields it hides is known by those who ask.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from tabmux.json_text import decoded
from tabmux.policy.header_redaction import Redaction
from tabmux.record.parameter_names import parameter_name, placeholder

# Tools whose arguments are the page's own business, and may hold anything.
OPAQUE = frozenset({"execute_webmcp_tool", "execute_3p_developer_tool"})
# Tools that give values to what sites keep in the browser.
STORING = frozenset({"set_cookie", "set_storage_item"})
# Tools that type; where to is not known of one that failed.
TYPING = frozenset({"batch", "fill", "fill_form", "handle_dialog", "type_text"})
# Tools after which the page may show what a person typed.
WITHOUT_DIFF = frozenset({"request_human"})
LONGEST_TEXT = 20_000
LONGEST_KEY = 200
# Of all arguments of one call; what follows is left out.
MOST_CHARACTERS = 200_000
CUT = "…"
# More parameters than anybody would give.
MOST_HIDDEN = 200
_TYPED = frozenset({"value", "text", "promptText"})
# Numbers that are tabmux's own.
_ROUTING = frozenset({"browserIndex", "pageId"})
# Arguments that may come as JSON text.
_JSON = frozenset({"arguments", "elements", "extraHttpHeaders", "headers", "steps"})
_SECRET_WORDS = re.compile(
    r"pass(word|wd|phrase|code)?$|secret|token|api[-_]?key|credential|^pin$|otp|cvc|cvv|"
    r"^auth|^post_?data$|session[-_]?id|^sid$|^sig(nature)?$|^code$|private[-_]?key|client[-_]?assertion",
    re.IGNORECASE,
)
# No scheme is longer; without the limit a long word would be read again from each of its letters.
_URL = re.compile(r"[a-z][a-z0-9+.-]{0,20}://\S+", re.IGNORECASE)
_PAIR = re.compile(r"([?&#;])([\w.%-]{1,60})=([^&#\s\"'<>]+)")
_USER = re.compile(r"://[^/\s@\"'<>]{1,500}@")
REFERENCE = "$secret:"
HEADERS = Redaction()
_VALUE = "<hidden value>"


@lru_cache(1000)
def _is_secret(name: str) -> bool:
    """Whether the name of an argument or a header says that its value is a credential."""
    said = name != "secret" and _SECRET_WORDS.search(name) is not None
    return said or HEADERS.shown(name, "") != ""


@dataclass
class ArgumentRedaction:
    """Takes out of arguments what must not be written down, and keeps its names.

    Attributes:
        typed: Values that were typed where nobody is meant to read them.
        names: What the fields are called, by the path of their argument, such as `elements.0`.
        hides_typed: Whether nothing that was to be typed is kept, because it is not known where
            it went.
        hides_all: Whether no text and no number is kept at all.
        taken_out: What takes further values out of a text.
        hidden: The names of what was taken out.
    """

    typed: Collection[str] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    hides_typed: bool = False
    hides_all: bool = False
    taken_out: Callable[[str], str] = str
    hidden: list[str] = field(default_factory=list)
    _characters: int = 0

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as they are written down."""
        return self._members(given, "")

    def _value(self, key: str, value: Any, path: str) -> Any:
        inner = f"{path}.{key}" if path else key
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Mapping):
            return self._members(value, inner)
        if isinstance(value, list | tuple):
            return self._items(key, value, inner)
        if isinstance(value, int | float):
            return self._number(key, value, path)
        text = self._text(key, str(value), path)
        return text if self._takes(text) else CUT

    def _members(self, value: Mapping[str, Any], path: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, each in value.items():
            name = str(key)[:LONGEST_KEY]
            if not self._takes(name):
                found[CUT] = CUT
                break
            found[name] = self._value(name, each, path)
        return found

    def _items(self, key: str, value: Sequence[Any], path: str) -> list[Any]:
        found: list[Any] = []
        for number, each in enumerate(value):
            if not self._takes(""):
                found.append(CUT)
                break
            inner = f"{path}.{number}"
            is_object = isinstance(each, Mapping)
            found.append(self._members(each, inner) if is_object else self._value(key, each, inner))
        return found

    def _takes(self, text: str) -> bool:
        """Whether there is room for another text; each takes some, also when it is empty."""
        self._characters += len(text) + 16
        return self._characters <= MOST_CHARACTERS

    def _text(self, key: str, value: str, path: str) -> str:
        if value.startswith(REFERENCE) or not value:
            return value
        if key in _JSON and value.lstrip()[:1] in ("{", "["):
            return self._json(key, value, path)
        if self._is_hidden(key, value):
            return self._hide(self._field(key, value, path))
        name = self._field(key, value, path)
        return redacted_beginning(value, LONGEST_TEXT, lambda text: self._plain(name, text))

    def _number(self, key: str, value: float, path: str) -> Any:
        """Return a number, or what stands for it: cards and codes are numbers, too."""
        if not path and key in _ROUTING:
            return value
        text = str(value).removesuffix(".0")
        if not self._takes(text):
            return CUT
        # Shorter ones are looked for in no text.
        is_known = len(text) > 3 and self.taken_out(text) != text
        hides = is_known or self._is_hidden(key, text)
        return self._hide(self._field(key, text, path)) if hides else value

    def _is_hidden(self, key: str, value: str) -> bool:
        return (
            self.hides_all
            or value in self.typed
            or (self.hides_typed and key in _TYPED)
            or _is_secret(key)
        )

    def _field(self, key: str, value: str, path: str) -> str:
        """Return what the field is called that a value went into."""
        return self.names.get(path) or ("password" if value in self.typed else key)

    def _plain(self, name: str, text: str) -> str:
        """Return a text without what was typed, credentials and secrets."""
        for each in self.typed:
            if len(each) > 3:
                text = text.replace(each, placeholder(parameter_name(name)))
        if "://" in text:
            text = _URL.sub(lambda found: self.url(found[0]), text)
        return self.taken_out(text)

    def _json(self, key: str, text: str, path: str) -> str:
        """Redact what came as JSON text; one that cannot be read is hidden whole."""
        try:
            value = decoded(text, largest=LONGEST_TEXT)
        except ValueError:
            return self._hide(key)
        return json.dumps(self._value(key, value, path), ensure_ascii=False)

    def url(self, url: str) -> str:
        """Return an address without the credentials in it."""
        if not ("?" in url or "#" in url or "@" in url):
            return url
        try:
            parts = urlsplit(url)
            user, at, host = parts.netloc.rpartition("@")
        except ValueError:
            return url
        if at and user:
            parts = parts._replace(netloc=f"{self._hide('credentials')}@{host}")
        query, fragment = self._pairs(parts.query), self._pairs(parts.fragment)
        if not at and query == parts.query and fragment == parts.fragment:
            return url
        return urlunsplit(parts._replace(query=query, fragment=fragment))

    def _pairs(self, text: str) -> str:
        """Hide the values of a query whose names say that they are credentials."""
        if "=" not in text:
            return text
        return "&".join(self._pair(each) for each in text.split("&"))

    def _pair(self, pair: str) -> str:
        name, equals, value = pair.partition("=")
        plain = unquote(name)
        secret = value and (_SECRET_WORDS.search(plain) or unquote(value) in self.typed)
        return f"{name}{equals}{self._hide(plain)}" if secret else pair

    def _hide(self, text: str) -> str:
        name = parameter_name(text)
        if len(self.hidden) < MOST_HIDDEN and name not in self.hidden:
            self.hidden.append(name)
        return placeholder(name)


def redacted_beginning(text: str, longest: int, redacted: Callable[[str], str]) -> str:
    """Return the beginning of a text, redacted.

    As much again is looked at, so that nothing is missed of which only the beginning would be left;
    the rest of a long text is not: it costs everybody time.
    """
    read = text[: 2 * longest]
    found = redacted(read)
    if len(text) > len(read):
        # What stood at its end may be a part of something, and has moved forward.
        found = found[: max(0, len(found) - longest)]
    is_cut = len(text) > len(read) or len(found) > longest
    return f"{found[:longest]}{CUT}" if is_cut else found


def without_credentials(text: str) -> str:
    """Return a text without the credentials of addresses in it, whole ones and parts of them."""
    if "=" in text and ("?" in text or "#" in text):
        text = _PAIR.sub(_hidden_pair, text)
    return _USER.sub(f"://{placeholder('credentials')}@", text) if "@" in text else text


def _hidden_pair(found: re.Match[str]) -> str:
    mark, name = found[1], found[2]
    secret = _SECRET_WORDS.search(name) is not None
    return f"{mark}{name}={placeholder(parameter_name(name))}" if secret else found[0]


def without(text: str, values: Collection[str]) -> str:
    """Return a text without values that were typed, however the page spells them."""
    for each in values:
        if len(each) > 3:
            text = text.replace(each, _VALUE).replace(_in_addresses(each), _VALUE)
    return text


@lru_cache(1000)
def _in_addresses(value: str) -> str:
    return quote(value, errors="replace")
