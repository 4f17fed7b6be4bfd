"""Dialogs: opened by clicks and scripts, answered or in the way."""

from __future__ import annotations

from tests.differential.behaviour import Facts, behaviour
from tests.differential.side import Side

ASKS = (
    "<title>t</title><button onclick=\"alert('hi there'); document.title = 'alerted'\">Alert</button>"
    "<button onclick=\"document.title = confirm('sure?')\">Confirm</button>"
    "<button onclick=\"document.title = prompt('your name?', 'bob')\">Prompt</button>"
)


@behaviour(57)
async def a_click_that_opens_a_dialog_returns_with_it(side: Side) -> Facts:
    facts: dict[str, object] = {}
    for name, line in (
        ("Alert", "alert: hi there"),
        ("Confirm", "confirm: sure"),
        ("Prompt", "prompt: your name"),
    ):
        await side.open(ASKS)
        answer = await side.act("click", f'button "{name}"')
        facts[name] = (answer.failed, answer.seconds < 10, line in answer.text)
        facts[f"{name} told"] = answer.says("# Open dialog", "handle_dialog")
        await side.call("handle_dialog", action="accept")
    return facts


@behaviour(58)
async def a_dialog_blocks_what_needs_the_page(side: Side) -> Facts:
    await side.open(ASKS)
    uid = side.uid('button "Confirm"')
    await side.act("click", 'button "Alert"')
    blocked = [
        await side.call("take_snapshot"),
        await side.call("click", uid=uid),
        await side.call("press_key", key="a"),
        await side.call("take_screenshot"),
    ]
    free = [
        await side.call("list_pages"),
        await side.call("list_console_messages"),
        await side.call("list_network_requests"),
    ]
    await side.call("handle_dialog", action="accept")
    return {
        "blocked": [each.failed for each in blocked],
        "free": [each.failed for each in free],
        **blocked[0].says("dialog is open", "hi there"),
        "after": (await side.call("take_snapshot")).failed,
    }


@behaviour(59)
async def answers_reach_the_page(side: Side) -> Facts:
    facts: dict[str, object] = {}
    for name, answer in (
        ("Prompt", {"action": "accept", "promptText": "ada"}),
        ("Prompt", {"action": "dismiss"}),
        ("Confirm", {"action": "accept"}),
        ("Confirm", {"action": "dismiss"}),
        ("Alert", {"action": "accept"}),
    ):
        await side.open(ASKS)
        await side.act("click", f'button "{name}"')
        done = await side.call("handle_dialog", **answer)
        facts[f"{name} {answer}"] = (
            done.failed,
            await side.value("document.title"),
            done.says("successfully (accepted|dismissed)"),
        )
    return facts


@behaviour(59, title="prompt-default")
async def a_prompt_is_accepted_without_an_answer(side: Side) -> Facts:
    await side.open(ASKS)
    await side.act("click", 'button "Prompt"')
    await side.call("handle_dialog", action="accept")
    return {"title": await side.value("document.title")}


@behaviour(60)
async def no_dialog_is_an_error(side: Side) -> Facts:
    await side.open("<title>t</title>")
    answer = await side.call("handle_dialog", action="accept")
    return {"failed": answer.failed, **answer.says("dialog")}


@behaviour(61)
async def a_dialog_is_its_own_pages_affair(side: Side) -> Facts:
    await side.open(ASKS)
    await side.act("click", 'button "Alert"')
    other = await side.new_page(side.site.page("<title>Free</title><button>Go</button>"))
    free = await side.call("take_snapshot", pageId=other)
    blocked = await side.call("take_snapshot")
    await side.call("close_page", pageId=other)
    await side.call("handle_dialog", action="accept")
    return {"free": free.failed, "blocked": blocked.failed, **free.says('button "Go"')}


@behaviour(62)
async def dialogs_of_scripts_are_answered_by_themselves(side: Side) -> Facts:
    await side.open("<title>t</title>")
    facts: dict[str, object] = {}
    for script, action in (
        ("confirm('sure?')", "accept"),
        ("confirm('sure?')", "dismiss"),
        ("prompt('who?')", "ada"),
        ("prompt('who?')", "dismiss"),
        ("String(alert('x'))", "accept"),
    ):
        answer = await side.call("evaluate_script", function=f"() => {script}", dialogAction=action)
        facts[f"{script} {action}"] = (
            answer.failed,
            answer.text.split("```json\n")[-1].split("\n")[0],
        )
    return facts


@behaviour(63, phantom="no-phantom-dialogs")
async def an_answered_dialog_is_gone(side: Side) -> Facts:
    await side.open("<title>t</title>")
    await side.call("evaluate_script", function="() => alert('done')", dialogAction="accept")
    after = await side.call("list_console_messages")
    phantom = "# Open dialog" in after.text
    if phantom:
        await side.call("handle_dialog", action="accept")
    return {"phantom": phantom}
