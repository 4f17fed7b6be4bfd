"""How each family of servers calls its tools and writes its snapshots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bench import verbs

References = Mapping[verbs.Element, str]


@dataclass(frozen=True)
class Call:
    """A tool and its arguments."""

    tool: str
    arguments: dict[str, Any]


class Dialect(Protocol):
    """Turns verbs into tool calls, and finds elements in a snapshot's text."""

    def call(self, verb: verbs.Verb, references: References, page: int | None) -> Call:
        """The tool call that says this verb."""

    def references(self, snapshot: str, role: str) -> dict[str, str]:
        """The references of all elements of a role, by name."""

    def page(self, text: str, url: str) -> int | None:
        """The id of the page that shows a URL, if the server's answer lists it."""


@dataclass(frozen=True)
class Devtools:
    """chrome-devtools-mcp's tools, which are tabmux's too.

    Args:
        selects: The session has a page of its own, which the first call opens.
    """

    selects: bool

    def call(self, verb: verbs.Verb, references: References, page: int | None) -> Call:
        """The tool call that says this verb."""
        call = self._call(verb, references)
        if page is not None and call.tool != "new_page":
            call.arguments["pageId"] = page
        return call

    def references(self, snapshot: str, role: str) -> dict[str, str]:
        """The uids of all elements of a role, by name."""
        found = re.findall(rf'^\s*uid=(\S+) {role} "([^"\n]*)"', snapshot, re.MULTILINE)
        return {name: uid for uid, name in found}

    def page(self, text: str, url: str) -> int | None:
        """The id at the start of the line that names the URL."""
        found = re.search(rf"^\W*(\d+): .*?{re.escape(url)}(?!\d)", text, re.MULTILINE)
        return int(found[1]) if found else None

    def _call(self, verb: verbs.Verb, references: References) -> Call:
        match verb:
            case verbs.Click(element):
                return Call("click", {"uid": references[element]})
            case verbs.Fill(values):
                return self._fill([{"uid": references[field], "value": v} for field, v in values])
            case verbs.PressKey(key):
                return Call("press_key", {"key": key})
            case verbs.Evaluate(function):
                return Call("evaluate_script", {"function": function})
            case verbs.WaitFor(text, seconds):
                return Call("wait_for", {"text": [text], "timeout": seconds * 1000})
            case verbs.Snapshot():
                return Call("take_snapshot", {})
            case verbs.Screenshot():
                return Call("take_screenshot", {"format": "png"})
            case _:
                return self._visit(verb)

    def _visit(self, verb: verbs.Visit) -> Call:
        if isinstance(verb, verbs.Navigate) or (isinstance(verb, verbs.Open) and self.selects):
            return Call("navigate_page", {"type": "url", "url": verb.url})
        return Call("new_page", {"url": verb.url})

    @staticmethod
    def _fill(fields: list[dict[str, str]]) -> Call:
        if len(fields) == 1:
            return Call("fill", dict(fields[0]))
        return Call("fill_form", {"elements": fields})


@dataclass(frozen=True)
class Playwright:
    """@playwright/mcp's tools, which act on the session's current tab."""

    def call(self, verb: verbs.Verb, references: References, page: int | None) -> Call:
        """The tool call that says this verb."""
        match verb:
            case verbs.Click(element):
                return Call("browser_click", {"target": references[element]})
            case verbs.Fill(values):
                return self._fill(values, references)
            case verbs.PressKey(key):
                return Call("browser_press_key", {"key": key})
            case verbs.Evaluate(function):
                return Call("browser_evaluate", {"function": function})
            case verbs.WaitFor(text):
                return Call("browser_wait_for", {"text": text})
            case verbs.Snapshot():
                return Call("browser_snapshot", {})
            case verbs.Screenshot():
                return Call("browser_take_screenshot", {"type": "png", "scale": "css"})
            case verbs.Navigate(url):
                return Call("browser_navigate", {"url": url})
            case _:
                return Call("browser_tabs", {"action": "new", "url": verb.url})

    def references(self, snapshot: str, role: str) -> dict[str, str]:
        """The refs of all elements of a role, by name."""
        found = re.findall(rf'- {role} "([^"\n]*)"[^\n]*?\[ref=(\w+)\]', snapshot)
        return dict(found)

    def page(self, text: str, url: str) -> int | None:
        """Tabs have positions here, not ids."""
        return None

    @staticmethod
    def _fill(values: verbs.Values, references: References) -> Call:
        if len(values) == 1:
            ((field, value),) = values
            return Call("browser_type", {"target": references[field], "text": value})
        fields = [
            {"target": references[field], "name": field.name, "type": field.role, "value": value}
            for field, value in values
        ]
        return Call("browser_fill_form", {"fields": fields})
