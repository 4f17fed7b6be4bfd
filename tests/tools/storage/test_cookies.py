from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tabmux.settings import Settings
from tests.agent import Agent
from tests.serving import running
from tests.site import Site

SECRET = "s3cr3t-value"


def login(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Set-Cookie", f"login={SECRET}; HttpOnly; SameSite=Strict; Max-Age=3600")
    handler.send_header("Set-Cookie", "theme=dark")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


async def fresh(agent: Agent, url: str) -> None:
    """Open a page with cookies of its own."""
    await agent("new_page", url=url, isolatedContext=url)


async def test_list_keeps_values_to_itself_and_get_shows_one(whole: Agent) -> None:
    await fresh(whole, whole.site.route(login))
    text = await whole("list_cookies")
    assert "login (127.0.0.1/): 12 characters, until " in text
    assert "HttpOnly, SameSite=Strict" in text
    assert "theme (127.0.0.1/): 4 characters, SameSite=Lax" in text
    assert SECRET not in text
    assert (await whole("get_cookie", name="login")).endswith(f"\n{SECRET}")
    code, missing = await whole.fails("get_cookie", name="nothing")
    assert code == "bad_request"
    assert "Call list_cookies" in missing


async def test_cookie_is_set_sent_and_deleted(whole: Agent) -> None:
    seen: list[str | None] = []

    def note(handler: BaseHTTPRequestHandler) -> None:
        seen.append(handler.headers.get("cookie"))
        login(handler)

    url = whole.site.route(note)
    await fresh(whole, whole.site.page("x"))
    assert await whole("set_cookie", name="a", value="1") == "Set the cookie a for 127.0.0.1."
    await whole("set_cookie", name="far", value="2", domain="example.com", secure=True)
    await whole("navigate_page", url=url)
    assert "example.com" not in await whole("list_cookies")
    assert "far (example.com/)" in await whole("list_cookies", allSites=True)
    assert "2" in await whole("get_cookie", name="far", domain="example.com")
    await whole("delete_cookie", name="a")
    await whole("delete_cookie", name="far", domain="example.com")
    await whole("navigate_page", url=url)
    assert seen[0] == "a=1"
    assert seen[1] is not None
    assert "a=1" not in seen[1]
    assert "far" not in await whole("list_cookies", allSites=True)


async def test_isolated_contexts_have_cookies_of_their_own(whole: Agent) -> None:
    await fresh(whole, whole.site.page("one"))
    await whole("set_cookie", name="mine", value="1")
    await fresh(whole, whole.site.page("two"))
    assert await whole("list_cookies", allSites=True) == "There are no cookies."


async def test_impossible_cookies_are_refused(whole: Agent) -> None:
    await fresh(whole, whole.site.page("x"))
    assert (await whole.fails("set_cookie", name="__Host-a", value="1"))[0] == "bad_request"
    await whole("new_page", url="about:blank")
    assert "Name a domain" in (await whole.fails("set_cookie", name="a", value="1"))[1]


async def test_policy_keeps_cookies_of_other_sites_out_of_reach(site: Site, tmp_path: Path) -> None:
    settings = Settings(
        launch=True, headless=True, isolated=True, tools="+storage", allow_url=("127.0.0.1",)
    )
    async with running(settings) as app, Agent.joined(app, site) as agent:
        await agent("navigate_page", url=site.page("x"))
        page = next(iter(agent.session.pages.values()))
        far = {"name": "far", "value": SECRET, "url": "https://example.com/"}
        await page.attached_page.channel.call("Network.setCookies", {"cookies": [far]})
        await agent("set_cookie", name="near", value="1")
        assert "far" not in await agent("list_cookies", allSites=True)
        assert (await agent.fails("get_cookie", name="far", domain="example.com"))[0] == (
            "bad_request"
        )
        for tool, arguments in (
            ("set_cookie", {"name": "a", "value": "1", "domain": "example.com"}),
            ("clear_storage", {"allSites": True}),
        ):
            assert (await agent.fails(tool, **arguments))[0] == "refused_by_policy"
        path = tmp_path / "state.json"
        await agent("save_storage_state", filePath=str(path))
        assert SECRET not in path.read_text()
        path.write_text('{"origins": [{"origin": "https://example.com", "localStorage": []}]}')
        assert (await agent.fails("restore_storage_state", filePath=str(path)))[0] == (
            "refused_by_policy"
        )
