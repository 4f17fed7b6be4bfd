"""Emulation, screenshots, traces and heap snapshots."""

from __future__ import annotations

import gzip
import json
import struct
from http.server import BaseHTTPRequestHandler

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side

BLANK = "<title>t</title><p>text"


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


async def emulated(side: Side, expression: str, **fields: object) -> list[object]:
    """A value before, while, after a navigation, and after it is cleared."""
    await side.open(BLANK)
    values = [await side.value(expression)]
    await side.call("emulate", **fields)
    values.append(await side.value(expression))
    await side.open(BLANK)
    values.append(await side.value(expression))
    await side.call("emulate")
    values.append(await side.value(expression))
    return values


@behaviour(85)
async def media_features_are_emulated(side: Side) -> Facts:
    facts: dict[str, object] = {}
    for name, field, value in (
        ("prefers-color-scheme", "colorScheme", "dark"),
        ("prefers-reduced-motion", "prefersReducedMotion", "reduce"),
        ("prefers-contrast", "prefersContrast", "more"),
        ("forced-colors", "forcedColors", "active"),
    ):
        expression = f"matchMedia('({name}: {value})').matches"
        facts[name] = await emulated(side, expression, **{field: value})
    return facts


@behaviour(85)
async def a_viewport_is_emulated(side: Side) -> Facts:
    values = await emulated(
        side, "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0]",
        viewport="400x800x2,mobile,touch",
    )  # fmt: skip
    return {"while": values[1], "then": values[2], "restored": values[0] == values[3]}


@behaviour(85)
async def a_user_agent_is_emulated(side: Side) -> Facts:
    values = await emulated(side, "navigator.userAgent", userAgent="Agent/1.0")
    return {"while": values[1:3], "restored": values[0] == values[3]}


@behaviour(85)
async def a_place_is_emulated(side: Side) -> Facts:
    await side.open(BLANK)
    await side.call("emulate", geolocation="10,20")
    said = await side.call("take_snapshot")
    cleared = await side.call("emulate")
    return {
        "said": said.says("latitude=10, longitude=20"),
        "cleared": "geolocation" in cleared.text.lower(),
    }


@behaviour(85)
async def a_slow_processor_is_said(side: Side) -> Facts:
    await side.open(BLANK)
    answer = await side.call("emulate", cpuThrottlingRate=4)
    await side.call("emulate")
    return {"failed": answer.failed, **answer.says("Emulating CPU throttling: 4x slowdown")}


@behaviour(86)
async def extra_headers_stay_until_they_are_cleared(side: Side) -> Facts:
    seen: list[str | None] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers.get("x-extra"))
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    url = side.site.route(respond)
    for fields in ({"extraHttpHeaders": '{"X-Extra": "1"}'}, {}, {"extraHttpHeaders": ""}):
        await side.call("emulate", **fields)
        await side.goto(url)
    return {"seen": seen}


@behaviour(87)
async def offline_is_offline(side: Side) -> Facts:
    await side.open(BLANK)
    await side.call("emulate", networkConditions="Offline")
    fetch = "fetch(location.href).then(() => 'reached', () => 'failed')"
    off = [await side.value(fetch), await side.value("navigator.onLine")]
    await side.call("emulate")
    return {"off": off, "on": [await side.value(fetch), await side.value("navigator.onLine")]}


@behaviour(87)
async def a_slow_network_is_known_to_the_page(side: Side) -> Facts:
    await side.open(BLANK)
    await side.call("emulate", networkConditions="Slow 3G")
    kind = await side.value("navigator.connection.effectiveType")
    await side.call("emulate")
    return {"while": kind, "then": await side.value("navigator.connection.effectiveType")}


@behaviour(85, worker="emulation-in-workers")
async def workers_are_told_the_same_user_agent(side: Side) -> Facts:
    code = side.site.page(
        "self.onmessage = (event) => event.source.postMessage(navigator.userAgent)",
        kind="text/javascript",
    )
    ask = f"""navigator.serviceWorker.register('{code}').then(async () => {{
      const heard = new Promise((resolve) => {{
        navigator.serviceWorker.onmessage = (event) => resolve(event.data) }});
      (await navigator.serviceWorker.ready).active.postMessage('');
      return heard }})"""
    dedicated = side.site.page("postMessage(navigator.userAgent)", kind="text/javascript")
    hear = f"""new Promise((resolve) => {{
      new Worker('{dedicated}').onmessage = (event) => resolve(event.data) }})"""
    await side.open(BLANK)
    await side.call("emulate", userAgent="Agent/2.0")
    facts = {"dedicated": await side.value(hear), "worker": await side.value(ask)}
    await side.call("emulate")
    leave = "navigator.serviceWorker.ready.then((made) => made.unregister())"
    return {**facts, "left": await side.value(leave)}


@behaviour(88)
async def what_is_emulated_is_said_with_every_answer(side: Side) -> Facts:
    await side.open(BLANK)
    await side.call(
        "emulate", networkConditions="Slow 4G", userAgent="UA1", colorScheme="dark",
        prefersReducedMotion="reduce", viewport="500x600x1",
    )  # fmt: skip
    answer = await side.call("take_snapshot")
    await side.call("emulate")
    after = await side.call("take_snapshot")
    return {
        **answer.says(
            "Emulating network conditions: Slow 4G",
            "Emulating viewport: .*500",
            "Emulating user agent: UA1",
            "Emulating (prefers-)?color.scheme: dark",
            "Emulating prefers-reduced-motion: reduce",
        ),
        "after": after.says("emulating (network|viewport|user|color|prefers)"),
    }


@behaviour(89)
async def wrong_surroundings_are_refused(side: Side) -> Facts:
    await side.open(BLANK)
    wrong: list[dict[str, object]] = [
        {"viewport": "0x100x1"},
        {"viewport": "nonsense"},
        {"geolocation": "100,0"},
        {"geolocation": "here"},
        {"extraHttpHeaders": "{"},
        {"extraHttpHeaders": "[1]"},
        {"cpuThrottlingRate": 50},
        {"networkConditions": "5G"},
    ]
    answers = [await side.call("emulate", **fields) for fields in wrong]
    return {"failed": [each.failed for each in answers]}


@behaviour(90)
async def the_content_is_resized(side: Side) -> Facts:
    await side.open(BLANK)
    answer = await side.call("resize_page", width=700, height=500)
    await side.until("innerWidth == 700 && innerHeight == 500")
    size = await side.value("[innerWidth, innerHeight]")
    wrong = await side.call("resize_page", width=0, height=5)
    await side.call("resize_page", width=1280, height=720)
    return {"failed": answer.failed, "size": size, "wrong": wrong.failed}


@behaviour(91, full="pictures-within-limits")
async def pictures_have_the_size_of_what_they_show(side: Side) -> Facts:
    await side.open(
        "<body style='margin:0'><button style='width:90px;height:40px'>Box</button><div style='height:3000px'>"
    )
    page = side.page
    await side.call("select_page", pageId=page, bringToFront=True)
    viewport = await side.call("take_screenshot")
    element = await side.act("take_screenshot", 'button "Box"')
    full = await side.call("take_screenshot", fullPage=True)
    both = await side.call("take_screenshot", fullPage=True, uid=side.uid('button "Box"'))
    inner = await side.value("[innerWidth, innerHeight]")
    return {
        "viewport": list(png_size(viewport.images[0])) == inner,
        "element": png_size(element.images[0]),
        "full": png_size(full.images[0])[1] >= 3000,
        "both": both.failed,
        **viewport.says("Took a screenshot of .*viewport"),
        **full.says("Took a screenshot of the full"),
    }


@behaviour(91)
async def pictures_come_in_other_formats(side: Side) -> Facts:
    await side.open(BLANK)
    await side.call("select_page", pageId=side.page, bringToFront=True)
    jpeg = await side.call("take_screenshot", format="jpeg", quality=50)
    webp = await side.call("take_screenshot", format="webp")
    saved = await side.call("take_screenshot", filePath=str(side.folder / "picture"))
    return {
        "jpeg": jpeg.images[0][:3] == b"\xff\xd8\xff",
        "webp": webp.images[0][8:12] == b"WEBP",
        "file": (side.folder / "picture.png").read_bytes()[:4] == b"\x89PNG",
        "inline": len(saved.images),
        **saved.says("Saved screenshot to .*picture.png"),
    }


@behaviour(93)
async def a_recorded_load_has_its_metrics(side: Side) -> Facts:
    await side.open("<title>t</title><h1>A large heading</h1><p>text")
    await side.call("select_page", pageId=side.page, bringToFront=True)
    file = side.folder / "load.json.gz"
    answer = await side.call("performance_start_trace", reload=True, filePath=str(file))
    events = json.loads(gzip.decompress(file.read_bytes()))
    insight = await side.call(
        "performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="LCPBreakdown"
    )
    return {
        "failed": [answer.failed, insight.failed],
        "events": bool(events["traceEvents"]),
        **answer.says("NAVIGATION_0", r"LCP:? \d+", r"CLS:? 0"),
        "insight": insight.says("render delay"),
    }


@behaviour(94, set="failures-are-flagged", name="failures-are-flagged")
async def an_unknown_insight_is_said(side: Side) -> Facts:
    wrong_set = await side.call(
        "performance_analyze_insight", insightSetId="NOWHERE", insightName="LCPBreakdown"
    )
    wrong_name = await side.call(
        "performance_analyze_insight", insightSetId="NAVIGATION_0", insightName="Nonsense"
    )
    return {"set": wrong_set.failed, "name": wrong_name.failed}


@behaviour(95, twice="failures-are-flagged", none="failures-are-flagged")
async def recording_twice_and_stopping_nothing_is_said(side: Side) -> Facts:
    await side.open(BLANK)
    none = await side.call("performance_stop_trace")
    started = await side.call("performance_start_trace", reload=False, autoStop=False)
    twice = await side.call("performance_start_trace", reload=False, autoStop=False)
    file = side.folder / "plain.json"
    stopped = await side.call("performance_stop_trace", filePath=str(file))
    return {
        "started": started.failed,
        "stopped": stopped.failed,
        "none": none.failed,
        "twice": twice.failed,
        "json": bool(json.loads(file.read_bytes())["traceEvents"]),
    }


@behaviour(96)
async def a_trace_is_written_packed_or_plain(side: Side) -> Facts:
    await side.open(BLANK)
    facts: dict[str, object] = {}
    for name in ("packed.json.gz", "plain.json"):
        file = side.folder / name
        await side.call("performance_start_trace", reload=False, autoStop=False)
        answer = await side.call("performance_stop_trace", filePath=str(file))
        content = file.read_bytes()
        packed = content.startswith(b"\x1f\x8b")
        trace = json.loads(gzip.decompress(content) if packed else content)
        facts[name] = (answer.failed, packed, bool(trace["traceEvents"]))
    return facts


@behaviour(97)
async def a_heap_snapshot_is_saved(side: Side) -> Facts:
    await side.open(BLANK)
    answer = await side.call("take_heapsnapshot", filePath=str(side.folder / "memory"))
    found = json.loads((side.folder / "memory.heapsnapshot").read_bytes())
    return {
        "failed": answer.failed,
        "nodes": len(found["nodes"]) > 10_000,
        **answer.says("memory.heapsnapshot"),
    }
