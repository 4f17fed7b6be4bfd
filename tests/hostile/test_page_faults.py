"""Faults of tabs and of what they show: the agent is told, and its neighbour notices nothing."""

from __future__ import annotations

import asyncio
import signal
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import psutil
import pytest

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.clock import AT_ONCE
from tests.hostile.tally import WHOLE_SECONDS, count, whole
from tests.site import Site, void

HUGE_DOWNLOAD = 2 << 30
# What may be said of a picture that is not to be had.
TOO_LARGE = ("page_trouble", "deadline", "bad_request", "protocol_fault")


@pytest.fixture
async def neighbour(app: App, site: Site) -> AsyncIterator[Agent]:
    """Another agent with a page of its own, which must go on working."""
    async with Agent.joined(app, site) as agent:
        await agent.open("<title>Neighbour</title><button>Fine</button>")
        yield agent
        async with asyncio.timeout(AT_ONCE):
            assert "Fine" in await agent("take_snapshot")


async def renderer_of(app: App, agent: Agent) -> psutil.Process:
    """Find the process of an agent's page: the one that works while the page does."""
    # Another browser of this process may be there, of tests in other files.
    renderers = [
        process
        for process in psutil.Process().children(recursive=True)
        if "chrom" in process.name() and "--type=renderer" in process.cmdline()
    ]
    before = {process.pid: process.cpu_times().user for process in renderers}
    # So much work, not so much time: on a busy machine others may get more of that.
    work = "() => { let sum = 0; for (let i = 0; i < 2e9; i++) sum += i; return sum }"
    await agent("evaluate_script", function=work, timeout=int(6_000 * AT_ONCE))
    return max(renderers, key=lambda process: process.cpu_times().user - before[process.pid])


@whole
async def test_killed_renderer_fails_its_page_alone_and_comes_back(
    app: App, agent: Agent, neighbour: Agent
) -> None:
    await agent.open("<title>Victim</title>")
    process = await renderer_of(app, agent)
    waiting = asyncio.gather(agent.fails("wait_for", text=["never"], timeout=30_000))
    await asyncio.sleep(0)
    process.send_signal(signal.SIGKILL)
    async with asyncio.timeout(AT_ONCE):
        ((code, _),) = await waiting
    assert code == "page_crashed"
    assert "Again" in await agent.open("<title>Again</title><h1>Again</h1>")


async def test_three_hundred_alerts_are_all_answered(agent: Agent, neighbour: Agent) -> None:
    await agent.open("<title>Alerts</title>")
    script = "() => { for (let i = 0; i < 300; i++) alert(i); return 'through' }"
    text = await agent("evaluate_script", function=script, dialogAction="accept")
    assert "through" in text


@pytest.mark.parametrize(
    "html",
    [
        "<script>onload = () => window.print()</script><h1>Print</h1>",
        "<script>navigator.geolocation.getCurrentPosition(() => {})</script><h1>Print</h1>",
        "<script>Notification.requestPermission()</script><h1>Print</h1>",
        "<script>navigator.mediaDevices?.getUserMedia({video: true}).catch(() => {})</script><h1>Print</h1>",
        "<input type=file autofocus><script>setTimeout(() => document.querySelector('input').showPicker?.())</script><h1>Print</h1>",
    ],
)
async def test_what_a_page_asks_its_user_holds_no_call_up(
    agent: Agent, neighbour: Agent, html: str
) -> None:
    async with asyncio.timeout(3 * AT_ONCE):
        assert "Print" in await agent.open(html)


async def test_chooser_of_files_holds_no_call_up(agent: Agent, neighbour: Agent) -> None:
    await agent.open("<label>File<input type=file></label>")
    async with asyncio.timeout(3 * AT_ONCE):
        await agent("click", uid="css=input")
        assert "File" in await agent("take_snapshot")


async def test_server_that_wants_a_password_holds_no_call_up(
    agent: Agent, neighbour: Agent, site: Site
) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(401)
        handler.send_header("WWW-Authenticate", 'Basic realm="x"')
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    async with asyncio.timeout(3 * AT_ONCE):
        await agent.reply("navigate_page", url=site.route(respond))
        assert "Again" in await agent.open("<h1>Again</h1>")


@whole
async def test_console_of_huge_cyclic_and_throwing_values_is_bounded(
    agent: Agent, neighbour: Agent
) -> None:
    html = (
        "<title>Console</title><script>console.log('x'.repeat(5e7));"
        "const a = {}; a.a = a; console.log(a);"
        "console.log({get x() { throw 1 }}, new Proxy({}, {ownKeys() { throw 2 }}))</script>"
    )
    # Chromium takes seconds of a busy machine to hand over fifty megabytes.
    await agent("navigate_page", url=agent.site.page(html), timeout=int(6_000 * AT_ONCE))
    assert len(await agent("list_console_messages")) < 30_000


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
@pytest.mark.parametrize("nodes", [100_000, 1_000_000])
async def test_page_of_very_many_nodes_is_shown_in_part(
    agent: Agent, neighbour: Agent, nodes: int
) -> None:
    html = (
        "<title>Nodes</title><body><script>const parts = [];"
        f"for (let i = 0; i < {nodes // 2}; i++) parts.push('<p>text ' + i + '</p>');"
        "document.body.innerHTML = parts.join('')</script>"
    )
    await agent("navigate_page", url=agent.site.page(html), timeout=300_000)
    reply = await agent.reply("take_snapshot")
    assert reply.code is None, reply.text
    assert "text 0" in reply.text
    assert len(reply.text) < 30_000
    assert str(nodes // 2) == await agent.value("document.querySelectorAll('p').length")
    async with asyncio.timeout(6 * AT_ONCE):
        assert "Again" in await agent.open("<h1>Again</h1>")


# However many a page asks for, Chromium 156 makes no more of them.
MOST_FRAMES = 1000


@pytest.mark.timeout(WHOLE_SECONDS)
@pytest.mark.parametrize("frames", [100, pytest.param(10_000, marks=whole)])
async def test_page_of_very_many_frames_is_shown_to_the_end(
    agent: Agent, neighbour: Agent, frames: int
) -> None:
    html = (
        "<title>Frames</title><body><script>for (let i = 0; i < "
        f"{frames}; i++) {{ const frame = document.createElement('iframe');"
        "frame.srcdoc = '<button>In ' + i + '</button>'; document.body.append(frame) }</script>"
    )
    await agent("navigate_page", url=agent.site.page(html), timeout=600_000)
    reply = await agent.reply("take_snapshot")
    assert reply.code is None, reply.text
    assert 'button "In 0"' in reply.text
    assert str(min(frames, MOST_FRAMES)) == await agent.value("window.length")
    # Chromium's main process has nine seconds of work with a thousand frames, which come before
    # the next page: on a busy machine more than a navigation usually may take.
    again = agent.site.page("<h1>Again</h1>")
    await agent("navigate_page", url=again, timeout=int(12_000 * AT_ONCE))
    assert "Again" in await agent("take_snapshot")


@whole
async def test_frames_that_come_and_go_leave_nothing_behind(
    agent: Agent, neighbour: Agent, app: App
) -> None:
    frame = agent.site.page("<p>frame", other=True)
    await agent.open("<title>Storm</title>")
    script = (
        "async () => { for (let i = 0; i < 40; i++) { const f = document.createElement('iframe');"
        f"f.src = '{frame}'; document.body.append(f);"
        "await new Promise(r => setTimeout(r, 20)); f.remove() } return 'over' }"
    )
    assert "over" in await agent("evaluate_script", function=script, timeout=20_000)
    page = next(iter(agent.session.pages.values()))
    assert page.page is not None
    async with asyncio.timeout(AT_ONCE):
        while len(page.page.frames) > 1:
            await asyncio.sleep(0.05)


async def test_storm_of_windows_belongs_to_its_opener(agent: Agent, neighbour: Agent) -> None:
    await agent.open(
        "<button onclick='for (let i = 0; i < 30; i++) window.open(`about:blank`)'>Storm</button>"
    )
    await agent("click", uid=agent.uid('button "Storm"'))
    theirs = await agent("list_pages")
    assert "about:blank" in theirs
    assert "Neighbour" not in theirs
    assert "about:blank" not in await neighbour("list_pages")


@whole
async def test_page_that_leaves_while_it_is_used_is_never_another(
    agent: Agent, neighbour: Agent
) -> None:
    """The tab closes or navigates at any moment of a click: that is an error or a success."""
    allowed = {
        None, "page_gone", "page_trouble", "stale_uid", "no_such_page", "element_gone",
        "navigation_failed", "unknown_uid",
    }  # fmt: skip
    for delay in range(60):
        act = "window.close()" if delay % 2 else "location.reload()"
        await agent("new_page", url=agent.site.page(f"<button>B</button><title>L{delay}</title>"))
        snapshot = await agent.reply("take_snapshot")
        assert not snapshot.failed
        uid = agent.uid('button "B"')
        await agent.reply(
            "evaluate_script", function=f"() => {{ setTimeout(() => {act}, {delay}) }}"
        )
        async with asyncio.timeout(3 * AT_ONCE):
            reply = await agent.reply("click", uid=uid)
        assert reply.code in allowed, reply.text


async def test_page_that_replaces_the_language_itself_is_still_read(
    agent: Agent, neighbour: Agent
) -> None:
    text = await agent.open(
        "<title>Hostile</title><button>Real</button><script>JSON.stringify = () => 'forged';"
        "Promise = null; Array.prototype.map = () => ['forged']; Object.keys = () => [];"
        "document.querySelector = () => null; Element.prototype.getAttribute = () => 'forged';"
        "MutationObserver = null; console.log = null; Symbol.iterator = null</script>"
    )
    assert 'button "Real"' in text
    assert "forged" not in text
    await agent("click", uid=agent.uid('button "Real"'))


async def test_page_without_end_of_redirects_is_an_error(
    agent: Agent, neighbour: Agent, site: Site
) -> None:
    places: list[str] = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(302)
        handler.send_header("Location", places[0])
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    places.append(site.route(respond))
    code, text = await agent.fails("navigate_page", url=places[0])
    assert code == "navigation_failed"
    assert "REDIRECTS" in text


def flowing(size: int, piece: bytes, **headers: str) -> object:
    """Answer with so many bytes, as long as somebody takes them."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(size))
        handler.end_headers()
        with suppress(OSError):
            for _ in range(size // len(piece)):
                handler.wfile.write(piece)

    return respond


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_document_of_a_gigabyte_keeps_nobody_waiting(
    agent: Agent, neighbour: Agent, site: Site
) -> None:
    url = site.route(flowing(1 << 30, b"x" * (1 << 20), Content_Type="text/html"))  # type: ignore[arg-type]
    await agent.reply("navigate_page", url=url, timeout=20_000)
    async with asyncio.timeout(6 * AT_ONCE):
        assert "Again" in await agent.open("<h1>Again</h1>")


@whole
async def test_bomb_of_compressed_zeros_is_not_read_by_us(
    agent: Agent, neighbour: Agent, site: Site
) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join(packer.compress(bytes(1 << 20)) for _ in range(100)) + packer.flush()

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        with suppress(OSError):
            handler.wfile.write(data)

    before = psutil.Process().memory_info().rss
    await agent.open("<title>Fetcher</title>")
    script = (
        f"() => fetch('{site.route(respond)}').then(r => r.arrayBuffer()).then(b => b.byteLength)"
    )
    await agent.reply("evaluate_script", function=script, timeout=20_000)
    shown = await agent.reply("get_network_request", reqid=2)
    assert shown.code != "internal", shown.text
    assert len(shown.text) < 30_000
    assert psutil.Process().memory_info().rss - before < 400 << 20


async def test_broken_encryption_is_a_stated_error(agent: Agent, neighbour: Agent) -> None:
    url = agent.site.page("x").replace("http://", "https://")
    code, text = await agent.fails("navigate_page", url=url)
    assert code == "navigation_failed"
    assert "ERR_SSL" in text


async def test_socket_that_floods_the_page_is_bounded(agent: Agent, neighbour: Agent) -> None:
    await agent.open("<title>Flood</title>")
    times = count(500, 3000)
    fetches = f"() => {{ for (let i = 0; i < {times}; i++) fetch('/none?' + i).catch(() => 0) }}"
    await agent("evaluate_script", function=fetches, timeout=60_000)
    async with asyncio.timeout(3 * AT_ONCE):
        assert len(await agent("list_network_requests", pageSize=20)) < 30_000


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
@pytest.mark.parametrize(
    "html",
    [
        "<body style='height: 100000px'>tall",
        "<canvas width=16000 height=16000></canvas>",
        "<body style='width: 30000px; height: 30000px'>wide",
    ],
)
async def test_picture_of_an_enormous_page_is_taken_or_refused(
    agent: Agent, neighbour: Agent, html: str
) -> None:
    await agent.open(f"<title>Large</title>{html}")
    async with asyncio.timeout(6 * AT_ONCE):
        reply = await agent.reply("take_screenshot", fullPage=True, format="jpeg")
    assert reply.images or reply.code in TOO_LARGE, reply.text
    assert "Again" in await agent.open("<h1>Again</h1>")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_huge_page_is_printed_and_its_heap_written(whole: Agent, tmp_path: Path) -> None:
    await whole.open("<script>document.write('<p>text</p>'.repeat(20000))</script>")
    for tool, name in (("print_pdf", "x.pdf"), ("take_heapsnapshot", "x.heapsnapshot")):
        reply = await whole.reply(tool, filePath=str(tmp_path / name))
        assert reply.code in (None, "deadline"), reply.text
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    "body",
    [
        b"<meta charset=utf-16><p>caf\xe9 \xff\xfe \x00\x01",
        b"<p>\xff\xfe<\x00p\x00>\x00",
        b"<p>\xed\xa0\x80 half \xed\xb0\x80</p><script>document.body.append('\\ud800 half \\udc00')</script>",
        "<p>\u202eright\u2066 \x1b[31m \x9b31m \u200b\ufeff".encode(),
        b"<p>" + bytes(range(256)) * 20,
    ],
)
async def test_text_in_any_bytes_comes_out_as_text(
    agent: Agent, neighbour: Agent, site: Site, body: bytes
) -> None:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        void(handler.wfile.write(body))

    await agent("navigate_page", url=site.route(respond))
    text = await agent("take_snapshot")
    text.encode()
    assert not {"\x1b", "\x9b", "\u202e", "\0"} & set(text)


async def test_frozen_tab_is_attached_and_used(agent: Agent, neighbour: Agent, app: App) -> None:
    await agent.open("<title>Frozen</title><button>Ice</button>")
    page = next(iter(agent.session.pages.values())).page
    assert page is not None
    await page.channel.call("Page.setWebLifecycleState", {"state": "frozen"})
    async with asyncio.timeout(4 * AT_ONCE):
        reply = await agent.reply("take_snapshot")
        assert reply.code in (None, "deadline", "page_trouble"), reply.text
        assert "Again" in await agent.open("<h1>Again</h1>")


@whole
async def test_pages_that_crash_as_they_come_and_go_are_not_mixed_up(
    agent: Agent, neighbour: Agent
) -> None:
    for number in range(20):
        await agent("new_page", url=agent.site.page(f"<title>T{number}</title><h1>H{number}</h1>"))
        page = agent.session.pages[agent.session.selected or 0].page
        assert page is not None
        if number % 2:
            page.channel.send("Page.crash")
            code, _ = await agent.fails("wait_for", text=["never"], timeout=20_000)
            assert code == "page_crashed"
        else:
            assert f"H{number}" in await agent("take_snapshot")
        await agent("close_page")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_script_that_takes_all_memory_crashes_its_page_alone(
    agent: Agent, neighbour: Agent
) -> None:
    await agent.open("<title>Greedy</title>")
    script = "() => { const all = []; for (;;) all.push(new Array(1e6).fill(Math.random())) }"
    reply = await agent.reply("evaluate_script", function=script, timeout=60_000)
    assert reply.code in ("page_crashed", "deadline", "script_failed"), reply.text
    async with asyncio.timeout(6 * AT_ONCE):
        assert "Again" in await agent.open("<h1>Again</h1>")


@whole
async def test_busy_page_of_the_same_site_does_not_stop_another_agent(
    agent: Agent, neighbour: Agent
) -> None:
    """Tabs of one site may share a process; one that is busy is freed at its deadline."""
    await agent.open("<title>Busy</title>")
    busy = asyncio.gather(
        agent.reply("evaluate_script", function="() => { for (;;); }", timeout=2000)
    )
    async with asyncio.timeout(3 * AT_ONCE):
        assert "Fine" in await neighbour("take_snapshot")
        assert (await busy)[0].failed
        assert "Again" in await agent.open("<h1>Again</h1>")


@whole
@pytest.mark.timeout(WHOLE_SECONDS)
async def test_download_of_two_gigabytes_arrives_whole(whole: Agent, tmp_path: Path) -> None:
    url = whole.site.route(
        flowing(  # type: ignore[arg-type]
            HUGE_DOWNLOAD,
            b"x" * (1 << 20),
            Content_Type="application/octet-stream",
            Content_Disposition="attachment; filename=big.bin",
        )
    )
    await whole.open(f"<a href='{url}'>Get</a>")
    before = psutil.Process().memory_info().rss
    await whole("click", uid=whole.uid('link "Get"'))
    target = tmp_path / "big.bin"
    await whole("wait_for_download", filePath=str(target), timeout=900_000)
    assert target.stat().st_size == HUGE_DOWNLOAD
    assert psutil.Process().memory_info().rss - before < 300 << 20
    target.unlink()


@whole
async def test_two_agents_that_want_one_tab_do_not_both_have_it(app: App, site: Site) -> None:
    """A tab of the user's own is anybody's until one of them selects it."""
    async with Agent.joined(app, site) as one, Agent.joined(app, site) as two:
        await one("list_pages")
        browser = app.usual_view.all()[0]
        for _ in range(20):
            page = await browser.new_page()
            first, second = await asyncio.gather(
                one.reply("select_page", pageId=page.id), two.reply("select_page", pageId=page.id)
            )
            assert sorted([str(first.code), str(second.code)]) == ["None", "owned_by_other_session"]
            loser = two if second.failed else one
            assert (await loser.fails("close_page", pageId=page.id))[0] == "owned_by_other_session"
            await browser.close_page(page)
