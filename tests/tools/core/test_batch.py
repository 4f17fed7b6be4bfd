from __future__ import annotations

import json

import pytest

from tests.agent import Agent

FORM = (
    "<form onsubmit=\"document.body.append('Thanks ' + n.value + ' for ' + c.value); return false\">"
    "<label>Name <input id=n></label><label>Colour <select id=c><option>Red<option>Blue</select></label>"
    "<button>Send</button></form>"
)


async def test_form_is_filled_and_sent_in_one_call_without_a_snapshot(agent: Agent) -> None:
    await agent("navigate_page", url=agent.site.page(FORM))
    text = await agent(
        "batch",
        steps=[
            {"tool": "fill", "arguments": {"uid": 'textbox "Name"', "value": "Ann"}},
            {
                "tool": "fill_form",
                "arguments": {"elements": [{"uid": 'combobox "Colour"', "value": "Blue"}]},
            },
            {"tool": "click", "arguments": {"uid": 'button "Send"'}},
        ],
    )
    assert "1. fill: ok. Filled the element." in text
    assert "3. click: ok." in text
    assert '+ "Thanks Ann for Blue"' in text
    assert text.count("Changes (") == 1


async def test_batch_stops_at_the_first_failure_unless_told_to_go_on(agent: Agent) -> None:
    await agent.open(FORM)
    steps = [
        {"tool": "click", "arguments": {"uid": 'button "Missing"'}},
        {"tool": "fill", "arguments": {"uid": agent.uid('textbox "Name"'), "value": "Bob"}},
    ]
    code, text = await agent.fails("batch", steps=steps)
    assert code == "not_found"
    assert 'There are: "Send".' in text
    assert "Stopped; 1 step not taken." in text
    code, text = await agent.fails("batch", steps=steps, goOn=True)
    assert "2. fill: ok." in text
    assert await agent.value("n.value") == '"Bob"'


async def test_locator_that_means_several_elements_is_refused(agent: Agent) -> None:
    await agent.open("<button>Save draft</button><button>Save copy</button>")
    step = {"tool": "click", "arguments": {"uid": 'button "Save"'}}
    code, text = await agent.fails("batch", steps=[step])
    assert code == "ambiguous"
    assert "Save draft" in text


async def test_batch_cannot_contain_itself_or_change_pages(agent: Agent) -> None:
    await agent.open(FORM)
    for name in ("batch", "new_page", "close_page"):
        assert (await agent.fails("batch", steps=[{"tool": name}]))[0] == "bad_arguments"
    assert (await agent.fails("batch", steps=[]))[0] == "bad_arguments"
    assert (await agent.fails("batch", steps=[{"tool": "clik"}]))[0] == "unknown_tool"


async def test_action_shows_what_changed(agent: Agent) -> None:
    await agent.open(
        "<button onclick='this.disabled = true; p.textContent = `Saved`'>Save</button><p id=p>Draft</p>"
    )
    text = await agent("click", uid=agent.uid("button"))
    assert text.split("\n")[0] == "Clicked the element."
    assert '+ "Saved"' in text
    assert '- "Draft"' in text
    assert "disabled" in text
    assert "Nothing visible changed." in await agent("press_key", key="F9")
    assert "Changes" not in await agent("press_key", key="F9", report="none")


async def test_new_elements_of_a_difference_can_be_used_at_once(agent: Agent) -> None:
    await agent.open(
        "<button onclick=\"this.insertAdjacentHTML('afterend', '<button onclick=document.title=1>Next</button>')\">Add</button>"
    )
    first = agent.uid('button "Add"')
    await agent("click", uid=first)
    await agent("click", uid=agent.uid('button "Next"'))
    assert await agent.value("document.title") == '"1"'
    await agent("click", uid=first)


async def test_arguments_of_a_step_may_come_as_text(
    agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    await agent.open("<label>Password <input id=p></label>")
    caplog.set_level("INFO")
    given = json.dumps({"uid": 'textbox "Password"', "value": "hunter2"})
    await agent("batch", steps=[{"tool": "fill", "arguments": given}])
    assert await agent.value("document.querySelector('#p').value") == '"hunter2"'
    assert "batch request" in caplog.text
    assert "hunter2" not in "".join(
        record.getMessage() for record in caplog.records if "batch request" in record.getMessage()
    )
    code, text = await agent.fails("batch", steps=[{"tool": "fill", "arguments": "{"}])
    assert code == "bad_arguments"
    assert "steps.0.arguments: " in text
