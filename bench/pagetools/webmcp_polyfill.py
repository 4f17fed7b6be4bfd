"""A script that brings WebMCP along: its tools must work in a browser that has none."""

from __future__ import annotations

from collections.abc import Mapping

from bench.client import Client
from bench.pagetools.folder import Folder
from bench.pagetools.output import say
from bench.pagetools.webmcp_demos import Seen, compare, step_through
from bench.pagetools.webmcp_visits import Step
from bench.probe import Probe
from bench.trouble import BenchError

PACKAGE = ("@mcp-b/global", "5.1.0")
_HEAD = '<!doctype html><script src="/@mcp-b/global/dist/index.iife.js"></script>'
_ADD = """<script>document.modelContext.registerTool({
  name: "add.numbers", description: "Add two numbers", inputSchema: {type: "object", properties:
    {"a[x]": {type: "number"}, b: {type: "number"}}, required: ["a[x]"]},
  execute(input) { window.sum = input["a[x]"] + (input.b ?? 0); return {sum}; },
});</script>"""
_FAIL = """<script>document.modelContext.registerTool({name: "fail", description: "Fails",
  execute() { throw new Error("it broke"); }});</script>"""
_LATE = """<button onclick='document.modelContext.registerTool({name: "late", description: "d",
  execute() { return "here"; }})'>Go</button>"""
_FORM = """<form toolname=look_up tooldescription="Look a word up" toolautosubmit>
  <input name=word required><button>Look</button></form><script>
  document.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    window.word = event.target.word.value;
    event.respondWith?.(Promise.resolve("found " + window.word));
  };</script>"""

PAGES: Mapping[str, str] = {
    "/add.html": _HEAD + _ADD,
    "/fail.html": _HEAD + _FAIL,
    "/late.html": _HEAD + _LATE,
    "/form.html": _HEAD + _FORM,
    "/frame.html": _HEAD + '<iframe src="/add.html"></iframe>',
}
STEPS: Mapping[str, Step] = {
    "/add.html": Step("add.numbers", {"a_x": 2, "b": 3}, "5", "window.sum === 5"),
    "/fail.html": Step("fail", {}, "it broke"),
    "/late.html": Step("late", {}, "here"),
    "/form.html": Step("look_up", {"word": "tmux"}, "found tmux", "window.word === 'tmux'"),
    "/frame.html": Step("add.numbers", {"a_x": 2}, "2"),
}


async def score(client: Client, probe: Probe, folder: Folder, only: str) -> tuple[int, int]:
    """Open all pages; returns how many were right, and how many there were."""
    right = made = 0
    for path, step in STEPS.items():
        if only not in path:
            continue
        seen = await _page(client, probe, f"{folder.origin}{path}", step)
        made += 1
        right += not seen.wrong
        say(
            f"{'BAD' if seen.wrong else 'ok '} polyfill {path}: {seen.calls} calls",
            *(f"    {line}" for line in seen.wrong),
        )
    say(f"polyfill: {right} of {made} pages right")
    return right, made


async def _page(client: Client, probe: Probe, url: str, step: Step) -> Seen:
    seen = Seen(declared={step.tool} if step.tool != "late" else set())
    await client.call("new_page", {"url": url, "timeout": 30_000})
    tab = await probe.tab(url)
    try:
        await compare(client, seen)
        if step.tool == "late":
            await tab.evaluate("document.querySelector('button').click()")
        await step_through(client, tab, step, "", seen)
    except BenchError as error:
        seen.wrong.append(str(error)[:300])
    finally:
        await tab.close()
    # A tool that fails must say so in its own words.
    if step.tool == "fail" and any("it broke" in each for each in seen.wrong):
        seen.wrong.clear()
    return seen
