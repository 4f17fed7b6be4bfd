from __future__ import annotations

from tests.agent import Agent

FIELD = """<form onsubmit="sent = true; return false"><label>City <input id=f TYPE></label>
<div id=l hidden style="STYLE;background:#fff"></div></form><script>
let sent = false, chosen = "";
f.oninput = () => {
  const found = ["Bern, Switzerland", "Berlin, Germany"].filter((each) => each.startsWith(f.value));
  l.hidden = !found.length; l.innerHTML = found.map((each) => `<div>${each}</div>`).join("");
};
l.onmousedown = (e) => { e.preventDefault(); CHOOSE };
</script>"""
CHOOSE = "chosen = f.value = e.target.textContent; l.hidden = true"


def field(kind: str = "", style: str = "position:absolute", choose: str = CHOOSE) -> str:
    return FIELD.replace("TYPE", kind).replace("STYLE", style).replace("CHOOSE", choose)


async def test_a_text_that_is_offered_below_a_plain_field_is_chosen_there(agent: Agent) -> None:
    await agent.open(field())
    told = await agent("fill", uid=agent.uid("textbox"), value="Bern, Switzerland")
    assert told.startswith("Filled the element.\n")
    assert await agent.value("chosen") == '"Bern, Switzerland"'


async def test_what_is_offered_instead_of_a_text_is_told(agent: Agent) -> None:
    await agent.open(field())
    told = await agent("fill", uid=agent.uid("textbox"), value="Ber")
    offered = '"Bern, Switzerland", "Berlin, Germany"'
    assert f"It is typed only: the page offers {offered} for it." in told
    assert await agent.value("[chosen, f.value]") == '["","Ber"]'


async def test_an_offer_that_stays_when_it_is_pressed_is_told(agent: Agent) -> None:
    await agent.open(field(choose=""))
    told = await agent("fill", uid=agent.uid("textbox"), value="Bern, Switzerland")
    assert "was clicked, and is still there" in told


async def test_a_text_that_a_page_only_shows_in_its_place_is_not_pressed(agent: Agent) -> None:
    await agent.open(field(style=""))
    await agent("fill", uid=agent.uid("textbox"), value="Bern, Switzerland")
    assert await agent.value("chosen") == '""'


async def test_suggestions_of_a_plain_search_are_not_chosen(agent: Agent) -> None:
    await agent.open(field("type=search name=q"))
    await agent("fill", uid=agent.uid("searchbox"), value="Bern, Switzerland")
    assert await agent.value("chosen") == '""'


async def test_values_are_collected_without_sending_the_form(agent: Agent) -> None:
    await agent.open(
        "<form onsubmit='sent = true; return false'><div class=tags><span id=t></span>"
        "<input id=f aria-label=Tags></div></form><script>let sent = false;"
        "f.onkeydown = (e) => { if (e.key === 'Enter' && f.value)"
        " { t.innerHTML += `<b>${f.value}</b> `; f.value = '' } }</script>"
    )
    await agent("fill", uid=agent.uid("textbox"), value='["red", "blue"]')
    assert await agent.value("[t.innerText.trim(), sent]") == '["red blue",false]'


async def test_a_list_as_text_stays_one_in_a_field_that_collects_nothing(agent: Agent) -> None:
    await agent.open("<input id=f aria-label=Query>")
    await agent("fill", uid=agent.uid("textbox"), value='["red", "blue"]')
    assert await agent.value('f.value === \'["red", "blue"]\'') == "true"


async def test_a_secret_that_a_field_does_not_take_as_it_is_is_told(agent: Agent) -> None:
    await agent.open(
        "<input type=password aria-label=Pin oninput='this.value = this.value.slice(0, 2)'>"
    )
    told = await agent("fill", uid="css=input", value="1234")
    assert "The field now holds something else than what was typed." in told
    assert "1234" not in told
