"""Labels and hints, and what stands in every entry: principles of docs/page-tools.md."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

HEADS = "<thead><tr><th>Name</th><th>Size</th><th></th></tr></thead>"


def _table(row: str, number: int = 5) -> str:
    rows = "".join(f"<tr>{row.format(n=n)}</tr>" for n in range(1, number + 1))
    return f"<style>i {{display: inline-block; width: 9px; height: 9px}}</style><main><h1>Sacks</h1><table>{HEADS}<tbody>{rows}</tbody></table></main>"


@pytest.mark.parametrize(
    "button",
    [
        "<button title='' data-original-title='Borrar'><i></i></button>",
        "<button><i data-bs-original-title='Delete'></i></button>",
        "<span title='Löschen'><button><i></i></button></span>",
        "<form method=post action=/s/{n}/delete><button><i></i></button></form>",
    ],
)
async def test_what_has_no_words_is_named_by_a_hint_or_its_address(
    agent: Agent, button: str
) -> None:
    row = f"<td><a href=/s/{{n}}>Sack {{n}}</a></td><td>{{n}}</td><td>{button}</td>"
    assert "delete_sack" in await look(agent, _table(row))


async def test_hidden_help_is_no_part_of_a_label(agent: Agent) -> None:
    field = "<div><div>Name <span style='display:none'>What it is to be called by everybody else</span></div><div><input name=f1></div></div>"
    other = field.replace("Name", "Colour").replace("f1", "f2")
    html = f"<main><form method=post>{field}{other}<button>Save sack</button></form></main>"
    assert list(properties((await look(agent, html))["save_sack"])) == ["name", "colour"]


async def test_what_a_script_shows_in_place_of_a_list_is_called_as_the_list(agent: Agent) -> None:
    cell = "<td>Region</td><td><select id=r style='display:none'><option>North<option>South</select><span role=combobox tabindex=0 id=r-button>North</span></td>"
    html = f"<main><form method=post><table><tr>{cell}</tr></table><input name=a aria-label=Name><button>Save sack</button></form></main>"
    taken = properties((await look(agent, html))["save_sack"])
    assert taken["region"]["examples"] == ["North", "South"]


async def test_a_list_that_is_offered_is_not_offered_again(agent: Agent) -> None:
    both = "<div><select name=kind aria-label=Kind><option>oats<option>rye</select><button type=button role=combobox>oats</button></div>"
    html = f"<main><form method=post>{both}<button>Save sack</button></form></main>"
    assert list(properties((await look(agent, html))["save_sack"])) == ["kind"]


async def test_a_label_that_no_key_can_say_is_told(agent: Agent) -> None:
    html = "<main><form method=post><label>姓名 <input name=value[name]></label><label>转到 <textarea name=value[goto]>a\nb</textarea></label><button>Save</button></form></main>"
    (form,) = (await look(agent, html)).values()
    taken = properties(form)
    assert taken["name"]["description"] == "姓名"
    assert taken["goto"]["title"] == "转到"


async def test_a_foot_that_each_entry_has_is_no_foot_of_the_site(agent: Agent) -> None:
    notes = "".join(
        f"<div class=note><a href=/n/{n}>Note {n}</a><p>Some words of {n}.</p><div class=footer><button>Star</button></div></div>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Notes</h1><div>{notes}</div></main>")
    assert {"open_note", "star_note"} <= set(tools)


async def test_links_that_say_the_state_of_each_entry_are_one_thing(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><a href=/s/{n}>Sack {n}</a></td><td>{n}</td><td><a href='/toggle.php?id={n}'>{'yes' if n % 2 else 'no'}</a></td></tr>"
        for n in range(5)
    )
    tools = await look(agent, f"<main><h1>Sacks</h1><table>{HEADS}<tbody>{rows}</tbody></table></main>")  # fmt: skip
    assert len(tools["open_toggle_of_sack"].plan.items) == 5


async def test_each_button_for_what_is_ticked_takes_the_fields_before_it(agent: Agent) -> None:
    rows = "".join(f"<tr><td><input type=checkbox name=id value={n}></td><td><a href=/s/{n}>Sack {n}</a></td></tr>" for n in range(4))  # fmt: skip
    heads = "<thead><tr><th></th><th>Name</th></tr></thead>"
    bar = "<input type=submit name=c value='Close sacks'><select name=to><option>Ann<option>Ben</select><input type=submit name=a value='Assign sacks'>"
    html = f"<main><h1>Sacks</h1><form method=post><table>{heads}{rows}</table>{bar}</form></main>"
    tools = await look(agent, html)
    assert list(properties(tools["assign_sacks"])) == ["to"]
    assert not properties(tools["close_sacks"])


async def test_what_goes_back_is_not_what_sends(agent: Agent) -> None:
    html = "<main><form method=post><label>Name <input name=n></label><label>Town <input name=t></label><button>Zurück</button><button>Weiter</button></form></main>"
    (form,) = [tool for tool in (await look(agent, html)).values() if tool.kind == "form"]
    await agent("call_page_tool", name=form.name, arguments={"name": "x", "town": "y"})
    assert "Weiter" in form.description


async def test_parts_of_one_thing_and_menus_of_its_entries_are_offered(agent: Agent) -> None:
    kebab = "<button aria-haspopup=menu aria-expanded=false aria-controls=m{n} aria-label='Actions for Sack {n}'>⋮</button><ul id=m{n} role=menu hidden><li role=menuitem tabindex=-1>Restart<li role=menuitem tabindex=-1>Delete</ul>"
    row = f"<td><a href=/s/{{n}}>Sack {{n}}</a></td><td>{{n}}</td><td>{kebab}</td>"
    html = _table(row).replace("</h1>", "</h1><p><a href=/gardens/4/history>History</a></p>")
    path = agent.site.page(html)
    agent.site.serve("/gardens/4", agent.site._routes[path.removeprefix(agent.site.origin)])
    await agent("navigate_page", url=f"{agent.site.origin}/gardens/4")
    listed = await agent("list_page_tools")
    for name in ("restart_sack:", "delete_sack:", "open_history:"):
        assert name in listed
