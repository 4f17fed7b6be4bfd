"""What is done with entries, and how they are opened: principles of docs/page-tools.md."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

HEADS = "<thead><tr><th>Name</th><th>Size</th><th></th></tr></thead>"


def _table(row: str, number: int = 5, heads: str = HEADS) -> str:
    rows = "".join(f"<tr>{row.format(n=n)}</tr>" for n in range(1, number + 1))
    return f"<main><h1>Sacks</h1><table>{heads}<tbody>{rows}</tbody></table></main>"


async def test_what_is_in_a_button_is_a_part_of_it_whatever_the_mouse_says(agent: Agent) -> None:
    style = "<style>button{cursor:pointer}</style>"
    tools = await look(
        agent,
        f"{style}<main><h1>Sacks</h1><form><input name=a aria-label=Colour><input name=b aria-label=Size><button><span>Send sack</span></button></form></main>",
    )
    assert [tool.description.partition("] ")[2] for tool in tools.values()] == ["Send sack"]


async def test_a_row_is_opened_by_a_press_though_it_holds_a_tick(agent: Agent) -> None:
    html = "<style>tbody tr, th.s {cursor: pointer}</style>" + _table(
        "<td><input type=checkbox></td><td>Sack {n}</td><td>{n} kg</td>",
        heads="<thead><tr><th></th><th class=s>Name</th><th class=s>Weight</th></tr></thead>",
    )
    tools = await look(agent, html)
    assert {"open_sack", "select_sack", "sort_sacks"} <= set(tools)
    assert properties(tools["sort_sacks"])["column"]["enum"] == ["Name", "Weight"]


async def test_links_without_an_address_do_something_with_their_row(agent: Agent) -> None:
    html = "<style>a {cursor: pointer}</style>" + _table(
        "<td>Sack {n}</td><td>{n} kg</td><td><a>Edit</a> <a>Delete</a></td>"
    )
    assert {"edit_sack", "delete_sack"} <= set(await look(agent, html))


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Delete Sack of oats {n}", "delete_sack"),
        ("Sack of oats {n} löschen", "delete_sack"),
        ("Edit “Sack of oats {n}”", "edit_sack"),
    ],
)
async def test_what_an_entry_is_called_is_no_part_of_what_is_done_with_it(
    agent: Agent, label: str, name: str
) -> None:
    row = f"<td><a href=/s/{{n}}>Sack of oats {{n}}</a></td><td>{{n}} kg</td><td><button aria-label='{label}'>…</button></td>"
    tools = await look(agent, _table(row))
    assert set(tools) == {"open_sack", name}
    assert len([item for item in tools[name].plan.items if item.usable]) == 5


async def test_a_field_of_each_entry_is_called_the_same(agent: Agent) -> None:
    row = "<td>Sack {n}</td><td>{n} kg</td><td><select aria-label='Colour of sack {n}'><option>red<option>blue</select></td>"
    tools = await look(agent, _table(row))
    assert list(properties(tools["set_sack_colour"])) == ["index", "colour"]


async def test_a_word_that_an_action_says_in_all_entries_stays(agent: Agent) -> None:
    row = "<td><a href=/s/{n}>Delete sack {n} soon</a></td><td>{n} kg</td><td><button>Delete sack {n}</button></td>"
    assert "delete_sack" in await look(agent, _table(row))


async def test_the_tick_in_the_head_of_a_table_ticks_all_rows_and_sends_nothing(
    agent: Agent,
) -> None:
    heads = "<thead><tr><th><input type=checkbox></th><th>Name</th><th>Size</th></tr></thead>"
    row = "<td><input type=checkbox name=id value={n}></td><td><a href=/s/{n}>Sack {n}</a></td><td>{n}</td>"
    choice = "<select name=action><option value=''>Choose</option><option>Delete<option>Move</select><button>Go</button>"
    html = f"<form method=post action=/all>{_table(row, heads=heads)}{choice}</form>"
    tools = await look(agent, html)
    assert set(tools) == {
        "open_sack",
        "select_sack",
        "select_all_sacks",
        "apply_action_to_sacks",
    }
    assert list(properties(tools["apply_action_to_sacks"])) == ["action"]


async def test_what_each_entry_says_again_leads_to_a_part_of_it(agent: Agent) -> None:
    row = (
        "<td><a href=/s/{n}>Sack {n}</a></td><td>{n}</td><td><a href=/s/{n}/owners>Owners</a></td>"
    )
    tools = await look(agent, _table(row))
    assert "open_owners_of_sack" in tools
    assert tools["open_owners_of_sack"].reads


async def test_a_verb_that_several_entries_say_opens_none_of_them(agent: Agent) -> None:
    posts = "".join(
        f"<div class=post><a href=/u/{n % 2}>ann {n % 2}</a><p>I grow {n} pears and more</p>"
        f"<a href=/do/{n}>{'Quote' if n % 2 else 'Edit'}</a></div>"
        for n in range(6)
    )
    tools = await look(agent, f"<main><h1>Pears</h1><div class=posts>{posts}</div></main>")
    assert {"quote_post", "edit_post"} <= set(tools)


async def test_an_address_that_names_no_part_of_the_page_opens_an_entry(agent: Agent) -> None:
    row = "<td><a href='#/sacks/{n}'>Sack {n}</a></td><td>{n} kg</td><td>new</td>"
    tools = await look(agent, _table(row))
    await agent("call_page_tool", name="open_sack", arguments={"index": 2})
    assert await agent.value("location.hash") == '"#/sacks/2"'
    assert tools["open_sack"].kind == "list"


async def test_weeks_are_no_entries_though_a_day_holds_something(agent: Agent) -> None:
    weeks = "".join(
        "<tr>"
        + "".join(f"<td>{w * 7 + d + 1} <a href=/e/{w}{d}>Picking</a></td>" for d in range(7))
        + "</tr>"
        for w in range(4)
    )
    heads = "".join(f"<th>{day}</th>" for day in "MTWTFSS")
    tools = await look(
        agent, f"<main><h1>May</h1><table><thead><tr>{heads}</tr></thead><tbody>{weeks}</tbody></table></main>"
    )  # fmt: skip
    assert not any(len(tool.plan.items) == 4 for tool in tools.values())


async def test_what_the_heading_and_the_address_say_names_the_entries(agent: Agent) -> None:
    row = "<td><a href=/x/{n}>Ann {n}</a></td><td>{n}</td><td></td>"
    html = _table(row).replace("<h1>Sacks</h1>", "<h1>Members <small>all accounts</small></h1>")
    path = agent.site.page(html)
    agent.site.serve("/garden/members", agent.site._routes[path.removeprefix(agent.site.origin)])
    await agent("navigate_page", url=f"{agent.site.origin}/garden/members")
    assert "open_member" in await agent("list_page_tools")
