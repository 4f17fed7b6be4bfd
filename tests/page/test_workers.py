from __future__ import annotations

import asyncio

import pytest

from tabmux.page.workers import NAMES_KEPT, WorkerNames
from tests.page.wiring import PAGE, Wiring


async def answered() -> None:
    """Let what the fake browser has answered be acted upon."""
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("kind", ["worker", "service_worker"])
async def test_worker_is_let_go_after_all_listen(kind: str) -> None:
    wiring = Wiring()
    wiring.peer.attach("w", parent=PAGE, kind=kind)
    sent = wiring.sent("w")
    assert sent[-1] == "Runtime.runIfWaitingForDebugger"
    assert {"Runtime.enable", "Log.enable", "Network.enable", "Target.setAutoAttach"} <= set(sent)
    worker = wiring.workers.of(wiring.channel("w"))
    assert worker is not None
    assert worker.kind == kind.replace("_", " ")


def test_same_service_worker_has_the_same_name_and_no_name_is_given_twice() -> None:
    names = WorkerNames()
    assert [names.of("A"), names.of("B"), names.of("A")] == ["sw-1", "sw-2", "sw-1"]
    for number in range(NAMES_KEPT):
        names.of(f"more {number}")
    assert names.of("A") == f"sw-{NAMES_KEPT + 3}"


async def test_only_service_workers_have_names_and_a_world_is_learnt_of() -> None:
    wiring = Wiring()
    wiring.peer.attach("s", parent=PAGE, kind="service_worker")
    wiring.peer.attach("w", parent=PAGE, kind="worker")
    assert [each.id for each in wiring.workers.running] == ["sw-1", ""]
    assert wiring.workers.named("") is None
    wiring.say("Runtime.executionContextCreated", "s", context={"id": 7})
    found = wiring.workers.named("sw-1")
    assert found is not None
    assert found.page_world == 7


async def test_workers_of_workers_are_followed() -> None:
    wiring = Wiring()
    wiring.peer.attach("outer", parent=PAGE, kind="worker")
    wiring.peer.attach("inner", parent="outer", kind="worker")
    wiring.log("deep", session="inner")
    assert wiring.lines() == ["msgid=1 [log] deep"]


async def test_worker_that_ends_is_forgotten() -> None:
    wiring = Wiring()
    wiring.peer.attach("w", parent=PAGE, kind="worker")
    channel = wiring.channel("w")
    wiring.say("Target.detachedFromTarget", sessionId="w")
    assert wiring.workers.of(channel) is None


async def test_shared_worker_is_found_by_its_request_and_left_with_the_page() -> None:
    wiring = Wiring()
    info = {"targetId": "T", "type": "shared_worker", "url": "http://x.test/shared.js"}
    wiring.peer.answers["Target.getTargetInfo"] = lambda _: {"targetInfo": info}

    def attach(params: dict[str, object]) -> dict[str, object]:
        wiring.peer.attach("s", kind="shared_worker")
        return {"sessionId": "s"}

    wiring.peer.answers["Target.attachToTarget"] = attach
    wiring.request("T", "http://x.test/shared.js", loaderId="", type="Script")
    await answered()
    wiring.log("from shared", session="s")
    assert wiring.lines() == ["msgid=1 [log] from shared"]
    wiring.peer.event("Target.detachedFromTarget", {"sessionId": PAGE})
    assert wiring.peer.sent[-1]["method"] == "Target.detachFromTarget"
    assert wiring.peer.sent[-1]["params"] == {"sessionId": "s"}


async def test_other_requests_are_not_taken_for_workers() -> None:
    wiring = Wiring()
    wiring.request("1")
    wiring.request("2", loaderId="", type="Fetch")
    await answered()
    assert "Target.getTargetInfo" not in {each["method"] for each in wiring.peer.sent}
