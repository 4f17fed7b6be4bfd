from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.page.page import Page
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.argument_types import BrowserName, JsonObject
from tabmux.tools.pipeline.tool import Tool, tool, tool_of


class Part(BaseModel):
    """Something with a name."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field("", description="A name.")


@tool(reads=True)
async def sample(
    page: Page,
    some_text: str,
    kinds: Sequence[Literal["a", "b"]] = (),
    count: Annotated[int, Field(gt=0)] = 5,
    flag: bool = False,
    maybe: str | None = None,
    browser: BrowserName | None = None,
    parts: Sequence[Part] = (),
    free: JsonObject = {},  # noqa: B006  # as a default of pydantic's
) -> Reply:
    """Do a thing
    over two lines.

    And say more.

    Args:
        some_text: What to
            use.
        kinds: Which kinds.
        count: How many.
        flag: Whether.
        maybe: Perhaps.
        browser: Where.
        parts: Some parts.
        free: Anything.
    """
    return Reply(some_text)


def made() -> Tool:
    found = tool_of(sample)
    assert found is not None
    return found


def test_signature_and_docstring_become_a_lean_schema() -> None:
    assert made().schema == {
        "type": "object",
        "required": ["someText"],
        "properties": {
            "someText": {"type": "string", "description": "What to use."},
            "kinds": {
                "type": "array",
                "items": {"type": "string", "enum": ["a", "b"]},
                "description": "Which kinds.",
            },
            "count": {
                "type": "integer",
                "exclusiveMinimum": 0,
                "default": 5,
                "description": "How many.",
            },
            "flag": {"type": "boolean", "description": "Whether."},
            "maybe": {"type": "string", "description": "Perhaps."},
            "browser": {"type": "string", "description": "Where."},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string", "description": "A name."}},
                },
                "description": "Some parts.",
            },
            "free": {"type": "string", "description": "Anything.", "default": {}},
        },
    }
    assert made().description == "Do a thing over two lines.\n\nAnd say more."


def test_arguments_are_converted_and_named_as_the_function_names_them() -> None:
    given = {"someText": "x", "count": "7", "kinds": ["a"]}
    assert made().arguments(given, None) == {
        "some_text": "x",
        "kinds": ["a"],
        "count": 7,
        "flag": False,
        "maybe": None,
        "browser": None,
        "parts": (),
        "free": {},
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "someText: Field required"),
        ({"someText": "x", "colour": 1}, 'unknown argument "colour" (known: someText, kinds,'),
        ({"some_text": "x"}, "did you mean someText?"),
        ({"someText": "x", "page_id": 1}, "did you mean pageId?"),
        (
            {"someText": "x", "parts": [{"nam": "x"}]},
            '"parts.0.nam" (known: name); did you mean name?',
        ),
        ({"someText": "x", "count": 0}, "count: Input should be greater than 0"),
        ({"someText": "x", "kinds": ["c"]}, "kinds.0: Input should be 'a' or 'b'"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(BadArguments) as caught:
        made().arguments(given, None)
    assert message in caught.value.message


def test_argument_that_is_not_documented_is_refused_at_import() -> None:
    async def careless(page: Page, text: str) -> Reply:
        """Do it."""
        return Reply(text)

    with pytest.raises(TypeError, match="not documented"):
        tool()(careless)


def test_documented_argument_that_does_not_exist_is_refused_at_import() -> None:
    async def careless(page: Page) -> Reply:
        """Do it.

        Args:
            text: Not there.
        """
        return Reply()

    with pytest.raises(TypeError, match="unknown arguments: text"):
        tool()(careless)


def test_every_tool_has_a_name_of_its_own() -> None:
    names = [each.name for each in catalog.tools()]
    assert len(set(names)) == len(names)


def test_what_says_nothing_is_as_good_as_left_out() -> None:
    """Strict clients must send every argument of a tool."""
    given = {"someText": "", "count": None, "maybe": None, "browser": "", "parts": None}
    assert made().arguments(given, None) == {
        "some_text": "",
        "kinds": (),
        "count": 5,
        "flag": False,
        "maybe": None,
        "browser": None,
        "parts": (),
        "free": {},
    }


def test_object_of_any_shape_may_come_as_text() -> None:
    assert made().schema["properties"]["free"]["type"] == "string"
    for free in ({"a": [1]}, '{"a": [1]}'):
        assert made().arguments({"someText": "x", "free": free}, None)["free"] == {"a": [1]}
    for wrong in ("{", "[]", 5):
        with pytest.raises(BadArguments, match="free: "):
            made().arguments({"someText": "x", "free": wrong}, None)


def test_groups_are_added_and_left_out() -> None:
    assert "memory" not in catalog.chosen("")
    assert "memory" in catalog.chosen("+memory")
    assert "input" not in catalog.chosen("-input, memory")
    with pytest.raises(Misuse, match="no group of tools 'nothing'"):
        catalog.chosen("+nothing")
