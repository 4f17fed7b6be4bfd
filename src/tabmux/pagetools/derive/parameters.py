"""Parameters: names and JSON schemas of what sets the fields of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tabmux.errors import BadArguments
from tabmux.pagetools.language import words
from tabmux.pagetools.model import POSITION, ToolControl
from tabmux.patterns import TextPattern

if TYPE_CHECKING:
    from tabmux.pagetools.derive.fields import Field
from typing import TYPE_CHECKING

from tabmux.pagetools.language import lexicon
from tabmux.pagetools.language.words import word_set

if TYPE_CHECKING:
    from tabmux.pagetools.derive.fields import Field

MOST_ENUM_VALUES = 40
MOST_EXAMPLES = 5
LONGEST_DESCRIPTION = 120
LONGEST_DEFAULT = 200
LONGEST_TITLE = 30
_FORMATS = {"email": "email", "url": "uri", "date": "date", "time": "time"}
_PATTERNS = {
    "month": r"^\d{4}-\d{2}$",
    "week": r"^\d{4}-W\d{2}$",
    "datetime-local": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$",
    "color": r"^#[0-9a-fA-F]{6}$",
}
Schema = dict[str, Any]

INDEX: Schema = {"type": "integer", "minimum": 1, "description": POSITION}
TEXT_KINDS = word_set(
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
_SHORT_NAMES = {"qty": "quantity", "desc": "description", "msg": "message", "addr": "address"}
# What frameworks hold all fields of a form in.
_HELD_IN = re.compile(r"^(?:values?|data|fields?|form|record|attributes|params|input)\[(\w+)\]$")
# A label may say much in letters that names are not written in.
_SPOKEN = re.compile(r"[^\W_]")
_PREFIX = re.compile(r"^(?:txt|tb|ddl|cb|chk|rb|inp|input|fld|field|ctl\d*|edit|form|id)_(?=[a-z])")
_PREFIXES = {
    "confirm": word_set(
        """confirm confirmation repeat again verify retype reenter re wiederholen repetir"""
    ),
    "new": frozenset({"new", "neues", "nouveau", "nueva"}),
    "current": frozenset({"current", "old", "existing", "altes", "actuel", "actual"}),
}
_IGNORED = word_set(
    """a an the your my our please enter type select choose of to for in on by is are you and or
    e g eg ie with this that it"""
)


def parameter_name(made: Field, *, is_query: bool = False) -> str:
    """Return the name of the parameter that sets a field."""
    node = made.node
    if is_query or made.kind == "search":
        return "query"
    if made.kind in TEXT_KINDS and lexicon.CAPTCHA.search(made.about):
        return "captcha"
    completion = node.get("autocomplete").lower().split(" ")[-1]
    if completion in _COMPLETIONS and made.kind != "checkbox":
        return _COMPLETIONS[completion]
    if made.kind in ("password", "email"):
        return _prefixed_name(made)
    from_name = name_slug(node.get("name") or node.get("id"))
    from_name = _SHORT_NAMES.get(from_name, from_name)
    from_label = label_slug(made.label)
    if from_label and (
        from_label.count("_") < 4 or not re.fullmatch(r"[a-z][a-z_]{2,24}", from_name)
    ):
        return "_".join(from_label.split("_")[:4])[:40].strip("_")
    return (from_name or made.kind.replace("-", "_"))[:40].strip("_")


def _prefixed_name(made: Field) -> str:
    """Tell apart the passwords, or addresses, of one form."""
    said = set(words.words(f"{made.label} {made.node.get('name')} {made.node.get('id')}"))
    for prefix, signs in _PREFIXES.items():
        if said & signs:
            return f"{prefix}_{made.kind}"
    return made.kind


def label_slug(text: str) -> str:
    """Return the words of a label that matter."""
    found = [word for word in words.words(text) if word not in _IGNORED]
    return "_".join(found or words.words(text))


def name_slug(name: str) -> str:
    """Return the words of a field's own name, without those of its framework."""
    name = re.split(r"[$.:]", _HELD_IN.sub(r"\1", name))[-1]
    found = words.slug(re.sub(r"\[\]|\[\d+\]", "", name))
    return _PREFIX.sub("", found)


def object_schema(properties: dict[str, Schema], required: Iterable[str]) -> Schema:
    """Return the schema of a tool."""
    wanted = [key for key in properties if key in set(required)]
    schema: Schema = {"type": "object", "properties": properties}
    if wanted:
        schema["required"] = wanted
    schema["additionalProperties"] = False
    return schema


def input_schema(controls: Iterable[ToolControl], *, index: bool = False) -> Schema:
    """Return the schema of a tool that sets these controls, of one item of a list or of none."""
    found = list(controls)
    properties: dict[str, Schema] = {"index": dict(INDEX)} if index else {}
    properties |= {each.key: each.schema for each in found}
    return object_schema(properties, ["index", *(each.key for each in found if each.required)])


def field_schema(field: Field, key: str) -> Schema:
    """Return what a field takes."""
    schema = _type_schema(field)
    if field.secret:
        schema["writeOnly"] = True
    if text := _field_description(field, key):
        schema["description"] = text
    if text != field.label and _SPOKEN.search(field.label) and not words.slug(field.label):
        schema["title"] = words.clean(field.label, LONGEST_TITLE)  # no key can say it
    return schema


def _type_schema(field: Field) -> Schema:
    kind, node = field.kind, field.node
    if kind == "checkbox":
        return {"type": "boolean", "default": node.has("c")}
    if kind in ("select", "radio", "listbox", "checkboxes"):
        return _choice_schema(field)
    if kind in ("number", "range"):
        return _number_schema(field)
    if kind == "file":
        return {"type": "string"}
    return _text_schema(field)


def _choice_schema(field: Field) -> Schema:
    labels = [option.label for option in field.options]
    one: Schema = {"type": "string"}
    if labels and len(labels) <= MOST_ENUM_VALUES:
        one["enum"] = labels
    elif labels:
        one["examples"] = labels[:MOST_EXAMPLES]
    if field.kind == "checkboxes" or field.node.has("m"):
        return {"type": "array", "items": one, "uniqueItems": True}
    if chosen := _chosen_label(field):
        one["default"] = chosen
    return one


def _chosen_label(field: Field) -> str:
    if field.kind == "radio":
        on = {node.ref for node in field.nodes or [field.node] if node.has("c")}
        return next((option.label for option in field.options if option.ref in on), "")
    labels = {option.label for option in field.options}
    chosen = [words.clean(text, 60) for text, _, state in field.node.options if "c" in state]
    return chosen[0] if chosen and chosen[0] in labels else ""


def _number_schema(field: Field) -> Schema:
    node = field.node
    step = node.get("step") or "1"
    whole = re.fullmatch(r"\d+(?:\.0+)?", step) is not None
    schema: Schema = {"type": "integer" if whole else "number"}
    for attribute, keyword in (("min", "minimum"), ("max", "maximum")):
        if (limit := _parse_number(node.get(attribute))) is not None:
            schema[keyword] = limit
    if (value := _parse_number(node.value)) is not None:
        schema["default"] = value
    return schema


def _parse_number(text: str) -> int | float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    if value != value or value in (float("inf"), float("-inf")):
        return None
    return int(value) if value.is_integer() else value


def _text_schema(field: Field) -> Schema:
    node, schema = field.node, Schema(type="string")
    if field.kind in _FORMATS:
        schema["format"] = _FORMATS[field.kind]
    if field.kind in _PATTERNS:
        schema["pattern"] = _PATTERNS[field.kind]
    elif pattern := _portable_pattern(node.get("pattern")):
        schema["pattern"] = pattern
    for attribute, keyword in (("minlength", "minLength"), ("maxlength", "maxLength")):
        if node.get(attribute).isdecimal() and int(node.get(attribute)) < 100_000:
            schema[keyword] = int(node.get(attribute))
    if field.options:
        schema["examples"] = [option.label for option in field.options[:MOST_EXAMPLES]]
    held = held_text(field)
    exact = len(held) <= LONGEST_DEFAULT and not node.has("w")
    if held and not field.secret and exact and field.kind != "search":
        schema["default"] = words.clean(held, LONGEST_DEFAULT)
    return schema


def held_text(field: Field) -> str:
    """Return the beginning of what a field holds now."""
    if field.kind == "editable":
        return " ".join(part for part in field.node.parts if isinstance(part, str))
    return field.node.value


def _portable_pattern(written: str) -> str:
    """Return a pattern of the page's that means the same to any reader, or none."""
    if not written or len(written) > 100 or re.search(r"\\[pP]\{|\(\?<|&&|--", written):
        return ""
    try:
        TextPattern(written)
    except BadArguments:
        return ""
    return f"^(?:{written})$"


def _field_description(field: Field, key: str) -> str:
    """Say what the key does not."""
    if field.kind == "file":
        return "Path of a local file"
    held = held_text(field)
    if (len(held) > LONGEST_DEFAULT or field.node.has("w")) and not field.secret:
        return f"Holds: {words.clean(held, LONGEST_DESCRIPTION - 10)}"
    if key == "captcha":
        return "Asks for a human"
    if (
        field.kind == "editable"
        or words.slug(field.label) == key
        or not _SPOKEN.search(field.label)
    ):
        placeholder = words.clean(field.node.get("placeholder"), 60)
        return placeholder if words.slug(placeholder) not in (key, "") else ""
    return words.clean(field.label, LONGEST_DESCRIPTION)
