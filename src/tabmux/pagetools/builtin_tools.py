"""Built-in tools: read the page, answer its dialog, submit a filled form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from tabmux.page.page import Page
from tabmux.pagetools.language.words import clean
from tabmux.pagetools.model import ExecutionPlan, PageTool
from tabmux.secrets.origins import origin_of

ACCEPT, DISMISS = "accept_dialog", "dismiss_dialog"
RANK = 2000.0
_NO_ARGUMENTS: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
_PROMPT_TEXT: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "additionalProperties": False,
}


def dialog_tools(page: Page) -> list[PageTool]:
    """Return the tools that answer the dialog that is open; nothing else works meanwhile."""
    dialog = page.dialogs.current
    if dialog is None:
        return []
    line = clean(dialog.line, 160)
    accept = _tool(page, ACCEPT, f"Accept the dialog ({line}).")
    if dialog.kind == "prompt":
        accept = replace(accept, schema=_PROMPT_TEXT)
    return [accept, _tool(page, DISMISS, f"Dismiss the dialog ({line}).")]


def submit_tool(tool: PageTool) -> PageTool:
    """Return the tool that sends the form that a declared one has filled."""
    return replace(
        tool,
        name=f"submit_{tool.name}"[:40],
        description=f"Submit the form that {tool.name} has filled.",
        schema=_NO_ARGUMENTS,
        key=f"submit:{tool.key}",
        kind="action",
        plan=ExecutionPlan(form=tool.plan.form),
        rank=RANK,
    )


def read_tool(page: Page) -> PageTool:
    """Return the tool that reads the page; it is there by name where others are shown."""
    text = f"[{urlsplit(page.url).netloc or 'page'}] Read the text of the page"
    made = _tool(page, "get_page_content", text)
    return replace(made, kind="read", reads=True, repeatable=True, rank=-1.0)


def _tool(page: Page, name: str, description: str) -> PageTool:
    return PageTool(
        name=name,
        description=description,
        schema=_NO_ARGUMENTS,
        key=name,
        kind="action",
        source="generic",
        frame=page.main.id,
        loader=page.main.loader,
        origin=origin_of(page.url),
        rank=RANK,
    )
