from __future__ import annotations

import base64
import json
import re
import statistics
import time

import psutil
import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.clock import AT_ONCE

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


BUNDLE = "function inner() { console.log('bundled'); const e = new Error('thrown'); console.error(e) } inner()"
MAP = {
    "version": 3,
    "sources": ["src/inner.ts"],
    "names": [],
    # From column 19: line 11, column 5; from column 53: line 21, column 3.
    "mappings": "mBAUI,kCAUF",
}


FLOOD = """() => { let left = 20000;
  const go = () => {
    for (let i = 0; i < 500 && left; i++, left--) console.log('message ' + left, {left});
    if (left) setTimeout(go); else { console.log('last'); document.title = 'done' }
  };
  setTimeout(go) }"""


def script(agent: Agent, code: str) -> str:
    return agent.site.page(code, kind="text/javascript")


async def logged(agent: Agent, script: str, text: str) -> str:
    await agent.open(f"<!DOCTYPE html><script>{script}</script>")
    return await listed(agent, text)


async def listed(agent: Agent, text: str, **arguments: object) -> str:
    found = ""
    end = time.monotonic() + 15
    while text not in found and time.monotonic() < end:
        found = await agent("list_console_messages", **arguments)
    assert text in found
    return found


def message_id(text: str, line: str) -> int:
    found = re.search(rf"msgid=(\d+) {re.escape(line)}", text)
    assert found, text
    return int(found[1])


@pytest.mark.parametrize(("script", "line"), LOGS)
async def test_message_is_listed_with_its_values(agent: Agent, script: str, line: str) -> None:
    assert line in await logged(agent, script, line)


async def test_repeats_are_counted(agent: Agent) -> None:
    text = await logged(agent, "for (let i = 0; i < 5; i++) console.info('same')", "[5 times]")
    assert "[info] same [5 times]" in text
    assert "of 1 " in text


async def test_causes_of_errors_are_told(agent: Agent) -> None:
    script = """
      const inner = new TypeError('the root');
      Promise.reject(new Error('on top', {cause: new RangeError('between', {cause: inner})}));
    """
    line = "[error] Uncaught (in promise) Error: on top (cause: RangeError: between)"
    text = await logged(agent, script, line)
    whole = await agent("get_console_message", msgid=message_id(text, line))
    assert "Arg #0: Error: on top\n    at http" in whole
    assert "Caused by: RangeError: between\n    at http" in whole
    assert "Caused by: TypeError: the root\n    at http" in whole


async def test_messages_of_several_lines_are_kept_whole(agent: Agent) -> None:
    script = "setTimeout(() => { throw new Error('first\\nsecond') })"
    assert "Uncaught Error: first\nsecond" in await logged(agent, script, "second")


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
    await listed(agent, "from near")
    await listed(agent, "from far")


async def test_workers_log_to_the_same_console_once(agent: Agent) -> None:
    inner = script(agent, "console.log('from inner')")
    outer = script(
        agent,
        f"console.log('from outer', {{a: 1}}); new Worker('{inner}');"
        "setTimeout(() => { throw new Error('worker trouble') })",
    )
    await logged(agent, f"new Worker('{outer}')", "[error] Uncaught Error: worker trouble")
    text = await listed(agent, "[log] from inner")
    assert text.count("from outer {a: 1}") == 1
    assert text.count("worker trouble") == 1
    whole = await agent("get_console_message", msgid=message_id(text, "[log] from outer"))
    assert f"Logged by the worker {outer}" in whole
    assert 'Arg #1: {"a":1}' in whole


async def test_shared_and_service_workers_log_to_the_same_console(agent: Agent) -> None:
    shared = script(agent, "console.log('from shared')")
    service = script(agent, "console.log('from service')")
    await agent("new_page", url="about:blank", isolatedContext="workers")
    await logged(
        agent,
        f"new SharedWorker('{shared}'); navigator.serviceWorker.register('{service}')",
        "[log] from service",
    )
    text = await listed(agent, "[log] from shared")
    whole = await agent("get_console_message", msgid=message_id(text, "[log] from service"))
    assert f"Logged by the service worker {service}" in whole
    only = await agent("list_console_messages", serviceWorkerId=service)
    assert "from service" in only
    assert "from shared" not in only


async def test_stack_traces_lead_to_the_sources(agent: Agent) -> None:
    agent_map = agent.site.page(json.dumps(MAP), kind="application/json")
    bundle = script(agent, f"{BUNDLE}\n//# sourceMappingURL={agent_map.rpartition('/')[2]}")
    await agent.open(f"<!DOCTYPE html><script src='{bundle}'></script>")
    text = await listed(agent, "[log] bundled")
    whole = await agent("get_console_message", msgid=message_id(text, "[log] bundled"))
    assert f"at inner ({agent.site.origin}/src/inner.ts:11:5)" in whole
    whole = await agent("get_console_message", msgid=message_id(text, "[error] Error: thrown"))
    assert f"Error: thrown\n    at inner ({agent.site.origin}/src/inner.ts:21:3)" in whole


async def test_source_maps_inside_scripts_are_read(agent: Agent) -> None:
    data = base64.b64encode(json.dumps({**MAP, "sourceRoot": "webpack://app"}).encode()).decode()
    bundle = script(agent, f"{BUNDLE}\n//# sourceMappingURL=data:application/json;base64,{data}")
    await logged(agent, f"new Worker('{bundle}')", "[log] bundled")
    text = await agent("list_console_messages")
    whole = await agent("get_console_message", msgid=message_id(text, "[log] bundled"))
    assert "at inner (webpack://app/src/inner.ts:11:5)" in whole


async def test_broken_source_maps_do_no_harm(agent: Agent) -> None:
    bundle = script(agent, f"{BUNDLE}\n//# sourceMappingURL=/nowhere.map")
    await agent.open(f"<!DOCTYPE html><script src='{bundle}'></script>")
    text = await listed(agent, "[log] bundled")
    whole = await agent("get_console_message", msgid=message_id(text, "[log] bundled"))
    assert f"at inner ({bundle}:1:28)" in whole


async def test_issues_are_listed_with_what_they_are_about(agent: Agent) -> None:
    await agent.open("<form><input aria-label=one><input aria-label=two></form>")
    line = "[issue] A form field has neither id nor name [2 times]"
    text = await listed(agent, line, types=["issue"])
    assert "[issue] The document is laid out in quirks mode" in text
    whole = await agent("get_console_message", msgid=message_id(text, line))
    assert "Give it one, so that browsers can fill it in." in whole
    await agent("take_snapshot")
    uids = [agent.uid(field) for field in ('textbox "one"', 'textbox "two"')]
    whole = await agent("get_console_message", msgid=message_id(text, line))
    assert all(f"uid={uid}" in whole for uid in uids)


async def test_issues_name_the_request_they_are_about(agent: Agent) -> None:
    far = agent.site.page("private", other=True)
    await agent.open(f"<!DOCTYPE html><script>fetch('{far}')</script>")
    text = await listed(agent, "[issue] CORS", types=["issue"])
    line = "[issue] CORS: the answer allows no other origin"
    whole = await agent("get_console_message", msgid=message_id(text, line))
    assert re.search(rf"reqid=\d+ url={re.escape(far)}", whole)


async def test_failed_requests_are_remarked(agent: Agent) -> None:
    text = await logged(agent, "fetch('/nowhere')", "404")
    assert "[error] Failed to load resource" in text
    assert "/nowhere" in text


async def test_message_is_shown_at_once_while_a_dialog_is_open(agent: Agent) -> None:
    await agent.open(
        "<!DOCTYPE html><button onclick=\"console.log('seen', {a: {b: 1}}); alert(1)\">Go</button>"
    )
    await agent("click", uid=agent.uid("button"))
    text = await listed(agent, "[log] seen")
    began = time.monotonic()
    whole = await agent("get_console_message", msgid=message_id(text, "[log] seen"))
    assert "Arg #1: {a: {…}}" in whole or "Arg #1: {a: Object}" in whole
    assert time.monotonic() - began < AT_ONCE
    await agent("handle_dialog", action="accept")


async def test_long_values_are_cut(agent: Agent) -> None:
    text = await logged(agent, "console.log('begin', 'x'.repeat(1e6))", "[log] begin")
    assert len(text) < 3000
    whole = await agent("get_console_message", msgid=message_id(text, "[log] begin"))
    assert "x… <990000 more characters>" in whole


async def test_flood_of_messages_costs_a_fixed_amount_and_delays_nobody(
    agent: Agent, app: App
) -> None:
    await agent.open("<!DOCTYPE html><title>busy</title>")
    async with Agent.joined(app, agent.site) as other:
        await other.open("<p>Calm</p>")
        quiet = [await call_seconds(other) for _ in range(20)]
        before = resident_bytes()
        await agent("evaluate_script", function=FLOOD, waitForStableDom=False)
        busy = [await call_seconds(other)]
        while await agent.value("document.title") != '"done"':
            busy.append(await call_seconds(other))
    text = await listed(agent, "[log] last", pageIdx=19)
    assert "Showing 951-1000 of 1000 (Page 20 of 20)." in text
    assert re.search(r"\(1900\d older ones were dropped\)", text)
    assert resident_bytes() - before < 50_000_000
    assert statistics.median(busy) < max(0.5, 5 * statistics.median(quiet))


async def call_seconds(agent: Agent) -> float:
    began = time.monotonic()
    await agent("evaluate_script", function="() => 1", waitForStableDom=False)
    return time.monotonic() - began


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


async def test_messages_are_filtered_by_text_and_by_where_they_came_from(agent: Agent) -> None:
    script = agent.site.page("console.log('from a file')", kind="text/javascript")
    await agent.open(
        f"<script>console.log('Order 17 failed')</script><script src='{script}'></script>"
    )
    for text in ("order 17", r"/order \d+ failed/"):
        found = await agent("list_console_messages", text=text)
        assert "Order 17 failed" in found
        assert "from a file" not in found
    found = await agent("list_console_messages", text=script)
    assert "from a file" in found
    assert "Order" not in found
    assert (await agent.fails("list_console_messages", text="/(/"))[0] == "bad_arguments"
