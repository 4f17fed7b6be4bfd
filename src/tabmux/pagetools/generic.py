"""What can be done with any page, for those that offer nothing better."""

from __future__ import annotations

from tabmux.pagetools.draft import Draft
from tabmux.pagetools.model import Control


def drafts() -> list[Draft]:
    """Return the tools to read a page, to click and to fill by what is written on things."""
    return [
        Draft(
            "read",
            "read",
            ["get_page_content"],
            "Read the text of the page",
            30,
            reads=True,
            repeatable=True,
        ),
        Draft(
            "click",
            "click",
            ["click_element"],
            "Click what has this text",
            20,
            controls=[_text("text", "Its text or label")],
        ),
        Draft(
            "fill",
            "fill",
            ["fill_field"],
            "Fill a field",
            10,
            controls=[_text("field", "Its label"), _text("value", "")],
            repeatable=True,
        ),
    ]


def _text(key: str, about: str) -> Control:
    schema = {"type": "string", "description": about} if about else {"type": "string"}
    return Control(key, 0, "text", about, required=True, schema=schema)
