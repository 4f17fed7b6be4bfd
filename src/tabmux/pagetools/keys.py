"""What the parameters that set fields are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tabmux.pagetools.language import lexicon, words
from tabmux.pagetools.language.words import vocabulary

if TYPE_CHECKING:
    from tabmux.pagetools.derive.fields import Field

TEXTS = vocabulary(
    """text search tel url email password number range date time datetime-local month week color
    textarea editable combobox"""
)
_COMPLETIONS = {
    "email": "email", "username": "username", "current-password": "password",
    "new-password": "new_password", "given-name": "first_name", "family-name": "last_name",
    "name": "name", "tel": "phone", "tel-national": "phone", "street-address": "street_address",
    "address-line1": "address_line_1", "address-line2": "address_line_2",
    "address-level2": "city", "address-level1": "state", "postal-code": "postal_code",
    "country": "country", "country-name": "country", "organization": "organization",
    "cc-number": "card_number", "cc-csc": "security_code", "cc-exp": "card_expiry",
    "cc-name": "card_name", "one-time-code": "code", "bday": "birthday",
}  # fmt: skip

_PREFIX = re.compile(r"^(?:txt|tb|ddl|cb|chk|rb|inp|input|fld|field|ctl\d*|edit|form|id)_(?=[a-z])")

_PREFIXES = {
    "confirm": vocabulary(
        """confirm confirmation repeat again verify retype reenter re wiederholen repetir"""
    ),
    "new": frozenset({"new", "neues", "nouveau", "nueva"}),
    "current": frozenset({"current", "old", "existing", "altes", "actuel", "actual"}),
}

_STOP = vocabulary(
    """a an the your my our please enter type select choose of to for in on by is are you and or
    e g eg ie with this that it"""
)


def key_of(made: Field, *, is_query: bool = False) -> str:
    """Return the name of the parameter that sets a field."""
    node = made.node
    if is_query:
        return "query"
    if made.kind in TEXTS and lexicon.CAPTCHA.search(made.about):
        return "captcha"
    completion = node.get("autocomplete").lower().split(" ")[-1]
    if completion in _COMPLETIONS and made.kind != "checkbox":
        return _COMPLETIONS[completion]
    if made.kind in ("password", "email"):
        return _prefixed(made)
    from_name = name_slug(node.get("name") or node.get("id"))
    from_label = label_slug(made.label)
    if from_label and (
        from_label.count("_") < 4 or not re.fullmatch(r"[a-z][a-z_]{2,24}", from_name)
    ):
        return "_".join(from_label.split("_")[:4])[:40].strip("_")
    return (from_name or made.kind.replace("-", "_"))[:40].strip("_")


def _prefixed(made: Field) -> str:
    """Tell apart the passwords, or addresses, of one form."""
    said = set(words.words(f"{made.label} {made.node.get('name')} {made.node.get('id')}"))
    for prefix, signs in _PREFIXES.items():
        if said & signs:
            return f"{prefix}_{made.kind}"
    return made.kind


def label_slug(text: str) -> str:
    """Return the words of a label that matter."""
    found = [word for word in words.words(text) if word not in _STOP]
    return "_".join(found or words.words(text))


def name_slug(name: str) -> str:
    """Return the words of a field's own name, without those of its framework."""
    name = re.split(r"[$.:]", name)[-1]
    found = words.slug(re.sub(r"\[\]|\[\d+\]", "", name))
    return _PREFIX.sub("", found)
