"""What can be done with any page, for those that offer nothing better."""

from __future__ import annotations

from tabmux.pagetools.draft import DerivedTool
from tabmux.pagetools.model import ToolControl


def drafts() -> list[DerivedTool]:
    """Return the tools to read a page, to click and to fill by what is written on things."""
    return [
        DerivedTool(
            "read",
            "read",
            ["get_page_content"],
            "Read the text of the page",
            30,
            reads=True,
            repeatable=True,
        ),
        DerivedTool(
            "click",
            "click",
            ["click_element"],
            "Click what has this text",
            20,
            controls=[_text("text", "Its text or label")],
        ),
        DerivedTool(
            "fill",
            "fill",
            ["fill_field"],
            "Fill a field",
            10,
            controls=[_text("field", "Its label"), _text("value", "")],
            repeatable=True,
        ),
    ]


def _text(key: str, about: str) -> ToolControl:
    schema = {"type": "string", "description": about} if about else {"type": "string"}
    return ToolControl(key, 0, "text", about, required=True, schema=schema)
