from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tabmux.daemon.app import App
from tabmux.record.call_entry import CallEntry
from tabmux.record.hash_chain import verify
from tabmux.record.hidden_input import HiddenInput
from tabmux.record.run_files import picture_file, read_run, runs
from tabmux.settings import Settings
from tabmux.tools.pipeline.call import CallNotes
from tabmux.tools.pipeline.call_record import CallRecord
from tabmux.tools.pipeline.recorded_effects import RecordedEffects
from tests.agent import Agent
from tests.serving import running
from tests.site import Site, _send

CANARY = "canary-4711-zebra"
# Nobody notices that much; what was unbounded took seconds.
AT_ONCE_SECONDS = 0.3
FORM = """<label>Email <input name=email></label> <label>Password <input type=password></label>
<button onclick="document.title='saved'; this.textContent='Saved'">Save</button>
<ul><li><button>Edit</button></li><li><button data-testid=second>Edit</button></li>
<li><button>Edit</button></li></ul>"""


@pytest.fixture
async def heard(app: App) -> AsyncIterator[list[CallEntry]]:
    """The entries of all calls from now on."""
    entries = list[CallEntry]()
    stop = app.record.on_entry(entries.append)
    yield entries
    stop()


async def test_a_call_is_told_with_what_was_touched_and_what_came_of_it(
    agent: Agent, heard: list[CallEntry]
) -> None:
    await agent.open(FORM)
    await agent("click", uid=agent.uid('button "Save"'))
    entry = heard[-1]
    assert entry.tool == "click"
    assert entry.client == "test/1"
    assert [each.locator for each in entry.elements] == ['button "Save"']
    assert 'button "Saved"' in entry.diff
    assert entry.url.startswith("http://127.0.0.1")
    assert entry.milliseconds > 0
    assert entry.characters > 10
    assert len(entry.trace) == 32
    assert not entry.failed


@pytest.mark.parametrize(("flags", "unsampled"), [("01", False), ("00", True), ("03", False)])
async def test_the_client_says_what_a_call_is_a_part_of(
    agent: Agent, heard: list[CallEntry], flags: str, unsampled: bool
) -> None:
    trace = "0af7651916cd43dd8448eb211c80319c"
    meta = {"traceparent": f"00-{trace}-b7ad6b7169203331-{flags}"}
    await agent.request("tools/call", name="list_pages", arguments={}, _meta=meta)
    assert heard[-1].trace == trace
    assert heard[-1].unsampled == unsampled


async def test_what_was_asked_for_during_a_call_is_in_its_entry_alone(
    agent: Agent, site: Site, heard: list[CallEntry]
) -> None:
    later = f"{site.origin}/later"
    site.serve("/later", lambda handler: _send(handler, b""))
    await agent.open(f"""<button onclick="setTimeout(() => fetch('{later}').then(() => {{
      document.title = 'done'; console.log('here') }}), 1500)">Ask</button>""")
    await agent("click", uid='button "Ask"')
    await agent("wait_for", function="() => document.title == 'done'")
    await agent("take_snapshot")
    clicked, waited, looked = heard[-3:]
    assert not clicked.requests
    assert [each.url for each in waited.requests] == [later]
    assert [each.text for each in waited.console] == ["here"]
    assert not looked.requests


async def test_a_page_that_is_closed_without_being_named_is_in_the_entry(
    agent: Agent, heard: list[CallEntry]
) -> None:
    await agent.open("<p>First</p>")
    await agent("new_page", url="about:blank")
    opened = heard[-1].page
    await agent("close_page")
    assert heard[-1].page == opened != agent.session.selected


async def test_one_of_several_like_it_is_named_by_its_test_id_or_its_place(
    agent: Agent, heard: list[CallEntry]
) -> None:
    await agent.open(FORM)
    lines = [line for line in agent.seen.split("\n") if 'button "Edit"' in line]
    uids = [line.strip().split()[0].removeprefix("uid=") for line in lines]
    for uid in uids:
        await agent("click", uid=uid)
    found = [entry.elements[0] for entry in heard[-3:]]
    assert [each.place for each in found] == [1, 2, 3]
    assert found[1].locator == "testid=second"
    assert found[2].locator.startswith("css=")
    await agent("click", uid=found[2].locator)


async def test_a_locator_is_kept_as_it_was_given(agent: Agent, heard: list[CallEntry]) -> None:
    await agent.open(FORM)
    await agent("click", uid="testid=second")
    assert heard[-1].elements[0].locator == "testid=second"


async def test_a_failure_is_kept_with_its_code(agent: Agent, heard: list[CallEntry]) -> None:
    await agent.open(FORM)
    await agent.fails("click", uid='button "Nowhere"')
    assert heard[-1].code == "not_found"
    assert "No element is" in heard[-1].error


async def test_the_steps_of_a_batch_are_in_its_entry(agent: Agent, heard: list[CallEntry]) -> None:
    await agent.open(FORM)
    fill = {"uid": agent.uid('textbox "Email"'), "value": "a@b.example"}
    secret = {"uid": agent.uid('textbox "Password"'), "value": CANARY}
    await agent(
        "batch",
        steps=[
            {"tool": "fill", "arguments": fill},
            {"tool": "fill", "arguments": json.dumps(secret)},
            {"tool": "click", "arguments": {"uid": agent.uid('button "Save"')}},
        ],
    )
    steps = heard[-1].steps
    assert [step.tool for step in steps] == ["fill", "fill", "click"]
    assert steps[0].arguments["value"] == "a@b.example"
    assert steps[1].arguments["value"] == "<hidden password>"
    assert steps[2].elements[0].locator == 'button "Save"'


async def typed(agent: Agent) -> None:
    await agent("fill", uid=agent.uid('textbox "Password"'), value=CANARY)


async def typed_by_keys(agent: Agent) -> None:
    await agent("click", uid=agent.uid('textbox "Password"'))
    await agent("type_text", text=CANARY)


async def typed_in_a_frame(agent: Agent) -> None:
    await agent.open("<iframe srcdoc='<input type=password aria-label=P>'></iframe>")
    await agent("click", uid=agent.uid('textbox "P"'))
    await agent("type_text", text=CANARY)


async def filled_as_a_form(agent: Agent) -> None:
    uid = agent.uid('textbox "Password"')
    await agent("fill_form", elements=[{"uid": uid, "value": CANARY}])


async def refused(agent: Agent) -> None:
    await agent.fails("fill", uid=agent.uid('button "Save"'), value=CANARY)


async def called_with_it(agent: Agent) -> None:
    await agent.open(
        "<form action=/x><label>User <input name=user></label>"
        "<label>Password <input type=password name=p></label><button>Log in</button></form>"
    )
    given = {"user": "me", "password": CANARY}
    await agent("call_page_tool", name="log_in", arguments=given)


async def in_a_url(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page("hi") + f"?access_token={CANARY}&page=2")


async def in_a_link_and_a_message(agent: Agent) -> None:
    await agent.open(
        "<button onclick='go()'>Go</button><p id=p></p><script>const t = ['canary', 4711, 'zebra'].join('-');"
        "function go() { p.innerHTML = `<a href='/reset?reset_token=${t}'>Reset</a>`;"
        "console.log(`see https://me:${t}@a.example/`) }</script>"
    )
    await agent("click", uid='button "Go"')


async def in_the_address_of_a_user(agent: Agent) -> None:
    url = agent.site.page("hi").replace("://", f"://me:{CANARY}@")
    await agent.reply("navigate_page", url=url)


async def in_headers(agent: Agent) -> None:
    await agent("emulate", extraHttpHeaders=json.dumps({"Authorization": f"Bearer {CANARY}"}))


async def shown_later(agent: Agent) -> None:
    await agent.open(
        "<input type=password aria-label=P oninput='o.textContent=this.value'>"
        "<button onclick='u.textContent=o.textContent'>Show</button><p id=u></p><b id=o hidden></b>"
    )
    await agent("fill", uid=agent.uid('textbox "P"'), value=CANARY)
    assert CANARY in await agent("click", uid='button "Show"')


async def in_the_name_of_what_is_clicked(agent: Agent) -> None:
    await agent.open(
        "<input type=password aria-label=P oninput='b.textContent=this.value'><button id=b>B</button>"
    )
    await agent("fill", uid=agent.uid('textbox "P"'), value=CANARY)
    await agent("take_snapshot")
    await agent("click", uid=agent.uid("button"))
    await agent("click", uid=f'button "{CANARY}"')


async def in_the_method_of_a_request(agent: Agent) -> None:
    await agent.open(
        "<input type=password aria-label=P><button onclick='go()'>Go</button><script>"
        "function go() { fetch('/', {method: document.querySelector('input').value}) }</script>"
    )
    await agent("fill", uid=agent.uid('textbox "P"'), value=CANARY)
    await agent("click", uid='button "Go"')


async def cut_off_at_the_end_of_a_message(agent: Agent) -> None:
    await agent.open(
        "<input type=password aria-label=P><button onclick='go()'>Go</button><script>function go() {"
        "console.log('x'.repeat(484) + document.querySelector('input').value) }</script>"
    )
    await agent("fill", uid=agent.uid('textbox "P"'), value=CANARY)
    await agent("click", uid='button "Go"')


@pytest.mark.parametrize(
    "way",
    [
        in_the_name_of_what_is_clicked, in_the_method_of_a_request,
        cut_off_at_the_end_of_a_message, typed, typed_by_keys, typed_in_a_frame, filled_as_a_form, refused, called_with_it,
        in_a_url, in_a_link_and_a_message, in_the_address_of_a_user, in_headers, shown_later,
    ],
)  # fmt: skip
async def test_no_secret_is_written_down(
    agent: Agent, heard: list[CallEntry], way: Callable[[Agent], object]
) -> None:
    await agent.open(FORM)
    await way(agent)  # type: ignore[misc]
    await agent("take_snapshot")
    assert len(heard) > 2
    written = json.dumps([each.as_json() for each in heard], ensure_ascii=False)
    assert CANARY not in written
    assert CANARY[:-1] not in written


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("evaluate_script", {"function": "() => 1 //" + "://" + "a" * 1_000_000}),
        ("evaluate_script", {"function": "() => 1 //" + "a+.-" * 250_000 + "://"}),
        ("evaluate_script", {"function": "(...x) => 1", "args": ["x" * 10_000] * 500}),
        ("fill", {"uid": 'textbox "Password"', "value": "pA9-" * 250_000}),
    ],
)  # fmt: skip
async def test_no_argument_keeps_others_waiting_for_its_record(
    agent: Agent, heard: list[CallEntry], tool: str, given: dict[str, Any]
) -> None:
    await agent.open(FORM)
    record, spent = CallRecord._entry, list[float]()

    def measured(*values: Any, **named: Any) -> CallEntry:
        began = time.process_time()
        entry = record(*values, **named)
        spent.append(time.process_time() - began)
        return entry

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CallRecord, "_entry", measured)
        await agent.reply(tool, **given)
    assert max(spent) < AT_ONCE_SECONDS
    assert len(json.dumps(heard[-1].as_json())) < 500_000


async def test_many_passwords_cost_no_more_than_some(agent: Agent, heard: list[CallEntry]) -> None:
    effects = RecordedEffects()
    notes = CallNotes(hidden=HiddenInput([CANARY]))
    began = time.process_time()
    effects.note_typed([f"passw0rd {number * 7919}" for number in range(1000)], lambda: True)
    assert time.process_time() - began < AT_ONCE_SECONDS
    for number in range(100):
        effects.note_typed([f"passw0rd-{number * 7919}"], lambda: True)
    began = time.process_time()
    for _ in range(100):
        effects.shown("some text " * 50, notes)
    assert time.process_time() - began < AT_ONCE_SECONDS
    assert "passw0rd" not in effects.shown("the newest, passw0rd-783981, or 189387-dr0wssap", notes)
    assert "passw0rd" not in effects.shown("an older one, passw0rd-7919", notes)


async def test_what_a_page_tool_did_is_in_its_entry(agent: Agent, heard: list[CallEntry]) -> None:
    await agent.open(
        "<form action=/x><label>User <input name=user></label>"
        "<label>Password <input type=password name=p></label><button>Log in</button></form>"
    )
    given = {"user": "me", "password": CANARY}
    await agent("call_page_tool", name="log_in", arguments=given)
    steps = heard[-1].steps
    assert [step.tool for step in steps[:2]] == ["fill", "fill"]
    assert steps[0].arguments["value"] == "me"
    assert steps[0].elements[0].role == "textbox"
    assert steps[0].elements[0].locator.startswith("css=")
    assert steps[1].arguments["value"].startswith("<hidden")


async def test_what_a_person_typed_is_not_written_down(
    agent: Agent, heard: list[CallEntry]
) -> None:
    await agent.open(
        "<label>Card <input></label><button onclick='p.textContent=1'>Pay</button><p id=p>"
    )
    (handle,) = agent.session.pages.values()
    page = await handle.attach()
    page.note_person()
    typed = "document.querySelector('input').value = '4111' + '2222'"
    await page.main.channel.call("Runtime.evaluate", {"expression": typed})
    assert "41112222" in await agent("click", uid='button "Pay"')
    assert "41112222" not in json.dumps([each.as_json() for each in heard])
    assert heard[-1].diff == ""
    await agent.open(FORM)
    await agent("click", uid='button "Save"')
    assert heard[-1].diff


async def test_what_is_stored_is_not_written_down(whole: Agent, whole_app: App, site: Site) -> None:
    entries = list[CallEntry]()
    stop = whole_app.record.on_entry(entries.append)
    await whole.open("<p>store")
    await whole("set_cookie", name="id", value=CANARY)
    await whole("set_storage_item", key="jwt", value=CANARY)
    await whole("route_requests", action="fulfill", url="*x*", headers={"X-Api-Key": CANARY})
    stop()
    assert [each.code for each in entries[-3:]] == [None] * 3, entries
    assert CANARY not in json.dumps([each.as_json() for each in entries])


async def test_a_session_is_a_run_that_can_be_verified(tmp_path: Path, site: Site) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, record="pictures")
    async with running(settings, record_folder=tmp_path) as app:
        async with Agent.joined(app, site, label="shop") as agent:
            await agent.open(FORM)
            await agent("click", uid='button "Save"')
            await agent("click", uid='button "Saved"')
    (run,) = runs(tmp_path)
    assert (run.session, run.client) == ("shop", "test/1")
    entries = list(read_run(tmp_path, run.run))
    assert [each.tool for each in entries] == ["navigate_page", "take_snapshot", "click", "click"]
    assert entries[0].picture
    assert picture_file(tmp_path, entries[0].picture).read_bytes()[8:12] == b"WEBP"
    assert verify(tmp_path, run.run).faults == ()
    assert CANARY.encode() not in b"".join(f.read_bytes() for f in tmp_path.rglob("*.jsonl"))


async def test_nothing_is_written_where_the_user_switched_it_off(
    tmp_path: Path, site: Site
) -> None:
    settings = Settings(launch=True, headless=True, isolated=True, record="off")
    async with running(settings, record_folder=tmp_path / "record") as app:
        async with Agent.joined(app, site) as agent:
            await agent("list_pages")
    assert not (tmp_path / "record").exists()
