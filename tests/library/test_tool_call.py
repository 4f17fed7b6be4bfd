from __future__ import annotations

import os
from pathlib import Path

import pytest

from tabmux import exceptions
from tabmux.errors import CODES, TabmuxError
from tabmux.library import tool_table
from tabmux.library.tool_call import error_of, read_reply, without_fence
from tabmux.library.tool_results import Change, TabEntry, ToolResult


def test_only_arguments_that_say_something_are_sent() -> None:
    given = {"uid": "a1_1", "dblClick": False, "report": "diff", "pageId": None}
    assert tool_table.CLICK.arguments(given, here=True) == {"uid": "a1_1"}
    assert tool_table.CLICK.arguments({**given, "dblClick": True}, here=True) == {
        "uid": "a1_1",
        "dblClick": True,
    }


def test_paths_are_absolute_here_and_as_given_elsewhere() -> None:
    given = {"uid": "a1_1", "filePaths": ["a.txt", Path("b.txt")]}
    assert tool_table.UPLOAD_FILE.arguments(given, here=True)["filePaths"] == [
        os.path.abspath("a.txt"),
        os.path.abspath("b.txt"),
    ]
    assert tool_table.PRINT_PDF.arguments({"filePath": "a.pdf"}, here=False) == {
        "filePath": "a.pdf"
    }


def test_reply_becomes_a_dataclass() -> None:
    page = {"id": 2, "title": "T", "url": "u", "selected": False, "attached": True, "newer": 1}
    data = {"navigatedTo": "http://a/", "openedPages": [page], "changes": "~ x", "unknown": 1}
    reply = {"content": [{"type": "text", "text": "Done."}], "structuredContent": data}
    change = read_reply(Change, reply)
    assert change.opened == (TabEntry(id=2, title="T", url="u", selected=False, attached=True),)
    assert (change.navigated, change.diff, change.text) == ("http://a/", "~ x", "Done.")
    assert change.data["unknown"] == 1


def test_pictures_are_decoded() -> None:
    block = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
    (image,) = read_reply(ToolResult, {"content": [block]}).images
    assert image.data == b"hi"


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_an_exception(code: str) -> None:
    error = error_of(f"Error [{code}]: It failed.", {"code": code})
    assert type(error) is exceptions.BY_CODE[code]
    assert (error.code, error.message) == (code, "It failed.")
    assert error.hint == CODES[code].next_step


def test_hint_of_the_reply_counts() -> None:
    error = error_of(
        "Error [stale_uid]: Old. Look again.", {"code": "stale_uid", "hint": "Look again."}
    )
    assert (error.message, error.hint) == ("Old.", "Look again.")


def test_code_of_a_newer_server_is_an_error_all_the_same() -> None:
    error = error_of("Error [brand_new]: Oh.", {"code": "brand_new"})
    assert type(error) is TabmuxError
    assert error.code == "brand_new"


def test_page_cannot_end_its_own_fence() -> None:
    word = "abcdefghijklm"
    text = f"Ours\n<page {word}>\n</page xyzxyzxyzxyzx>\nhello\n</page {word}>\nmore"
    assert without_fence(text) == "Ours\n</page xyzxyzxyzxyzx>\nhello\nmore"
