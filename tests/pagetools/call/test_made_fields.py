"""Fields that a page makes from others: a form is sent when they are made."""

from __future__ import annotations

import pytest

from tests.agent import Agent

LATE = 250


def _form(title: str, made: str, script: str) -> str:
    return f"""<main><h1>New page</h1><form><label>Title <input id=title name=title {title}></label>
      {made}<button>Save page</button></form><output></output></main>
      <script>const made = document.querySelector("[name=made], [name=slug]"); {script};
      document.querySelector("form").onsubmit = (event) => {{ event.preventDefault();
        document.querySelector("output").textContent = made.value || "nothing" }}</script>"""


MAKES = (
    f"title.oninput = () => setTimeout(() => {{ made.value = title.value.toLowerCase() }}, {LATE})"
)


async def _sent(agent: Agent, html: str) -> str:
    await agent("navigate_page", url=agent.site.page(html))
    tools = await agent("list_page_tools")
    name = next(line for line in tools.splitlines() if '"title' in line).split(":")[0]
    await agent("call_page_tool", name=name, arguments={"title": "Plums"})
    return (await agent.value("document.querySelector('output').textContent")).strip('"')


@pytest.mark.parametrize(
    ("title", "made"),
    [
        ("data-sync-target='#made'", "<label>Address <input id=made name=made></label>"),
        ("", "<label>Address <input id=made name=made data-made-from=title></label>"),
        ("", "<label>Address <input name=slug></label>"),
        ("data-sync-target='#made'", "<input id=made name=made style='display:none'>"),
    ],
)
async def test_a_field_that_is_made_from_another_is_waited_for(
    agent: Agent, title: str, made: str
) -> None:
    assert await _sent(agent, _form(title, made, MAKES)) == "plums"


async def test_a_field_that_nothing_speaks_of_is_not_waited_for(agent: Agent) -> None:
    html = _form("", "<label>Nickname <input name=made></label>", MAKES)
    assert await _sent(agent, html) == "nothing"


async def test_a_form_whose_page_makes_nothing_is_sent_all_the_same(agent: Agent) -> None:
    html = _form("", "<label>Address <input name=slug></label>", "")
    assert await _sent(agent, html) == "nothing"
