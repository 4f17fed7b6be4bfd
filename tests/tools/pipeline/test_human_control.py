from __future__ import annotations

import asyncio
import json

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.page.handle import PageHandle
from tabmux.record.call_entry import CallEntry
from tabmux.sessions import handover
from tests.agent import Agent
from tests.site import Site

FORM = "<title>Form</title><label>Name <input id=name></label><button>Go</button>"
SLOW = {"function": "() => new Promise(done => setTimeout(done, 20000))"}


async def run(page: PageHandle, script: str) -> None:
    await page.attached_page.channel.call("Runtime.evaluate", {"expression": script})


async def test_a_call_on_a_page_that_a_person_has_waits_until_it_is_handed_back(
    app: App, agent: Agent, tasks: TaskOwner
) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    await handover.take_over(agent.session, page, "ann")

    waiting = tasks.start(agent("take_snapshot"))
    await run(page, "document.querySelector('input').value = 'Ann'")
    assert not waiting.done()

    await handover.hand_back(agent.session, page, "ann", app.services.people)
    text = await waiting
    assert "A person worked on page" in text
    assert 'textbox "Name" value="Ann"' in text


async def test_calls_that_wait_too_long_for_a_person_say_so(agent: Agent, tasks: TaskOwner) -> None:
    await agent.open(FORM)
    await agent("new_page", url=agent.site.page(FORM))
    one, other = agent.session.pages.values()
    for page in (one, other):
        await handover.take_over(agent.session, page, "ann")
    # The last of these waits for a call that waits for the person.
    patient = tasks.start(agent("wait_for", pageId=other.id, text=["Name"], timeout=60_000))
    while not other.lock.locked():
        await asyncio.sleep(0)
    waiting = [tasks.start(agent.fails("take_snapshot", pageId=each.id)) for each in (one, other)]
    for page, call in zip((one, other), waiting, strict=True):
        code, text = await call
        assert code == "human_in_control"
        assert f"A person works on page {page.id} now. take_snapshot was not run." in text
        assert page.control.give_back("ann")
    assert "Name" in await patient
    assert "Name" in await agent("take_snapshot")


async def test_only_who_has_a_page_hands_it_back(agent: Agent) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    assert page.control.take("ann")
    assert not page.control.take("bob")
    assert not page.control.give_back("bob")
    assert page.control.person == "ann"
    assert page.control.give_back("ann")
    assert not page.control.person


async def test_steps_of_a_batch_wait_for_a_person_too(agent: Agent, tasks: TaskOwner) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    step = {"tool": "wait_for", "arguments": {"text": ["Later"], "timeout": 20_000}}
    then = {"tool": "click", "arguments": {"uid": 'button "Go"'}}
    running = tasks.start(agent("batch", steps=[step, then]))
    while not page.lock.locked():
        await asyncio.sleep(0)
    page.control.take("ann")
    await run(page, "document.body.append('Later')")
    done, _ = await asyncio.wait({running}, timeout=0.5)
    assert not done
    page.control.give_back("ann")
    assert "Go" in await running


async def test_a_paused_session_waits_and_goes_on(agent: Agent, tasks: TaskOwner) -> None:
    await agent.open(FORM)
    agent.session.steering.pause()
    waiting = tasks.start(agent("list_pages"))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    agent.session.steering.resume()
    assert "Form" in await waiting


async def test_a_pause_holds_calls_that_wait_for_the_page_or_a_person_already(
    app: App, agent: Agent, tasks: TaskOwner
) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    await handover.take_over(agent.session, page, "ann")
    for_person = tasks.start(agent("click", uid='button "Go"'))
    for_page = tasks.start(agent("take_snapshot"))
    while agent.session.calls < 2 or not page.lock.locked():
        await asyncio.sleep(0)
    agent.session.steering.pause()
    await handover.hand_back(agent.session, page, "ann", app.services.people)
    done, _ = await asyncio.wait({for_person, for_page}, timeout=0.3)
    assert not done
    page.control.take("ann")
    agent.session.steering.resume()
    done, _ = await asyncio.wait({for_person, for_page}, timeout=0.3)
    assert not done
    page.control.give_back("ann")
    await for_person
    assert 'button "Go"' in await for_page


async def test_stopping_ends_calls_at_once_and_says_who_did_it(
    agent: Agent, tasks: TaskOwner
) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    first = tasks.start(agent.fails("evaluate_script", **SLOW))
    second = tasks.start(agent.fails("take_snapshot"))
    while agent.session.calls < 2 or not page.lock.locked():
        await asyncio.sleep(0)
    assert agent.session.steering.stop() == 2
    for code, text in (await first, await second):
        assert code == "stopped_by_human"
        assert "A person has stopped" in text
    assert 'button "Go"' in await agent("take_snapshot")


async def test_what_a_person_tells_is_in_the_next_reply_and_only_there(agent: Agent) -> None:
    await agent.open(FORM)
    agent.session.steering.tell("A person says: the other one.")
    assert "the other one" in await agent("list_pages")
    assert "the other one" not in await agent("list_pages")


async def test_a_call_that_waits_for_a_person_ends_when_the_page_is_closed(
    agent: Agent, tasks: TaskOwner
) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    await handover.take_over(agent.session, page, "ann")
    waiting = tasks.start(agent.fails("take_snapshot"))
    while not page.lock.locked():
        await asyncio.sleep(0)
    browser = agent.session.browsers.browser_of(page)
    assert browser is not None
    await browser.close_page(page)
    assert (await waiting)[0] == "page_gone"


def talkative(site: Site, title: str) -> str:
    """Return a page that asks the network for something and writes to the console."""
    script = f"console.log('{title} said'); fetch('/{title}').then(() => document.title += '!')"
    return site.page(f"<title>{title}</title><h1>{title}</h1><script>{script}</script>")


async def is_ready(page: PageHandle) -> bool:
    asked = {"expression": "document.title.endsWith('!')"}
    found = await page.attached_page.channel.call("Runtime.evaluate", asked)
    return bool(found["result"]["value"])


async def goes_to(page: PageHandle, url: str) -> None:
    """Have a person follow a link, and wait until the page there has done all that it does."""
    before = page.attached_page.main.loader
    await run(page, f"setTimeout(() => location = {url!r})")
    while page.attached_page.main.loader == before:
        await asyncio.sleep(0.01)
    async with asyncio.timeout(20):
        while not await is_ready(page):
            await asyncio.sleep(0.01)


async def test_every_document_that_a_person_comes_to_is_theirs(app: App, agent: Agent) -> None:
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    await handover.take_over(agent.session, page, "ann")
    await goes_to(page, talkative(agent.site, "Account"))
    assert page.attached_page.is_personal
    await handover.hand_back(agent.session, page, "ann", app.services.people)
    assert page.attached_page.is_personal
    await agent.open(FORM)
    assert not page.attached_page.is_personal


async def test_what_a_person_does_amid_a_batch_is_not_in_the_record(
    app: App, agent: Agent, tasks: TaskOwner
) -> None:
    entries = list[CallEntry]()
    stop = app.record.on_entry(entries.append)
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    step = {"tool": "wait_for", "arguments": {"text": ["Later"], "timeout": 20_000}}
    back = {"tool": "navigate_page", "arguments": {"url": agent.site.page("<p>Back")}}
    running = tasks.start(agent("batch", steps=[step, back]))
    while not page.lock.locked():
        await asyncio.sleep(0)
    await handover.take_over(agent.session, page, "ann")
    await goes_to(page, talkative(agent.site, "Account"))
    await run(page, "document.body.append('Later')")
    await handover.hand_back(agent.session, page, "ann", app.services.people)
    await running
    stop()
    assert "Account" not in json.dumps(entries[-1].as_json())


async def test_what_is_done_for_an_agent_that_asks_is_not_in_the_record(
    app: App, agent: Agent, tasks: TaskOwner
) -> None:
    entries = list[CallEntry]()
    stop = app.record.on_entry(entries.append)
    agent.session.enable(["human"])
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    asked = tasks.start(agent("request_human", reason="Log in", doneWhen={"text": "Thanks"}))
    while app.services.people.of_page(agent.session, page.id) is None:
        await asyncio.sleep(0.01)
    await handover.take_over(agent.session, page, "ann")
    await goes_to(page, talkative(agent.site, "Account"))
    await run(page, "document.body.append('Thanks')")
    await asked
    # Handed back by what the agent waited for: what the document shows is the person's still.
    assert not page.control.person
    assert page.attached_page.is_personal
    await agent("click", uid='heading "Account"')
    stop()
    assert (entries[-2].requests, entries[-2].console, entries[-2].diff) == ((), (), "")
    assert entries[-1].diff == ""


async def test_what_is_done_by_a_person_who_takes_nothing_over_is_not_in_the_record(
    app: App, agent: Agent, tasks: TaskOwner
) -> None:
    entries = list[CallEntry]()
    stop = app.record.on_entry(entries.append)
    agent.session.enable(["human"])
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    asked = tasks.start(agent("request_human", reason="Log in", doneWhen={"text": "Thanks"}))
    while app.services.people.of_page(agent.session, page.id) is None:
        await asyncio.sleep(0.01)
    await goes_to(page, talkative(agent.site, "Account"))
    await run(page, "document.body.append('Thanks')")
    await asked
    stop()
    assert (entries[-1].requests, entries[-1].console) == ((), ())


async def test_what_a_person_typed_is_not_in_the_record(app: App, agent: Agent) -> None:
    entries = list[CallEntry]()
    stop = app.record.on_entry(entries.append)
    await agent.open(FORM)
    page = agent.session.pages[agent.session.selected or 0]
    await handover.take_over(agent.session, page, "ann")
    await run(page, "document.querySelector('input').value = '4111' + '2222'")
    await handover.hand_back(agent.session, page, "ann", app.services.people)
    _, told = await agent.fails("click", uid='button "Nowhere"')
    assert "41112222" in told
    await agent("click", uid='textbox "Name"')
    stop()
    assert entries[-1].diff == ""
    assert "No element is" in entries[-2].error
    assert "41112222" not in json.dumps([each.as_json() for each in entries])
