from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import tabmux
from tabmux import daemon_connection, exceptions
from tests.library.conftest import FLAGS
from tests.site import Site

pytestmark = pytest.mark.usefixtures("daemon")

FORM = """<title>Shop</title><label>Email <input></label>
<button onclick="document.body.append('Saved')">Save</button>
<button onclick="confirm('Sure?')">Ask</button>
<button onclick="window.open('OTHER')">Open</button>
<a href="#there">Go</a>"""


def open_sessions() -> list[str]:
    return daemon_connection.ask("session_list")


async def test_action_tells_what_changed(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        change = await tab.goto(site.page(FORM))
        assert change.navigated == (await tab.evaluate("() => location.href"))
        assert "Email" in ((await tab.snapshot()).snapshot or "")
        await tab.fill('textbox "Email"', "ada@example.com")
        change = await tab.click('button "Save"')
        assert "Saved" in change.diff
        assert (change.navigated, change.dialog, change.opened) == (None, None, ())
        assert await tab.evaluate("() => document.querySelector('input').value") == (
            "ada@example.com"
        )


async def test_action_tells_of_dialogs_opened_pages_and_navigation(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        other = site.page("<p>Other</p>")
        url = (await tab.goto(site.page(FORM.replace("OTHER", other)))).navigated
        asked = await tab.click('button "Ask"')
        assert asked.dialog is not None
        assert (asked.dialog.kind, asked.dialog.message) == ("confirm", "Sure?")
        await tab.dialog("dismiss")
        opened = await tab.click('button "Open"')
        assert [each.url for each in opened.opened] == [other], opened
        assert (await tab.click('link "Go"')).navigated == f"{url}#there"


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("() => [1, [2]]", [1, [2]]),
        ("() => ({a: [1]})", {"a": [1]}),
        ("() => undefined", None),
        ("() => null", None),
        ("() => 'undefined'", "undefined"),
        ("() => NaN", "NaN"),
    ],
)
async def test_script_returns_the_value_itself(site: Site, script: str, value: object) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))
        assert await tab.evaluate(script) == value
        assert type(await tab.evaluate(script)) is type(value)


async def test_failure_is_raised_by_its_code(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<button disabled>Pay</button>"))
        with pytest.raises(exceptions.NotFound) as missing:
            await tab.click('button "Save"')
        assert missing.value.code == "not_found"
        assert missing.value.message == 'No element is button "Save".'
        assert missing.value.hint == 'There are: "Pay".'
        with pytest.raises(exceptions.ElementDisabled):
            await tab.click('button "Pay"')
        with pytest.raises(exceptions.ElementTrouble):
            await tab.click('button "Pay"')
        with pytest.raises(exceptions.BadArguments):
            await tab.call("click", oops=1)


async def test_group_is_switched_on_when_its_tool_is_called(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))
        await tab.set_cookie("a", "b")
        assert [each.name for each in (await tab.cookies()).cookies if each.name == "a"] == ["a"]
        with pytest.raises(exceptions.UnknownTool):
            await tab.call("no_such_tool")


async def test_tools_of_a_group_can_be_called_at_once_when_it_is_off(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))
        await asyncio.gather(tab.cookies(), *(tab.set_cookie(name, "b") for name in "acde"))
        assert {each.name for each in (await tab.cookies()).cookies} >= set("acde")


async def test_group_that_could_not_be_switched_on_is_tried_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))

        async def refuse(*_: object, **__: object) -> None:
            raise exceptions.Busy("Too much.")

        with monkeypatch.context() as busy:
            busy.setattr(tab, "call", refuse)
            with pytest.raises(exceptions.Busy):
                await tab.cookies()
        assert "cookies" in (await tab.cookies()).text


async def test_address_for_cdp_is_one_for_the_session() -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        url = tab.cdp_url
        assert url.startswith("ws://127.0.0.1:")
        assert tab.cdp_url == url


async def test_failure_of_the_address_for_cdp_says_what_to_do() -> None:
    async with tabmux.session(flags=(*FLAGS, "--read-only")) as tab:
        with pytest.raises(exceptions.TabmuxError) as failure:
            _ = tab.cdp_url
        assert failure.value.hint


async def test_page_tools_are_methods(site: Site) -> None:
    html = """<form role=search onsubmit="event.preventDefault();
      out.textContent = 'Found ' + this.q.value"><input name=q type=search aria-label="Search products">
      <button>Search</button></form><p id=out role=status></p>"""
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page(html))
        name = next(
            t.name for t in (await tab.list_page_tools()).tools if "query" in str(t.arguments)
        )
        assert name.startswith("search")
        assert "Found tea" in (await getattr(tab.tools, name)(query="tea")).text
        assert "Found milk" in (await tab.tools[name](query="milk")).text


async def test_session_without_a_name_ends_with_its_block(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))
        before = len(open_sessions())
    assert len(open_sessions()) == before - 1


async def test_named_session_goes_on_after_its_block(site: Site) -> None:
    url = site.page("<title>Kept</title>")
    async with tabmux.session("kept", flags=FLAGS) as tab:
        await tab.goto(url)
        handle = tab.handle
    async with tabmux.session("kept") as tab:
        assert tab.handle == handle
        assert [each.title for each in (await tab.pages()).pages if each.attached] == ["Kept"]
    daemon_connection.ask("session_close session=kept")


async def test_variable_names_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABMUX_SESSION", "by-variable")
    async with tabmux.session(flags=FLAGS) as tab:
        assert tab.name == "by-variable"
    daemon_connection.ask("session_close session=by-variable")


async def test_several_sessions_have_tabs_of_their_own(site: Site) -> None:
    async with tabmux.sessions(4, flags=FLAGS) as tabs:
        urls = [site.page(f"<title>{number}</title>") for number in range(len(tabs))]
        await asyncio.gather(*(tab.goto(url) for tab, url in zip(tabs, urls, strict=True)))
        titles = await asyncio.gather(*(tab.evaluate("() => document.title") for tab in tabs))
        assert titles == ["0", "1", "2", "3"]
        assert len({tab.handle for tab in tabs}) == 4


async def test_files_are_meant_from_the_working_folder(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path.home() / "work"
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<h1>Print me</h1>"))
        await tab.pdf("page.pdf")
        await tab.screenshot(file_path=Path("page.png"))
    assert (folder / "page.pdf").read_bytes().startswith(b"%PDF")
    assert (folder / "page.png").read_bytes().startswith(b"\x89PNG")


async def test_picture_is_bytes(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<h1>Look</h1>"))
        (image,) = (await tab.screenshot(format="jpeg")).images
        assert (image.mime, image.data[:2]) == ("image/jpeg", b"\xff\xd8")


async def test_cancelled_call_leaves_the_session_usable(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<p>Hello</p>"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await tab.evaluate("() => new Promise(() => {})")
        assert await tab.evaluate("() => 1") == 1


async def test_text_of_a_page_has_no_fence(site: Site) -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.goto(site.page("<main><h1>Tea</h1><p>Green.</p></main>"))
        read = await tab.read()
        assert "# Tea" in read.text
        assert "<page " not in read.text


async def test_remote_session_takes_no_browsers_of_its_own() -> None:
    with pytest.raises(exceptions.Misuse, match="remote server"):
        async with tabmux.session(url="http://127.0.0.1:1/mcp", headless=True):
            pass


async def test_server_that_is_not_there_is_said() -> None:
    with pytest.raises(exceptions.DaemonTrouble) as failure:
        async with tabmux.session(url="http://127.0.0.1:1/mcp?token=s3cret"):
            pass
    assert "s3cret" not in failure.value.text


async def test_calls_after_the_block_say_that_it_has_ended() -> None:
    async with tabmux.session(flags=FLAGS) as tab:
        await tab.pages()
    with pytest.raises(exceptions.TabmuxError, match="block of this session has ended"):
        await tab.pages()
