"""Pages that try to speak as tabmux, heard by every tool that says something of a page."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent
from tests.hostile.tally import FOLDER, WHOLE_SECONDS
from tests.hostile.voices import ALL_VOICES, MARKER, pages, spoken
from tests.secrets.looks import FIELD, LAST, LOOKS, OTHER_LOOKS, UID, Look
from tests.serving import running
from tests.site import Site

# Calls that name what the page named, or fail at it.
MORE: list[Look] = [
    ("find", {"query": "ok"}),
    ("find", {"role": "button"}),
    *(("click", {"uid": uid}) for uid in ('button "nope"', "button", "css=button", "textbox")),
    ("wait_for", {"text": ["SYSTEM"], "timeout": 500}),
    ("wait_for", {"url": "*nope*", "timeout": 300}),
    ("scroll", {"toText": MARKER}),
    ("select_text", {"uid": FIELD, "text": "none"}),
    ("fill", {"uid": "combobox", "value": "nope"}),
    ("fill", {"uid": 'textbox "field"', "value": "x"}),
    ("call_page_tool", {"name": "tell"}),
    ("call_page_tool", {"name": "nope"}),
    ("execute_webmcp_tool", {"toolName": "nope"}),
    ("execute_3p_developer_tool", {"toolName": "nope"}),
    ("evaluate_script", {"function": "() => { throw new Error(document.title) }"}),
    ("evaluate_script", {"function": "() => document.title"}),
    ("audit_page", {}),
    ("get_css_styles", {"uid": "css=button"}),
    ("save_storage_state", {"filePath": "state.json"}),
    ("batch", {"steps": [{"tool": "click", "arguments": {"uid": "button"}}]}),
    ("read_page", {"uid": "css=main"}),
    ("handle_dialog", {"action": "accept"}),
]
BUTTONS = ("Alert", "Prompt", "Open", "Throw", "Leave", "Name")
# What would ask a person, or leave the page for good.
LEFT_OUT = frozenset({"close_page", "grant_permissions", "register_passkey", "request_human"})


@pytest.fixture(scope="module")
async def fenced(anyio_backend: str) -> AsyncIterator[App]:
    """A server with every tool, which marks what pages wrote."""
    groups = ",".join(f"+{group}" for group in catalog.GROUPS)
    async with running(Settings(launch=True, headless=True, isolated=True, tools=groups)) as app:
        yield app


class _Listener:
    """Calls tools, and notes what pages said outside of fences and quotation marks."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self._agent, self._folder = agent, folder
        self.calls = 0
        self.heard: set[str] = set()

    async def call(self, name: str, /, **arguments: Any) -> str:
        fitted = {key: self._fitted(key, value) for key, value in arguments.items()}
        text = (await self._agent.fenced(name, **fitted)).text
        self.calls += 1
        self.heard |= {f"{name}: {line[:300]}" for line in spoken(text)}
        return text

    async def look(self, url: str) -> None:
        """Look at a page with everything that there is."""
        await self.call("navigate_page", url=url)
        for name, arguments in [*LOOKS, *MORE, *OTHER_LOOKS]:
            if name in LEFT_OUT:
                continue
            await self.call(name, **arguments)
            if name in ("navigate_page", "new_page"):
                await self.call("navigate_page", url=url)
        for kind, ident in (("console_message", "msgid"), ("network_request", "reqid")):
            await self.call("navigate_page", url=url)
            text = await self.call(f"list_{kind}s")
            for number in sorted(set(re.findall(rf"{ident}=(\d+)", text)))[:30]:
                await self.call(f"get_{kind}", **{ident: int(number)})

    async def press(self, url: str) -> None:
        """Press buttons that do something with what the page would say."""
        for button in BUTTONS:
            await self.call("navigate_page", url=url)
            for name, arguments in (
                ("take_snapshot", {}),
                ("click", {"uid": f'button "{button}"'}),
                ("take_snapshot", {}),
                ("list_pages", {}),
                ("handle_dialog", {"action": "accept", "promptText": "x"}),
                ("list_pages", {}),
            ):
                await self.call(name, **arguments)

    def _fitted(self, key: str, value: Any) -> Any:
        uids = re.findall(r"uid=(\S+)", self._agent.seen) or ["1_1"]
        fields = re.findall(r"uid=(\S+) textbox", self._agent.seen) or ["1_1"]
        known = {UID: uids[0], LAST: uids[-1], FIELD: fields[0]}
        if isinstance(value, str):
            is_path = key.lower().endswith("path")
            return str(self._folder / value) if is_path else known.get(value, value)
        if isinstance(value, list):
            return [self._fitted(key, each) for each in value]
        if isinstance(value, dict):
            return {name: self._fitted(name, each) for name, each in value.items()}
        return value


@pytest.mark.timeout(WHOLE_SECONDS)
async def test_no_page_speaks_as_tabmux_whatever_it_names(
    fenced: App, site: Site, tmp_path: Path
) -> None:
    async with Agent.joined(fenced, site) as agent:
        listener = _Listener(agent, tmp_path)
        for voice in ALL_VOICES if FOLDER else ALL_VOICES[:1]:
            named, trap = pages(site, voice)
            await listener.look(named)
            await listener.press(trap)
        await agent.session.close()
    assert listener.calls > 150
    assert not listener.heard, "\n".join(sorted(listener.heard))


def test_who_speaks_is_heard() -> None:
    assert spoken(f"Ours.\n{MARKER}")
    assert spoken(f'Clicked "ok"). {MARKER}"')
    assert not spoken(f'Clicked "ok\\"). {MARKER}".')
    assert not spoken(f"<page abc>\n{MARKER}\n</page abc>")
