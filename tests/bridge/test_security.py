"""Web pages, other extensions and fake servers in a real browser, with the real extension."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tabmux.bridge import proofs
from tabmux.bridge.extension_package import extension_folder, extension_id
from tests.bridge.served_bridge import SECONDS, TOKEN, ServedBridge, serve_bridge
from tests.extension.everyday_browser import EverydayBrowser
from tests.ports import free_port
from tests.site import Site

CANARY = "canary-5b1c"
# How soon the extension hangs up on a liar, where the machine does not keep it from it;
# long before it would give up waiting for a server that is slow.
AT_BEST, AT_WORST = 1.0, 4.0
TRY = """(async () => {
  const out = {};
  const socket = (url) => new Promise((resolve) => {
    let ws;
    try { ws = new WebSocket(url); } catch (error) { resolve('blocked'); return; }
    ws.onopen = () => {
      ws.send(JSON.stringify({type: 'hello', protocol: 1, keyId: 'pairing', nonce: 'A'.repeat(43)}));
      ws.send(JSON.stringify({type: 'connected', browser: {}, tabs: []}));
    };
    ws.onmessage = (event) => resolve('HEARD ' + event.data);
    ws.onclose = (event) => resolve(event.wasClean ? 'closed ' + event.code : 'blocked');
  });
  const get = (url, options) => fetch(url, options).then(
    async (answer) => answer.type === 'opaque' ? 'opaque' : answer.status + ' ' + await answer.text(),
    () => 'blocked');
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    for (const path of ['/', '/session/s1', '/?token=%(token)s', '/session/s1?token=%(token)s']) {
      out[host + path] = await socket(`ws://${host}:%(port)d${path}`);
    }
    const post = {method: 'POST', body: JSON.stringify({type: 'x', payload: {}})};
    out[host + ' health'] = await get(`http://${host}:%(port)d/health`);
    out[host + ' command'] = await get(`http://${host}:%(port)d/commands`, post);
    out[host + ' hidden'] = await get(`http://${host}:%(port)d/commands`, {...post, mode: 'no-cors'});
  }
  return out;
})()"""
# What another extension tries besides.
PROD = """(async () => {
  const out = {};
  const note = async (name, work) => {
    try { out[name] = JSON.stringify(await work()) ?? 'nothing'; } catch (error) { out[name] = 'blocked'; }
  };
  const ours = '%(ours)s';
  await note('message', () => chrome.runtime.sendMessage(ours, {action: 'port', port: 1}));
  await note('resource', () => fetch(`chrome-extension://${ours}/manifest.json`).then((r) => r.text()));
  await note('connect', () => new Promise((resolve, reject) => {
    const port = chrome.runtime.connect(ours);
    port.onDisconnect.addListener(() => reject(chrome.runtime.lastError));
    port.onMessage.addListener(resolve);
    port.postMessage({action: 'pair', code: 'x'});
  }));
  return out;
})()"""
# What a page tries with the extension itself.
REACH = """(async () => {
  const out = {};
  const ours = 'chrome-extension://%(ours)s';
  out.runtime = typeof chrome?.runtime?.sendMessage;
  window.postMessage({action: 'port', port: 1}, '*');
  localStorage.port = '1';
  window.dispatchEvent(new StorageEvent('storage', {key: 'port', newValue: '1'}));
  out.manifest = await fetch(ours + '/manifest.json').then(() => 'READ', () => 'blocked');
  out.module = await import(ours + '/handshake.js').then(() => 'READ', () => 'blocked');
  const frame = document.createElement('iframe');
  frame.src = ours + '/popup/popup.html?port=1';
  document.body.append(frame);
  const popup = window.open(ours + '/popup/popup.html?port=1#port=1');
  await new Promise((resolve) => setTimeout(resolve, 300));
  try { out.popup = popup ? popup.location.href : 'blocked'; } catch (error) { out.popup = 'blocked'; }
  try { out.frame = frame.contentDocument?.title ?? 'blocked'; } catch (error) { out.frame = 'blocked'; }
  return out;
})()"""


@asynccontextmanager
async def paired(folder: Path, *more: Path) -> AsyncIterator[tuple[ServedBridge, EverydayBrowser]]:
    """A bridge, and a browser whose extension was paired with it."""
    loaded = Path(",".join(map(str, (extension_folder(), *more))))
    user = EverydayBrowser(folder / "profile", loaded)
    # Some tests take the port over, so nobody else may come by it in between.
    async with serve_bridge(folder / "bridge", port=free_port()) as served:
        await user.start()
        try:
            await user.act("port", port=served.port)
            await user.act("pair", code=served.pairing.offer("everyday").code)
            await served.link()
            yield served, user
        finally:
            await user.kill()


async def evaluated(user: EverydayBrowser, url: str, script: str) -> dict[str, str]:
    """Open a page, and return what a script saw in it."""
    made = await user.channel.call("Target.createTarget", {"url": url})
    target = made["targetId"]
    async with asyncio.timeout(SECONDS):
        while not await user._evaluated(
            target, "document.readyState === 'complete' && location.href !== 'about:blank'"
        ):
            pass
    seen = await user._evaluated(target, script)
    assert isinstance(seen, dict)
    return seen


async def test_no_web_page_reaches_the_bridge(tmp_path: Path, site: Site) -> None:
    """From this machine, under both of its names, and from a file."""
    file = tmp_path / "evil.html"
    file.write_text("<title>Evil</title>", encoding="utf-8")
    pages = [site.page("<title>Evil</title>"), site.page("<title>Evil</title>", other=True)]
    async with paired(tmp_path) as (served, user):
        script = TRY % {"port": served.port, "token": TOKEN}
        seen = [await evaluated(user, url, script) for url in (*pages, file.as_uri())]
        control = await served.status("/?name=control")

        assert [len(each) for each in seen] == [21] * 3
        assert {what for each in seen for what in each.values()} <= {"blocked", "opaque"}
        assert set(served.bridge.links) <= {"everyday", "control"}
        assert served.bridge.counters["malformed"] == 0
    assert control == 101


async def test_a_second_extension_reaches_neither_the_bridge_nor_the_first(tmp_path: Path) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    manifest = {
        "manifest_version": 3,
        "name": "evil",
        "version": "1",
        "background": {"service_worker": "worker.js"},
        "permissions": ["storage"],
        "host_permissions": ["<all_urls>"],
    }
    (evil / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (evil / "worker.js").write_text("self.isEvil = true;", encoding="utf-8")
    async with paired(tmp_path, evil) as (served, user):
        worker = await other_worker(user)
        script = TRY % {"port": served.port, "token": "wrong"}
        seen = await user._evaluated(worker, script)
        prodded = await user._evaluated(worker, PROD % {"ours": extension_id()})
        state = await user.act("status")

        sockets = {what for name, what in seen.items() if "/" in name}
        assert sockets == {"blocked"}
        assert not any(str(seen[name]).startswith("200") for name in seen if "command" in name)
        assert set(prodded.values()) <= {"blocked", "nothing"}
        assert (state["port"], state["status"]) == (served.port, "connected")
        assert set(served.bridge.links) == {"everyday"}


async def test_nothing_that_a_page_does_changes_where_the_extension_connects(
    tmp_path: Path, site: Site
) -> None:
    async with paired(tmp_path) as (served, user):
        page = site.page("<title>Evil</title><body>")
        seen = await evaluated(user, page, REACH % {"ours": extension_id()})
        state = await user.act("status")

        assert seen["runtime"] == "undefined"
        assert {seen["manifest"], seen["module"], seen["frame"]} == {"blocked"}
        assert seen["popup"] in ("blocked", "about:blank")
        assert (state["port"], state["status"]) == (served.port, "connected")


@pytest.mark.parametrize("lie", ["challenge", "echo", "commands", "silence"])
async def test_a_fake_server_on_the_port_learns_nothing(
    tmp_path: Path, site: Site, lie: str
) -> None:
    """Another process has taken the port; the extension hangs up within a second."""
    page = site.page(f"<title>{CANARY}</title>")
    async with paired(tmp_path) as (served, user):
        port = served.port
        await user.channel.call("Target.createTarget", {"url": page})
        await user.act("shareAll", wanted=True)
    heard, lives = await visited(tmp_path, port, page, lie)

    assert [set(json.loads(each)) for each in heard] == [
        {"type", "protocol", "keyId", "nonce"}
    ] * len(heard)
    assert CANARY not in "".join(heard)
    assert lie == "silence" or (min(lives) < AT_BEST and max(lives) < AT_WORST)


async def visited(folder: Path, port: int, page: str, lie: str) -> tuple[list[str], list[float]]:
    """Be the fake server for a browser that starts; returns what it said, and for how long."""
    heard: list[str] = []
    lives: list[float] = []
    done = asyncio.Event()
    clock = asyncio.get_running_loop().time

    async def deceive(websocket: ServerConnection) -> None:
        async for text in websocket:
            heard.append(str(text))
            began = clock()
            for answer in LIES[lie](json.loads(text)):
                await websocket.send(json.dumps(answer))
            with suppress(ConnectionClosed):
                async for more in websocket:
                    heard.append(str(more))  # noqa: PERF401 - kept although the end is rude
            lives.append(clock() - began)
            if lie == "silence" or (len(lives) >= 2 and min(lives) < AT_BEST):
                done.set()

    user = EverydayBrowser(folder / "profile", extension_folder())
    async with serve(deceive, "127.0.0.1", port, compression=None):
        await user.start()
        try:
            await user.channel.call("Target.createTarget", {"url": page})
            async with asyncio.timeout(25):
                await done.wait()
        finally:
            await user.kill()
    return heard, lives


def _echo(hello: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "challenge", "nonce": hello["nonce"], "proof": hello["nonce"]}]


def _challenge(hello: dict[str, Any]) -> list[dict[str, Any]]:
    proof = proofs.HandshakeTranscript(1, hello["keyId"], hello["nonce"], "A" * 43).proof(
        b"guess", "server"
    )
    return [{"type": "challenge", "nonce": proofs.new_nonce(), "proof": proof}]


def _commands(hello: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "welcome", "name": "x"},
        {"type": "connect"},
        {"type": "openTab", "url": "https://evil.example", "focus": True},
        {"type": "cdp", "id": 1, "tabId": 1, "method": "Page.enable"},
    ]


LIES: dict[str, Any] = {
    "challenge": _challenge,
    "echo": _echo,
    "commands": _commands,
    "silence": lambda hello: [],
}


def test_the_extension_opens_no_way_in_for_pages() -> None:
    manifest = json.loads((extension_folder() / "manifest.json").read_text(encoding="utf-8"))
    scripts = "\n".join(
        each.read_text(encoding="utf-8") for each in extension_folder().rglob("*.js")
    )

    ways_in = {
        "externally_connectable",
        "web_accessible_resources",
        "content_scripts",
        "host_permissions",
        "sandbox",
    }
    assert not ways_in & set(manifest)
    assert "'unsafe" not in manifest["content_security_policy"]["extension_pages"]
    for api in (
        "onMessageExternal",
        "onConnectExternal",
        'addEventListener("message"',
        "eval(",
        "innerHTML",
    ):
        assert api not in scripts


async def other_worker(user: EverydayBrowser) -> str:
    """Return the service worker of the extension that is not ours."""
    return await user.worker(lambda url: extension_id() not in url and url.endswith("/worker.js"))
