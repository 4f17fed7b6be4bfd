from __future__ import annotations

import pytest

from tests.agent import Agent

TEXT = (
    "<p id=p>One  two\n<b>three</b> four</p><p>two again</p><textarea id=t>alpha beta</textarea>"
    "<p style='display: none'>unseen</p><input type=password value=secret>"
)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"text": "two three"}, "two three"),
        ({"uid": "css=#p"}, "One two three four"),
        ({"uid": "css=#p", "start": 4, "end": 9}, "two t"),
        ({"uid": "css=#t", "text": "beta"}, "beta"),
        ({"uid": "css=#t", "start": 0, "end": 5}, "alpha"),
        ({"uid": "css=#t"}, "alpha beta"),
    ],
)
async def test_text_is_selected(whole: Agent, arguments: dict[str, object], expected: str) -> None:
    await whole.open(TEXT)
    text = await whole("select_text", **arguments)
    assert f"Selected {len(expected)} characters: " in text
    assert expected in text
    chosen = "getSelection().toString().replace(/\\s+/g, ' ').trim()"
    assert await whole.value(chosen) == f'"{expected}"'


async def test_selected_text_is_replaced_by_what_is_typed(whole: Agent) -> None:
    await whole.open("<div contenteditable id=e>Dear Ann, hello</div>")
    await whole("select_text", uid="css=#e", text="Ann")
    await whole("type_text", text="Bob")
    assert await whole.value("e.textContent") == '"Dear Bob, hello"'


async def test_text_is_selected_in_frames_and_shadow_roots(whole: Agent) -> None:
    frame = whole.site.page("<p>in the frame</p>")
    await whole.open(
        f"<div id=h></div><iframe src='{frame}'></iframe>"
        "<script>h.attachShadow({mode: 'open'}).innerHTML = '<p>in the shadow</p>'</script>"
    )
    assert "the shadow" in await whole("select_text", text="the shadow")
    assert "the frame" in await whole("select_text", text="the frame")


async def test_first_of_several_places_is_selected_and_what_is_unseen_is_not(whole: Agent) -> None:
    await whole.open(TEXT)
    assert "It is the first of 2 places." in await whole("select_text", text="two")
    for arguments in ({"text": "unseen"}, {"text": "five"}, {"start": 900}):
        assert (await whole.fails("select_text", **arguments))[0] == "not_found"
    assert "secret" not in await whole("select_text", uid="css=input")
