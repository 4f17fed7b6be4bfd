from __future__ import annotations

import json
from pathlib import Path

from tests.agent import Agent

LOGIN = "<script>localStorage.user = 'ada'; document.cookie = 'sid=1; max-age=3600'</script>"


async def saved(agent: Agent, path: Path, **arguments: object) -> str:
    """Log in on two sites, in a context of its own, and save that."""
    context = str(path)
    await agent("new_page", url=agent.site.page(LOGIN, other=True), isolatedContext=context)
    await agent("new_page", url=agent.site.page(LOGIN), isolatedContext=context)
    return await agent("save_storage_state", filePath=str(path), **arguments)


async def test_login_is_restored_in_another_context(whole: Agent, tmp_path: Path) -> None:
    path = tmp_path / "login.json"
    text = await saved(whole, path)
    assert text == f"Saved 2 cookies and the local storage of 2 origins to {path}."
    assert path.stat().st_mode & 0o777 == 0o600
    await whole("new_page", url=whole.site.page("fresh"), isolatedContext="restored")
    assert await whole.value("[localStorage.length, document.cookie]") == '[0,""]'
    count = len((await whole("list_pages")).split("\n"))
    text = await whole("restore_storage_state", filePath=str(path))
    assert text == "Restored 2 cookies and the local storage of 2 origins."
    assert len((await whole("list_pages")).split("\n")) == count
    assert await whole.value("[localStorage.user, document.cookie]") == '["ada","sid=1"]'
    await whole("navigate_page", url=whole.site.page("other", other=True))
    assert await whole.value("[localStorage.user, document.cookie]") == '["ada","sid=1"]'


async def test_file_has_the_shape_of_playwright(whole: Agent, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    await saved(whole, path, domains=["localhost"])
    state = json.loads(path.read_text())
    (cookie,) = state["cookies"]
    assert cookie.pop("expires") > 0
    assert cookie == {
        "name": "sid",
        "value": "1",
        "domain": "localhost",
        "path": "/",
        "httpOnly": False,
        "secure": False,
        "sameSite": "Lax",
    }
    assert state["origins"] == [
        {
            "origin": whole.site.other_origin,
            "localStorage": [{"name": "user", "value": "ada"}],
        }
    ]


async def test_secure_and_http_only_cookies_of_closed_sites_come_back(
    whole: Agent, tmp_path: Path
) -> None:
    path = tmp_path / "far.json"
    cookies = [
        {"name": "a", "value": "1", "domain": ".example.com", "path": "/", "expires": -1,
         "httpOnly": True, "secure": True, "sameSite": "None"},
        {"name": "__Host-b", "value": "2", "domain": "www.example.com", "path": "/",
         "expires": 4e9, "httpOnly": True, "secure": True, "sameSite": "Strict"},
    ]  # fmt: skip
    origins = [{"origin": "https://example.com", "localStorage": [{"name": "k", "value": "v"}]}]
    path.write_text(json.dumps({"cookies": cookies, "origins": origins}))
    await whole("new_page", url=whole.site.page("x"), isolatedContext="far")
    await whole("restore_storage_state", filePath=str(path))
    text = await whole("list_cookies", allSites=True)
    assert "a (.example.com/): 1 characters, HttpOnly, Secure, SameSite=None" in text
    assert "__Host-b (www.example.com/): 1 characters, until " in text


async def test_what_a_frame_keeps_inside_another_site_is_left_out(
    whole: Agent, tmp_path: Path
) -> None:
    path = tmp_path / "frames.json"
    inner = whole.site.page("<script>localStorage.inner = '1'</script>", other=True)
    html = f"<script>localStorage.outer = '1'</script><iframe src='{inner}'></iframe>"
    await whole("new_page", url=whole.site.page(html), isolatedContext="frames")
    await whole("save_storage_state", filePath=str(path))
    state = json.loads(path.read_text())
    assert [each["origin"] for each in state["origins"]] == [whole.site.origin]
    state["origins"][0]["origin"] = whole.site.other_origin
    path.write_text(json.dumps(state))
    await whole("restore_storage_state", filePath=str(path))
    await whole("navigate_page", url=whole.site.page("x", other=True))
    assert await whole.value("localStorage.outer") == '"1"'


async def test_bad_files_are_refused(whole: Agent, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    for bad in (
        "s3cr3t",
        '{"cookies": [{"name": 1, "value": "s3cr3t"}]}',
        '{"origins": [{"origin": "file:///etc"}]}',
        '{"origins": [{"origin": "http://["}]}',
    ):
        path.write_text(bad)
        code, text = await whole.fails("restore_storage_state", filePath=str(path))
        assert code == "bad_arguments"
        assert "s3cr3t" not in text
    assert (await whole.fails("restore_storage_state", filePath="/etc/passwd"))[0] == (
        "refused_by_policy"
    )
    assert (await whole.fails("save_storage_state", filePath="/etc/state.json"))[0] == (
        "refused_by_policy"
    )
