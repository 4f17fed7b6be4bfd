from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import pytest
from pydantic import Field

from tabmux.content import Reply
from tabmux.errors import BadArguments, Misuse
from tabmux.page.page import Page
from tabmux.tools.pipeline import catalog
from tabmux.tools.pipeline.tool import Tool, tool, tool_of

NAME_LIMIT = 64
DESCRIPTION_LIMIT = 2048


@tool(reads=True)
async def sample(
    page: Page,
    some_text: str,
    kinds: Sequence[Literal["a", "b"]] = (),
    count: Annotated[int, Field(gt=0)] = 5,
    flag: bool = False,
    maybe: str | None = None,
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
    """
    return Reply(some_text)


def made() -> Tool:
    found = tool_of(sample)
    assert found is not None
    return found


def test_signature_and_docstring_become_a_lean_schema() -> None:
    assert made().schema == {
        "type": "object",
        "additionalProperties": False,
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
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "someText: Field required"),
        ({"someText": "x", "colour": 1}, 'unknown argument "colour" (known: someText, kinds,'),
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


def test_every_tool_fits_the_limits_of_clients() -> None:
    tools = list(catalog.tools())
    assert len({each.name for each in tools}) == len(tools)
    for each in tools:
        assert len(each.name) <= NAME_LIMIT
        assert len(each.description) <= DESCRIPTION_LIMIT
        assert not each.schema.keys() & {"anyOf", "oneOf", "allOf", "$ref"}
        assert each.schema["additionalProperties"] is False


def test_groups_are_added_and_left_out() -> None:
    assert "memory" not in catalog.chosen("")
    assert "memory" in catalog.chosen("+memory")
    assert "input" not in catalog.chosen("-input, memory")
    with pytest.raises(Misuse, match="no group of tools 'nothing'"):
        catalog.chosen("+nothing")
