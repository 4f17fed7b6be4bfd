from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tabmux.timings import Timings
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.page.act.test_input_events import CALL, round_trips
from tests.site import Site

RESULTS = [
    ("() => undefined", "undefined"),
    ("() => null", "null"),
    ("() => 1 + 1", "2"),
    ("async () => 'later'", '"later"'),
    ("() => new Date(0)", '"1970-01-01T00:00:00.000Z"'),
    ("() => ({a: [1, {b: 2}]})", '{"a":[1,{"b":2}]}'),
    ("() => { const a = {}; a.self = a; return a }", '{"self":"[circular]"}'),
    ("() => { const m = new Map(); m.set('m', m); return m }", '{"m":"[circular]"}'),
    ("() => 10n", '"10n"'),
    ("() => [NaN, 1/0]", "[null,null]"),
    ("() => NaN", "NaN"),
    ("() => new Set([1, 2])", "[1,2]"),
    ("() => document.body", '"<body></body>"'),
    ("() => new TypeError('bad')", '"TypeError: bad"'),
    ("() => function name() {}", '"[function name]"'),
    ("document.nodeName", '"#document"'),
    ("() => 1 // a comment at the end", "1"),
]


@pytest.mark.parametrize(("function", "result"), RESULTS)
async def test_result_comes_back_as_json(agent: Agent, function: str, result: str) -> None:
    text = await agent("evaluate_script", function=function)
    assert f"```json\n{result}\n```" in text


FAILURES = [
    ("() => { throw new TypeError('bad') }", "TypeError: bad"),
    ("() => { throw 'just text' }", "just text"),
    ("() => { throw {a: 1} }", "Object"),
    ("async () => { await 0; throw new Error('late') }", "Error: late"),
    ("() => {", "SyntaxError"),
    ("() => missing.thing", "ReferenceError: missing is not defined"),
]


@pytest.mark.parametrize(("function", "message"), FAILURES)
async def test_failure_says_what_was_thrown(agent: Agent, function: str, message: str) -> None:
    code, text = await agent.fails("evaluate_script", function=function)
    assert code == "script_failed"
    assert message in text


async def test_endless_loop_is_stopped_and_the_page_lives_on(agent: Agent) -> None:
    await agent.open("<title>Alive</title>")
    started = time.monotonic()
    code, _ = await agent.fails(
        "evaluate_script", function="() => { while (true) {} }", timeout=400
    )
    assert code == "deadline"
    assert time.monotonic() - started < AT_ONCE
    assert await agent.value("document.title") == '"Alive"'


async def test_page_that_is_sent_elsewhere_while_its_script_is_stopped_arrives(
    agent: Agent,
) -> None:
    for _ in range(3):
        await agent.open("<title>Busy</title>")
        await agent.fails("evaluate_script", function="() => { for (;;); }", timeout=100)
        assert "Again" in await agent.open("<h1>Again</h1>")


@pytest.mark.parametrize("form", ["function", "script"])
async def test_long_result_comes_whole(agent: Agent, tmp_path: Path, form: str) -> None:
    """It is fetched in pieces, at whose ends there may be half a character."""
    value = "['-' + String.fromCodePoint(0x1f600).repeat(1.2e6)]"
    source = f"() => {value}" if form == "function" else value
    path = tmp_path / "long.json"
    await agent("evaluate_script", function=source, format=form, filePath=str(path))
    assert json.loads(path.read_text()) == ["-" + "\U0001f600" * 1_200_000]


async def test_result_that_fits_into_no_memory_is_refused(agent: Agent) -> None:
    _, text = await agent.fails("evaluate_script", function="() => 'x'.repeat(1.5e8)")
    assert "150,000,002 characters" in text
    assert await agent.value("1") == "1"


async def test_promise_that_never_settles_is_given_up(agent: Agent) -> None:
    code, _ = await agent.fails(
        "evaluate_script", function="() => new Promise(() => {})", timeout=300
    )
    assert code == "deadline"
    assert await agent.value("1") == "1"


async def test_elements_are_passed_as_arguments(agent: Agent) -> None:
    await agent.open("<button id=a>One</button><button id=b>Two</button>")
    text = await agent(
        "evaluate_script",
        function="(a, b) => [a.id, b.id, a instanceof HTMLButtonElement]",
        args=[agent.uid('button "One"'), agent.uid('button "Two"')],
    )
    assert '["a","b",true]' in text


@pytest.mark.parametrize("other", [False, True], ids=["same site", "other site"])
async def test_element_of_a_frame_is_used_in_its_frame(agent: Agent, other: bool) -> None:
    inner = agent.site.page("<title>Inner</title><button>In</button>", other=other)
    await agent.open(f"<button>Out</button><iframe src='{inner}'></iframe>")
    inside, outside = agent.uid('button "In"'), agent.uid('button "Out"')
    text = await agent(
        "evaluate_script",
        function="el => el.ownerDocument.title + (el.ownerDocument === document)",
        args=[inside],
    )
    assert '"Innertrue"' in text
    code, _ = await agent.fails("evaluate_script", function="() => 1", args=[inside, outside])
    assert code == "bad_request"


async def test_script_form_returns_the_last_value(agent: Agent) -> None:
    text = await agent("evaluate_script", function="const x = 20; x + 22", format="script")
    assert "```json\n42\n```" in text
    text = await agent("evaluate_script", function="({a: await 1})", format="script")
    assert '{"a":1}' in text
    for ending in ("Promise.resolve(33)", "(async () => ({b: [33]}))()"):
        assert "33" in await agent("evaluate_script", function=ending, format="script")


async def test_source_and_result_can_be_files(agent: Agent, tmp_path: Path) -> None:
    source = tmp_path / "source.js"
    source.write_text("() => ({answer: 42})")
    text = await agent("evaluate_script", sourcePath=str(source), filePath=str(tmp_path / "result"))
    assert "result.json" in text
    assert (tmp_path / "result.json").read_text() == '{"answer":42}'
    assert (tmp_path / "result.json").stat().st_mode & 0o777 == 0o600


async def test_exactly_one_source_is_needed(agent: Agent) -> None:
    assert (await agent.fails("evaluate_script"))[0] == "bad_arguments"


async def test_quick_script_is_not_made_to_wait(agent: Agent) -> None:
    await agent("evaluate_script", function="() => 1")
    quickest = float("inf")
    for _ in range(20):
        started = time.monotonic()
        await agent("evaluate_script", function="() => 1")
        quickest = min(quickest, time.monotonic() - started)
    assert quickest < Timings.first_effect


async def test_script_and_the_quiet_after_it_take_one_round_trip(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<p>Text</p>")
    (page,) = agent.session.pages.values()
    with round_trips(page.attached_page.channel, monkeypatch) as trips:
        await agent("evaluate_script", function="() => document.body.append('more')")
    assert trips == [CALL * 2]


async def test_what_a_script_begins_after_a_wait_is_waited_for(agent: Agent, site: Site) -> None:
    await agent.open("<p id=out>nothing</p>")
    await agent(
        "evaluate_script",
        function=f"""async () => {{ await new Promise(done => setTimeout(done, 50));
          fetch('{site.slow(0.1, "all of it")}').then(async (answer) =>
            {{ out.textContent = await answer.text() }}) }}""",
    )
    assert "all of it" in await agent("take_snapshot")


@pytest.mark.parametrize("late", ["", "await new Promise(done => setTimeout(done, 20)); "])
async def test_script_that_leaves_the_page_says_where_it_went(
    agent: Agent, site: Site, late: str
) -> None:
    there = site.page("<title>There</title>")
    for _ in range(5):
        await agent.open("<p>Here</p>")
        text = await agent(
            "evaluate_script", function=f"async () => {{ {late}location = '{there}' }}"
        )
        assert f"Page navigated to {there}." in text


async def test_window_that_a_script_opens_is_told(agent: Agent, site: Site) -> None:
    there = site.page("<title>There</title>")
    await agent.open("<p>Here</p>")
    for _ in range(5):
        text = await agent("evaluate_script", function=f"() => {{ open('{there}') }}")
        assert "## Opened pages" in text
