"""Form parts: forms in which several boxes have fields, and a button to send them, of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from tabmux.pagetools.collect.document_tree import Node
from tabmux.pagetools.derive.fields import Field
from tabmux.pagetools.derive.form_controls import is_submit_type
from tabmux.pagetools.derive.forms import Form
from tabmux.pagetools.language import words

# What stands in more boxes than these belongs to the rows of something.
_MOST_PARTS = 4
_LEVELS = 5
# So many things can be done with what is ticked.
_MOST_DONE = 6


def parts_of(form: Form) -> list[Form]:
    """Return what a form lets do: one thing, or one for each box that has all that this takes.

    A search beside a choice of what to do with what is ticked is another thing than that choice,
    though both are sent together.
    """
    buttons = [each for each in form.buttons if is_submit_type(each)]
    if form.bulk and 1 < len(buttons) <= _MOST_DONE:
        return _in_turn(form, buttons)
    if not form.is_form or len(buttons) < 2 or len(form.fields) < 2 or form.opener is not None:
        return [form]
    said = Counter(words.slug(each.name) for each in buttons)
    boxes = {each.ref: box for each in buttons if (box := _box_of(each, form, buttons)) is not None}
    inside = {ref: _within(form.fields, box) for ref, box in boxes.items()}
    if not 0 < len(boxes) <= _MOST_PARTS or any(count > 1 for count in said.values()):
        return [form]
    taken = {each.node.ref for found in inside.values() for each in found}
    rest = [each for each in form.fields if each.node.ref not in taken]
    left = [each for each in form.buttons if each.ref not in boxes]
    typed = [each for each in rest if each.kind not in ("checkbox", "checkboxes")]
    if len(boxes) < 2 and not (typed and any(each in buttons for each in left)):
        return [form]
    made = [
        _part(form, boxes[each.ref], inside[each.ref], each)
        for each in buttons
        if each.ref in boxes
    ]
    if typed and left:
        made.append(replace(form, fields=rest, buttons=left, nodes=_nodes(rest, left)))
    return made


def _in_turn(form: Form, buttons: Sequence[Node]) -> list[Form]:
    """Return what is done with what is ticked: each button takes the fields right before it."""
    made: list[Form] = []
    before = -1
    for each in sorted(buttons, key=lambda button: button.place):
        own = [field for field in form.fields if before < field.node.place < each.place]
        made.append(replace(form, fields=own, folded=[], buttons=[each], nodes=_nodes(own, [each])))
        before = each.place
    left = [field for field in form.fields if field.node.place > before]
    return made if not left and _are_different(buttons) else [form]


def _are_different(buttons: Sequence[Node]) -> bool:
    return len({words.slug(each.name) or each.name for each in buttons}) == len(buttons)


def _box_of(button: Node, form: Form, buttons: Sequence[Node]) -> Node | None:
    """Return the closest place around a button that has a field, if no other button is there."""
    for around in button.near(_LEVELS):
        if around is form.node or around.tag == "form":
            return None
        if any(each.node.within(around) for each in form.fields):
            alone = sum(each.within(around) for each in buttons) == 1
            return around if alone and around.tag not in ("tr", "tbody", "table", "li") else None
    return None


def _within(fields: Sequence[Field], box: Node) -> list[Field]:
    return [each for each in fields if each.node.within(box)]


def _part(form: Form, box: Node, fields: list[Field], button: Node) -> Form:
    part = Form(box, fields, [button], form.title, True, _nodes(fields, [button]), page=form.page)
    part.whole = form.node
    return part


def _nodes(fields: Sequence[Field], buttons: Sequence[Node]) -> list[Node]:
    return [node for each in fields for node in each.nodes or [each.node]] + list(buttons)
