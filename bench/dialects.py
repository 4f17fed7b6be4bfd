"""How each family of servers calls its tools and writes its snapshots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from bench import verbs
from bench.trouble import BenchError

References = Mapping[verbs.Element, str]
# Cheaper for the peers than one more snapshot.
READ_STATUS = verbs.Evaluate("() => document.querySelector('[role=status]').innerText")


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

    def request(self, text: str, path: str) -> int | None:
        """The number of the request for a path, if the server's answer lists it."""

    def form_task(self, values: verbs.Values, button: verbs.Element) -> tuple[verbs.Verb, ...]:
        """The cheapest way from a loaded form to having seen what came of it."""


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

    def request(self, text: str, path: str) -> int | None:
        """The reqid of the line that names the path."""
        found = re.search(rf"^reqid=(\d+) .*{re.escape(path)}(?!\d)", text, re.MULTILINE)
        return int(found[1]) if found else None

    def form_task(self, values: verbs.Values, button: verbs.Element) -> tuple[verbs.Verb, ...]:
        """Find and batch where they exist; else snapshot, fill, click, and read the result."""
        if self.selects:
            return (verbs.Find("textbox|spinbutton|combobox|checkbox|button"),
                    verbs.Batch(values, button))  # fmt: skip
        return (verbs.Snapshot(), verbs.Fill(values), verbs.Click(button), READ_STATUS)

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
            case verbs.Emulate(scheme):
                return Call("emulate", {"colorScheme": scheme})
            case verbs.Batch(values, button):
                return self._batch(values, button, references)
            case _:
                return self._look(verb)

    def _look(self, verb: verbs.Verb) -> Call:
        match verb:
            case verbs.Console():
                return Call("list_console_messages", {})
            case verbs.Requests():
                return Call("list_network_requests", {})
            case verbs.Body(_, number):
                return Call("get_network_request", {"reqid": number})
            case verbs.Find(pattern):
                return Call("find", {"query": pattern, "regex": True})
            case verbs.Open() | verbs.NewPage() | verbs.Navigate():
                return self._visit(verb)
            case _:
                raise BenchError(f"There is no tool for {verb}.")

    def _visit(self, verb: verbs.Visit) -> Call:
        if isinstance(verb, verbs.Navigate) or (isinstance(verb, verbs.Open) and self.selects):
            return Call("navigate_page", {"type": "url", "url": verb.url})
        return Call("new_page", {"url": verb.url})

    @staticmethod
    def _batch(values: verbs.Values, button: verbs.Element, references: References) -> Call:
        fields = [{"uid": references[field], "value": value} for field, value in values]
        steps = [
            {"tool": "fill_form", "arguments": {"elements": fields}},
            {"tool": "click", "arguments": {"uid": references[button]}},
        ]
        return Call("batch", {"steps": steps})

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
            case verbs.Open(url) | verbs.NewPage(url):
                return Call("browser_tabs", {"action": "new", "url": url})
            case _:
                return self._look(verb)

    def references(self, snapshot: str, role: str) -> dict[str, str]:
        """The refs of all elements of a role, by name."""
        found = re.findall(rf'- {role} "([^"\n]*)"[^\n]*?\[ref=(\w+)\]', snapshot)
        return dict(found)

    def page(self, text: str, url: str) -> int | None:
        """Tabs have positions here, not ids."""
        return None

    def request(self, text: str, path: str) -> int | None:
        """The index at the start of the line that names the path."""
        found = re.search(rf"^\W*(\d+)\. .*{re.escape(path)}(?!\d)", text, re.MULTILINE)
        return int(found[1]) if found else None

    def form_task(self, values: verbs.Values, button: verbs.Element) -> tuple[verbs.Verb, ...]:
        """Snapshot, fill, click, and read the result."""
        return (verbs.Snapshot(), verbs.Fill(values), verbs.Click(button), READ_STATUS)

    @staticmethod
    def _look(verb: verbs.Verb) -> Call:
        match verb:
            case verbs.Console():
                return Call("browser_console_messages", {"level": "info"})
            case verbs.Requests():
                return Call("browser_network_requests", {"static": False})
            case verbs.Body(_, number):
                return Call("browser_network_request", {"index": number, "part": "response-body"})
            case _:
                raise BenchError(f"There is no tool for {verb}.")

    @staticmethod
    def _fill(values: verbs.Values, references: References) -> Call:
        if len(values) == 1:
            ((field, value),) = values
            return Call("browser_type", {"target": references[field], "text": value})
        fields = [
            {
                "target": references[field],
                "name": field.name,
                "type": "textbox" if field.role == "spinbutton" else field.role,
                "value": value,
            }
            for field, value in values
        ]
        return Call("browser_fill_form", {"fields": fields})
