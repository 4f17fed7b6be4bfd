"""Pages, tabs, entries and headings: the principles of docs/page-tools.md on views of things."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

ROWS = "".join(f"<tr><td><a href=/r/{n}>Rack {n}</a></td><td>Hall B</td></tr>" for n in range(5))
TABLE = f"<table><thead><tr><th>Name</th><th>Place</th></tr></thead>{ROWS}</table>"


async def test_links_of_a_pager_that_lead_nowhere_turn_pages(agent: Agent) -> None:
    pager = "<ul class=pagination><li><a href=#>Previous</a><li class=active><a href=#>1</a><li><a href=#>2</a><li><a href=#>Next</a></ul>"
    tools = await look(agent, f"<main><h1>Racks</h1>{TABLE}{pager}</main>")
    assert {"next_page", "previous_page", "go_to_page"} <= set(tools)
    assert tools["next_page"].plan.submit != tools["previous_page"].plan.submit


@pytest.mark.parametrize(
    "bar",
    [
        "<b>1–50 von 200</b> <a href=#>‹</a><a href=#>›</a>",
        "<span>1-50/200</span><button><i class='fa fa-chevron-left'></i></button><button><i class='fa fa-chevron-right'></i></button>",
    ],
)
async def test_arrows_beside_a_count_are_a_pager(agent: Agent, bar: str) -> None:
    tools = await look(agent, f"<main><h1>Racks</h1><div class=top>{bar}</div>{TABLE}</main>")
    assert {"next_page", "previous_page"} <= set(tools)


async def test_arrows_beside_no_count_are_none(agent: Agent) -> None:
    tools = await look(agent, f"<main><h1>Racks</h1><div class=top><button>‹</button><button>›</button></div>{TABLE}</main>")  # fmt: skip
    assert not {"next_page", "previous_page"} & set(tools)


async def test_what_each_entry_has_to_go_back_turns_no_pages(agent: Agent) -> None:
    entries = "".join(
        f"<li><a href='?d={n}'>cur</a> | <a href='?p={n}'>prev</a> <a href=/v/{n}>May {n + 1}, noon</a> by Ann"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Changes</h1><ul>{entries}</ul></main>")
    assert "previous_page" not in tools
    assert [tool.plan.items[0].text for tool in tools.values() if tool.kind == "list"] == [
        "May 1, noon by Ann"
    ]


async def test_buttons_of_a_form_that_turn_pages_are_none_of_its_ways(agent: Agent) -> None:
    ends = "".join(f"<button name={n}>{n}</button>" for n in ("First", "Previous", "Next", "Last"))
    tools = await look(agent, f"<main><h1>Racks</h1><form method=post><label>Place <input name=place></label><button name=f>Filter</button>{TABLE}{ends}</form></main>")  # fmt: skip
    form = next(tool for tool in tools.values() if tool.kind in ("form", "search"))
    assert len(properties(form)) == 1
    assert {"next_page", "previous_page"} <= set(tools)


async def test_the_link_that_differs_opens_an_entry(agent: Agent) -> None:
    entries = "".join(
        f"<li><a href=/raw/{n}>raw</a> <a href=/f/{n}>file-{n}.txt</a> of some size"
        for n in range(4)
    )
    tool = (await look(agent, f"<main><h1>Files</h1><ul>{entries}</ul></main>"))["open_file"]
    await agent("call_page_tool", name="open_file", arguments={"index": 2})
    assert tool.plan.items
    assert (await agent.value("location.pathname")) == '"/f/1"'


async def test_articles_are_entries_however_short(agent: Agent) -> None:
    entries = "".join(f"<article><a href=/n/{n}>Rain {n}</a></article>" for n in range(4))
    tools = await look(agent, f"<body><h1>News</h1><div>{entries}</div></body>")
    assert [len(tool.plan.items) for tool in tools.values() if tool.kind == "list"] == [4]


async def test_links_of_which_one_is_shown_are_a_choice(agent: Agent) -> None:
    tabs = "<ul><li class=active><a href='?s=all'>All <span>12</span></a><li><a href='?s=open'>Open</a><li><a href='?s=closed'>Closed</a></ul>"
    tools = await look(agent, f"<main><h1>Racks</h1>{tabs}{TABLE}</main>")
    assert set(tools) == {"open_rack", "select_tab"}
    assert properties(tools["select_tab"])["tab"]["enum"] == ["All 12", "Open", "Closed"]
    assert len(tools["open_rack"].plan.items) == 5


TITLE = "<label>Title <input name=title></label><label>Body <input name=body></label>"
SAVE = f"<div><form method=post action={{}}>{TITLE}<button>Save</button></form></div>"


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (f"<h1>Roses in winter</h1>{SAVE.format('/articles/12')}", "save_article"),
        (f"<h1>Roses in winter</h1><h2>Edit article</h2>{SAVE.format('/articles/12/edit')}", "edit_article"),
        (f"<h1>Change article</h1><h2>Roses in winter</h2>{SAVE.format('/articles/12/edit')}", "change_article"),
        (f"<h1>Roses in winter</h1>{SAVE.format('/articles')}", "save_roses_in_winter"),
        (f"<h1>Roses in winter</h1><section><h3>Opening hours</h3>{SAVE.format('/articles/12')}</section>", "save_opening_hours"),
    ],
)  # fmt: skip
async def test_a_form_of_a_record_is_not_called_after_its_title(
    agent: Agent, html: str, name: str
) -> None:
    assert next(iter(await look(agent, f"<main>{html}</main>"))) == name


MAIL = "<form method=post><label>Your mail <input type=email name=from></label><label>Subject <input name=s></label><label>Message <textarea name=m></textarea></label><button>Send</button></form>"


@pytest.mark.parametrize(
    ("heading", "name"),
    [("New ticket", "create_ticket"), ("Neues Ticket", "create_ticket"),
     ("New message", "send_message"), ("Contact us", "send_message")],
)  # fmt: skip
async def test_what_makes_something_new_is_no_message(
    agent: Agent, heading: str, name: str
) -> None:
    assert list(await look(agent, f"<main><h1>{heading}</h1>{MAIL}</main>")) == [name]


async def test_a_heading_heads_what_follows_it(agent: Agent) -> None:
    late = f"<main><h1>Racks</h1><form method=post>{TITLE}<button>Save</button><nav><h2>Pages</h2><a href=/more>More</a></nav></form></main>"
    assert "save_racks" in await look(agent, late)
    beside = f"<main><h1>Roses in winter</h1><p>Text</main><aside><form method=post action=/tags>{TITLE}<button>Add</button></form></aside>"
    assert not [name for name in await look(agent, beside) if "winter" in name]


@pytest.mark.parametrize(
    "tool", ["<button type=button title=Collapse>_</button>", "<a class=btn href=/help>Help</a>"]
)
async def test_tools_in_the_head_of_a_box_leave_its_heading_to_the_form(
    agent: Agent, tool: str
) -> None:
    box = f"<div class=box><div class=box-header><h3>Billing address</h3><div class=tools>{tool}</div></div><div class=box-body><form method=post>{TITLE}<button>Save</button></form></div></div>"
    assert "save_billing_address" in await look(agent, f"<main><h1>Account</h1>{box}</main>")


DOT = "style='display:inline-block;width:9px;height:9px;cursor:pointer'"


async def test_an_unknown_word_is_a_noun_if_classes_and_addresses_say_it(agent: Agent) -> None:
    rows = "".join(
        f"<tr class=gizmo-row><td><a href=/gizmos/{n}>Blue {n}</a></td><td>Hall</td></tr>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Stuff</h1><table><tr><th>Name</th><th>Place</th></tr>{rows}</table></main>")  # fmt: skip
    assert set(tools) == {"open_gizmo"}


async def test_an_arrow_beside_the_head_of_a_column_sorts_by_it(agent: Agent) -> None:
    heads = "".join(
        f"<th>{head} <a href='?sort={head}'><i class='fa fa-sort' {DOT}></i></a></th>"
        for head in ("Name", "Age")
    )
    tools = await look(agent, f"<main><h1>Racks</h1><table><thead><tr>{heads}</tr></thead>{ROWS}</table></main>")  # fmt: skip
    assert properties(tools["sort_racks"])["column"]["enum"] == ["Name", "Age"]


async def test_heads_of_rows_sort_nothing(agent: Agent) -> None:
    rows = "".join(
        f"<tr><th scope=row><a href=/r/{n}>Rack {n}</a></th><td>{n} years</td></tr>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Racks</h1><table><tr><th>Name</th><th>Age</th></tr>{rows}</table></main>")  # fmt: skip
    assert set(tools) == {"open_rack"}


LINKS = "".join(f"<li><a href='?x={n}'>{n}</a>" for n in ("Alpha", "Beta", "Gamma"))


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        (f"<div><h3>Sortieren nach</h3><ul>{LINKS}</ul></div>", "order"),
        (f"<details open><summary>Filtrar por lugar</summary><ul>{LINKS}</ul></details>", "filter"),
        (f"<div class=sort-links>{LINKS.replace('<li>', '').replace('href', 'data-toggle=tooltip href')}</div>", "order"),
    ],
)  # fmt: skip
async def test_a_choice_is_told_by_what_heads_it_in_any_language(
    agent: Agent, html: str, kind: str
) -> None:
    tools = await look(agent, f"<main><h1>Racks</h1>{html}</main>")
    found = [tool for tool in tools.values() if kind in tool.schema["properties"]]
    assert len(found) == 1
    assert found[0].schema["properties"][kind]["enum"] == ["Alpha", "Beta", "Gamma"]


async def test_what_the_mouse_is_a_hand_over_acts_on_its_entry(agent: Agent) -> None:
    entries = "".join(
        f"<li><a href=/racks/{n}>Rack {n}</a> in hall {n} <i class='fa fa-trash' {DOT}></i><div class=fa-pencil {DOT}></div></li>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Racks</h1><ul>{entries}</ul></main>")
    assert set(tools) == {"open_rack", "delete_rack", "edit_rack"}
    assert tools["delete_rack"].destroys


async def test_a_hand_in_a_link_or_a_button_is_a_part_of_it(agent: Agent) -> None:
    entries = "".join(
        f"<li><a href=/racks/{n}>Rack {n}</a> in hall {n} <a href=/racks/{n}/edit><span class=nowrap {DOT}><b {DOT}>Edit</b></span></a> <button type=button><span class=in {DOT}>Delete</span></button></li>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Racks</h1><ul>{entries}</ul></main>")
    assert set(tools) == {"open_rack", "delete_rack", "edit_rack"}


BELOW = "<script>document.querySelectorAll('.here').forEach((a) => { a.setAttribute('href', `${location.pathname}/${a.getAttribute('href')}`); })</script>"


async def test_things_that_are_addressed_by_names_below_their_list_are_entries(
    agent: Agent,
) -> None:
    entries = "".join(
        f"<li><a class=here href={name}>{name.title()}</a><p>All that grows in the {name}</p></li>"
        for name in ("orchard", "kettle", "meadow")
    )
    tools = await look(agent, f"<main><h1>Projects</h1><ul>{entries}</ul></main>{BELOW}")
    assert "open_project" in tools
