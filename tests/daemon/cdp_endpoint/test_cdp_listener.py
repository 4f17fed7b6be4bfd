"""The CDP endpoint against Chromium: a session's tabs can be used, and nothing else is reached."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.daemon.cdp_endpoint.cdp_listener import CdpListener
from tabmux.errors import Misuse, Refused
from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site


class CdpRefusal(Exception):
    """A command that was answered with an error."""


class Program:
    """A CDP client as simple as one can be."""

    def __init__(self, link: ClientConnection) -> None:
        self._link, self._ids = link, itertools.count(100)
        self.events: list[dict[str, Any]] = []

    async def __call__(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        ident = next(self._ids)
        command: dict[str, Any] = {"id": ident, "method": method, "params": params}
        addressed = {**command, **({"sessionId": session} if session else {})}
        message = await self.sent(ident, json.dumps(addressed))
        if "error" in message:
            raise CdpRefusal(message["error"]["message"])
        result: dict[str, Any] = message["result"]
        return result

    async def sent(self, ident: int, text: str) -> dict[str, Any]:
        """Send a command as it is, and return its answer."""
        await self._link.send(text)
        async with asyncio.timeout(20):
            while True:
                message: dict[str, Any] = json.loads(await self._link.recv())
                if message.get("id") == ident:
                    return message
                self.events.append(message)

    async def until(self, method: str) -> dict[str, Any]:
        async with asyncio.timeout(20):
            while True:
                for place, event in enumerate(self.events):
                    if event.get("method") == method:
                        return dict(self.events.pop(place)["params"])
                self.events.append(json.loads(await self._link.recv()))

    async def fails(self, method: str, session: str = "", **params: Any) -> str:
        with pytest.raises(CdpRefusal) as refusal:
            await self(method, session, **params)
        return str(refusal.value)

    async def attached(self) -> tuple[str, str]:
        """Attach to all tabs; returns the session and the target of the first."""
        await self(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True
        )
        params = await self.until("Target.attachedToTarget")
        return params["sessionId"], params["targetInfo"]["targetId"]


@pytest.fixture(scope="module")
async def listener(anyio_backend: str) -> AsyncIterator[CdpListener]:
    async with TaskOwner() as tasks:
        yield CdpListener(tasks)


@asynccontextmanager
async def program(listener: CdpListener, agent: Agent) -> AsyncIterator[Program]:
    async with connect(await listener.url_of(agent.session), max_size=None) as link:
        yield Program(link)


async def test_program_sees_exactly_the_tabs_of_its_session(
    listener: CdpListener, app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<title>Mine</title>")
    async with Agent.joined(app, site) as other, program(listener, agent) as cdp:
        await other.open("<title>Theirs</title>")
        await cdp("Target.setDiscoverTargets", discover=True)
        await cdp(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True
        )
        own = {page.target_id for page in agent.session.pages.values()}
        listed = (await cdp("Target.getTargets"))["targetInfos"]
        assert {each["targetId"] for each in listed} == own
        named = [each["params"]["targetInfo"] for each in cdp.events if "Target." in each["method"]]
        assert {each["targetId"] for each in named} == own
        assert {each["title"] for each in named} <= {"Mine", ""}


async def test_tab_is_driven_beside_the_agent(listener: CdpListener, agent: Agent) -> None:
    await agent.open("<title>Before</title>")
    async with program(listener, agent) as cdp:
        session, _ = await cdp.attached()
        await cdp("Runtime.enable", session)
        await cdp("Runtime.evaluate", session, expression="document.title = 'After'")
        context = await cdp.until("Runtime.executionContextCreated")
        assert context["context"]["id"]
        assert await agent.value("document.title") == '"After"'


async def test_pictures_are_taken_of_a_tab_in_the_background(
    listener: CdpListener, agent: Agent
) -> None:
    await agent.open("<h1>Mine</h1>")
    async with program(listener, agent) as cdp:
        target = (await cdp("Target.createTarget", url="about:blank"))["targetId"]
        session = (await cdp("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        rest = "new Promise((done) => setTimeout(done, 300))"
        for _ in range(3):
            # Chrome lets a tab that has rested for a tenth of a second draw no more.
            await cdp("Runtime.evaluate", session, expression=rest, awaitPromise=True)
            picture = await cdp("Page.captureScreenshot", session)
            assert len(picture["data"]) > 100


async def test_other_targets_and_sessions_cannot_be_reached(
    listener: CdpListener, app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<title>Mine</title>")
    async with Agent.joined(app, site) as other, program(listener, agent) as cdp:
        await other.open("<title>Theirs</title>")
        (page,) = other.session.pages.values()
        session, target = await cdp.attached()
        theirs, strange = page.target_id, page.attached_page.channel.id
        reaching: dict[str, dict[str, Any]] = {
            "Target.attachToTarget": {"targetId": theirs, "flatten": True},
            "Target.closeTarget": {"targetId": theirs},
            "Target.activateTarget": {"targetId": theirs},
            "Target.exposeDevToolsProtocol": {"targetId": target},
            "Target.attachToBrowserTarget": {},
            "Target.createBrowserContext": {},
            "Target.disposeBrowserContext": {"browserContextId": "x"},
            "Target.sendMessageToTarget": {"message": "{}", "sessionId": strange},
            "Target.setRemoteLocations": {"locations": []},
            "Target.autoAttachRelated": {"targetId": theirs, "waitForDebuggerOnStart": False},
            "Target.detachFromTarget": {"sessionId": strange},
            "Browser.crash": {},
            "Browser.getBrowserCommandLine": {},
            "Browser.grantPermissions": {"permissions": ["geolocation"]},
            "Storage.clearCookies": {},
            "Tracing.start": {},
            "SystemInfo.getProcessInfo": {},
        }
        for via, (method, params) in itertools.product(("", session), reaching.items()):
            assert await cdp.fails(method, via, **params), method
        assert await cdp.fails("Target.getTargetInfo", targetId=theirs)
        assert await cdp.fails("Runtime.evaluate", strange, expression="1")
        assert await cdp.fails("Runtime.evaluate", "tab:nothing", expression="1")
        assert await cdp.fails("Page.navigate", session, url="file:///etc/passwd")
        assert await cdp.fails("Target.createTarget", url="chrome://version")
        assert await cdp.fails("Target.createTarget", url="about:blank", browserContextId="x")
        assert await cdp.fails("Target.attachToTarget", targetId=target)
        assert await other.value("document.title") == '"Theirs"'


async def test_tab_that_a_program_opens_is_the_sessions(
    listener: CdpListener, agent: Agent, site: Site
) -> None:
    await agent.open("<title>First</title>")
    url = site.page("<title>Second</title>")
    async with program(listener, agent) as cdp:
        await cdp.attached()
        target = (await cdp("Target.createTarget", url=url))["targetId"]
        assert (await cdp.until("Target.attachedToTarget"))["targetInfo"]["targetId"] == target
        assert {page.target_id for page in agent.session.pages.values()} >= {target}
        assert url in await agent("list_pages")
        await cdp("Target.closeTarget", targetId=target)
        assert (await cdp.until("Target.detachedFromTarget"))["targetId"] == target
        assert url not in await agent("list_pages")


async def test_program_is_told_of_tabs_that_come_and_go(
    listener: CdpListener, agent: Agent, site: Site
) -> None:
    await agent.open("<title>First</title>")
    async with program(listener, agent) as cdp:
        await cdp("Target.setDiscoverTargets", discover=True)
        await cdp.until("Target.targetCreated")
        url = site.page("<title>Second</title>")
        await agent("new_page", url=url)
        target = (await cdp.until("Target.targetCreated"))["targetInfo"]["targetId"]
        await agent("close_page")
        assert (await cdp.until("Target.targetDestroyed"))["targetId"] == target


async def test_frames_below_a_tab_can_be_used(
    listener: CdpListener, agent: Agent, site: Site
) -> None:
    inner = site.page("<title>Inner</title>", other=True)
    await agent.open(f'<title>Outer</title><iframe src="{inner}"></iframe>')
    async with program(listener, agent) as cdp:
        session, _ = await cdp.attached()
        await cdp(
            "Target.setAutoAttach",
            session,
            autoAttach=True,
            waitForDebuggerOnStart=False,
            flatten=True,
        )
        child = (await cdp.until("Target.attachedToTarget"))["sessionId"]
        found = await cdp("Runtime.evaluate", child, expression="document.title")
        assert found["result"]["value"] == "Inner"
        assert await cdp.fails("Browser.close", child)


async def test_puppeteer_sees_a_tab_around_each_page(listener: CdpListener, agent: Agent) -> None:
    await agent.open("<title>Page</title>")
    async with program(listener, agent) as cdp:
        kinds = [{"type": "page", "exclude": True}, {}]
        await cdp("Target.setAutoAttach", autoAttach=True, flatten=True, filter=kinds)
        tab = await cdp.until("Target.attachedToTarget")
        assert tab["targetInfo"]["type"] == "tab"
        await cdp("Target.setAutoAttach", tab["sessionId"], autoAttach=True, flatten=True)
        page = await cdp.until("Target.attachedToTarget")
        assert page["targetInfo"]["type"] == "page"
        found = await cdp("Runtime.evaluate", page["sessionId"], expression="document.title")
        assert found["result"]["value"] == "Page"


async def test_cookies_are_those_of_the_tabs(
    listener: CdpListener, app: App, site: Site, agent: Agent
) -> None:
    await agent.open("<script>document.cookie = 'mine=1'</script>")
    async with Agent.joined(app, site) as other, program(listener, agent) as cdp:
        await other(
            "navigate_page",
            url=site.page("<script>document.cookie='theirs=1'</script>", other=True),
        )
        names = [each["name"] for each in (await cdp("Storage.getCookies"))["cookies"]]
        assert "mine" in names
        assert "theirs" not in names
        tab, _ = await cdp.attached()
        mine, theirs = f"{site.origin}/", f"{site.other_origin}/"
        found = await cdp("Network.getCookies", tab, urls=[mine])
        assert "mine" in [each["name"] for each in found["cookies"]]
        assert (await cdp("Network.setCookie", tab, name="set", value="1", url=mine))["success"]
        assert "other sites" in await cdp.fails("Network.getCookies", tab, urls=[theirs])
        assert "other sites" in await cdp.fails("Network.deleteCookies", tab, name="a", url=theirs)


async def test_noise_does_no_harm(listener: CdpListener, agent: Agent) -> None:
    await agent.open("<title>Mine</title>")
    url = await listener.url_of(agent.session)
    noise: list[str | bytes] = [
        "", "no json", "[]", "{}", '{"id": 1}', '{"id": "x", "method": "Page.enable"}',
        '{"id": 1, "method": 5}', '{"id": 1, "method": "Page.enable", "sessionId": 5}', "[" * 100_000,
        '{"id": 9, "method": "Target.getTargets", "params": [1]}', b"\xff\xfe", "9" * 5_000,
        '{"id": 8, "method": "Target.attachToTarget", "params": {"targetId": {}, "flatten": true}}',
        '{"id": 7, "method": "Target.setAutoAttach", "params": {"autoAttach": 1, "filter": [5, {}]}}',
    ]  # fmt: skip
    async with connect(url) as link:
        for each in noise:
            await link.send(each)
        version = await Program(link)("Browser.getVersion")
        assert "Chrome" in version["product"]
    assert await agent.value("document.title") == '"Mine"'


async def test_closing_the_browser_closes_the_connection_alone(
    listener: CdpListener, agent: Agent
) -> None:
    await agent.open("<title>Stays</title>")
    async with program(listener, agent) as cdp:
        await cdp("Browser.close")
        with pytest.raises(ConnectionClosed):
            await cdp("Browser.getVersion")
    assert await agent.value("document.title") == '"Stays"'


async def test_end_of_the_session_ends_the_connection(
    listener: CdpListener, app: App, site: Site
) -> None:
    async with Agent.joined(app, site) as agent:
        await agent.open("<title>Mine</title>")
        url = await listener.url_of(agent.session)
        async with connect(url) as link:
            await Program(link)("Browser.getVersion")
            await agent.session.close()
            async with asyncio.timeout(20):
                await link.wait_closed()
        with pytest.raises(InvalidStatus):
            await connect(url, open_timeout=10).__aenter__()


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://127.0.0.1:1"}, {"Origin": "null"}, {"Host": "evil.example"}]
)
async def test_web_pages_and_other_hosts_are_kept_out(
    listener: CdpListener, agent: Agent, headers: dict[str, str]
) -> None:
    await agent.open("<p>Hello</p>")
    url = await listener.url_of(agent.session)
    with pytest.raises(InvalidStatus):
        await connect(url, additional_headers=headers).__aenter__()


async def test_addresses_cannot_be_guessed(listener: CdpListener, agent: Agent) -> None:
    await agent.open("<p>Hello</p>")
    url = await listener.url_of(agent.session)
    assert len(url.rpartition("/")[2]) >= 40
    assert await listener.url_of(agent.session) == url
    parent = url.rpartition("/")[0]
    for wrong in (f"{url}x", url[:-1], f"{parent}/", url.rpartition("/cdp")[0], f"{parent}/%C3%A9"):
        with pytest.raises(InvalidStatus) as caught:
            await connect(wrong).__aenter__()
        assert caught.value.response.status_code in (403, 404)


async def test_rules_about_addresses_hold_below(site: Site, listener: CdpListener) -> None:
    asked: list[str] = []
    with Site() as canary:
        denied = canary.route(lambda handler: asked.append(handler.path))
        rule = f"127.0.0.1:{canary.port}"
        settings = Settings(launch=True, headless=True, isolated=True, deny_url=(rule,))
        fetched = f"fetch('{denied}', {{mode: 'no-cors'}}).then(() => 'reached', () => 'blocked')"
        socket = (
            f"new Promise(done => {{ const s = new WebSocket('{denied.replace('http', 'ws')}');"
            "s.onerror = () => done('blocked'); s.onopen = () => done('reached') })"
        )
        async with running(settings) as app, Agent.joined(app, site) as agent:
            await agent.open("<title>Allowed</title>")
            async with program(listener, agent) as cdp:
                session, _ = await cdp.attached()
                await cdp("Network.enable", session)
                assert await cdp.fails("Page.navigate", session, url=denied)
                assert await cdp.fails("Target.createTarget", url=denied)
                assert await cdp.fails("Network.disable", session)
                assert await cdp.fails("Network.emulateNetworkConditionsByRule", session)
                for script in (fetched, socket):
                    found = await cdp(
                        "Runtime.evaluate", session, expression=script, awaitPromise=True
                    )
                    assert found["result"]["value"] == "blocked"
                await cdp("Runtime.evaluate", session, expression=f"location = '{denied}'")
            await agent.open("<title>Allowed</title>")
            # Chrome forgets rules when a client lets go of a tab; they are told anew.
            for script in (fetched, socket):
                assert await agent.value(script) == '"blocked"'
        assert asked == []


async def test_rules_are_told_anew_when_a_program_lets_go_of_a_frame(
    site: Site, listener: CdpListener, agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = site.page("<title>Inner</title>", other=True)
    await agent.open(f'<title>Outer</title><iframe src="{inner}"></iframe>')
    (browser,) = agent.session.browsers.all()
    async with program(listener, agent) as cdp:
        session, target = await cdp.attached()
        ways = {"waitForDebuggerOnStart": False, "flatten": True}
        await cdp("Target.setAutoAttach", session, autoAttach=True, **ways)
        child = (await cdp.until("Target.attachedToTarget"))["sessionId"]
        renewed: list[str] = []
        monkeypatch.setattr(browser, "renew_rules", renewed.append)
        await cdp("Target.detachFromTarget", session, sessionId=child)
        assert renewed == [target]
        await cdp("Target.setAutoAttach", session, autoAttach=False, **ways)
        assert renewed == [target, target]


async def test_command_that_cannot_be_read_goes_no_further(
    listener: CdpListener, agent: Agent
) -> None:
    await agent.open("<title>Stays</title>")
    async with program(listener, agent) as cdp:
        session, _ = await cdp.attached()
        params = '{"url": "file:///etc/passwd", "x": 1e400}'
        told = await cdp.sent(
            1,
            f'{{"id": 1, "method": "Page.navigate", "sessionId": "{session}", "params": {params}}}',
        )
        assert "cannot be read" in told["error"]["message"]
    assert await agent.value("document.title") == '"Stays"'


async def test_session_that_may_do_less_has_its_programs_ended(
    site: Site, listener: CdpListener, tmp_path: Path
) -> None:
    file = tmp_path / "policy.toml"
    file.write_text("[client.strict]\nscripts = false\n")
    settings = Settings(launch=True, headless=True, isolated=True, policy=str(file))
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent.open("<title>Before</title>")
        url = await listener.url_of(agent.session)
        async with connect(url, max_size=None) as link:
            cdp = Program(link)
            session, _ = await cdp.attached()
            agent.session.client_joined("strict")
            expression = "document.title = 'After'"
            assert "nobody act" in await cdp.fails(
                "Runtime.evaluate", session, expression=expression
            )
            async with asyncio.timeout(20):
                await link.wait_closed()
        with pytest.raises(InvalidStatus):
            await connect(url).__aenter__()
        assert "Before" in await agent("list_pages")


async def test_session_that_may_not_act_has_no_endpoint(site: Site, listener: CdpListener) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, read_only=True)
    async with running(settings) as app, Agent.joined(app, site) as agent:
        with pytest.raises(Refused):
            await listener.url_of(agent.session)


async def test_session_that_ends_while_its_address_is_made_has_none(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = app.open()

    async def ended_meanwhile(self: CdpListener) -> int:
        await session.close()
        return 1

    monkeypatch.setattr(CdpListener, "_listen", ended_meanwhile)
    async with TaskOwner() as tasks:
        with pytest.raises(Misuse, match="has ended"):
            await CdpListener(tasks).url_of(session)
