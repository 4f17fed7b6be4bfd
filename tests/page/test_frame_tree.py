from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tabmux.concurrency import Signal
from tabmux.page.frame_tree import FrameGone
from tabmux.page.library import WORLD
from tests.growth import LINEAR, growth
from tests.page.wiring import PAGE, Wiring


def frame(ident: str, loader: str, url: str, **more: Any) -> dict[str, Any]:
    return {"id": ident, "loaderId": loader, "url": url, **more}


def answer_tree(wiring: Wiring, session: str, tree: dict[str, Any]) -> None:
    asked = next(
        each for each in wiring.peer.sent
        if each["method"] == "Page.getFrameTree" and each.get("sessionId") == session
    )  # fmt: skip
    wiring.peer.say({"id": asked["id"], "result": {"frameTree": tree}, "sessionId": session})


async def grown(wiring: Wiring) -> None:
    async with asyncio.timeout(5):
        while not wiring.frames.complete:
            await asyncio.sleep(0)


async def test_tree_does_not_undo_a_navigation_that_was_told_right_after_it() -> None:
    wiring = Wiring()
    wiring.say("Page.frameNavigated", frame=frame("top", "1", "http://a.test/"))
    wiring.say("Page.frameAttached", frameId="inner", parentFrameId="top")
    wiring.peer.attach("child", PAGE, "iframe")
    old = {"id": "ad", "loaderId": "0", "url": "http://old.test/", "parentId": "inner"}
    tree = {"frame": frame("inner", "2", "", parentId="top"), "childFrames": [{"frame": old}]}
    # Chrome says both in one breath: the reply is read first, and its future heard later.
    answer_tree(wiring, "child", tree)
    told = frame("inner", "3", "http://b.test/", parentId="top")
    wiring.say("Page.frameNavigated", "child", frame=told)
    await grown(wiring)
    assert {each.id: each.url for each in wiring.frames} == {
        "top": "http://a.test/",
        "inner": "http://b.test/",
    }
    inner = wiring.frames.get("inner")
    assert inner is not None
    assert (inner.loader, inner.channel) == ("3", wiring.channel("child"))


async def test_tree_is_taken_over_where_only_the_worlds_were_told_before() -> None:
    wiring = Wiring()
    wiring.say("Page.frameNavigated", frame=frame("top", "1", "http://a.test/"))
    wiring.say("Page.frameAttached", frameId="inner", parentFrameId="top")
    moved = frame("inner", "2", "http://a.test/inner", parentId="top")
    wiring.say("Page.frameNavigated", frame=moved)
    wiring.peer.attach("child", PAGE, "iframe")
    world = {"id": 1, "name": "", "auxData": {"frameId": "inner", "isDefault": True}}
    wiring.say("Runtime.executionContextCreated", "child", context=world)
    answer_tree(wiring, "child", {"frame": frame("inner", "3", "http://b.test/", parentId="top")})
    await grown(wiring)
    inner = wiring.frames.get("inner")
    assert inner is not None
    assert (inner.url, inner.loader, inner.page_world) == ("http://b.test/", "3", 1)


async def test_node_of_another_document_is_said_to_have_gone() -> None:
    wiring = Wiring()
    wiring.say("Page.frameNavigated", frame=frame("top", "1", "http://a.test/"))
    top = {"frameId": "top", "isDefault": False}
    context = {"id": 1, "name": WORLD, "auxData": top}
    wiring.say("Runtime.executionContextCreated", context=context)
    main = wiring.frames.get("top")
    assert main is not None
    resolving = asyncio.gather(main.resolve(5), return_exceptions=True)
    async with asyncio.timeout(5):
        while not (asked := [s for s in wiring.peer.sent if s["method"] == "DOM.resolveNode"]):
            await asyncio.sleep(0)
    result = {"object": {"type": "object", "subtype": "null", "value": None}}
    wiring.peer.say({"id": asked[0]["id"], "result": result, "sessionId": asked[0]["sessionId"]})
    (outcome,) = await resolving
    assert isinstance(outcome, FrameGone)


def world(number: int, name: str) -> dict[str, Any]:
    extra = {"frameId": str(number), "isDefault": not name}
    return {"id": 2 * number + bool(name), "name": name, "auxData": extra}


def grow(number: int) -> None:
    """A document with so many frames comes, loads and goes."""
    wiring = Wiring()
    wiring.say("Page.frameNavigated", frame=frame("top", "1", "http://a.test/"))
    for each in range(1, number):
        wiring.say("Page.frameAttached", frameId=str(each), parentFrameId="top")
        child = frame(str(each), "1", "http://a.test/", parentId="top")
        wiring.say("Page.frameNavigated", frame=child)
        for name in ("", WORLD):
            wiring.say("Runtime.executionContextCreated", context=world(each, name))
    for each in range(1, number):
        wiring.say("Runtime.executionContextDestroyed", executionContextId=2 * each)
        wiring.say("Page.frameDetached", frameId=str(each), reason="remove")
    assert [each.id for each in wiring.frames] == ["top"]


async def test_many_frames_cost_no_more_each_than_few() -> None:
    assert growth(grow, 500) < LINEAR


async def test_frame_that_waits_for_its_world_is_not_woken_by_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wiring, waits = Wiring(), 0
    wait = Signal.wait

    async def counted(self: Signal, timeout: float) -> bool:
        nonlocal waits
        waits += 1
        return await wait(self, timeout)

    monkeypatch.setattr(Signal, "wait", counted)
    wiring.say("Page.frameNavigated", frame=frame("top", "1", "http://a.test/"))
    for each in range(50):
        wiring.say("Page.frameAttached", frameId=str(each), parentFrameId="top")
    async with asyncio.TaskGroup() as group:
        for child in wiring.frames:
            if child.id != "top":
                group.create_task(child.ready())
        for number in range(50):
            await asyncio.sleep(0)
            wiring.say("Runtime.executionContextCreated", context=world(number, WORLD))
    assert waits == 50
