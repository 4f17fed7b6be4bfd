from __future__ import annotations

import json
from pathlib import Path

from tests.agent import Agent
from tests.chromium import chromium

WORKER = """chrome.action.onClicked.addListener((tab) =>
  chrome.scripting.executeScript({target: {tabId: tab.id}, func: () => { document.title = 'clicked' }}))"""


def extension(folder: Path, version: str = "1.2") -> Path:
    """Write an extension whose button changes the page's title."""
    folder.mkdir(exist_ok=True)
    manifest = {
        "manifest_version": 3,
        "name": "Test",
        "version": version,
        "action": {"default_title": "Press"},
        "background": {"service_worker": "worker.js"},
        "permissions": ["scripting"],
        "host_permissions": ["http://127.0.0.1/*"],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "worker.js").write_text(WORKER)
    return folder


async def test_extension_lives_from_installation_to_removal(whole: Agent, tmp_path: Path) -> None:
    folder = extension(tmp_path / "extension")
    text = await whole("install_extension", path=str(folder))
    assert text.startswith("Extension installed. Id: ")
    ident = text.split("Id: ")[1]
    assert f'id={ident} "Test" v1.2 Enabled' in await whole("list_extensions")
    await whole.open("<title>before</title>")
    await whole("new_page", url=whole.site.page("<title>other</title>"))
    await whole("new_page", url=whole.site.page("<title>before</title>"))
    await whole("trigger_extension_action", id=ident)
    await whole(
        "evaluate_script",
        function="""async () => {
        while (document.title !== 'clicked') await new Promise((done) => setTimeout(done, 20)) }""",
    )
    extension(folder, "1.3")
    assert await whole("reload_extension", id=ident) == "Extension reloaded."
    assert f'id={ident} "Test" v1.3 Enabled' in await whole("list_extensions")
    assert await whole("uninstall_extension", id=ident) == f"Extension uninstalled. Id: {ident}"
    assert ident not in await whole("list_extensions")


async def test_unknown_extensions_and_bad_folders_are_refused(whole: Agent, tmp_path: Path) -> None:
    for tool in ("uninstall_extension", "reload_extension", "trigger_extension_action"):
        code, text = await whole.fails(tool, id="nope")
        assert code == "bad_request"
        assert "Extension with ID nope not found." in text
    assert (await whole.fails("install_extension", path=str(tmp_path)))[0] == "bad_arguments"
    assert (await whole.fails("install_extension", path="/etc"))[0] == "refused_by_policy"
    (tmp_path / "manifest.json").write_text("{")
    assert "anifest" in (await whole.fails("install_extension", path=str(tmp_path)))[1]


async def test_browser_that_runs_already_is_left_alone(whole: Agent) -> None:
    async with chromium() as other:
        await whole("connect_browser", url=other.url, name="other")
        try:
            for tool, arguments in (
                ("list_extensions", {}),
                ("get_os_app_state", {"manifestId": "https://x/"}),
            ):
                code, text = await whole.fails(tool, browserIndex="other", **arguments)
                assert code == "not_in_this_browser"
                assert "tabmux starts" in text or "it starts itself" in text
        finally:
            await whole("disconnect_browser", browserIndex="other")
