"""The commands of a session's own socket, done by the real extension."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from tabmux.secrets.secret import Secrets
from tests.agent import Agent
from tests.extension.everyday_browser import EverydayBrowser
from tests.extension.lending_server import LendingServer
from tests.secrets.canaries import Canaries, secret_table
from tests.site import Site

Run = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def run(lent: tuple[LendingServer, EverydayBrowser]) -> AsyncIterator[Run]:
    """Send a command to the extension of one session; returns the data of its response."""
    commands = lent[0].bridge.session_sockets

    async def send(kind: str, /, **payload: Any) -> dict[str, Any]:
        data = (await commands.run("instance-1", kind, payload))["data"]
        assert isinstance(data, dict)
        return data

    yield send
    await send("tabs.close")


async def test_tab_is_opened_and_kept_for_the_session(run: Run, site: Site) -> None:
    first = await run("browser_navigate", url=site.page("<title>One</title>"))
    assert first["success"]
    assert first["title"] == "One"
    again = await run("js.execute", code="document.title")
    assert (again["result"], again["tabId"]) == ("One", first["tabId"])
    listed = await run("tabs.list")
    assert first["tabId"] in [tab["id"] for tab in listed["tabs"]]


@pytest.mark.parametrize(
    ("code", "value"),
    [("1 + 1", 2), ("return 3", 3), ("await Promise.resolve(4)", 4), ("const a = 5; return a", 5)],
)
async def test_code_is_an_expression_or_a_function_body(run: Run, code: str, value: int) -> None:
    assert (await run("js.execute", code=code))["result"] == value


async def test_page_is_operated_by_selector_and_text(run: Run, site: Site) -> None:
    html = """<input id=name><select id=size><option>S<option>M</select>
      <button onclick="done.textContent = name_.value + ' ' + size.value + ' ' + event.isTrusted">Send</button>
      <p id=done></p><script>name_ = document.querySelector('#name')</script>"""
    await run("browser_navigate", url=site.page(html))
    await run("browser_type", selector="#name", text="Ada")
    assert (await run("browser_select_option", selector="#size", values=["M"]))["selected"] == ["M"]
    await run("browser_click", text="Send")
    await run("browser_wait", text="Ada M true", timeout=3000)
    picture = await run("browser_screenshot")
    assert picture["mimeType"] == "image/png"
    assert picture["data"].startswith("iVBOR")


REFS = """<label for=a>Your name</label><input id=a name=full_name data-testid=name-field>
  <select aria-label=Size><option>S<option>M</select><button>Send</button>
  <p id=out></p><script>document.querySelector('button').onclick = () => {
    out.textContent = a.value + document.querySelector('select').value }</script>"""


@pytest.mark.parametrize("ref", ["a", "full_name", "name-field", "Your name"])
async def test_element_is_named_by_a_ref_that_is_whatever_names_it(
    run: Run, site: Site, ref: str
) -> None:
    await run("browser_navigate", url=site.page(REFS))
    await run("browser_type", ref=ref, text="Ada")
    assert (await run("browser_select_option", ref="Size", values=["M"]))["selected"] == ["M"]
    await run("browser_click", ref="Send")
    assert (await run("browser_wait", ref="out"))["success"]
    assert (await run("js.execute", code="out.textContent"))["result"] == "AdaM"
    missing = await run("browser_click", ref="nothing like it")
    assert (missing["success"], "nothing like it" in missing["error"]) == (False, True)


async def test_list_of_tabs_opens_none(run: Run) -> None:
    assert (await run("tabs.list"))["tabs"] == []


async def test_tab_of_another_session_is_neither_listed_nor_used(
    run: Run, lent: tuple[LendingServer, EverydayBrowser], agent: Agent
) -> None:
    await agent.open("<title>Private</title>")
    (page,) = agent.session.pages.values()
    await run("browser_navigate", url="about:blank")
    assert page.target["tabId"] not in [tab["id"] for tab in (await run("tabs.list"))["tabs"]]
    refused = await run("js.execute", code="document.title", tabId=page.target["tabId"])
    assert (refused["success"], "another session" in refused["error"]) == (False, True)


async def test_tools_are_there_while_the_extension_is_and_their_tab_is_the_session_s(
    lent: tuple[LendingServer, EverydayBrowser], agent: Agent
) -> None:
    server, user = lent
    assert {"browser_navigate", "browser_click", "browser_tabs"} <= set(await agent.tools())
    url = agent.site.page(
        "<title>Ours</title><button onclick='this.textContent=`Gone`'>Go</button>"
    )
    opened = await agent("browser_navigate", url=url)
    (page,) = agent.session.pages.values()
    assert str(page.target["tabId"]) in opened
    async with Agent.joined(server.app, agent.site) as other:
        assert "Ours" not in await other("list_pages")
        assert "Ours" not in await other("browser_tabs", action="list")
        assert (await other.fails("select_page", pageId=page.id))[0] == "owned_by_other_session"
    assert "Ours" in await agent("take_snapshot")
    await agent("browser_click", ref=agent.uid("button"))
    assert "Gone" in await agent("take_snapshot")
    listed = await agent("browser_tabs", action="list")
    titles = await user.in_worker(
        "chrome.tabGroups.query({}).then((all) => all.map((g) => g.title))"
    )
    secrets = {agent.session.handle, *agent.session.aliases}
    assert "Ours" in listed
    assert not [each for each in secrets if each in listed or each in str(titles)]
    assert f"tabmux {agent.session.visible_name}" in titles


async def test_tab_of_the_tools_that_is_taken_back_is_said_to_be_gone_once(
    lent: tuple[LendingServer, EverydayBrowser], agent: Agent
) -> None:
    _, user = lent
    await agent("browser_navigate", url=agent.site.page("<title>Taken</title>"))
    (page,) = agent.session.pages.values()
    await user.act("takeBack", tabId=page.target["tabId"])
    code, text = await agent.fails("browser_execute_js", code="document.title")
    assert code == "page_gone"
    assert "the user took it back" in text
    assert not agent.session.pages
    assert "about:blank" in await agent("browser_execute_js", code="location.href")


async def test_id_of_a_session_is_a_secret_also_for_commands_from_elsewhere(
    lent: tuple[LendingServer, EverydayBrowser], agent: Agent
) -> None:
    server, user = lent
    handle = agent.session.handle
    commands = server.bridge.session_sockets
    opened = (await commands.run(handle, "tabs.new", {"url": "about:blank"}))["data"]
    listed = (await commands.run(handle, "tabs.list", {}))["data"]
    titles = await user.in_worker(
        "chrome.tabGroups.query({}).then((all) => all.map((g) => g.title))"
    )
    assert handle not in f"{opened}{listed}{titles}"
    assert [page.target["tabId"] for page in agent.session.pages.values()] == [opened["tabId"]]


LOGIN = """<!doctype html><title>Log in</title><form>
  <label>Password <input type=password></label><p></p></form>"""


@pytest.fixture
def canaries(
    lent: tuple[LendingServer, EverydayBrowser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> Canaries:
    """The values of a secret `shop` that the server has."""
    pipeline = lent[0].app.toolsets._pipeline
    secrets = Secrets.of([tuple({**dict(secret_table(site.origin)), "name": "shop"}.items())])
    monkeypatch.setattr(pipeline, "services", replace(pipeline.services, secrets=secrets))
    made = Canaries()
    made.keep()
    return made


async def test_secret_is_typed_into_a_tab_that_the_extension_lends(
    agent: Agent, canaries: Canaries
) -> None:
    await agent("browser_navigate", url=agent.site.page(LOGIN))
    await agent("take_snapshot")
    assert "•••" in await agent("fill", uid=agent.uid("textbox"), value="$secret:shop.password")


async def test_extension_runs_no_script_where_a_secret_stands(
    agent: Agent, canaries: Canaries
) -> None:
    await agent("browser_navigate", url=agent.site.page(LOGIN))
    await agent("take_snapshot")
    password = agent.uid("textbox")
    await agent("fill", uid=password, value="$secret:shop.password")
    read = {"code": "document.querySelector('input').value"}
    code, text = await agent.fails("browser_execute_js", **read)
    assert (code, canaries.seen_in(text)) == ("secret_in_page", [])
    await agent("fill", uid=password, value="")
    assert '"result": ""' in await agent("browser_execute_js", **read)


async def test_no_secret_is_typed_where_the_extension_has_run_a_script(
    agent: Agent, canaries: Canaries
) -> None:
    await agent("browser_navigate", url=agent.site.page(LOGIN))
    await agent("browser_execute_js", code="window.watching = true")
    await agent("take_snapshot")
    uid = agent.uid("textbox")
    assert (await agent.fails("fill", uid=uid, value="$secret:shop.password"))[0] == (
        "secret_in_page"
    )
    code, text = await agent.fails("browser_type", ref=uid, text="$secret:shop.password")
    assert code == "refused_by_policy"
    assert "Use fill" in text


async def test_pictures_of_the_extension_do_not_depend_on_the_value(
    agent: Agent, canaries: Canaries
) -> None:
    """Two values of one length make the same pictures, although the page shows them in clear."""
    shows = "document.querySelector('p').textContent = event.target.value"
    await agent(
        "browser_navigate",
        url=agent.site.page(LOGIN.replace("form>", f'form oninput="{shows}">', 1)),
    )
    await agent("take_snapshot")
    uid, pictures = agent.uid("textbox"), list[str]()
    for letter in ("a", "m"):
        Canaries(password=letter * 12).keep()
        await agent("fill", uid=uid, value="$secret:shop.password")
        (image,) = (await agent.reply("browser_screenshot")).images
        pictures.append(image.data)
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("browser_click", {"selector": "#nowhere"}),
        ("browser_wait", {"selector": "#nowhere", "timeout": 10}),
        ("browser_navigate", {"url": "chrome://settings"}),
        ("js.execute", {"code": "throw new Error('broken')"}),
        ("js.execute", {"code": "1", "tabId": 1}),
        ("no.such", {}),
    ],
)
async def test_what_goes_wrong_is_said(run: Run, kind: str, payload: dict[str, Any]) -> None:
    answer = await run(kind, **payload)
    assert answer["success"] is False
    assert answer["error"]


async def test_tab_stays_the_current_one_when_another_one_is_refused(run: Run) -> None:
    first = await run("js.execute", code="1")
    await run("js.execute", code="1", tabId=1)
    await run("no.such")
    assert (await run("js.execute", code="1"))["tabId"] == first["tabId"]


async def test_tab_that_was_opened_for_a_command_that_failed_is_used_again(run: Run) -> None:
    failed = await run("browser_click", selector="#nowhere")
    again = await run("js.execute", code="1")
    assert failed["tabId"] == again["tabId"]
