"""Secrets: who agrees to them, what may not see them, and where they are typed."""

from __future__ import annotations

import asyncio
import json
import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabmux.content import QuestionPending, Reply, SilentClient
from tabmux.page.secrets.secret_fields import SecretFields
from tabmux.record.call_entry import CallEntry
from tabmux.secrets.filled_values import FILLED
from tabmux.settings import Settings
from tabmux.tools.pipeline import catalog
from tests.agent import Agent, ToolFailed
from tests.chromium import chromium
from tests.secrets.canaries import Canaries, secret_table
from tests.serving import running
from tests.site import Site

FORM = """<!doctype html><title>Log in</title><form onsubmit="event.preventDefault(); this.remove()">
  <label>User <input name=user autocomplete=username></label>
  <label>Password <input type=password name=pass></label>
  <label>Code <input name=otp autocomplete=one-time-code></label>
  <label>Comment <input name=comment><textarea aria-label=Notes></textarea></label>
  <button>Log in</button></form>"""
ALONE = FORM.replace("<label>Password <input type=password name=pass></label>", "")
STRUCTURED: dict[str, Any] = {"experimental": {"tabmux/structured": {}}}
EVERYTHING = ",".join(f"+{group}" for group in catalog.GROUPS)


class Person(SilentClient):
    """A client whose user answers."""

    def __init__(self, answer: bool | None) -> None:
        self.answer, self.asked = answer, list[str]()

    async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
        self.asked.append(question)
        return self.answer


def tables(site: Site) -> tuple[Any, ...]:
    return tuple(
        tuple(sorted({**dict(secret_table(site.origin, approve=approve)), "name": name}.items()))
        for name, approve in (("shop", "always"), ("asks", "ask"), ("once", "session"))
    )


@pytest.fixture(scope="module")
async def apps(site: Site) -> AsyncIterator[dict[str, Any]]:
    """One server for each way of asking, and one browser in each."""
    made: dict[str, Any] = {}
    settings = Settings(
        launch=True, headless=True, isolated=True, tools=EVERYTHING, secret=tables(site)
    )
    async with running(settings, bridged=False) as app:
        made["app"] = app
        yield made


@pytest.fixture
async def agent(apps: dict[str, Any], site: Site) -> AsyncIterator[Agent]:
    async with Agent.joined(apps["app"], site) as agent:
        yield agent
        await agent.session.close()


@pytest.fixture
def canaries() -> Canaries:
    made = Canaries()
    made.keep()
    return made


async def held(agent: Agent, expression: str) -> Any:
    """Ask the page itself, as no agent can."""
    (handle,) = agent.session.pages.values()
    main = handle.attached_page.main
    command = {"expression": expression, "contextId": main.page_world, "returnByValue": True}
    return (await main.channel.call("Runtime.evaluate", command))["result"].get("value")


async def called(agent: Agent, person: Person, name: str, **arguments: Any) -> Reply:
    return await agent.session.call(name, arguments, person)


def values(agent: Agent) -> str:
    return "[...document.querySelectorAll('input')].map((each) => each.value).join('|')"


@asynccontextmanager
async def opened(agent: Agent, html: str = FORM) -> AsyncIterator[dict[str, str]]:
    """Load a document; gives the uids of its fields."""
    await agent.open(html)
    names = ("User", "Password", "Code", "Comment", "Notes")
    yield {
        name: agent.uid(f'textbox "{name}') for name in names if f'textbox "{name}' in agent.seen
    }


async def test_user_is_asked_each_time_and_may_refuse(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        fill = {"uid": uids["Password"], "value": "$secret:asks.password"}
        person = Person(False)
        reply = await called(agent, person, "fill", **fill)
        assert reply.code == "refused_by_user"
        assert "“asks” on http://127.0.0.1" in person.asked[0]
        assert await held(agent, values(agent)) == "|||"
        person = Person(True)
        for _ in range(2):
            assert not (await called(agent, person, "fill", **fill)).failed
        assert len(person.asked) == 2
        assert (await held(agent, values(agent))).split("|")[1] == canaries.password
        assert not canaries.seen_in("".join(person.asked))


async def test_nobody_to_ask_is_no_permission(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        step = {
            "tool": "fill",
            "arguments": {"uid": uids["Password"], "value": "$secret:asks.password"},
        }
        for name, arguments in (
            ("fill", step["arguments"]),
            ("batch", {"steps": [step]}),
            ("log_in", {"secret": "asks"}),
            ("log_in", {"secret": "once"}),
        ):
            code, _ = await agent.fails(name, **arguments)  # type: ignore[arg-type]
            assert code == "needs_human"
        assert await held(agent, values(agent)) == "|||"


async def test_session_agrees_once(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        person = Person(True)
        fill = {"uid": uids["User"], "value": "$secret:once.username"}
        for _ in range(3):
            assert not (await called(agent, person, "fill", **fill)).failed
        assert len(person.asked) == 1


async def test_batch_asks_before_its_first_step(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        steps = [
            {"tool": "fill", "arguments": {"uid": uids["Comment"], "value": "hello"}},
            {
                "tool": "fill",
                "arguments": f'{{"uid": "{uids["User"]}", "value": "$secret:asks.username"}}',
            },
        ]
        person = Person(False)
        assert (await called(agent, person, "batch", steps=steps)).code == "refused_by_user"
        assert await held(agent, values(agent)) == "|||"
        person = Person(True)
        assert not (await called(agent, person, "batch", steps=steps)).failed
        assert len(person.asked) == 1
        assert await held(agent, values(agent)) == f"{canaries.username}|||hello"


async def test_secrets_are_listed_by_name_and_origin_only(agent: Agent, site: Site) -> None:
    text = await agent("list_secrets")
    assert text == "\n".join(f"{name}: {site.origin}" for name in ("asks", "once", "shop"))
    assert (await agent.fails("log_in", secret="none"))[0] == "no_such_secret"


async def test_secrets_that_the_policy_file_does_not_name_are_not_listed(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = agent.session.policy
    for names, told in (
        (frozenset({"once"}), "once: "),
        (frozenset[str](), "There are no secrets."),
    ):
        monkeypatch.setattr(type(agent.session), "policy", replace(policy, secrets=names))
        text = await agent("list_secrets")
        assert text.startswith(told)
        assert not [name for name in ("asks", "shop") if name in text]


async def test_secret_of_several_parts_is_asked_for_once(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        elements = [
            {"uid": uids["User"], "value": "$secret:asks.username"},
            {"uid": uids["Password"], "value": "$secret:asks.password"},
        ]
        person = Person(True)
        assert not (await called(agent, person, "fill_form", elements=elements)).failed
        (question,) = person.asked
        assert question.count("“asks”") == 1
        assert await held(agent, values(agent)) == f"{canaries.username}|{canaries.password}||"


async def test_user_is_not_asked_about_what_cannot_be_run(
    agent: Agent, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(agent) as uids:
        person, fill = Person(True), {"uid": uids["User"], "value": "$secret:asks.username"}

        async def code_of(name: str, **arguments: Any) -> str | None:
            return (await called(agent, person, name, **arguments)).code

        policy = agent.session.policy
        assert await code_of("fil", **fill) == "unknown_tool"
        assert await code_of("fill", value=fill["value"]) == "bad_arguments"
        monkeypatch.setattr(agent.session, "made", 5)
        for rules, code in (
            ({"read_only": True}, "refused_by_policy"),
            ({"calls": 5, "sources": {"calls": "a rule"}}, "budget_spent"),
        ):
            monkeypatch.setattr(type(agent.session), "policy", replace(policy, **rules))
            agent.session._tools.policy_changed()
            assert await code_of("fill", **fill) == code
        assert person.asked == []


async def test_call_that_its_client_makes_again_with_an_answer_is_counted_once(
    agent: Agent, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Repeating(Person):
        async def confirm(self, question: str, *, about: str = "confirm") -> bool | None:
            raise QuestionPending

    async with opened(agent) as uids:
        made, fill = agent.session.made, {"uid": uids["User"], "value": "$secret:asks.username"}
        with pytest.raises(QuestionPending):
            await called(agent, Repeating(None), "fill", **fill)
        assert not (await called(agent, Person(True), "fill", **fill)).failed
        assert agent.session.made == made + 1


async def test_argument_of_a_page_s_tool_that_is_called_secret_names_none(agent: Agent) -> None:
    async with opened(agent):
        person, own = Person(True), {"secret": "asks"}
        for arguments in (own, json.dumps(own)):
            step = {"name": "none", "arguments": arguments}
            await agent.session.call("call_page_tool", step, person)
            await called(
                agent, person, "batch", steps=[{"tool": "call_page_tool", "arguments": step}]
            )
        assert person.asked == []
        steps = [{"tool": "log_in", "arguments": json.dumps(own)}]
        await called(agent, person, "batch", steps=steps)
        assert len(person.asked) == 1


async def test_part_goes_only_into_a_field_of_its_kind(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent, ALONE) as uids:
        for field, part in (
            ("Comment", "password"),
            ("User", "password"),
            ("Code", "password"),
            ("Notes", "username"),
            ("Comment", "totp"),
        ):
            code, text = await agent.fails("fill", uid=uids[field], value=f"$secret:shop.{part}")
            assert code == "refused_by_policy", field
            assert not canaries.seen_in(text)
        for field, part in (("User", "username"), ("Code", "totp")):
            await agent("fill", uid=uids[field], value=f"$secret:shop.{part}")
        assert await held(agent, values(agent)) == f"{canaries.username}|{canaries.code}|"


async def test_hidden_and_disabled_fields_take_nothing(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent, FORM.replace("type=password", "type=password disabled")) as uids:
        code, _ = await agent.fails("fill", uid=uids["Password"], value="$secret:shop.password")
        assert code == "element_disabled"


async def test_every_tool_that_types_takes_a_secret(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        user, password = "$secret:shop.username", "$secret:shop.password"
        elements = [
            {"uid": uids["User"], "value": user}, {"uid": uids["Comment"], "value": "plain"},
        ]  # fmt: skip
        await agent("fill_form", elements=elements)
        await agent("click", uid=uids["Password"])
        assert "Typed the secret." in await agent("type_text", text=password)
        expected = f"{canaries.username}|{canaries.password}||plain"
        assert await held(agent, values(agent)) == expected
        text = await agent("list_page_tools")
        name = next(line for line in text.splitlines() if "password" in line).partition(":")[0]
        await agent("call_page_tool", name=name, arguments={"password": password, "username": user})
        # The page takes the form away when it is sent.
        assert await held(agent, "document.forms.length") == 0


async def test_no_script_runs_while_a_secret_stands(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        for name, arguments in (
            ("evaluate_script", {"function": "() => 1"}),
            ("route_requests", {"action": "block", "url": "*"}),
            ("navigate_page", {"type": "reload", "initScript": "1"}),
            ("take_heapsnapshot", {"filePath": "/tmp/tabmux-test.heapsnapshot"}),
            ("screencast_start", {}),
            ("performance_start_trace", {"reload": False}),
            ("print_pdf", {"filePath": "/tmp/tabmux-test.pdf"}),
        ):
            code, _ = await agent.fails(name, **arguments)
            assert code == "secret_in_page", name
        await agent("fill", uid=uids["Password"], value="")
        assert "1" in await agent("evaluate_script", function="() => 1")


async def test_no_script_runs_while_another_field_holds_the_secret(
    agent: Agent, canaries: Canaries
) -> None:
    replaced = "type=password oninput='this.replaceWith(this.cloneNode())'"
    async with opened(agent, FORM.replace("type=password", replaced)) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        assert (await held(agent, values(agent))).split("|")[1] == canaries.password
        code, _ = await agent.fails("evaluate_script", function="() => 1")
        assert code == "secret_in_page"
        await agent("fill", uid='textbox "Password"', value="")
        assert await agent.value("1 + 1") == "2"


async def test_name_of_the_user_that_a_page_shows_in_a_field_holds_up_no_script(
    agent: Agent, canaries: Canaries
) -> None:
    html = FORM.replace("this.remove()", "this.remove(); known.value = user.value")
    async with opened(agent, f"<input id=known>{html}") as uids:
        await agent("fill", uid=uids["User"], value="$secret:shop.username")
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        await agent("click", uid='button "Log in"')
        assert await held(agent, "known.value") == canaries.username
        assert await agent.value("1 + 1") == "2"


async def test_script_may_run_once_the_form_is_gone(agent: Agent, canaries: Canaries) -> None:
    async with opened(agent) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        await agent("take_snapshot")
        await agent("click", uid=agent.uid('button "Log in'))
        assert await agent.value("1 + 1") == "2"


@pytest.mark.parametrize("way", ["script", "init script", "rule", "spent rule", "film", "opener"])
async def test_nothing_is_typed_where_the_agent_could_watch(
    agent: Agent, canaries: Canaries, site: Site, way: str
) -> None:
    url = site.page(FORM)
    await agent("navigate_page", url=url)
    match way:
        case "script":
            await agent("evaluate_script", function="() => { setInterval(() => 0, 1) }")
        case "init script":
            await agent("navigate_page", url=url, initScript="window.watching = 1")
        case "rule":
            await agent("route_requests", action="block", url="*/nothing")
        case "spent rule":
            body = "<form><label>Password <input type=password></label></form>"
            headers = '{"content-type": "text/html"}'
            await agent(
                "route_requests", action="fulfill", url=url, body=body, headers=headers, times=1
            )
            await agent("navigate_page", url=url)
        case "film":
            await agent("screencast_start")
        case "opener":
            await agent("evaluate_script", function=f"() => {{ window.w = open('{url}') }}")
            (child,) = [page for page in agent.session.pages if page != agent.session.selected]
            await agent("select_page", pageId=child)
            await agent("wait_for", text=["Password"])
    await agent("take_snapshot")
    uid = agent.uid('textbox "Password')
    code, _ = await agent.fails("fill", uid=uid, value="$secret:shop.password")
    assert code == "secret_in_page"
    if way == "film":
        await agent("screencast_stop")


async def chain(agent: Agent, site: Site, rel: str = "opener") -> list[int]:
    """Open a tab by another one, and a third by that; returns their ids."""
    url = site.page(FORM)
    for _ in range(2):
        url = site.page(f"{FORM}<a target=_blank rel={rel} href='{url}'>Next</a>")
    await agent("navigate_page", url=url)
    found = [agent.session.selected or 0]
    for _ in range(2):
        await agent("click", uid='link "Next"')
        await agent("select_page", pageId=max(agent.session.pages))
        await agent("wait_for", text=["Password"])
        found.append(agent.session.selected or 0)
    return found


async def fill_password(agent: Agent) -> None:
    await agent("fill", uid='textbox "Password"', value="$secret:shop.password")


@pytest.mark.parametrize("between", ["open", "closed"])
async def test_tabs_that_were_opened_by_one_another_reach_a_secret_together(
    agent: Agent, canaries: Canaries, site: Site, between: str
) -> None:
    first, second, third = await chain(agent, site)
    if between == "closed":
        await agent("close_page", pageId=second)
    await agent("select_page", pageId=first)
    await fill_password(agent)
    await agent("select_page", pageId=third)
    read = {"function": "() => 1"}
    code, text = await agent.fails("evaluate_script", **read)
    assert code == "secret_in_page"
    assert f"page {first}" in text
    await agent("select_page", pageId=first)
    await agent("fill", uid='textbox "Password"', value="")
    # What was refused has not run: the secret may be typed all the same.
    await fill_password(agent)
    await agent("navigate_page", type="reload")
    await agent("select_page", pageId=third)
    await agent("evaluate_script", **read)
    await agent("select_page", pageId=first)
    with pytest.raises(ToolFailed, match=f"secret_in_page.*page {third}"):
        await fill_password(agent)


async def test_nothing_is_typed_once_a_script_has_found_no_secret(
    agent: Agent, canaries: Canaries, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, third = await chain(agent, site)
    asked, replies = SecretFields.refuse_if_standing, list[Reply]()

    async def fill_after(fields: SecretFields, what: str) -> None:
        await asked(fields, what)
        if what == "No script runs":
            fill = {"uid": 'textbox "Password"', "value": "$secret:shop.password"}
            replies.append(await agent.reply("fill", pageId=first, **fill))

    monkeypatch.setattr(SecretFields, "refuse_if_standing", fill_after)
    await agent("evaluate_script", pageId=third, function="() => 1")
    assert [reply.code for reply in replies] == ["secret_in_page"]


async def test_tabs_that_cannot_reach_their_opener_are_on_their_own(
    agent: Agent, canaries: Canaries, site: Site
) -> None:
    first, *_ = await chain(agent, site, rel="noopener")
    await agent("evaluate_script", function="() => 1")
    await agent("select_page", pageId=first)
    await fill_password(agent)


async def test_secret_stands_after_its_browser_was_connected_anew(
    canaries: Canaries, site: Site
) -> None:
    async with chromium() as browser:
        settings = Settings(browser_url=(browser.url,), tools=EVERYTHING, secret=tables(site))
        async with running(settings, bridged=False) as app, Agent.joined(app, site) as agent:
            first, _, third = await chain(agent, site)
            targets = [agent.session.pages[each].target_id for each in (third, first)]
            await agent("select_page", pageId=first)
            await fill_password(agent)
            await agent("reconnect_browser")
            (back,) = app.browsers.all()
            for target in targets:
                await agent("select_page", pageId=back.pages[target].id)
                code, _ = await agent.fails("evaluate_script", function="() => 1")
                assert code == "secret_in_page"
            await agent("navigate_page", type="reload")
            assert "1" in await agent("evaluate_script", function="() => 1")


async def test_pictures_do_not_depend_on_the_value(
    agent: Agent, site: Site, tmp_path: Path
) -> None:
    """Two values of one length make the same pictures, although the page shows them in clear."""
    shows = """document.querySelector("output").textContent = user.value;
        const drawing = document.querySelector("canvas");
        drawing.getContext("2d").fillText(user.value, 9, 20);
        document.querySelector("img").src = drawing.toDataURL()"""
    html = FORM.replace(
        "<button>",
        "<output style='font: 16px monospace'></output><canvas></canvas><img width=99><button>",
    ).replace("<form ", f"<form oninput='{shows}' ")
    pictures = []
    for word in ("aaaaaaaaaaaa", "mmmmmmmmmmmm"):
        Canaries(username=word, password="p" + word, code="12345678").keep()
        await agent.open(html)
        uid, password = agent.uid('textbox "User'), agent.uid('textbox "Password')
        await agent("fill", uid=uid, value="$secret:shop.username")
        await agent("fill", uid=password, value="$secret:shop.password")
        replies = [
            await agent.reply("take_screenshot", **arguments)
            for arguments in ({}, {"fullPage": True}, {"uid": uid})
        ]
        pictures.append([reply.images[0].data for reply in replies])
        assert await held(agent, "document.querySelector('output').textContent") == word
        assert (
            await held(agent, "document.querySelector('[name=user]').getAttribute('style')") is None
        )
    assert pictures[0] == pictures[1]


async def test_saved_downloads_are_without_the_value_whatever_they_are_called(
    agent: Agent, canaries: Canaries
) -> None:
    saves = "open_.href = window.URL.createObjectURL(new Blob([pass.value])); open_.click()"
    html = f"<a id=open_ download=kept.txt></a>{FORM}".replace(
        "<form ", f"<form oninput='{saves}' "
    )
    async with opened(agent, html) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        ident = int((await agent("wait_for_download")).partition(":")[0])
        for name in ("kept.txt", "kept.png"):
            path = Path(tempfile.gettempdir(), f"{secrets.token_hex(8)}-{name}")
            await agent("wait_for_download", downloadId=ident, filePath=str(path))
            assert path.read_text() == "•••"
            path.unlink()


async def test_page_that_shows_a_secret_in_pieces_is_not_pictured(
    agent: Agent, canaries: Canaries
) -> None:
    split = "'<i>' + [...event.target.value].join('</i><i>') + '</i>'"
    html = FORM.replace(
        "<form ", f"<p></p><form oninput=\"document.querySelector('p').innerHTML = {split}\" "
    )
    async with opened(agent, html) as uids:
        await agent("fill", uid=uids["User"], value="$secret:shop.username")
        assert (await agent.fails("take_screenshot"))[0] == "secret_in_page"


async def test_values_are_forgotten_with_the_session_and_its_page(
    apps: dict[str, Any], site: Site
) -> None:
    canaries = Canaries()
    canaries.keep()
    async with Agent.joined(apps["app"], site) as agent:
        async with opened(agent) as uids:
            await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        assert FILLED.shows(canaries.password)
        await agent.session.close()
    assert not FILLED.shows(canaries.password)


async def test_what_one_session_typed_is_hidden_from_another(
    apps: dict[str, Any], agent: Agent, site: Site, canaries: Canaries
) -> None:
    async with opened(agent) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        async with Agent.joined(apps["app"], site) as other:
            await other.open(f"<p>{canaries.password.replace('<', '&lt;')}</p>")
            assert not canaries.seen_in(other.seen)
            await other.session.close()


async def test_secret_that_the_policy_file_does_not_name_is_refused(
    agent: Agent, canaries: Canaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(agent) as uids:
        narrow = replace(agent.session.policy, secrets=frozenset({"other"}))
        monkeypatch.setattr(type(agent.session), "policy", narrow)
        fill = {"uid": uids["Password"], "value": "$secret:shop.password"}
        assert (await agent.fails("fill", **fill))[0] == "refused_by_policy"
        assert await held(agent, values(agent)) == "|||"


async def test_structured_data_has_no_values(agent: Agent, canaries: Canaries) -> None:
    html = FORM.replace("<form ", "<form oninput='document.title = event.target.value' ")
    async with opened(agent, html) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        for name in ("list_pages", "list_console_messages", "list_network_requests"):
            reply = await agent.session.call(name, {}, SilentClient())
            assert reply.data is None or not canaries.seen_in(str(reply.data()))


async def test_letters_that_nobody_sees_hide_no_value_in_data(
    apps: dict[str, Any], site: Site, canaries: Canaries
) -> None:
    spread = "[...event.target.value].join('\\u3164')"
    html = FORM.replace("<form ", f'<form oninput="console.log(document.title = {spread})" ')
    async with Agent.joined(apps["app"], site, STRUCTURED) as agent, opened(agent, html) as uids:
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        for name in ("list_pages", "list_console_messages"):
            assert not canaries.seen_in(json.dumps(await agent.data(name), ensure_ascii=False))
        await agent.session.close()


async def test_login_that_is_not_accepted_says_so(
    agent: Agent, canaries: Canaries, site: Site
) -> None:
    refusing = site.page(
        FORM.replace("onsubmit", "action='' data-x").replace("<form", "<p>Wrong!</p><form")
    )
    await agent("navigate_page", url=refusing)
    code, text = await agent.fails("log_in", secret="shop")
    assert code == "login_failed"
    assert not canaries.seen_in(text)


async def test_login_does_not_claim_what_it_did_not_see(
    agent: Agent, canaries: Canaries, site: Site
) -> None:
    await agent.open(FORM.replace("this.remove()", "alert('Wrong password')"))
    text = await agent("log_in", secret="shop")
    assert "opened a dialog" in text
    await agent("handle_dialog", action="accept")
    other = site.page(FORM, other=True)
    await agent.open(FORM.replace("this.remove()", f"location = '{other}'"))
    code, text = await agent.fails("log_in", secret="shop")
    assert code == "needs_human"
    assert "another origin" in text
    assert await held(agent, values(agent)) == "|||"


async def test_login_ends_at_a_dialog_that_opens_while_it_types(
    agent: Agent, canaries: Canaries
) -> None:
    asks = "<form oninput='setTimeout(() => alert(event.target.value))' "
    await agent.open(FORM.replace("<form ", asks))
    async with asyncio.timeout(20):
        text = await agent("log_in", secret="shop")
    assert "opened a dialog" in text
    assert not canaries.seen_in(text)
    await agent("handle_dialog", action="accept")


async def test_field_that_moves_the_focus_away_is_told_as_refused(
    agent: Agent, canaries: Canaries
) -> None:
    html = FORM.replace("type=password", "type=password onfocus='user.focus()'")
    async with opened(agent, html) as uids:
        code, text = await agent.fails("fill", uid=uids["Password"], value="$secret:shop.password")
        assert code == "refused_by_policy"
        assert "moved the focus" in text


async def test_page_without_a_login_is_told(agent: Agent, canaries: Canaries) -> None:
    await agent.open("<p>Nothing here</p>")
    assert (await agent.fails("log_in", secret="shop"))[0] == "no_such_element"


async def test_group_is_on_where_there_is_a_secret(site: Site) -> None:
    for settings, listed in (
        (Settings(secret=(secret_table(site.origin),)), True),
        (Settings(secret=(f"LOGIN={site.origin}",)), True),
        (Settings(secret=(secret_table(site.origin),), tools="-secrets"), False),
        (Settings(), False),
    ):
        async with running(settings, bridged=False) as app:
            assert ("log_in" in {tool.name for tool in app.tools()}) == listed


async def test_no_form_of_a_secret_is_written_down(
    apps: dict[str, Any], agent: Agent, canaries: Canaries
) -> None:
    entries = list[CallEntry]()
    stop = apps["app"].record.on_entry(entries.append)
    shown = (
        FORM
        + """<p id=p></p><button onclick="const value = document.querySelector('[type=password]').value;
      p.textContent = value + ' ' + encodeURIComponent(value); console.log('typed', value);
      history.replaceState(0, '', '?q=' + encodeURIComponent(value))">Show</button>"""
    )
    async with opened(agent, shown) as uids:
        await agent("fill", uid=uids["User"], value="$secret:shop.username")
        await agent("fill", uid=uids["Password"], value="$secret:shop.password")
        await agent("click", uid='button "Show"')
        await agent("take_snapshot")
    stop()
    assert entries[-2].arguments == {"uid": 'button "Show"'}
    assert "$secret:shop.password" in str(entries[-3].arguments)
    written = json.dumps([each.as_json() for each in entries], ensure_ascii=False)
    assert canaries.seen_in(written) == []


async def test_login_waits_for_the_whole_page_that_answers(
    agent: Agent, canaries: Canaries, site: Site
) -> None:
    answer = site.halting(1.0, "<!doctype html><title>Again</title><p>Wrong!</p>", FORM)
    later = f"setTimeout(() => {{ location = '{answer}' }}, 700)"
    await agent.open(FORM.replace("this.remove()", later))
    code, text = await agent.fails("log_in", secret="shop")
    assert code == "login_failed", text
    assert not canaries.seen_in(text)
