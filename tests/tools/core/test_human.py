from __future__ import annotations

import asyncio
from typing import Any

from tabmux.concurrency import TaskOwner
from tabmux.daemon.app import App
from tabmux.page.handle import PageHandle
from tabmux.sessions import handover
from tabmux.sessions.human_requests import HumanRequest
from tests.agent import Agent

CAPTCHA = "<title>Shop</title><h1>Are you a robot?</h1><input aria-label=Answer>"


async def run(page: PageHandle, script: str) -> None:
    await page.attached_page.channel.call("Runtime.evaluate", {"expression": script})


def selected(agent: Agent) -> PageHandle:
    return agent.session.pages[agent.session.selected or 0]


async def made(app: App, agent: Agent) -> HumanRequest:
    while True:
        for request in app.services.people.open_ones():
            if request.session is agent.session:
                return request
        await asyncio.sleep(0.01)


async def test_a_client_that_cannot_ask_is_told_to_wait_and_asks_again(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    await whole.open(CAPTCHA)
    text = await whole("request_human", reason="Solve the captcha", sliceMilliseconds=10)
    request = await made(whole_app, whole)
    assert text == f'waiting: not done yet. Call request_human with handle "{request.id}".'

    page = selected(whole)
    again = tasks.start(whole("request_human", handle=request.id))
    await handover.take_over(whole.session, page, "ann")
    await run(page, "document.querySelector('input').value = '42'")
    await handover.hand_back(whole.session, page, "ann", whole_app.services.people)
    text = await again
    assert text.startswith("A person has done it.")
    assert 'value="42"' in text


async def test_what_the_agent_waits_for_ends_the_request_with_the_diff(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    await whole.open(CAPTCHA)
    page = selected(whole)
    wanted = {"text": "Welcome"}
    asked = tasks.start(whole("request_human", reason="Log in", doneWhen=wanted))
    await made(whole_app, whole)
    await handover.take_over(whole.session, page, "ann")
    await run(page, "document.querySelector('h1').textContent = 'Welcome'")
    text = await asked
    assert text.startswith("A person has done it.")
    assert '+ heading "Welcome"' in text or 'heading "Welcome"' in text
    assert not page.control.person


async def test_what_the_agent_waits_for_is_looked_for_in_every_call(
    whole_app: App, whole: Agent
) -> None:
    await whole.open(CAPTCHA)
    page = selected(whole)
    wanted = {"text": "Welcome"}
    await whole("request_human", reason="Log in", doneWhen=wanted, sliceMilliseconds=1)
    request = await made(whole_app, whole)
    await whole("new_page", url="about:blank")
    assert selected(whole) is not page
    waiting = await whole("request_human", handle=request.id, sliceMilliseconds=1)
    assert waiting.startswith("waiting")
    await run(page, "document.querySelector('h1').textContent = 'Welcome'")
    text = await whole("request_human", handle=request.id, timeout=20_000)
    assert text.startswith("A person has done it.")
    assert 'heading "Welcome"' in text


async def test_an_element_that_comes_ends_the_request(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    await whole.open(CAPTCHA)
    page = selected(whole)
    wanted = {"element": 'button "Pay"'}
    asked = tasks.start(whole("request_human", reason="Log in", doneWhen=wanted))
    await made(whole_app, whole)
    await run(
        page,
        "document.body.append(Object.assign(document.createElement('button'), "
        "{textContent: 'Pay'}))",
    )
    assert 'button "Pay"' in await asked


async def test_the_clients_own_user_can_say_that_it_is_done(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    async with Agent.joined(whole_app, whole.site, {"elicitation": {}}) as agent:
        await agent.open(CAPTCHA)
        asked = tasks.start(agent("request_human", reason="Solve the captcha"))
        question = await agent.asked("elicitation/create")
        assert "Solve the captcha" in question["params"]["message"]
        agent.answer(question, {"action": "accept", "content": {}})
        assert (await asked).startswith("A person has done it.")


async def test_a_page_is_its_agents_again_when_its_user_says_that_it_is_done(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    async with Agent.joined(whole_app, whole.site, {"elicitation": {}}) as agent:
        await agent.open(CAPTCHA)
        asked = tasks.start(agent("request_human", reason="Solve the captcha"))
        question = await agent.asked("elicitation/create")
        await handover.take_over(agent.session, selected(agent), "ann")
        await run(selected(agent), "document.querySelector('input').value = '42'")
        agent.answer(question, {"action": "accept", "content": {}})
        text = await asked
        assert text.startswith("A person has done it.")
        assert text.count('value="42"') == 1
        assert not selected(agent).control.person


async def test_a_long_reason_asked_again_is_the_same_request(whole_app: App, whole: Agent) -> None:
    await whole.open(CAPTCHA)
    for _ in range(2):
        await whole("request_human", reason="Solve it. " * 200, sliceMilliseconds=1)
    people = whole_app.services.people
    assert sum(each.session is whole.session for each in people.open_ones()) == 1


async def test_a_user_who_will_not_help_refuses(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    async with Agent.joined(whole_app, whole.site, {"elicitation": {}}) as agent:
        await agent.open(CAPTCHA)
        asked = tasks.start(agent.fails("request_human", reason="Solve the captcha"))
        agent.answer(await agent.asked("elicitation/create"), {"action": "decline"})
        assert (await asked)[0] == "refused_by_user"


async def test_a_question_is_withdrawn_when_somebody_else_has_done_it(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    async with Agent.joined(whole_app, whole.site, {"elicitation": {}}) as agent:
        await agent.open(CAPTCHA)
        asked = tasks.start(agent("request_human", reason="Solve the captcha"))
        question = await agent.asked("elicitation/create")
        whole_app.services.people.end(await made(whole_app, agent), "done")
        assert (await asked).startswith("A person has done it.")
        withdrawn = await agent.asked("notifications/cancelled")
        assert withdrawn["params"]["requestId"] == question["id"]


async def test_nobody_who_comes_in_time_is_an_error(whole: Agent) -> None:
    await whole.open(CAPTCHA)
    code, text = await whole.fails("request_human", reason="Solve the captcha", timeout=1)
    assert code == "deadline"
    assert "No person has done it in time." in text


async def test_a_request_of_another_session_is_not_there(whole_app: App, whole: Agent) -> None:
    await whole.open(CAPTCHA)
    await whole("request_human", reason="Solve the captcha", sliceMilliseconds=1)
    request = await made(whole_app, whole)
    async with Agent.joined(whole_app, whole.site) as other:
        await other.open(CAPTCHA)
        code, _ = await other.fails("request_human", handle=request.id)
        assert code == "bad_request"


async def test_a_page_that_closes_ends_the_request(
    whole_app: App, whole: Agent, tasks: TaskOwner
) -> None:
    await whole.open(CAPTCHA)
    asked = tasks.start(whole.fails("request_human", reason="Solve the captcha"))
    await made(whole_app, whole)
    await run(selected(whole), "window.close()")
    browser = whole.session.browsers.browser_of(selected(whole))
    assert browser is not None
    await browser.close_page(selected(whole))
    assert (await asked)[0] == "page_gone"


def stateless(**capabilities: Any) -> dict[str, Any]:
    """Return what a client of the stateless era says with every request."""
    prefix = "io.modelcontextprotocol"
    return {
        f"{prefix}/protocolVersion": "2026-07-28",
        f"{prefix}/clientCapabilities": capabilities,
        f"{prefix}/clientInfo": {"name": "test", "version": "1"},
    }


async def test_a_client_that_has_tasks_gets_one_and_is_told_the_outcome_by_it(
    whole_app: App, whole: Agent
) -> None:
    await whole.open(CAPTCHA)
    meta = stateless(extensions={"io.modelcontextprotocol/tasks": {}})
    given = {"reason": "Solve the captcha"}
    begun = await whole.request("tools/call", name="request_human", arguments=given, _meta=meta)
    assert begun["resultType"] == "task"
    assert begun["status"] == "working"
    ident = begun["taskId"]
    found = await whole.request("tasks/get", taskId=ident, _meta=meta)
    assert (found["resultType"], found["status"]) == ("complete", "working")

    page = selected(whole)
    await made(whole_app, whole)
    await handover.take_over(whole.session, page, "ann")
    await run(page, "document.querySelector('input').value = '42'")
    await handover.hand_back(whole.session, page, "ann", whole_app.services.people)
    while (found := await whole.request("tasks/get", taskId=ident, _meta=meta))[
        "status"
    ] == "working":
        await asyncio.sleep(0.01)
    assert found["status"] == "completed"
    text = found["result"]["content"][0]["text"]
    assert text.startswith("A person has done it.")
    assert 'value="42"' in text


async def test_a_task_asks_the_clients_user_through_its_state(whole_app: App, whole: Agent) -> None:
    await whole.open(CAPTCHA)
    meta = stateless(extensions={"io.modelcontextprotocol/tasks": {}}, elicitation={})
    given = {"reason": "Solve the captcha"}
    begun = await whole.request("tools/call", name="request_human", arguments=given, _meta=meta)
    ident = begun["taskId"]
    await made(whole_app, whole)
    while (found := await whole.request("tasks/get", taskId=ident, _meta=meta))[
        "status"
    ] != "input_required":
        await asyncio.sleep(0.01)
    ((key, question),) = found["inputRequests"].items()
    assert question["method"] == "elicitation/create"
    answers = {key: {"action": "accept", "content": {}}, "unknown": {}}
    done = await whole.request("tasks/update", taskId=ident, inputResponses=answers, _meta=meta)
    assert done["resultType"] == "complete"
    while (found := await whole.request("tasks/get", taskId=ident, _meta=meta))["status"] in (
        "working",
        "input_required",
    ):
        await asyncio.sleep(0.01)
    assert found["result"]["content"][0]["text"].startswith("A person has done it.")


async def test_a_task_can_be_cancelled(whole_app: App, whole: Agent) -> None:
    await whole.open(CAPTCHA)
    meta = stateless(extensions={"io.modelcontextprotocol/tasks": {}})
    given = {"reason": "Solve the captcha"}
    begun = await whole.request("tools/call", name="request_human", arguments=given, _meta=meta)
    request = await made(whole_app, whole)
    await whole.request("tasks/cancel", taskId=begun["taskId"], _meta=meta)
    found = await whole.request("tasks/get", taskId=begun["taskId"], _meta=meta)
    assert found["status"] == "cancelled"
    assert await request.until_ended(5)


async def test_a_stateless_client_that_asks_its_user_repeats_the_call(whole: Agent) -> None:
    await whole.open(CAPTCHA)
    meta = stateless(elicitation={})
    call = {"name": "request_human", "arguments": {"reason": "Solve it"}, "_meta": meta}
    first = await whole.request("tools/call", **call)
    assert first["resultType"] == "input_required"
    ((key, _),) = first["inputRequests"].items()
    answers = {key: {"action": "accept", "content": {}}}
    state = {"requestState": first["requestState"], "inputResponses": answers}
    second = await whole.request("tools/call", **call, **state)
    assert second["content"][0]["text"].startswith("A person has done it.")
