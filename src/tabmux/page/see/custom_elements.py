"""Custom elements: what they say of themselves, as Chrome's accessibility tree tells it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from tabmux.errors import TabmuxError
from tabmux.page.frame_tree import Frame

ASK_SECONDS = 3.0
# Chrome's words for what has no meaning of its own.
_NOTHING = frozenset({"generic", "none", "GenericContainer", "unknown", ""})
_ROLES = {"image": "img"}
_STATES = frozenset({
    "checked", "pressed", "selected", "expanded", "disabled", "required", "readonly", "modal",
    "busy", "multiselectable", "invalid", "valuemin", "valuemax", "valuetext", "haspopup",
})  # fmt: skip


async def learn(frame: Frame, labels: Sequence[int]) -> bool:
    """Ask what custom elements are; returns whether the walker learned anything.

    A component may give itself a role, a name and states that only Chrome can read.
    """
    try:
        nodes = await _elements(frame, labels)
        answers = await asyncio.gather(
            *(_semantics(frame, node) for node in nodes), return_exceptions=True
        )
        told = [answer if isinstance(answer, dict) else None for answer in answers]
        return bool(await frame.call("noteSemantics", list(labels), told))
    except TabmuxError:
        return False  # the document has gone


async def _elements(frame: Frame, labels: Sequence[int]) -> list[str]:
    """Return Chrome's handles of labelled elements."""
    array = await frame.element("lookUpAll", list(labels))
    asked = {"objectId": array, "ownProperties": True}
    found = (await frame.channel.call("Runtime.getProperties", asked))["result"]
    by_place = {
        each["name"]: each["value"].get("objectId", "") for each in found if "value" in each
    }
    return [by_place.get(str(place), "") for place in range(len(labels))]


async def _semantics(frame: Frame, node: str) -> dict[str, Any] | None:
    asked = {"objectId": node, "fetchRelatives": False}
    answer = await frame.channel.call("Accessibility.getPartialAXTree", asked, timeout=ASK_SECONDS)
    [found, *_] = answer["nodes"]
    role = str(found.get("role", {}).get("value", ""))
    if found.get("ignored") or role in _NOTHING:
        return None
    states = {
        each["name"]: value
        for each in found.get("properties", ())
        if each["name"] in _STATES and (value := _state(each)) is not None
    }
    value = found.get("value", {}).get("value")
    return {
        "role": _ROLES.get(role, role),
        "name": found.get("name", {}).get("value", ""),
        "value": None if value is None else str(value),
        "states": states,
    }


def _state(told: dict[str, Any]) -> Any:
    """Return a state as the walker has it; None where there is nothing to tell."""
    value = told["value"].get("value")
    if told["name"] == "expanded":
        return value
    value = True if value == "true" else value
    return None if value in (False, "false", "") else value
