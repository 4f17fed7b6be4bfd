"""Choices that lead to another page: the call ends there, and not in an error."""

from __future__ import annotations

import pytest

from tests.agent import Agent

ROWS = "".join(f"<tr><td><a href=/r/{n}>Rack {n}</a><td>Hall B" for n in range(6))
TABLE = f"<h1>Racks</h1><table><thead><tr><th>Name<th>Place</thead>{ROWS}</table>"
PAGER = (
    "<p class=pages>1 <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=4'>4</a></p>"
)
TABS = "<ul role=tablist><li><a role=tab href='?page=1' aria-selected=true>All</a><li><a role=tab href='?page=2'>Open</a></ul>"
LANGUAGE = "<label>Page <select name=lang onchange=\"location = '?page=2'\"><option>one<option>two</select></label>"

SENT_AT_ONCE = "<form><label>Hall <select name=page onchange='form.submit()'><option>one<option value=2>two</select></label><label>Name <input name=n></label><button>Filter</button></form>"


@pytest.mark.parametrize(
    ("html", "name", "arguments"),
    [
        (TABLE + SENT_AT_ONCE, "filter_racks", {"hall": "two"}),
        (TABLE + PAGER, "go_to_page", {"page": 2}),
        (TABS + TABLE, "select_tab", {"tab": "Open"}),
        (TABLE + LANGUAGE, "set_language", {"page": "two"}),
    ],
)
async def test_choice_that_leads_elsewhere_ends_there(
    agent: Agent, html: str, name: str, arguments: dict[str, object]
) -> None:
    for _ in range(3):
        await agent("navigate_page", url=agent.site.page(f"<main>{html}</main>"))
        said = await agent("call_page_tool", name=name, arguments=arguments)
        assert said.startswith("navigated: ")
        assert "page=2" in said.splitlines()[0]
