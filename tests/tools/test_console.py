from __future__ import annotations

import time

import pytest

from tests.agent import Agent

LOGS = [
    ("console.log('hello', {a: 1, b: [1, 2]}, 42)", "[log] hello {a: 1, b: Array(2)} 42"),
    ("console.warn('careful')", "[warn] careful"),
    ("console.log('%s has %d of 100%%', 'it', 7, 'more')", "[log] it has 7 of 100% more"),
    ("console.log('%cstyled', 'color: red')", "[log] styled"),
    ("console.log(undefined, null, true, 1n, NaN)", "[log] undefined null true 1n NaN"),
    ("console.log(new Map([['k', 1]]), new Set([2]))", '[log] Map(1) {"k" => 1} Set(1) {2}'),
    ("console.log([1, 'two'])", '[log] [1, "two"]'),
    ("console.error(new TypeError('bad'))", "[error] TypeError: bad"),
    (
        "setTimeout(() => { throw new TypeError('uncaught one') })",
        "[error] Uncaught TypeError: uncaught one",
    ),
    ("Promise.reject(new Error('the reason'))", "[error] Uncaught (in promise) Error: the reason"),
    ("Promise.reject('plain reason')", "[error] Uncaught (in promise) plain reason"),
]


async def logged(agent: Agent, script: str, text: str) -> str:
    await agent.open(f"<script>{script}</script>")
    listed = ""
    end = time.monotonic() + 15
    while text not in listed and time.monotonic() < end:
        listed = await agent("list_console_messages")
    return listed


@pytest.mark.parametrize(("script", "line"), LOGS)
async def test_message_is_listed_with_its_values(agent: Agent, script: str, line: str) -> None:
    assert line in await logged(agent, script, line)


async def test_repeats_are_counted(agent: Agent) -> None:
    text = await logged(agent, "for (let i = 0; i < 5; i++) console.info('same')", "[5 times]")
    assert "[info] same [5 times]" in text
    assert "of 1 " in text


async def test_types_filter_and_paging(agent: Agent) -> None:
    await logged(
        agent, "for (let i = 0; i < 30; i++) console.log('n' + i); console.error('e')", "[error] e"
    )
    text = await agent("list_console_messages", types=["error"])
    assert "Showing 1-1 of 1" in text
    text = await agent("list_console_messages", pageSize=10, pageIdx=1)
    assert "Showing 11-20 of 31 (Page 2 of 4)." in text
    assert "Next page: 2" in text
    assert "[log] n10" in text


async def test_messages_of_earlier_documents_are_kept_apart(agent: Agent) -> None:
    for name in ("one", "two", "three", "four"):
        await logged(agent, f"console.log('{name}')", f"[log] {name}")
    now = await agent("list_console_messages")
    assert "four" in now
    assert "three" not in now
    kept = await agent("list_console_messages", includePreservedMessages=True)
    assert "one" not in kept
    assert all(name in kept for name in ("two", "three", "four"))


async def test_one_message_is_shown_whole(agent: Agent) -> None:
    text = await logged(
        agent, "function inner() { console.log('x', {deep: {er: [1, 2, 3]}}) } inner()", "[log] x"
    )
    ident = int(text.split("msgid=")[1].split()[0])
    whole = await agent("get_console_message", msgid=ident)
    assert 'Arg #1: {"deep":{"er":[1,2,3]}}' in whole
    assert "at inner (http" in whole
    code, text = await agent.fails("get_console_message", msgid=999)
    assert code == "no_such_message"


async def test_frames_log_to_the_same_console(agent: Agent) -> None:
    near = agent.site.page("<script>console.log('from near')</script>")
    far = agent.site.page("<script>console.log('from far')</script>", other=True)
    await agent.open(f"<iframe src='{near}'></iframe><iframe src='{far}'></iframe>")
    text = await agent("list_console_messages")
    assert "from near" in text
    assert "from far" in text


async def test_failed_requests_are_remarked(agent: Agent) -> None:
    text = await logged(agent, "fetch('/nowhere')", "404")
    assert "[error] Failed to load resource" in text
    assert "/nowhere" in text


async def test_flood_of_messages_is_bounded(agent: Agent) -> None:
    text = await logged(
        agent, "for (let i = 0; i < 5000; i++) console.log('n' + i); console.log('last')", "dropped"
    )
    assert "of 1000" in text
    assert "older ones were dropped" in text
