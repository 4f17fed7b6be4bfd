"""Buttons that say a verb alone, or none: principles of docs/page-tools.md."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

ROWS = "".join(f"<tr><td><a href=/sacks/{n}>Sack {n}</a></td><td>{n}</td></tr>" for n in range(4))
TABLE = f"<table><thead><tr><th>Name</th><th>Size</th></tr></thead>{ROWS}</table>"


async def test_a_verb_alone_is_about_what_the_page_lists(agent: Agent) -> None:
    html = f"<div class=bar><button>New</button></div><div><h2>Sacks</h2>{TABLE}</div>"
    assert "new_sack" in await look(agent, html)


async def test_what_one_thing_is_called_is_not_what_it_is(agent: Agent) -> None:
    html = "<main><div><h1>Old oats</h1><button>Edit</button></div><p>Very old.</p></main>"
    path = agent.site.page(html)
    agent.site.serve("/sacks/7", agent.site._routes[path.removeprefix(agent.site.origin)])
    await agent("navigate_page", url=f"{agent.site.origin}/sacks/7")
    assert "edit_sack:" in await agent("list_page_tools")


async def test_a_button_that_says_no_verb_takes_a_free_place(agent: Agent) -> None:
    await look(agent, "<main><h1>Sacks</h1><p>Some.</p><button>Znikam</button></main>")
    assert "click_znikam:" in await agent("list_page_tools")


async def test_buttons_in_a_row_are_a_choice_named_by_what_their_titles_say(agent: Agent) -> None:
    row = "".join(
        f"<button type=button title='Toggle {each.lower()} entries'>{each}</button>"
        for each in ("Open", "Notes", "Balance", "Pad", "Custom")
    )
    tools = await look(agent, f"<main><h1>Journal</h1><form class=f>{row}</form></main>")
    assert properties(tools["toggle_entries"])["option"]["enum"] == [
        "Open", "Notes", "Balance", "Pad", "Custom"
    ]  # fmt: skip


async def test_a_search_that_only_says_search_is_not_offered_twice(agent: Agent) -> None:
    html = "<header><form role=search><input name=q></form></header><main><h1>Sacks</h1><button>Suchen</button></main>"
    tools = await look(agent, html)
    assert "search" in tools
    assert not any(name.startswith("search_") for name in tools)


async def test_tabs_may_have_addresses_of_their_own(agent: Agent) -> None:
    tabs = "<div class=bar><a class='item active' href=/sacks/7>Talk</a><a class=item href=/sacks/7/grains>Grains</a><a class=item href=/sacks/7/owners>Owners</a></div>"
    path = agent.site.page(f"<main><h1>Oats</h1>{tabs}<p>Some words.</p></main>")
    agent.site.serve("/sacks/7", agent.site._routes[path.removeprefix(agent.site.origin)])
    await agent("navigate_page", url=f"{agent.site.origin}/sacks/7")
    assert '"Grains"' in (await agent("list_page_tools")).partition("select_tab:")[2]


@pytest.mark.parametrize(
    ("said", "named"),
    [("Frage duplizieren", "duplicate_frage"), ("Написать", "write"), ("Cancelar", "cancel"),
     ("お気に入りに追加", "favorite"), ("Přiřadit", "assign"), ("Zatwierdź", "approve")],
)  # fmt: skip
async def test_verbs_are_known_in_many_languages(agent: Agent, said: str, named: str) -> None:
    tools = await look(agent, f"<div><p>Some words.</p><button>{said}</button></div>")
    assert any(name.startswith(named) for name in tools), set(tools)
