"""Ordinary driver: does tasks with snapshots, clicks and fills, as an agent without page tools."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from bench.pagetools.driving.driver import Driver, Field, NoTool, Value, cell

TEXT_ROLES = ("textbox", "searchbox", "spinbutton", "combobox", "Date", "InputTime")
LEAD = 2
_LINE = re.compile(r'(?: *)(?:uid=(\S+) ?)?([^\s"]\S*)?(?: ?"((?:[^"\\]|\\.)*)")?(.*)')


@dataclass(frozen=True)
class Seen:
    """One line of a snapshot."""

    at: int
    uid: str
    role: str
    name: str
    rest: str

    @property
    def value(self) -> str | None:
        """What a field contains."""
        found = re.search(r'value="((?:[^"\\]|\\.)*)"', self.rest)
        return None if found is None else found[1]


class OrdinaryDriver(Driver):
    """Finds things in snapshots by their text."""

    async def press(self, text: str, within: str = "") -> None:
        """See `Driver`."""
        lines = await self._snapshot()
        each = (_named(lines, one, within) or _labelled(lines, one) for one in text.split("|"))
        target = next((one for one in each if one is not None), None)
        if target is None:
            raise NoTool(f"the snapshot has no {text!r}")
        self.said = await self._call("click", {"uid": target.uid})

    async def submit(self, values: Mapping[Field, Value], button: str = "") -> None:
        """See `Driver`."""
        lines = await self._snapshot()
        elements = [
            {"uid": _field(lines, label, value).uid, "value": _text(value)}
            for label, value in values.items()
        ]
        if elements:
            self.said = await self._call("fill_form", {"elements": elements})
        if not button:
            self.said = await self._call("press_key", {"key": "Enter"})
            return
        target = _named(lines, button, "")
        if target is None:
            raise NoTool(f"the snapshot has no {button!r}")
        self.said = await self._call("click", {"uid": target.uid})

    async def read(self) -> str:
        """See `Driver`."""
        return "\n".join(line.name for line in await self._snapshot() if line.name)

    async def texts(self) -> list[str]:
        """See `Driver`."""
        return [line.value for line in await self._snapshot() if line.value]

    async def choices(self) -> list[str]:
        """See `Driver`."""
        return [line.name for line in await self._snapshot() if line.uid and line.name][1:]

    async def _snapshot(self) -> list[Seen]:
        return read_snapshot(await self._call("take_snapshot", {}))


def read_snapshot(text: str) -> list[Seen]:
    """Read a snapshot of tabmux or chrome-devtools-mcp."""
    found = []
    for at, line in enumerate(text.splitlines()):
        if (match := _LINE.fullmatch(line)) is not None:
            name = (match[3] or "").replace('\\"', '"')
            found.append(Seen(at, match[1] or "", match[2] or "", name, match[4]))
    return found


def _named(lines: list[Seen], text: str, within: str) -> Seen | None:
    found = [line for line in lines if line.uid and cell(line.name) == cell(text)]
    if within:
        near = next((line.at for line in lines if cell(within) == cell(line.name)), 0)
        found.sort(key=lambda line: abs(line.at - near))
    return next(iter(found), None)


def _field(lines: list[Seen], label: Field, value: Value) -> Seen:
    fields = [line for line in lines if line.uid and line.role in TEXT_ROLES]
    if isinstance(label, int):
        if label <= len(fields):
            return fields[label - 1]
    elif isinstance(value, bool):
        for line in lines:
            if line.role in ("checkbox", "radio", "switch") and cell(line.name) == cell(label):
                return line
    elif (found := _labelled(lines, label)) is not None:
        return found
    raise NoTool(f"the snapshot has no field {label!r}")


def _labelled(lines: list[Seen], label: str) -> Seen | None:
    roles = (*TEXT_ROLES, "listbox")
    if not label:
        return next((line for line in lines if line.uid and line.role in roles), None)
    for line in lines:
        if line.role in roles and cell(label) in cell(line.name):
            return line
    said = [line for line in lines if not line.uid and cell(label) in cell(line.name)]
    for line in sorted(said, key=lambda each: len(each.name)):
        after = (each for each in lines if each.at > line.at and each.role in roles)
        close = next(after, None)
        if close is not None and close.at - line.at <= LEAD:
            return close
    return None


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(list(value))
