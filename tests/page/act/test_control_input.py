from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.page.act.test_input_events import CALL, round_trips

SWITCH = (
    '<button role=switch aria-checked=false aria-label=F onclick="setTimeout(() => '
    "this.setAttribute('aria-checked', this.ariaChecked !== 'true'), {0})\"></button>"
)


@pytest.mark.parametrize("late", [0, 20, 150])
async def test_a_toggle_that_changes_late_is_filled(agent: Agent, late: int) -> None:
    await agent.open(SWITCH.replace("{0}", str(late)))
    await agent("fill", uid=agent.uid("switch"), value="true")
    assert await agent.value("document.querySelector('button').ariaChecked") == '"true"'


async def test_a_checkbox_that_a_page_ticks_by_itself_later_is_filled(agent: Agent) -> None:
    await agent.open(
        "<input type=checkbox aria-label=F onclick='event.preventDefault();"
        "setTimeout(() => checked = true, 60)'>"
    )
    await agent("fill", uid=agent.uid("checkbox"), value="true")
    assert await agent.value("document.querySelector('input').checked") == "true"


async def test_a_toggle_that_never_changes_is_told(agent: Agent) -> None:
    await agent.open("<button role=switch aria-checked=false aria-label=F></button>")
    code, text = await agent.fails("fill", uid=agent.uid("switch"), value="true")
    assert code == "element_not_changed"
    assert "still false" in text


async def test_a_button_that_stays_pressed_is_a_toggle(agent: Agent) -> None:
    await agent.open(
        "<button aria-pressed=false onclick=\"ariaPressed = ariaPressed !== 'true'\">Bold</button>"
    )
    await agent("fill", uid=agent.uid("button"), value="true")
    assert await agent.value("document.querySelector('button').ariaPressed") == '"true"'


async def test_a_component_is_filled_by_the_only_field_in_it(agent: Agent) -> None:
    await agent.open(
        "<x-field tabindex=0>x</x-field><script>document.querySelector('x-field')"
        ".attachShadow({mode: 'open'}).innerHTML = '<label>Name <input></label>'</script>"
    )
    await agent("fill", uid="css=x-field", value="Ada")
    value = "document.querySelector('x-field').shadowRoot.querySelector('input').value"
    assert await agent.value(value) == '"Ada"'


async def test_a_form_is_not_filled_by_the_only_field_in_it(agent: Agent) -> None:
    await agent.open("<form aria-label=Login><input aria-label=F></form>")
    code, _ = await agent.fails("fill", uid=agent.uid("form"), value="Ada")
    assert code == "element_not_fillable"


async def test_a_range_says_where_it_stands_if_not_at_the_value(agent: Agent) -> None:
    await agent.open("<input type=range aria-label=F step=5>")
    text = await agent("fill", uid=agent.uid("slider"), value="52")
    assert "stands at 50" in text


async def test_fill_of_a_text_field_takes_three_round_trips_and_the_diff(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agent.open("<input aria-label=F>")
    (page,) = agent.session.pages.values()
    with round_trips(page.attached_page.channel, monkeypatch) as trips:
        await agent("fill", uid=agent.uid("textbox"), value="text")
    typing = ["Input.insertText", "Input.dispatchKeyEvent", "Input.dispatchKeyEvent"]
    assert trips == [CALL, typing, CALL, CALL]
