from __future__ import annotations

import tempfile
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from tabmux.daemon.app import App
from tests.agent import Agent
from tests.site import Respond, Site


def attachment(body: bytes, name: str, wait: threading.Event | None = None) -> Respond:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/octet-stream")
        handler.send_header("Content-Disposition", f'attachment; filename="{name}"')
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        try:
            # Chrome looks at the first bytes before it knows what it has.
            handler.wfile.write(body[: len(body) // 2])
            if wait is not None:
                wait.wait(20)
            handler.wfile.write(body[len(body) // 2 :])
        except OSError:
            pass

    return respond


def link(site: Site, respond: Respond, extra: str = "") -> str:
    return f"<a href='{site.route(respond)}' {extra}>Get</a>"


async def test_clicked_download_is_announced_awaited_and_saved(
    whole: Agent, tmp_path: Path
) -> None:
    await whole.open(link(whole.site, attachment(b"a,b\n", "report.csv")))
    clicked = await whole("click", uid=whole.uid('link "Get"'))
    target = tmp_path / "out" / "saved.csv"
    text = await whole("wait_for_download", filePath=str(target), timeout=9000)
    assert f"report.csv [completed] 4 bytes from {whole.site.origin}" in text
    assert f"Saved to {target}." in text
    assert target.read_bytes() == b"a,b\n"
    listed = await whole("list_downloads")
    assert "report.csv [completed] 4 bytes" in listed
    told = clicked + await whole("take_snapshot")
    assert told.count("Download ") <= 1


async def test_download_of_a_tab_that_closes_at_once_is_its_openers(whole: Agent) -> None:
    html = link(whole.site, attachment(b"x", "blank.bin"), "target=_blank")
    await whole.open(html)
    await whole("click", uid=whole.uid('link "Get"'))
    text = await whole("wait_for_download", timeout=9000)
    path = Path(text.split('It is at "')[1].removesuffix('".'))
    assert path.name == "blank.bin"
    assert path.read_bytes() == b"x"
    assert path.is_relative_to(tempfile.gettempdir())
    assert path.parents[1].stat().st_mode & 0o77 == 0


async def test_isolated_context_downloads_too(whole: Agent) -> None:
    page = whole.site.page(link(whole.site, attachment(b"x", "apart.bin")))
    await whole("new_page", url=page, isolatedContext="downloads")
    await whole("take_snapshot")
    await whole("click", uid=whole.uid('link "Get"'))
    assert "apart.bin [completed]" in await whole("wait_for_download", timeout=9000)


async def test_name_cannot_lead_out_of_the_folder(whole: Agent) -> None:
    await whole.open(link(whole.site, attachment(b"x", "../../../.ssh/authorized_keys")))
    await whole("click", uid=whole.uid('link "Get"'))
    text = await whole("wait_for_download", timeout=9000)
    path = Path(text.split('It is at "')[1].removesuffix('".'))
    assert path.is_file()
    assert path.parents[1].name.startswith("downloads-")
    assert path.parents[2].name.startswith("tabmux-")
    assert (await whole.fails("wait_for_download", downloadId=1, filePath="/etc/x"))[0] == (
        "refused_by_policy"
    )


async def test_slow_download_is_cancelled(whole: Agent) -> None:
    release = threading.Event()
    await whole.open(link(whole.site, attachment(b"slow" * 20_000, "slow.bin", release)))
    await whole("click", uid=whole.uid('link "Get"'))
    code, _ = await whole.fails("wait_for_download", timeout=500)
    assert code == "deadline"
    listed = (await whole("list_downloads")).split(":")[0]
    assert await whole("cancel_download", downloadId=int(listed)) == (
        'Cancelled the download of "slow.bin".'
    )
    assert (await whole.fails("wait_for_download"))[0] == "download_failed"
    assert "canceled already" in await whole("cancel_download", downloadId=int(listed))
    release.set()


async def test_download_of_an_isolated_page_is_cancelled_from_another(whole: Agent) -> None:
    release = threading.Event()
    page = whole.site.page(link(whole.site, attachment(b"s" * 80_000, "apart.bin", release)))
    await whole("new_page", url=page, isolatedContext="cancelled")
    await whole("take_snapshot")
    await whole("click", uid=whole.uid('link "Get"'))
    assert (await whole.fails("wait_for_download", timeout=300))[0] == "deadline"
    number = int((await whole("list_downloads")).split(":")[0])
    await whole("new_page", url=whole.site.page("elsewhere"))
    assert "Cancelled" in await whole("cancel_download", downloadId=number)
    code, text = await whole.fails("wait_for_download", downloadId=number)
    assert code == "download_failed"
    assert "begin it again" in text
    release.set()


async def test_other_sessions_see_nothing_of_it(whole: Agent, whole_app: App, site: Site) -> None:
    await whole.open(link(whole.site, attachment(b"x", "mine.bin")))
    await whole("click", uid=whole.uid('link "Get"'))
    number = (await whole("wait_for_download", timeout=9000)).split(":")[0]
    async with Agent.joined(whole_app, site) as other:
        await other.open("x")
        assert await other("list_downloads") == "Nothing was downloaded."
        assert (await other.fails("wait_for_download", downloadId=int(number)))[0] == "bad_request"


async def test_nothing_to_wait_for_ends_in_time(whole: Agent) -> None:
    await whole.open("x")
    code, text = await whole.fails("wait_for_download", timeout=200)
    assert code == "deadline"
    assert "Call list_downloads" in text
