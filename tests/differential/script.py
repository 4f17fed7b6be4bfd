"""Scripts and what they return."""

from __future__ import annotations

import json

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side

PAGE = "<title>t</title><button>Go</button><iframe srcdoc='<button>Inner</button>'></iframe>"


@behaviour(64)
async def values_come_back_as_json(side: Side) -> Facts:
    await side.open(PAGE)
    facts: dict[str, object] = {}
    for code in (
        "1 + 1",
        "'text'",
        "undefined",
        "null",
        "Promise.resolve({a: [1, {b: 2}]})",
        "new Date(0)",
        "({d: new Date(0), u: undefined, n: null})",
        "[1, 'two', [3]]",
    ):
        answer = await side.call("evaluate_script", function=f"() => ({code})")
        value = answer.text.partition("```json\n")[2].rpartition("\n```")[0]
        facts[code] = (answer.failed, "".join(value.split()))
        facts[f"{code} told"] = "Script ran on page and returned:" in answer.text
    return facts


@behaviour(64, expression="expressions-are-taken")
async def what_goes_wrong_is_said(side: Side) -> Facts:
    await side.open(PAGE)
    thrown = await side.call("evaluate_script", function="() => { throw new Error('bad') }")
    no_function = await side.call("evaluate_script", function="5")
    syntax = await side.call("evaluate_script", function="() => (")
    return {
        "failed": [each.failed for each in (thrown, syntax)],
        "expression": no_function.failed,
        **thrown.says("bad"),
        **syntax.says("unexpected|missing"),
    }


@behaviour(64, big="values-json-cannot-hold", circular="values-json-cannot-hold")
async def values_that_json_cannot_hold(side: Side) -> Facts:
    await side.open(PAGE)
    big = await side.call("evaluate_script", function="() => 10n")
    circular = await side.call(
        "evaluate_script", function="() => { const a = {}; a.a = a; return a }"
    )
    return {"big": big.failed, "circular": circular.failed}


@behaviour(64, text="thrown-values")
async def a_thrown_text_is_told(side: Side) -> Facts:
    await side.open(PAGE)
    answer = await side.call("evaluate_script", function="() => { throw 'a text' }")
    return {"failed": answer.failed, "text": "a text" in answer.text}


@behaviour(65)
async def elements_are_passed_by_uid(side: Side) -> Facts:
    await side.open(PAGE)
    await side.call("wait_for", text=["Inner"])
    await side.call("take_snapshot")
    outer, inner = side.uid('button "Go"'), side.uid('button "Inner"')
    one = await side.call("evaluate_script", function="el => el.innerText", args=[outer])
    framed = await side.call(
        "evaluate_script",
        function="el => el.innerText + (el.ownerDocument == document)",
        args=[inner],
    )
    mixed = await side.call("evaluate_script", function="(a, b) => 1", args=[outer, inner])
    unknown = await side.call("evaluate_script", function="el => 1", args=["999_9"])
    return {
        "failed": [each.failed for each in (one, framed, mixed, unknown)],
        **one.says('"Go"'),
        **framed.says('"Innertrue"'),
    }


@behaviour(66)
async def a_script_returns_its_last_value(side: Side) -> Facts:
    await side.open(PAGE)
    last = await side.call("evaluate_script", function="let a = 20; a + 1", format="script")
    awaited = await side.call("evaluate_script", function="Promise.resolve(33)", format="script")
    with_arguments = await side.call(
        "evaluate_script", function="1", format="script", args=[side.uid('button "Go"')]
    )
    return {
        "failed": [last.failed, awaited.failed, with_arguments.failed],
        **last.says("21"),
        **awaited.says("33"),
    }


@behaviour(67)
async def a_script_is_read_from_a_file(side: Side) -> Facts:
    await side.open(PAGE)
    file = side.folder / "script.js"
    file.write_text("() => 'from a file'")
    read = await side.call("evaluate_script", sourcePath=str(file))
    absent = await side.call("evaluate_script", sourcePath=str(side.folder / "absent.js"))
    both = await side.call("evaluate_script", function="() => 1", sourcePath=str(file))
    neither = await side.call("evaluate_script")
    return {
        "failed": [each.failed for each in (read, absent, both, neither)],
        **read.says("from a file"),
    }


@behaviour(68)
async def a_result_is_written_to_a_file(side: Side) -> Facts:
    await side.open(PAGE)
    answer = await side.call(
        "evaluate_script", function="() => ({kept: [1, 2]})", filePath=str(side.folder / "result")
    )
    found = json.loads((side.folder / "result.json").read_text())
    return {
        "found": found,
        "inline": "kept" in answer.text,
        **answer.says("Output saved to .*result.json"),
    }


@behaviour(69)
async def a_script_that_navigates_says_where(side: Side) -> Facts:
    await side.open(PAGE)
    answer = await side.call(
        "evaluate_script", function="() => { history.pushState({}, '', '?scripted'); return 1 }"
    )
    return {"failed": answer.failed, **answer.says(r"Page navigated to \S+\?scripted")}


@behaviour(69)
async def a_script_need_not_wait_for_the_page(side: Side) -> Facts:
    await side.open(
        "<title>t</title><p id=p></p><script>setInterval(() => p.textContent = Math.random(), 20)</script>"
    )
    answer = await side.call("evaluate_script", function="() => 1", waitForStableDom=False)
    return {"failed": answer.failed, "quick": answer.seconds < 2.5}
