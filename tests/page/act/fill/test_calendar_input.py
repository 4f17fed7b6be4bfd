from __future__ import annotations

import pytest

from tests.agent import Agent

# A calendar as plain as they come: a title, two arrows, days. It shows November 2026 at first.
CALENDAR = """
<label>Day <input id=field readonly></label><p>24</p>
<div id=popup hidden><span id=back style="cursor:pointer">‹</span><b id=title></b><span id=next style="cursor:pointer">›</span>
<table><tbody id=days></tbody></table></div>
<script>
let month = new Date(2026, 10, 1);
const draw = () => {
  title.textContent = month.toLocaleDateString("en", {month: "long", year: "numeric"});
  const first = new Date(month); first.setDate(1 - first.getDay());
  days.innerHTML = "";
  for (let row = 0; row < 6; row += 1) {
    const line = days.insertRow();
    for (let n = 0; n < 7; n += 1) { const cell = line.insertCell(); cell.textContent = first.getDate(); DAY; first.setDate(first.getDate() + 1) }
  }
};
const turn = (by) => setTimeout(() => { month.setMonth(month.getMonth() + by); draw() }, 40);
back.onclick = () => turn(-1); next.onclick = () => turn(1);
field.onclick = () => { popup.hidden = false; draw() };
days.onclick = (e) => { TAKE; popup.hidden = true };
</script>"""
TAKE = "field.value = `${month.getMonth() + 1}/${e.target.textContent.padStart(2, '0')}/${month.getFullYear()}`"


@pytest.mark.parametrize(
    ("day", "shown"),
    [("2026-11-24", "11/24/2026"), ("2027-01-31", "1/31/2027"), ("2026-08-01", "8/01/2026")],
)
async def test_a_day_is_picked_in_the_calendar_of_a_read_only_field(
    agent: Agent, day: str, shown: str
) -> None:
    await agent.open(CALENDAR.replace("TAKE", TAKE).replace("DAY", ""))
    await agent("fill", uid=agent.uid("textbox"), value=day)
    assert await agent.value("field.value") == f'"{shown}"'


async def test_a_calendar_is_turned_by_buttons_that_are_called_in_another_tongue(
    agent: Agent,
) -> None:
    page = CALENDAR.replace("TAKE", TAKE).replace("DAY", "")
    page = page.replace("id=back", "id=back class=c-prev title=上个月").replace(
        "‹", "<i class=icon>&nbsp;</i>"
    )
    await agent.open(
        page.replace("id=next", "id=next class=c-next title=下个月").replace(
            "›", "<i class=icon>&nbsp;</i>"
        )
    )
    await agent("fill", uid=agent.uid("textbox"), value="2027-01-31")
    assert await agent.value("field.value") == '"1/31/2027"'


async def test_a_day_is_picked_where_a_combobox_opens_the_calendar(agent: Agent) -> None:
    page = CALENDAR.replace("TAKE", TAKE).replace("DAY", "")
    await agent.open(page.replace("readonly", "readonly role=combobox aria-haspopup=dialog"))
    await agent("fill", uid=agent.uid("combobox"), value="2026-11-24")
    assert await agent.value("field.value") == '"11/24/2026"'


async def test_a_day_is_picked_where_a_button_opens_the_calendar(agent: Agent) -> None:
    button = "<button id=field aria-haspopup=dialog>Pick a date</button>"
    page = CALENDAR.replace("<label>Day <input id=field readonly></label>", button)
    taken = TAKE.replace("field.value", "field.textContent")
    await agent.open(page.replace("TAKE", taken).replace("DAY", ""))
    await agent("fill", uid=agent.uid("button"), value="2026-11-24")
    assert await agent.value("field.textContent") == '"11/24/2026"'


async def test_a_calendar_whose_field_shows_no_day_is_told(agent: Agent) -> None:
    await agent.open(CALENDAR.replace("TAKE", "").replace("DAY", ""))
    code, text = await agent.fails("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert code == "element_not_changed"
    assert "2026-11-24 was clicked" in text


async def test_a_day_that_is_disabled_is_told(agent: Agent) -> None:
    off = "cell.setAttribute('aria-disabled', true)"
    await agent.open(CALENDAR.replace("TAKE", TAKE).replace("DAY", off))
    code, _ = await agent.fails("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert code == "element_disabled"


async def test_a_read_only_field_without_a_calendar_is_told(agent: Agent) -> None:
    await agent.open("<input aria-label=F readonly>")
    code, _ = await agent.fails("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert code == "element_readonly"


# What was typed goes when the field is left, unless its day was pressed.
TYPED = (
    CALENDAR.replace("readonly", "")
    .replace("DAY", "")
    .replace("TAKE", f"window.taken = {TAKE}")
    .replace("</script>", "field.onblur = () => field.value = window.taken ?? '';</script>")
    .replace("field.onclick", "field.oninput")
)


async def test_a_day_that_is_typed_is_pressed_in_the_calendar_that_opens_for_it(
    agent: Agent,
) -> None:
    await agent.open(TYPED)
    text = await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert 'The field now holds "11/24/2026".' in text
    assert await agent.value("taken") == '"11/24/2026"'


async def test_a_day_that_a_field_holds_already_may_be_typed_again(agent: Agent) -> None:
    await agent.open(TYPED)
    await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    await agent("take_snapshot")
    text = await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert text.startswith("Filled the element.")


async def test_a_calendar_that_closes_slowly_has_taken_the_day(agent: Agent) -> None:
    slowly = TYPED.replace("popup.hidden = true", "setTimeout(() => popup.hidden = true, 150)")
    await agent.open(slowly)
    text = await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert "It is typed only" not in text
    assert await agent.value("taken") == '"11/24/2026"'


async def test_a_calendar_that_waits_for_a_second_day_is_told(agent: Agent) -> None:
    waits = TYPED.replace(f"window.taken = {TAKE}; popup.hidden = true", "window.first = e.target")
    await agent.open(waits + "<script>days.onmousedown = (e) => e.preventDefault();</script>")
    text = await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert "It is typed only: what opened for it may want it chosen there." in text


@pytest.mark.parametrize("value", ["11/12/2026", "13:45", "2026-11-24 13:45"])
async def test_a_calendar_that_is_open_for_what_was_typed_is_told(agent: Agent, value: str) -> None:
    await agent.open(TYPED)
    text = await agent("fill", uid=agent.uid("textbox"), value=value)
    assert "It is typed only: what opened for it may want it chosen there." in text
    assert await agent.value("[field.value, window.taken ?? null]") == f'["{value}",null]'


async def test_a_day_that_is_typed_where_nothing_opens_stays_as_it_is(agent: Agent) -> None:
    await agent.open("<label>Day <input id=field></label>")
    text = await agent("fill", uid=agent.uid("textbox"), value="2026-11-24")
    assert text.startswith("Filled the element.\n")
    assert await agent.value("field.value") == '"2026-11-24"'
