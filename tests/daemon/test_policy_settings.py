"""The policy file through MCP: clients with different rules on one daemon, in one browser."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tabmux.daemon.app import App
from tabmux.errors import BudgetSpent, Misuse, Refused
from tabmux.settings import Settings
from tests.agent import Agent
from tests.browsers.test_url_filter import NAMES, try_all, ways_out
from tests.canary import Canary
from tests.chromium import chromium
from tests.serving import running
from tests.site import Respond, Site, redirecting


@pytest.fixture
def canary() -> Iterator[Canary]:
    with Canary() as canary:
        yield canary


@asynccontextmanager
async def served(folder: Path, text: str, **settings: object) -> AsyncIterator[App]:
    """A server with one headless browser, and this policy file."""
    file = folder / "policy.toml"
    file.write_text(text)
    own = {"launch": True, "headless": True, "isolated": True, **settings}
    async with running(Settings(policy=str(file), **own)) as app:  # type: ignore[arg-type]
        yield app


def attachment(name: str, release: threading.Event | None = None) -> Respond:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Disposition", f'attachment; filename="{name}"')
        handler.send_header("Content-Length", "80000")
        handler.end_headers()
        handler.wfile.write(b"x" * 40_000)
        if release is not None:
            release.wait(20)
        handler.wfile.write(b"x" * 40_000)

    return respond


async def test_one_client_is_refused_what_another_may_at_the_same_time(
    tmp_path: Path, site: Site, canary: Canary
) -> None:
    text = f"""
    [client."strict*"]
    urls = ["127.0.0.1:{site.port}"]
    tools = ["-evaluate_script", "-storage"]
    """
    out = f"http://localhost:{canary.port}"
    async with (
        served(tmp_path, text) as app,
        Agent.joined(app, site, client="strict-agent") as strict,
        Agent.joined(app, site, client="free") as free,
    ):
        for opening in ("navigate_page", "new_page"):
            code, said = await strict.fails(opening, url=f"{out}/strict")
            assert code == "refused_by_policy"
            assert '`urls` of [client."strict*"] (policy.toml:3)' in said
        for tool in ("evaluate_script", "list_cookies"):
            code, said = await strict.fails(tool, function="() => 1")
            assert code == "refused_by_policy"
            assert '`tools` of [client."strict*"] (policy.toml:4)' in said
        assert "evaluate_script" not in await strict.tools()
        await free("navigate_page", url=f"{out}/free")
        assert await free.value("1 + 1") == "2"
        # A browser may also ask for the icon of a place that it was let go to.
        assert canary.seen - {"favicon.ico"} == {"free"}
        await strict.open("<h1>Allowed</h1>")
        assert "Allowed" in strict.seen


async def test_pages_of_a_session_are_held_below_the_tools(
    tmp_path: Path, site: Site, canary: Canary
) -> None:
    here = f'"127.0.0.1:{site.port}", "localhost:{site.port}"'
    text = f'[default]\nurls = ["localhost", "127.0.0.1"]\n[client.strict]\nurls = [{here}]'
    async with served(tmp_path, text) as app, Agent.joined(app, site, client="strict") as agent:
        await try_all(agent, *ways_out(site, canary))
        made = f"""new Promise((done) => {{
          const code = `fetch('http://localhost:{canary.port}/made', {{mode: 'no-cors'}})
            .catch(() => 0).then(() => onconnect = (e) => e.ports[0].postMessage('tried'))`;
          const worker = new SharedWorker(URL.createObjectURL(new Blob([code])));
          worker.port.onmessage = (e) => done(e.data);
          setTimeout(() => done('silent'), 2000);
        }})"""
        await agent("navigate_page", url=site.page("<h1>Here</h1>"))
        assert await agent.value(made) in ('"tried"', '"silent"')
        assert canary.seen == set()


async def test_session_without_rules_reaches_all_in_the_same_browser(
    tmp_path: Path, site: Site, canary: Canary
) -> None:
    text = f'[client.strict]\nurls = ["127.0.0.1:{site.port}"]'
    async with served(tmp_path, text) as app, Agent.joined(app, site, client="free") as agent:
        await try_all(agent, *ways_out(site, canary))
        assert await canary.reached(NAMES) == set()


async def test_redirect_to_a_host_that_a_section_forbids_is_a_refusal(
    tmp_path: Path, site: Site, canary: Canary
) -> None:
    text = f'[session.work]\nurls = ["127.0.0.1:{site.port}"]'
    moved = site.route(redirecting(f"http://localhost:{canary.port}/moved"))
    async with served(tmp_path, text) as app:
        async with Agent.joined(app, site, label="work") as agent:
            code, said = await agent.fails("navigate_page", url=moved)
            assert (code, canary.seen) == ("refused_by_policy", set())
            assert "leads to an address that the policy does not allow" in said
            assert "`urls` of [session.work] (policy.toml:2)" in said
            await agent.open(f'<a href="{moved}">Go</a>')
            code, said = await agent.fails("click", uid=agent.uid('link "Go"'))
            assert (code, canary.seen) == ("refused_by_policy", set())
            assert "`urls` of [session.work] (policy.toml:2) is against it" in said
        async with Agent.joined(app, site, label="play") as agent:
            await agent("navigate_page", url=moved)
            assert "moved" in canary.seen


async def test_users_tab_is_held_while_a_session_has_it_and_free_afterwards(
    tmp_path: Path, site: Site, canary: Canary
) -> None:
    text = f'[client.strict]\nurls = ["127.0.0.1:{site.port}"]'
    opened = f"""new Promise((done) => {{
      const socket = new WebSocket('ws://localhost:{canary.port}/socket');
      socket.onopen = () => done('open'); socket.onerror = () => done('refused');
    }})"""
    async with chromium() as browser:
        own: dict[str, object] = {"browser_url": (browser.url,), "launch": False}
        async with served(tmp_path, text, headless=False, isolated=False, **own) as app:
            async with Agent.joined(app, site, client="strict") as agent:
                await agent("list_pages")
                (tab,) = app.browsers.all()[0].pages.values()
                await agent("select_page", pageId=tab.id)
                await agent.open("<h1>Mine</h1>")
                assert await agent.value(opened) == '"refused"'
            assert canary.seen == set()
            async with Agent.joined(app, site, client="free") as agent:
                await agent("select_page", pageId=tab.id)
                assert await agent.value(opened) == '"open"'


async def test_budget_of_calls_counts_the_steps_of_batches(tmp_path: Path, site: Site) -> None:
    async with served(tmp_path, "[default]\ncalls = 4") as app:
        async with Agent.joined(app, site) as agent:
            await agent("navigate_page", url=site.page("<h1>One</h1>"))
            step = {"tool": "take_snapshot", "arguments": {}}
            await agent("batch", steps=[step, step])
            code, said = await agent.fails("take_snapshot")
            assert code == "budget_spent"
            assert "4 calls: `calls` of [default] (policy.toml:2)" in said
            assert "Tell the user" in said
        async with Agent.joined(app, site) as agent:
            await agent("list_pages")


async def test_budget_of_minutes_counts_from_the_opening_of_the_session(
    tmp_path: Path, site: Site
) -> None:
    async with (
        served(tmp_path, "[session.short]\nminutes = 2") as app,
        Agent.joined(app, site, label="short") as agent,
    ):
        await agent("list_pages")
        agent.session.opened -= 121
        code, said = await agent.fails("list_pages")
        assert (code, "2 minutes" in said) == ("budget_spent", True)


async def test_download_of_a_session_that_may_not_is_stopped(tmp_path: Path, site: Site) -> None:
    release = threading.Event()
    text = "[client.strict]\ndownloads = false"
    async with (
        served(tmp_path, text, tools="+files") as app,
        Agent.joined(app, site, client="strict") as strict,
        Agent.joined(app, site, client="free") as free,
    ):
        for agent, held in ((strict, release), (free, None)):
            await agent.open(f'<a href="{site.route(attachment("a.bin", held))}">Save</a>')
            await agent("click", uid=agent.uid('link "Save"'))
        code, said = await strict.fails("wait_for_download", timeout=9000)
        release.set()
        assert code == "refused_by_policy"
        assert "`downloads` of [client.strict] (policy.toml:2)" in said
        assert "a.bin [completed]" in await free("wait_for_download", timeout=9000)


async def test_scripts_and_files_are_narrower_for_the_client_that_a_section_names(
    tmp_path: Path, site: Site
) -> None:
    text = '[client.strict]\nscripts = false\nfiles = ["/srv/agents"]'
    async with (
        served(tmp_path, text, allow_path=("/var",)) as app,
        Agent.joined(app, site, client="strict") as strict,
    ):
        await strict.open("<h1>Page</h1>")
        assert "evaluate_script" not in await strict.tools()
        code, said = await strict.fails("wait_for", function="() => true")
        assert (code, "`scripts` of [client.strict]" in said) == ("refused_by_policy", True)
        assert (await strict.fails("navigate_page", url="data:text/html,x"))[0] == (
            "refused_by_policy"
        )
        code, said = await strict.fails("take_screenshot", filePath="/var/x.png")
        assert (code, "`files` of [client.strict]" in said) == ("refused_by_policy", True)


async def test_resources_are_held_to_the_rules_of_the_tools_that_tell_the_same(
    tmp_path: Path, site: Site
) -> None:
    text = '[session.work]\ntools = ["-list_network_requests"]\ncalls = 3'
    async with served(tmp_path, text) as app, Agent.joined(app, site, label="work") as agent:
        await agent.open("<h1>Here</h1>")
        (page,) = agent.session.pages
        listed = (await agent.request("resources/list"))["resources"]
        assert f"tabmux://page/{page}/network" not in {each["uri"] for each in listed}
        with pytest.raises(Refused, match=r"`tools` of \[session.work\]"):
            await agent.session.resources.answer(
                "resources/read", {"uri": f"tabmux://page/{page}/network"}
            )
        with pytest.raises(BudgetSpent):
            await agent.session.resources.answer(
                "resources/read", {"uri": f"tabmux://page/{page}/console"}
            )


async def test_daemon_with_a_file_that_is_wrong_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="line 1: unknown section"):
        async with served(tmp_path, "[defualt]\ncalls = 1"):
            pass
