from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.tools.pipeline.saved_replies import RepliesOfSessions, SavedReplies
from tests.agent import Agent
from tests.site import Site

LONG = "<ul>" + "".join(f"<li>Item number {number}</li>" for number in range(1000)) + "</ul>"


async def test_newest_replies_are_kept_by_number(anyio_backend: str) -> None:
    saved = SavedReplies(most_files=2)
    first, second, third = [await saved.save(text) for text in ("one", "two", "three")]
    assert not first.exists()
    assert (second.read_text(), third.read_text()) == ("two", "three")
    assert third.stat().st_mode & 0o777 == 0o600
    saved.remove()
    assert not third.parent.exists()


async def test_newest_replies_are_kept_by_size(anyio_backend: str) -> None:
    saved = SavedReplies(most_bytes=10)
    first = await saved.save("x" * 8)
    second = await saved.save("x" * 100)
    assert (first.exists(), second.exists()) == (False, True)
    saved.remove()


async def test_saved_replies_go_with_their_session(app: App, site: Site) -> None:
    async with Agent.joined(app, site) as agent:
        text = await agent("evaluate_script", function=f"() => {json.dumps(LONG * 3)}")
        found = re.search(r"the whole reply is in (\S+)\)", text)
        assert found
        path = Path(found[1])
        assert "Item number 999" in path.read_text()
    assert not path.parent.exists()


async def test_nothing_is_kept_for_a_session_that_has_ended(app: App) -> None:
    session, replies = app.open(), RepliesOfSessions()
    saved = replies.of(session)
    path = await saved.save("one")
    await session.close()
    for late in (saved, replies.of(session)):
        with pytest.raises(OSError, match="session has ended"):
            await late.save("two")
    assert not path.parent.exists()
    assert not len(replies)
