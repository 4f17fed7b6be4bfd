from __future__ import annotations

import asyncio
import sys

from tabmux.cdp.event_rate import BURST
from tabmux.page.bounded_log import BUDGET
from tabmux.page.console.console_log import KEPT
from tests.page.wiring import PAGE, Wiring

TRACE = {
    "callFrames": [
        {"functionName": "f", "url": "http://x.test/a.js", "lineNumber": 3, "columnNumber": 7}
    ]
}


async def test_million_messages_cost_a_fixed_amount() -> None:
    wiring = Wiring()
    for number in range(KEPT * 5):
        wiring.log(f"message {number}", "x" * 500, stackTrace=TRACE)
    history = wiring.console.records
    async with asyncio.timeout(5):
        await wiring.console.catch_up()
    assert len(list(history.items())) == KEPT
    assert history.dropped == KEPT * 4
    assert history.weight <= BUDGET
    held = sum(sys.getsizeof(m.details) + sys.getsizeof(m.text) for m in history.items())
    assert held < 2 * history.weight


async def test_what_comes_after_a_flood_keeps_its_place() -> None:
    wiring = Wiring()
    for number in range(BURST + 3):
        wiring.log(f"message {number}")
    wiring.say(
        "Runtime.exceptionThrown", timestamp=1.0, exceptionDetails={"text": "Uncaught", "url": ""}
    )
    async with asyncio.timeout(5):
        while len(wiring.lines()) < BURST + 4:
            await asyncio.sleep(0)
    assert [line.split("] ")[1] for line in wiring.lines()[-3:]] == [
        f"message {BURST + 1}", f"message {BURST + 2}", "Uncaught"
    ]  # fmt: skip


async def test_flood_is_read_before_a_new_document_begins() -> None:
    wiring = Wiring()
    for number in range(BURST + KEPT + 7):
        wiring.log(f"message {number}")
    wiring.console.begin_document(lambda _: False)
    assert wiring.lines() == []
    kept = list(wiring.console.records.items(preserved=True))
    assert kept[-1].text == f"message {BURST + KEPT + 6}"


async def test_few_huge_messages_are_bounded_too() -> None:
    wiring = Wiring()
    for number in range(2000):
        wiring.log(f"message {number}", *["x" * 10_000] * 5)
    await wiring.console.catch_up()
    assert wiring.console.records.weight <= BUDGET
    assert wiring.lines()[-1].startswith("msgid=2000 [log] message 1999 xxx")


async def test_repeats_from_one_place_are_counted() -> None:
    wiring = Wiring()
    for _ in range(3):
        wiring.log("same", stackTrace=TRACE)
    wiring.log("same")
    assert wiring.lines() == ["msgid=1 [log] same [3 times]", "msgid=2 [log] same"]


async def test_values_and_stack_are_kept() -> None:
    wiring = Wiring()
    wiring.log("a", "b", stackTrace={**TRACE, "parent": {**TRACE, "description": "setTimeout"}})
    message = wiring.console.find(1)
    assert message is not None
    assert [each["value"] for each in message.arguments] == ["a", "b"]
    frame = TRACE["callFrames"][0]
    assert message.stack == [frame, {"async": "setTimeout"}, frame]


async def test_scripts_that_cannot_be_parsed_have_a_place() -> None:
    wiring = Wiring()
    details = {"text": "Uncaught", "url": "http://x.test/", "lineNumber": 4, "columnNumber": 2}
    wiring.say("Runtime.exceptionThrown", exceptionDetails=details)
    message = wiring.console.find(1)
    assert message is not None
    assert message.stack[0]["lineNumber"] == 4
    assert message.source == "http://x.test/:4:2"


async def test_what_a_worker_tells_itself_is_not_told_twice() -> None:
    wiring = Wiring()
    wiring.peer.attach("w", parent=PAGE, kind="worker")
    wiring.log("from worker", session="w")
    entry = {"level": "info", "source": "worker", "text": "from worker", "workerId": "W"}
    wiring.say("Log.entryAdded", entry=entry)
    assert wiring.lines() == ["msgid=1 [log] from worker"]


async def test_issues_of_a_kind_are_one_message() -> None:
    wiring = Wiring()
    for node in (1, 2, 2):
        details = {"errorType": "FormInputWithNoLabelError", "violatingNodeId": node}
        issue = {"code": "GenericIssue", "details": {"genericIssueDetails": details}}
        wiring.say("Audits.issueAdded", issue=issue)
    assert wiring.lines() == ["msgid=1 [issue] A form field has no label [2 times]"]
    wiring.console.begin_document(lambda _: True)
    wiring.say("Audits.issueAdded", issue=issue)
    assert wiring.lines() == ["msgid=2 [issue] A form field has no label"]


async def test_issue_of_the_next_document_may_come_before_it() -> None:
    wiring = Wiring()
    wiring.request("old")
    wiring.request("next", loaderId="M")
    for number, key in enumerate(("old", "next", "unheard-of")):
        details = {"reason": f"Reason{number}", "request": {"requestId": key, "url": "http://x/"}}
        issue = {"code": "CorsIssue", "details": {"corsIssueDetails": details}}
        wiring.say("Audits.issueAdded", issue=issue)
    wiring.console.begin_document(lambda key: wiring.network.is_part(key, "M"))
    assert wiring.lines() == ["msgid=2 [issue] Cors: reason 1", "msgid=3 [issue] Cors: reason 2"]
