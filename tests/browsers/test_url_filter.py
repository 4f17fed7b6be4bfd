from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from tabmux.page.network.interception import PausedRequests
from tabmux.settings import Settings
from tests.agent import Agent
from tests.canary import Canary
from tests.chromium import chromium
from tests.serving import running
from tests.site import Site, redirecting

# What a worker of any kind tries; $B is the canary, $W its sockets.
WORKER = """
fetch('$B/NAME-fetch', {mode: 'no-cors'}).catch(() => {});
try { importScripts('$B/NAME-import') } catch {}
// What nobody holds may be collected before it has connected.
try { self.held = new WebSocket('$W/NAME-socket') } catch {}
"""
FRAME = """<script>
fetch('$B/NAME-fetch', {mode: 'no-cors'}).catch(() => {}); self.held = new WebSocket('$W/NAME-socket');
new Image().src = '$B/NAME-image';
</script>"""
PAGE = """<!doctype html><title>ways out</title>
<a id=blank target=_blank href="$B/anchor-blank">x</a>
<a id=ping ping="$B/anchor-ping" href="#x">y</a>
<form id=post target=_blank method=post action="$B/form-post"></form>
<script>
const add = (tag, more) => document.body.append(Object.assign(document.createElement(tag), more));
const quiet = {mode: 'no-cors'};
onload = () => {
  fetch('$B/fetch', quiet).catch(() => {});
  fetch('$B/keepalive', {keepalive: true, ...quiet}).catch(() => {});
  fetch('REDIRECT?fetch', quiet).catch(() => {});
  navigator.sendBeacon('$B/beacon'); self.held = [new EventSource('$B/events'), new WebSocket('$W/socket')];
  new Image().src = '$B/image'; new Image().src = 'REDIRECT?image';
  const xhr = new XMLHttpRequest(); xhr.open('POST', '$B/xhr'); xhr.send('x');
  add('iframe', {src: '$B/frame'}); add('iframe', {src: 'REDIRECT?frame'});
  add('iframe', {src: 'OTHER_SITE'}); add('iframe', {src: 'MOVING'}); add('iframe', {src: 'META'});
  add('iframe', {srcdoc: `SRCDOC`}); add('iframe', {src: `data:text/html,DATA`});
  add('iframe', {}); const empty = document.body.lastChild.contentWindow;
  held.push(new empty.WebSocket('$W/empty-frame-socket')); empty.fetch('$B/empty-frame-fetch', quiet).catch(() => {});
  add('link', {rel: 'prefetch', href: '$B/prefetch'});
  add('link', {rel: 'preload', as: 'script', href: '$B/preload'});
  add('link', {rel: 'modulepreload', href: '$B/modulepreload'});
  add('link', {rel: 'stylesheet', href: '$B/style'});
  add('style', {textContent: "@import url('$B/import'); body { background: url('$B/background') }"});
  add('script', {src: '$B/script'}); add('object', {data: '$B/object'}); add('embed', {src: '$B/embed'});
  add('video', {src: '$B/video', preload: 'auto'});
  new Worker('WORKER'); new SharedWorker('SHARED');
  new Worker(URL.createObjectURL(new Blob([`BLOB`])));
  navigator.serviceWorker.register('SERVICE');
  const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:$U'}]});
  peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
};
</script>"""
# Run one after the other, each as if the user had clicked.
ACTS = """
blank.click()
ping.click()
post.submit()
window.open('$B/open')
window.open('$B/open-noopener', '_blank', 'noopener')
window.open('POPUP')
window.open('REDIRECT?popup')
window.open('').location = '$B/opened-then-moved'
held.push(new (window.open('about:blank').WebSocket)('$W/opened-blank-socket'))
window.open('').fetch('$B/opened-empty-fetch', {mode: 'no-cors'})
""".strip().split("\n")
NAMES = {
    "fetch", "keepalive", "redirected", "beacon", "events", "socket", "image", "xhr", "frame",
    "other-fetch", "other-socket", "other-image", "moving", "meta", "srcdoc-fetch",
    "srcdoc-socket", "srcdoc-image", "data-fetch", "data-socket", "data-image",
    "empty-frame-socket", "empty-frame-fetch", "prefetch", "preload", "modulepreload", "style",
    "import", "background", "script", "object", "embed", "video", "worker-fetch", "worker-import",
    "worker-socket", "shared-fetch", "shared-import", "shared-socket", "blob-fetch",
    "blob-import", "blob-socket", "service-fetch", "service-import", "service-socket",
    "anchor-blank", "anchor-ping", "form-post", "open", "open-noopener", "popup-fetch",
    "popup-socket", "popup-image", "opened-then-moved", "opened-blank-socket",
    "opened-empty-fetch",
}  # fmt: skip


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary() as canary:
        yield canary


@asynccontextmanager
async def restricted(site: Site, **settings: object) -> AsyncIterator[Agent]:
    """An agent whose pages may only go where the settings say, in a browser we only joined."""
    async with chromium() as browser:
        async with running(Settings(browser_url=(browser.url,), **settings)) as app:  # type: ignore[arg-type]
            async with Agent.joined(app, site) as agent:
                yield agent


def ways_out(site: Site, canary: Canary) -> tuple[str, list[str]]:
    """Serve a page that tries every way out; returns its address and what to run in it."""

    def filled(text: str, **names: str) -> str:
        for name, value in names.items():
            text = text.replace(name, value)
        text = text.replace("$B", f"http://localhost:{canary.port}")
        text = text.replace("$W", f"ws://localhost:{canary.port}")
        return text.replace("$U", str(canary.datagram_port))

    def script(name: str) -> str:
        return site.page(filled(WORKER, NAME=name), kind="text/javascript")

    names = {
        "OTHER_SITE": site.page(filled(FRAME, NAME="other"), other=True),
        "REDIRECT": site.route(redirecting(f"http://localhost:{canary.port}/redirected")),
        "MOVING": site.page(filled("<script>location = '$B/moving'</script>")),
        "META": site.page(filled('<meta http-equiv=refresh content="0;url=$B/meta">')),
        "SRCDOC": filled(FRAME, NAME="srcdoc").replace("</", "<\\/"),
        "DATA": filled(FRAME, NAME="data").replace("</", "<\\/"),
        "WORKER": script("worker"),
        "SHARED": script("shared"),
        "SERVICE": script("service"),
        "BLOB": filled(WORKER, NAME="blob"),
        "POPUP": site.page(filled(FRAME, NAME="popup")),
    }
    page = site.page(filled(PAGE, **names))
    return page, [filled(act, **names) for act in ACTS]


async def try_all(agent: Agent, page: str, acts: list[str]) -> None:
    await agent("navigate_page", url=page)
    first = agent.session.selected
    for act in acts:
        await agent(
            "evaluate_script", function=f"() => {{ {act} }}", waitForStableDom=False, pageId=first
        )
    # The page's own clock tells when everything has had its time.
    await agent(
        "evaluate_script", function="() => new Promise((r) => setTimeout(r, 700))", pageId=first
    )


async def test_every_way_out_is_one_where_nothing_is_forbidden(
    agent: Agent, site: Site, canary: Canary
) -> None:
    await try_all(agent, *ways_out(site, canary))
    assert await canary.reached(NAMES) == set()
    assert await canary.hears_datagrams()


async def test_nothing_that_a_page_does_reaches_a_host_that_is_not_allowed(
    site: Site, canary: Canary
) -> None:
    allowed = (f"http://127.0.0.1:{site.port}/*", f"localhost:{site.port}")
    async with restricted(site, allow_url=allowed) as agent:
        await try_all(agent, *ways_out(site, canary))
        assert canary.seen == set()
        assert not canary.heard_datagrams


async def test_nothing_that_a_page_does_reaches_a_host_that_is_denied(
    site: Site, canary: Canary
) -> None:
    async with restricted(site, deny_url=(f"localhost:{canary.port}",)) as agent:
        await try_all(agent, *ways_out(site, canary))
        assert canary.seen == set()


async def test_shared_worker_whose_requests_chrome_does_not_show_is_held_too(
    site: Site, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine Chromium loses the wish to see the requests of a worker that just starts.
    nothing = [{"urlPattern": "nothing:*"}]
    monkeypatch.setattr(PausedRequests.start, "__defaults__", (nothing,))
    allowed = site.page("here")
    moved = site.route(redirecting(f"http://localhost:{canary.port}/redirected"))
    code = f"""onconnect = async ({{ports: [port]}}) => {{
      const outcome = (url) => fetch(url, {{mode: 'no-cors'}}).then(() => 'reached', () => 'refused');
      const asked = ['{allowed}', '{moved}', 'http://localhost:{canary.port}/direct'].map(outcome);
      port.postMessage((await Promise.all(asked)).join());
    }}"""
    heard = f"""new Promise((done) => {{
      const url = URL.createObjectURL(new Blob([{json.dumps(code)}]));
      new SharedWorker(url).port.onmessage = (event) => done(event.data);
    }})"""
    async with restricted(site, allow_url=(f"127.0.0.1:{site.port}",)) as agent:
        await agent("navigate_page", url=site.page("<h1>Page</h1>"))
        assert await agent.value(heard) == '"reached,refused,refused"'
        assert canary.seen == set()


async def test_redirect_to_a_forbidden_host_is_a_refusal(site: Site, canary: Canary) -> None:
    moved = site.route(redirecting(f"http://localhost:{canary.port}/moved"))
    async with restricted(site, allow_url=(f"127.0.0.1:{site.port}",)) as agent:
        code, text = await agent.fails("navigate_page", url=moved)
        assert (code, canary.seen) == ("refused_by_policy", set())
        assert "leads to an address that the policy does not allow" in text
        await agent("navigate_page", url=site.page("<h1>Still here</h1>"))
        assert "Still here" in await agent("take_snapshot")


async def test_tabs_of_the_user_are_left_alone_and_not_shown_where_agents_may_not_go(
    site: Site, canary: Canary
) -> None:
    async with chromium() as browser:
        settings = Settings(browser_url=(browser.url,), allow_url=(f"127.0.0.1:{site.port}",))
        async with running(settings) as app, Agent.joined(app, site) as agent:
            await agent("list_pages")
            (tab,) = app.browsers.all()[0].pages.values()
            channel = await app.browsers.all()[0].channel.call(
                "Target.attachToTarget", {"targetId": tab.target_id, "flatten": True}
            )
            user = app.browsers.all()[0].channel.child(channel["sessionId"])
            assert user is not None
            await user.call("Page.navigate", {"url": f"http://localhost:{canary.port}/users-own"})
            assert "users-own" in canary.seen
            await agent("select_page", pageId=tab.id)
            for tool in ("take_snapshot", "list_console_messages", "take_screenshot"):
                assert (await agent.fails(tool))[0] == "refused_by_policy"
            await agent("navigate_page", url=site.page("<h1>Allowed</h1>"))
            assert "Allowed" in await agent("take_snapshot")


async def test_what_is_emulated_does_not_loosen_the_policy(site: Site, canary: Canary) -> None:
    async with restricted(site, deny_url=(f"localhost:{canary.port}",)) as agent:
        await agent("navigate_page", url=site.page("<h1>Page</h1>"))
        for line in ({"networkConditions": "Fast 4G"}, {}):
            await agent("emulate", **line)
            opened = f"""new Promise((done) => {{
              const socket = new WebSocket('ws://localhost:{canary.port}/emulated');
              socket.onopen = () => done('open'); socket.onerror = () => done('refused');
            }})"""
            assert await agent.value(opened) == '"refused"'
        assert canary.seen == set()


async def test_sockets_that_wait_as_their_tab_is_closed_reach_nobody(
    site: Site, canary: Canary
) -> None:
    """Chrome lets few of them connect at once, and forgets a tab's rules before its sockets."""
    opens = f"for (let n = 0; n < 60; n++) held.push(new WebSocket('ws://localhost:{canary.port}'))"
    page = site.page(f"<h1>Sockets</h1><script>const held = []; {opens}</script>")
    deny = (f"127.0.0.1:{canary.port}",)
    settings = Settings(launch=True, headless=True, isolated=True, deny_url=deny)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent("new_page", url=site.page("<h1>First</h1>"))
        for _ in range(8):
            await agent("new_page", url=page)
            await agent("close_page")
        later = "() => new Promise((done) => setTimeout(done, 1500))"
        await agent("evaluate_script", function=later)
    assert canary.seen == set()


async def test_browser_we_start_does_not_even_fetch_ahead(site: Site, canary: Canary) -> None:
    rules = {"prefetch": [{"source": "list", "urls": [f"http://localhost:{canary.port}/ahead"]}]}
    page = site.page(f"""<link rel=preconnect href="http://localhost:{canary.port}">
      <script type=speculationrules>{json.dumps(rules)}</script>""")
    wait = "() => new Promise((done) => setTimeout(done, 700))"
    for allow, reached in (((), {"ahead"}), ((f"127.0.0.1:{site.port}",), set())):
        settings = Settings(launch=True, headless=True, isolated=True, allow_url=allow)
        canary.seen.clear()
        async with running(settings) as app, Agent.joined(app, site) as agent:
            await agent("navigate_page", url=page)
            await agent("evaluate_script", function=wait)
            await canary.reached(reached)
        assert canary.seen == reached


async def test_each_browser_may_have_a_list_of_its_own(site: Site, canary: Canary) -> None:
    common = {"launch": True, "headless": True}
    tables = (
        {"name": "free", **common},
        {"name": "bound", "allow-url": [f"127.0.0.1:{site.port}"], **common},
    )
    async with running(Settings(browser=tables)) as app, Agent.joined(app, site) as agent:
        there = f"http://localhost:{canary.port}/there"
        code, _ = await agent.fails("new_page", url=there, browserIndex="bound")
        assert (code, canary.seen) == ("refused_by_policy", set())
        await agent("new_page", url=there, browserIndex="free")
        assert "there" in canary.seen


async def test_popups_of_frames_and_of_isolated_contexts_are_held_too(
    site: Site, canary: Canary
) -> None:
    out = f"http://localhost:{canary.port}"
    frame = site.page(
        f"""<button onclick="window.open('{out}/by-frame')">One</button>
        <button onclick="window.open('{out}/by-frame-2', '_blank', 'noopener')">Two</button>
        <a href="{out}/by-link" target="_blank">Three</a>""",
        other=True,
    )
    allowed = (f"127.0.0.1:{site.port}", f"localhost:{site.port}")
    page = site.page(f'<iframe src="{frame}"></iframe>')
    async with restricted(site, allow_url=allowed) as agent:
        await agent("new_page", url=page, isolatedContext="apart")
        first = agent.session.selected
        await agent("take_snapshot")
        for line in ('button "One"', 'button "Two"', 'link "Three"'):
            text = await agent("click", uid=agent.uid(line), report="none", pageId=first)
            assert "Opened pages" in text
        wait = "() => new Promise((done) => setTimeout(done, 500))"
        await agent("evaluate_script", function=wait, pageId=first)
        assert canary.seen == set()
