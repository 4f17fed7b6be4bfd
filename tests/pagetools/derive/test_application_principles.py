"""The principles of docs/page-tools.md from the sixteenth on, each on pages written for it."""

from __future__ import annotations

import pytest

from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.language.page_arithmetic import leads_to_neighbour
from tests.agent import Agent
from tests.pagetools.published_tools import look, properties, reports

FILE = "<tr><td>{0}</td><td><a href=/f/{1}>{1}</a></td><td><a href=/b/{1}>raw</a> <a href=/h/{1}>history</a></td></tr>"
LEADING = "<tr><td><a href=/f/{1}>{1}</a></td><td>{0}</td></tr>"
PROPERTY = "<tr><td>{0}</td><td><a href=/f/{1}>{1}</a></td></tr>"


@pytest.mark.parametrize("row", [FILE, LEADING])
async def test_two_rows_without_heads_that_are_built_alike_are_a_list(
    agent: Agent, row: str
) -> None:
    rows = row.format("12 KB", "main.c") + row.format("3 KB", "notes.txt")
    tool = (await look(agent, f"<h1>Files</h1><table>{rows}</table>"))["open_file"]
    assert len(tool.plan.items) == 2


@pytest.mark.parametrize(
    "rows",
    [
        PROPERTY.format("Owner", "ann") + PROPERTY.format("Queue", "network"),
        "<tr><td><a href=/>Home</a></td></tr><tr><td><a href=/n>News</a></td></tr>",
        FILE.format("12 KB", "main.c"),
    ],
)
async def test_two_properties_two_links_and_one_row_are_none(agent: Agent, rows: str) -> None:
    tools = await look(agent, f"<h1>Ticket 4</h1><table>{rows}</table>")
    assert not [tool for tool in tools.values() if tool.plan.items]


@pytest.mark.parametrize(
    ("button", "action"),
    [
        ("<input type=image src=/img/plus.png>", "/users"),
        ("<button><img src=/img/add.svg></button>", "/users"),
        ("<button><i class='fa fa-plus'></i></button>", "/users"),
        ("<input type=image src=/img/x7.png>", "/users/add"),
    ],
)
async def test_a_button_without_words_says_what_its_picture_or_address_says(
    agent: Agent, button: str, action: str
) -> None:
    html = f"<h1>Users</h1><form method=post action={action}><label>Login <input name=l></label><label>City <input name=c></label>{button}</form>"
    assert next(iter(await look(agent, html))) == "add_user"


HEADS = "<thead><tr><th>Title</th><th>State</th></tr></thead>"


@pytest.mark.parametrize(
    ("html", "name", "says"),
    [
        (f"<h1>Tickets</h1><table>{HEADS}<tbody></tbody></table>", "open_ticket", "The list is empty"),
        (f"<h1>Tickets</h1><table>{HEADS}<tr><td colspan=2>Keine Einträge</td></tr></table>", "open_ticket", "Keine Einträge"),
        ("<main><h1>Search results</h1><div class=results><p>該当するものはありません</p></div></main>", "open_result", "該当するものはありません"),
        ("<main><h1>Orders</h1><div class=empty-state><p>You have no orders yet.</p><a href=/shop>Shop</a></div></main>", "open_order", "You have no orders yet. Shop"),
        (f"<h1>Tickets</h1><table>{HEADS}<tr><td>Ann</td><td>open</td></tr></table>", "", ""),
        ("<main><h1>Orders</h1><p>There is no better shop than this, as everybody knows who was here once</p></main>", "", ""),
    ],
)  # fmt: skip
async def test_a_list_without_entries_says_so(
    agent: Agent, html: str, name: str, says: str
) -> None:
    await look(agent, html)
    found = [tool for tool in derive_tools(await reports(agent)) if tool.kind == "list"]
    assert [tool.name for tool in found] == ([name] if name else [])
    if name:
        assert found[0].description.endswith(says)
        listed = await agent("list_page_tools")
        assert f"Entries of {name}: none" in listed
        assert (await agent.fails("call_page_tool", name=name, arguments={"index": 1}))[
            0
        ] == "no_such_item"


async def test_two_boxes_with_which_the_same_can_be_done_are_a_list(agent: Agent) -> None:
    notes = "".join(
        f"<div class=note><h4><a href=#n{n}>#{n}</a> by Ann</h4><a href=/n/{n}/edit>Edit</a> <a href=/n/{n}/reply>Reply</a><ul><li>Text {n}</li></ul></div>"
        for n in (1, 2)
    )
    tools = await look(agent, f"<h1>Ticket 4</h1><h3>Related tickets</h3><a href=/r>All of them</a><div id=history><h3>Notes</h3>{notes}</div>")  # fmt: skip
    assert {"edit_note", "reply_note"} <= set(tools)
    assert len(tools["edit_note"].plan.items) == 2


async def test_boxes_that_each_lead_elsewhere_are_no_list(agent: Agent) -> None:
    facts = "".join(
        f"<div class=col>{label} <a href={href} class=link>{text}</a></div>"
        for label, href, text in (
            ("Owner", "?take", "Take this ticket yourself"),
            ("From", "/mail/ann@example.org", "All that was sent by them"),
            ("Depends on", "/tickets/4/dependencies/new", "Make it depend on another one"),
            ("Files", "", "Show what is attached to this"),
        )
    )
    tools = await look(agent, f"<main><h1>Ticket 4</h1><div class=row>{facts}</div></main>")
    assert not [tool for tool in tools.values() if tool.plan.items]


async def test_links_under_headings_beside_each_other_are_no_entries(agent: Agent) -> None:
    groups = "".join(
        f"<h3>Group {name}</h3><ul class='list {name}'>{''.join(f'<li><a href=/{name}/{n}>Thing {n} of {name}</a></li>' for n in range(4))}</ul>"
        for name in ("alpha", "beta", "gamma")
    )
    tools = await look(agent, f"<div class=right>{groups}</div><main><p>Words</p></main>")
    assert not [tool for tool in tools.values() if tool.kind == "list"]


async def test_headings_with_links_are_the_entries_and_not_what_follows_each(agent: Agent) -> None:
    posts = "".join(
        f"<h2><a href=/post/{n}>On apples, part {n}</a></h2><h6 class=meta>By <a href=/by/ann>Ann</a></h6><div class=detail><a href=/post/{n}>read more</a> / <a href=/post/{n}#c>{n} comments</a></div>"
        for n in range(1, 5)
    )
    tools = await look(agent, f"<main><h1>Posts</h1>{posts}</main>")
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    assert [item.text for item in opening.plan.items] == [f"On apples, part {n}" for n in range(1, 5)]  # fmt: skip


@pytest.mark.parametrize(
    "bar",
    [
        "<div class=contextual><a href=/3/edit>Edit</a> <a href=/3/watch>Watch</a> <a href=/3/copy>Copy</a> <a href=#>…</a></div>",
        "<div class=acts><ul><li class=on><a href=/p>Lire</a></li><li><a href=/p/edit>Modifier</a></li><li><a href=/p/log>Historique</a></li><li><a href=/p/watch>Suivre</a></li></ul></div>",
    ],
)
async def test_a_bar_of_links_that_act_is_no_list(agent: Agent, bar: str) -> None:
    tools = await look(agent, f"<main>{bar}<h1>A page</h1><p>Words</p></main>")
    assert not [tool for tool in tools.values() if tool.plan.items]
    assert any(name.startswith("edit") for name in tools)


async def test_a_button_among_links_is_none_of_them(agent: Agent) -> None:
    html = "<div class=left><a class='btn primary' href=/new>Compose</a><ul><li><a href=/in>Inbox</a></li><li><a href=/out>Sent</a></li><li><a href=/bin>Trash</a></li></ul></div>"
    assert "compose" in await look(agent, f"{html}<p>Words</p>")


async def test_a_heading_says_what_it_heads_and_what_it_lets_do_acts_on_that_part(
    agent: Agent,
) -> None:
    parts = "".join(
        f"<h2>{name} <span class=e>[<a href=/edit?part={name}>modifier</a>]</span></h2><p>Words</p>"
        for name in ("Histoire", "Musique")
    )
    await look(agent, f"<main><h1>Pays <a href=/edit>Modifier</a></h1>{parts}</main>")
    found = {tool.name: tool.rank for tool in derive_tools(await reports(agent))}
    assert found["edit_histoire"] < 0
    assert found["edit_musique"] < 0
    assert [name for name, rank in found.items() if name.startswith("edit") and rank >= 0]


async def test_entries_of_a_heading_with_a_button_are_called_by_the_heading(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td><a href=/u/{name}/edit style='padding:9px'><i class='fa fa-pencil'></i></a> <button class=btn><i class='fa fa-trash'></i></button></td></tr>"
        for name in ("ana", "luis")
    )
    head = "<thead><tr><th>Nombre</th><th></th></tr></thead>"
    html = f"<main><h1>Usuarios <small><a class=btn href=/new>Añadir usuario</a></small></h1><table>{head}<tbody>{rows}</tbody></table></main>"
    assert {"edit_usuario", "delete_usuario"} <= set(await look(agent, html))


async def test_a_tick_in_a_row_is_the_row_s_and_none_of_a_form_without_a_button(
    agent: Agent,
) -> None:
    rows = "".join(
        f"<tr><td><input type=checkbox name=ids[] value={n}></td><td><a href=/i/{n}>Issue number {n}</a></td></tr>"
        for n in range(3)
    )
    head = "<thead><tr><th><input type=checkbox title='Check all'></th><th>Title</th></tr></thead>"
    tools = await look(agent, f"<h1>Issues</h1><form method=post><table>{head}<tbody>{rows}</tbody></table></form>")  # fmt: skip
    assert set(tools) == {"open_issue", "select_issue", "select_all_issues"}


async def test_a_form_of_choices_that_filters_is_a_filter_and_its_links_are_its_buttons(
    agent: Agent,
) -> None:
    html = """<h1>Issues</h1><form><fieldset><legend>Filters</legend>
      <label>Status <select name=s><option>open<option>all</select></label><label>Text <input name=t></label></fieldset>
      <a href=# onclick="x()">Apply</a> <a href=# onclick="y()">Clear</a></form>"""
    tool = (await look(agent, html))["filter_items"]
    assert list(properties(tool)) == ["status", "text"]
    assert tool.plan.submit


@pytest.mark.parametrize(
    ("here", "there", "neighbours"),
    [
        ("/issues/3", "/issues/4", True),
        ("https://x.example/app/issues/3", "/app/issues/12", True),
        ("/issues/3", "/issues/3?page=2", False),
        ("/archive/3", "/archive/4", False),
        ("/issues", "/issues/4", False),
        ("/blog/page/3", "/blog/page/4", False),
        ("/issues/3", "/users/4", False),
    ],
)
def test_the_next_thing_is_not_the_next_page(here: str, there: str, neighbours: bool) -> None:
    assert leads_to_neighbour(there, here) is neighbours


async def test_a_folded_form_is_called_by_what_opens_it_and_stands_for_it(agent: Agent) -> None:
    box = "<div class='modal fade' id=newChecklistModal style='display:none'><form method=post><label>Name <input name=n></label><label>Kind <select name=k><option>A<option>B</select></label><button>OK</button></form></div>"
    opener = "<a class=btn data-toggle=modal data-target=#newChecklistModal href=#>{}</a>"
    tools = await look(agent, f"<main><h1>Ticket 4</h1>{opener.format('+ Create')}{box}</main>")
    assert list(tools) == ["create_new_checklist"]
    assert list(properties(tools["create_new_checklist"])) == ["name", "kind"]
    tools = await look(agent, f"<main><h1>Journey</h1>{opener.format('Aggiungi spesa')}{box}</main>")  # fmt: skip
    assert list(tools) == ["add_spesa"]
    assert len(tools["add_spesa"].plan.openers) == 1


async def test_a_default_is_what_the_field_holds_to_the_letter(agent: Agent) -> None:
    html = "<form method=post><label>One <textarea name=a>Two  spaces</textarea></label><label>Two <input name=b value='one space'></label><button>Save</button></form>"
    (tool,) = (await look(agent, html)).values()
    found = properties(tool)
    assert "default" not in found["one"]
    assert found["one"]["description"] == "Holds: Two spaces"
    assert found["two"]["default"] == "one space"


async def test_a_key_that_is_shortened_still_says_what_its_label_says(agent: Agent) -> None:
    html = "<form method=post id=add-member><input name=name placeholder='Aggiungi partecipante'><button>Aggiungi</button></form>"
    tool = (await look(agent, html))["add_member"]
    assert properties(tool) == {"member": {"type": "string", "description": "Aggiungi partecipante"}}  # fmt: skip


async def test_a_bar_of_buttons_for_ticked_entries_is_no_tick_for_all(agent: Agent) -> None:
    html = "<h1>Pages</h1><form method=post><input type=checkbox class=check-all aria-label='Check all'><button name=b>Recheck pages</button><button name=c>Mute pages</button></form>"
    assert list(await look(agent, html)) == ["recheck_pages"]


async def test_a_page_of_one_thing_does_not_call_its_lists_after_it(agent: Agent) -> None:
    rows = "".join(f"<li>Note number {n} of it <button>Delete</button></li>" for n in range(3))
    tools = await look(agent, f"<title>Issue 12 - Tracker</title><p>Words</p><ul>{rows}</ul>")
    assert "delete_item" in tools


async def test_a_basket_on_a_card_takes_the_entry_in_any_language(agent: Agent) -> None:
    cards = "".join(
        f"<div class=card><h3><a href=/p/{n}>Schuh Nummer {n}</a></h3><button>In den Warenkorb</button></div>"
        for n in range(3)
    )
    tools = await look(agent, f"<main><h1>Schuhe</h1><div class=grid>{cards}</div></main>")
    assert len(tools["add_to_cart"].plan.items) == 3


async def test_two_rows_may_differ_in_what_can_be_done_with_them(agent: Agent) -> None:
    file = "<tr class=dark><td class=list><a href=/f/main.c>main.c</a></td><td class=link><a href=/b/m>blob</a> | <a href=/h/m>history</a> | <a href=/r/m>raw</a></td></tr>"
    folder = "<tr class=light><td class=list><a href=/t/src>src</a></td><td class=link><a href=/t/src>tree</a> | <a href=/h/src>history</a></td></tr>"
    tools = await look(agent, f"<h1>Files</h1><table>{file}{folder}</table>")
    assert len(tools["open_file"].plan.items) == 2


async def test_what_all_entries_say_alike_tells_none_of_them(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><a href=/c/{n}>Version {n}</a></td><td><a href=/d/{n}>diff</a> | <a href=/t/{n}>tree</a> | <a href=/s/{n}>parts</a></td><td>day {n}</td></tr>"
        for n in range(3)
    )
    head = "<thead><tr><th>What</th><th></th><th>When</th></tr></thead>"
    tools = await look(agent, f"<h1>Versions</h1><table>{head}<tbody>{rows}</tbody></table>")
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    assert [item.text for item in opening.plan.items] == [f"Version {n} day {n}" for n in range(3)]


async def test_the_same_link_again_is_the_same_tool(agent: Agent) -> None:
    bar = "<div><a href=/3/edit>Edit ticket</a></div>"
    html = f"<main>{bar}<h2>Ticket 3</h2><p>Words</p><h3>History</h3><p>Words</p>{bar}</main>"
    assert set(await look(agent, html)) == {"edit_ticket"}


async def test_a_form_of_several_parts_is_called_by_what_stands_above_them(agent: Agent) -> None:
    parts = "".join(
        f"<fieldset><legend>{name}</legend><label>{name} one <input name={name}1></label><label>{name} two <input name={name}2></label></fieldset>"
        for name in ("Informações", "Preferências")
    )
    html = f"<main><h2>Usuários » Novo usuário</h2><form method=post>{parts}<button>Criar</button></form></main>"
    assert list(await look(agent, html)) == ["create_usuario"]


async def test_names_that_say_the_same_twice_say_it_once(agent: Agent) -> None:
    html = "<button><img alt='Print table' src=p.png> Print table</button>"
    tools = await look(agent, html)
    assert tools["print_table"].description.endswith("] Print table")


async def test_buttons_in_forms_of_their_own_turn_pages_and_a_choice_of_pages_goes_to_one(
    agent: Agent,
) -> None:
    turn = "<form method=post action=/rows><input type=hidden name=pos value=25><input type=submit value='{0}' title='{1}'></form>"
    pages = "<form method=post action=/rows><select name=pos><option value=0>1<option value=25>2<option value=50>3</select></form>"
    html = f"<table><tr><td>{turn.format('&lt;', 'Wstecz')}</td><td>{pages}</td><td>{turn.format('&gt;', 'Następna')}</td></tr></table><p>Words</p>"
    tools = await look(agent, html)
    assert {"next_page", "previous_page", "go_to_page"} <= set(tools)
    assert list(properties(tools["go_to_page"])) == ["page"]


async def test_two_things_with_words_beside_them_are_a_list_in_the_content(agent: Agent) -> None:
    rows = "".join(f"<li><div><a class=project href=/projects/{n}>{n}</a><div class=about><p>All about {n}</p></div></div></li>" for n in ("orchard", "kettle"))  # fmt: skip
    tools = await look(agent, f"<div id=content><h2>Projects</h2><ul class=projects>{rows}</ul></div>")  # fmt: skip
    assert len(tools["open_project"].plan.items) == 2


async def test_the_classes_of_cells_do_not_name_the_rows(agent: Agent) -> None:
    rows = "".join(f"<tr class=user><td class=email><a href=/u/{n}>u{n}@example.org</a></td><td class=email>x</td></tr>" for n in range(3))  # fmt: skip
    head = "<thead><tr><th>Mail</th><th>Other</th></tr></thead>"
    assert "open_user" in await look(agent, f"<table>{head}<tbody>{rows}</tbody></table>")


async def test_navigation_is_told_by_its_id_whatever_stands_before(agent: Agent) -> None:
    tree = "".join(f"<li><a href=/db/{n}>Database number {n}</a> <button>Expand</button></li>" for n in range(9))  # fmt: skip
    rows = "".join(f"<tr><td><a href=/t/{n}>Table {n}</a></td><td>rows</td></tr>" for n in range(3))
    head = "<thead><tr><th>Name</th><th>Rows</th></tr></thead>"
    tools = await look(agent, f"<div id=xy_navigation><h3>Databases</h3><ul>{tree}</ul></div><div><h2>Tables</h2><table>{head}<tbody>{rows}</tbody></table></div>")  # fmt: skip
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    assert len(opening.plan.items) == 3


@pytest.mark.parametrize(
    ("style", "keys"),
    [
        ("opacity:0;transition:opacity 9s", ["title", "text"]),
        ("opacity:0;animation:come 9s both", ["title", "text"]),
        ("opacity:0;transition:color 9s", []),
        ("opacity:0", []),
    ],
)
async def test_what_fades_in_is_no_trap(agent: Agent, style: str, keys: list[str]) -> None:
    form = "<form method=post><label>Title <input name=t></label><label>Text <textarea name=x></textarea></label><label>State <select name=s><option>A<option>B</select></label><button>Reply to it</button></form>"
    html = f"<style>@keyframes come {{ from {{ opacity: 0 }} 90% {{ opacity: 0 }} to {{ opacity: 1 }} }}</style><div style='{style}'>{form}</div>"
    (tool,) = [each for each in (await look(agent, html)).values() if each.plan.form]
    assert list(properties(tool)) == [*keys, "state"]


@pytest.mark.parametrize("place", ["left:100%", "left:-300px", "transform:translateX(1300px)"])
async def test_what_stands_in_a_drawer_beside_the_screen_is_not_offered(
    agent: Agent, place: str
) -> None:
    drawer = f"<div style='position:fixed;top:0;width:300px;overflow:hidden;{place}'><div><button>Switch theme</button><label><input type=checkbox>Keep history</label></div></div>"
    assert set(await look(agent, f"{drawer}<main><button>Print page</button></main>")) == {"print_page"}  # fmt: skip


async def test_a_table_to_fill_in_is_not_sorted(agent: Agent) -> None:
    rows = "".join(f"<tr><td>{n}</td><td>INT</td><td><input name=v{n}></td></tr>" for n in "abc")
    head = "<thead><tr><th>Column</th><th><a href=?t=1>Type</a></th><th><a href=?f=1>Function</a></th></tr></thead>"
    html = f"<h1>Insert row</h1><form method=post><table>{head}<tbody>{rows}</tbody></table><button>Go</button></form>"
    assert not [tool for tool in (await look(agent, html)).values() if tool.kind == "sort"]


async def test_apply_filters_only_where_something_is_chosen_or_asked_for(agent: Agent) -> None:
    html = "<h2>Koszyk</h2><form method=post action=/rabat><input name=kod placeholder='Kod rabatowy'><button>Zastosuj</button></form>"
    assert list(await look(agent, html)) == ["apply_koszyk"]


@pytest.mark.parametrize("count", [1, 2, 4])
async def test_a_grid_that_is_drawn_of_boxes_is_a_table(agent: Agent, count: int) -> None:
    cell = "<span role=gridcell>{}</span>"
    rows = "".join(
        f"<div role=row>{cell.format(f'<a href=/f/{n}>File {n}</a>')}{cell.format('12 KB')}{cell.format('<button aria-label=Delete>x</button>')}</div>"
        for n in range(count)
    )
    head = "<div role=row><span role=columnheader><button>Name</button></span><span role=columnheader><button>Size</button></span><span role=columnheader></span></div>"
    tools = await look(agent, f"<main><h1>Files</h1><div role=grid>{head}{rows}</div></main>")
    assert set(tools) == {"open_file", "delete_file", "sort_files"}
    assert len(tools["open_file"].plan.items) == count


async def test_what_a_page_is_called_does_not_name_what_it_shows(agent: Agent) -> None:
    cards = "".join(
        f"<div class=col><div class=card><h5>{name}</h5><p>{len(name)}</p><a href=/r/{name}>View details</a></div></div>"
        for name in ("Revenue", "Orders", "Visitors")
    )
    tools = await look(agent, f"<title>Dashboard</title><main><div class=row>{cards}</div></main>")
    assert "open_item" in tools


async def test_two_messages_with_the_same_to_do_are_a_list(agent: Agent) -> None:
    said = "".join(
        f"<div class=msg><b>{who}</b><p>Hello from {who}</p><button aria-label=Reply>↩</button></div>"
        for who in ("Ann", "Bob")
    )
    tools = await look(agent, f"<main><h1>Channel</h1><div role=log>{said}</div></main>")
    assert len(tools["reply_message"].plan.items) == 2


async def test_a_calendar_is_no_list_of_weeks(agent: Agent) -> None:
    weeks = "".join(
        f"<tr>{''.join(f'<td><a href=/d/{day}>{day}</a></td>' for day in range(week, week + 7))}</tr>"
        for week in (1, 8, 15, 22)
    )
    head = f"<thead><tr>{''.join(f'<th>{day}</th>' for day in 'MTWTFSS')}</tr></thead>"
    tools = await look(agent, f"<main><h1>March</h1><table>{head}<tbody>{weeks}</tbody></table></main>")  # fmt: skip
    assert not [tool for tool in tools.values() if tool.kind == "list"]


async def test_filters_are_applied_in_any_language(agent: Agent) -> None:
    cards = "".join(f"<li class=product><h2><a href=/p/{n}>Scarpa {n}</a></h2><button>Aggiungi al carrello</button></li>" for n in range(3))  # fmt: skip
    html = f"<main><form method=post><label><input type=checkbox name=m value=a>Alfa</label><label>Da <input type=number name=da></label><button>Applica filtri</button></form><ul>{cards}</ul></main>"
    assert {"filter_products", "add_to_cart"} <= set(await look(agent, html))


async def test_the_same_bar_above_and_below_is_no_list(agent: Agent) -> None:
    bar = "<div class=bar><a href=/3/edit>Editar</a> <a href=/3/watch>Observar</a> <a href=/3/copy>Copiar</a></div>"
    tools = await look(agent, f"<div id=content>{bar}<h2>Ticket 3</h2><p>Words</p>{bar}</div>")
    assert not [tool for tool in tools.values() if tool.plan.items]
