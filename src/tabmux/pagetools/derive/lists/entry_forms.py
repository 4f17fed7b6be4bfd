"""Entry forms: tells the forms of list entries, which repeat, from those of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.derive.lists.lists import Listing
from tabmux.pagetools.language import words

# A form of a list is in as many of its entries, and in this share of them.
FEWEST_REPEATS = 2
REPEATED_SHARE = 0.4
_NUMBERS = re.compile(r"\d+")


def split_forms(
    found: Sequence[Form], lists: Sequence[Listing]
) -> tuple[list[Form], dict[int, list[Form]]]:
    """Return the forms of the page, and those of each list by the list's id.

    A form is a list's only if it repeats over the entries and has a button to press. Fields
    without a form stay with the page: a list says later which of them it offers.
    """
    owners = {entry.ref: (listing, entry.ref) for listing in lists for entry in listing.entries}
    held: dict[tuple[int, str], list[tuple[Form, int, Listing]]] = {}
    outside: list[Form] = []
    for form in found:
        around = (form.node, *form.node.ancestors())
        owner = next((owners[node.ref] for node in around if node.ref in owners), None)
        if owner is None or not form.is_form or form.submit is None:
            outside.append(form)
            continue
        listing, entry = owner
        held.setdefault((id(listing), _alike(form)), []).append((form, entry, listing))
    inside: dict[int, list[Form]] = {}
    for (ident, _), places in held.items():
        entries = {entry for _, entry, _ in places}
        known = len(places[0][2].detailed)
        form, _, listing = places[0]
        # In a table of things, a button alone is the row's, even if there is only one row.
        fewest = 1 if known == 1 and listing.is_table and not form.fields else FEWEST_REPEATS
        if len(entries) >= fewest and len(entries) >= REPEATED_SHARE * known:
            inside.setdefault(ident, []).extend(form for form, _, _ in places)
        else:
            outside += [form for form, _, _ in places]
    outside.sort(key=lambda form: form.node.place)
    return outside, inside


def _alike(form: Form) -> str:
    """Return the same for forms that do the same to different entries."""
    button = form.submit
    fields = ",".join(sorted(each.kind for each in form.fields))
    said = words.slug(button.name) or button.icon or button.classes if button else ""
    return f"{form.method}|{fields}|{_NUMBERS.sub('', said)}"
