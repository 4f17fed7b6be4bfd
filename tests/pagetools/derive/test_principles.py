"""The principles of docs/page-tools.md, each on pages that were written for it."""

from __future__ import annotations

import pytest

from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.publishing import published
from tests.agent import Agent
from tests.pagetools.published_tools import look, properties, reports, tools_now

LOGIN = "<form method=post><input name=user placeholder=User><input name=pw type=password><button>Log in</button></form>"


@pytest.mark.parametrize(
    "html",
    [
        f"<table><tr><td>{LOGIN}</td></tr></table>",
        f"<table><tr><td><a href=/>Home</a></td><td>{LOGIN}</td></tr></table>",
        f"<ul><li>{LOGIN}</li></ul>",
        f"<ul class=boxes><li><a href=/a>One thing</a></li><li><a href=/b>Two things</a></li><li>Welcome {LOGIN}</li></ul>",
        f"<table><tr><td><a href=/x>News of the day</a></td></tr><tr><td><a href=/y>More news</a></td></tr><tr><td>{LOGIN}</td></tr></table>",
    ],
)
async def test_a_form_that_does_not_repeat_is_the_page_s_wherever_it_stands(
    agent: Agent, html: str
) -> None:
    tool = (await look(agent, html))["log_in"]
    assert list(properties(tool)) == ["user", "password"]
    assert not tool.plan.items


async def test_buttons_that_stand_in_a_list_but_each_do_something_else_are_the_page_s(
    agent: Agent,
) -> None:
    html = "<ul class=tools><li><button>Save file</button></li><li><button>Print page</button></li><li><button>Share link</button></li></ul>"
    assert set(await look(agent, html)) == {"save_file", "print_page", "share_link"}


async def test_settings_in_the_rows_of_a_table_are_one_form_and_no_list(agent: Agent) -> None:
    rows = "".join(
        f"<tr><th>Option {name}</th><td><select name={name}><option>On<option>Off</select></td></tr>"
        for name in ("alpha", "beta", "gamma")
    )
    tools = await look(agent, f"<h1>Settings</h1><form method=post><table>{rows}</table><button>Save</button></form>")  # fmt: skip
    (tool,) = tools.values()
    assert tool.name == "save_settings"
    assert len(properties(tool)) == 3


async def test_fields_that_every_entry_has_are_set_by_number(agent: Agent) -> None:
    rows = "".join(
        f"<li><a href=/task/{n}>Task number {n}</a> <select aria-label=State><option>Open<option>Done</select></li>"
        for n in range(4)
    )
    tool = (await look(agent, f"<h2>Tasks</h2><ul>{rows}</ul>"))["set_task_state"]
    assert tool.schema["required"] == ["index", "state"]
    assert len(tool.plan.items) == 4


@pytest.mark.parametrize("count", [1, 2, 3, 9])
async def test_a_table_of_results_is_opened_however_many_rows_it_has(
    agent: Agent, count: int
) -> None:
    rows = "".join(f"<tr><td><a href=/t/{n}>Ticket {n}</a></td><td>open</td></tr>" for n in range(count))  # fmt: skip
    html = f"<h1>Tickets</h1><table><thead><tr><th>Title</th><th>State</th></tr></thead><tbody>{rows}</tbody></table>"
    tool = (await look(agent, html))["open_ticket"]
    assert len(tool.plan.items) == count


async def test_a_link_that_changes_an_entry_does_not_open_it(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td>Bill {n}</td><td><a href=/edit/{n}>edit</a> <a href=/delete/{n}>delete</a></td></tr>"
        for n in range(3)
    )
    html = f"<h1>Bills</h1><table><thead><tr><th>What</th><th>Actions</th></tr></thead><tbody>{rows}</tbody></table>"
    assert set(await look(agent, html)) == {"edit_bill", "delete_bill"}


@pytest.mark.parametrize("count", [1, 2])
async def test_a_button_in_the_rows_of_a_small_table_is_the_row_s(agent: Agent, count: int) -> None:
    row = "<tr><td>Ann</td><td>Bob</td><td><form method=post action=/settle><input type=hidden name=x><button>Settle debt</button></form></td></tr>"
    html = f"<h1>Debts</h1><table><thead><tr><th>Who</th><th>Whom</th><th></th></tr></thead><tbody>{row * count}</tbody></table>"
    (tool,) = (await look(agent, html)).values()
    assert len(tool.plan.items) == count


async def test_headings_with_links_and_text_below_are_a_list(agent: Agent) -> None:
    parts = "".join(f"<h5>{n}) <a href=/r/{n}>Result {n}</a></h5><p>Words of it</p>" for n in range(1, 5))  # fmt: skip
    tools = await look(agent, f"<main><h1>Search results</h1>{parts}</main>")
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    assert len(opening.plan.items) == 4


async def test_a_long_sidebar_is_not_the_main_list(agent: Agent) -> None:
    side = "".join(f"<li><a href=/cat/{n}>A rather long name of category number {n}</a> with words beside it</li>" for n in range(30))  # fmt: skip
    rows = "".join(f"<tr><td><a href=/p/{n}>Post {n}</a></td></tr>" for n in range(3))
    tools = await look(
        agent,
        f"<div class=sidebar><h3>Categories</h3><ul>{side}</ul></div><h1>Posts</h1><table><tr><th>Title</th><th>x</th></tr>{rows}</table>",
    )
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    assert len(opening.plan.items) == 3


async def test_groups_of_links_are_navigation_and_no_list(agent: Agent) -> None:
    groups = "".join(
        f"<li>Part {part}<ul>{''.join(f'<li><a href=/{part}/{n}>Chapter {n} of it</a></li>' for n in range(4))}</ul></li>"
        for part in range(4)
    )
    tools = await look(agent, f"<div><ul>{groups}</ul></div><main><p>Words</p></main>")
    assert not [tool for tool in tools.values() if tool.kind == "list"]


async def test_there_is_always_a_way_to_press_and_to_open(agent: Agent) -> None:
    await look(agent, f"<nav><a href=/a>Reports</a><a href=/b>Teams</a></nav>{LOGIN}")
    shown = {tool.name: tool for tool in published(derive_tools(await reports(agent)))}
    assert set(shown) == {"click_element", "log_in", "open_link"}
    assert properties(shown["open_link"])["text"]["examples"] == ["Reports", "Teams"]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<h1>Users</h1><form method=post action=/users/add><label>Name <input name=n></label><label>Password <input type=password name=p></label><label>Repeat password <input type=password name=p2></label><button>Add user</button></form>", "add_user"),
        ("<h1>Edit page</h1><form method=post><label>Title <input name=t></label><label>Text <textarea name=x></textarea></label><button>Save</button></form>", "edit_page"),
        ("<h2>Neues Ticket</h2><form method=post><label>Titel <input name=t></label><label>Text <textarea name=x></textarea></label><button>Anlegen</button></form>", "create_ticket"),
        ("<h1>Register</h1><form method=post><label>Mail <input type=email name=m></label><label>Password <input type=password name=p></label><label>Confirm password <input type=password name=q></label><button>Submit</button></form>", "sign_up"),
        ("<form method=post><h3>Contact us</h3><label>Your mail <input type=email name=m></label><label>Message <textarea name=x></textarea></label><button>Send</button></form>", "send_message"),
        ("<h1>Insérer: livre</h1><form method=post><label>Titre <input name=t></label><label>Prix <input name=p></label><button>Enregistrer</button></form>", "insert_livre"),
        ("<form method=post id=add-guest-form><input name=g placeholder=Guest><input name=h placeholder=House><button>Add</button></form>", "add_guest"),
        ("<h1>Seiten</h1><form method=post><label>Titel <input name=t></label><label>Text <textarea name=x></textarea></label><button>Neue Seite erstellen</button></form>", "create_neue_seite"),
        ("<h1>Optionen</h1><form method=post><label>Titel <input name=t></label><label>Ort <input name=o></label><button>Änderungen speichern</button></form>", "save_anderungen"),
        ("<h1>利用者を追加</h1><form method=post action=/users/new id=w-editor><label>Name <input name=n></label><label>City <input name=c></label><button>保存</button></form>", "save_user"),
        ("<form method=post action=/x><button>Halt all of the machines in the hall</button></form>", "halt_all_of_the"),
        ("<h1>Preferences</h1><form method=post><label>Signature <textarea name=s></textarea></label><label>Name <input name=n></label><button>Enregistrer</button></form>", "save_preferences"),
    ],
)  # fmt: skip
async def test_the_button_and_the_heading_name_a_form(agent: Agent, html: str, name: str) -> None:
    assert next(iter(await look(agent, html))) == name


async def test_a_second_button_is_a_variant_and_one_that_destroys_is_marked(agent: Agent) -> None:
    html = """<h1>Edit page</h1><form method=post><label>Title <input name=t required value=Old></label>
      <label>Body <textarea name=b required>Some words that are there already, and that go on for quite a while</textarea></label>
      <button>Save</button><button name=go value=1>Save and continue</button><button name=rm>Delete</button></form>"""
    tools = await look(agent, html)
    assert set(tools) == {"edit_page", "delete_edit_page"}
    editing = tools["edit_page"]
    found = properties(editing)
    assert found["button"]["enum"] == ["Save", "Save and continue"]
    assert "required" not in editing.schema
    assert found["title"]["default"] == "Old"
    assert str(found["body"]["default"]).startswith("Some words that are there")
    assert not editing.destroys
    assert tools["delete_edit_page"].destroys


@pytest.mark.parametrize(
    ("html", "destroys"),
    [
        ("<h1>Delete ticket 5?</h1><form method=post action=/t/5><button>Yes, I'm sure</button></form>", True),
        ("<h1>Tickets</h1><form method=post action=/t/5/delete><button>OK</button></form>", True),
        ("<form method=post action=/t><label>Words <input name=w></label><button>Clear filter</button></form>", False),
    ],
)  # fmt: skip
async def test_what_destroys_says_so(agent: Agent, html: str, destroys: bool) -> None:
    (tool,) = [tool for tool in (await look(agent, html)).values() if tool.plan.form]
    assert tool.destroys is destroys


@pytest.mark.parametrize(
    "trap",
    [
        "<div style='position:absolute;left:-300px'><input name=website></div>",
        "<div style='height:0;overflow:hidden'><label>Web <input name=website></label></div>",
        "<input name=website style='opacity:0'>",
        "<div style='opacity:0;position:absolute'><label>Phone <input name=phone2></label></div>",
        "<input name=website style='position:absolute;clip:rect(0,0,0,0)'>",
        "<div style='clip-path:inset(50%)'><input name=website></div>",
        "<div aria-hidden=true><input name=website tabindex=-1></div>",
        "<label>Bitte nicht ausfüllen <input name=x></label>",
        "<label>Laissez ce champ vide <input name=x></label>",
        "<input name=_gotcha>",
        "<input name=b_0123456789abcdef0123_89abcdef01>",
        "<div class=form-honeypot><input name=company2></div>",
    ],
)
async def test_fields_that_catch_programs_are_no_parameters(agent: Agent, trap: str) -> None:
    html = f"<form method=post><label>Mail <input type=email name=m></label>{trap}<button>Sign up for news</button></form>"
    (tool,) = (await look(agent, html)).values()
    assert list(properties(tool)) == ["email"]


PAGER = "<div class=pages>{}</div>"


@pytest.mark.parametrize(
    ("html", "on", "back", "numbers"),
    [
        ("<a href=?page=1>1</a> <b>2</b> <a href=?page=3>3</a> <a href=?page=3>»</a> <a href=?page=1>«</a>", "?page=3", "?page=1", ["1", "3"]),
        ("<a href=?start=0>Zurück</a> <a href=?start=40>Weiter</a>", "?start=40", "?start=0", []),
        ("<a href=?p=4 rel=next>Older</a> <a href=?p=2 rel=prev>Newer</a>", "?p=4", "?p=2", []),
        ("<a href=?page=1>1</a> <span>2</span> <a href=?page=3>3</a> <a href=?page=3><i class='fa fa-chevron-right' style='padding:5px'></i></a>", "?page=3", None, ["1", "3"]),
        ("<a href=?page=2>2</a> <a href=?page=3>3</a> <a href=?page=2>次へ</a>", "?page=2", None, ["2", "3"]),
        ("<a href=?per_page=10>10</a> <a href=?per_page=50>50</a> <a href=?per_page=100>100</a>", None, None, []),
        ("<a href=?page=2>Page suivante</a>", "?page=2", None, []),
        ("<a href=?page=2>Seite weiter</a> <a href=/all?limit=all class=next>Alle</a>", "?page=2", None, []),
        ("<a href=/previews>Previews</a> <a href=#more>Next steps</a>", None, None, []),
        ("<a href=/concerts?page=1>More concerts</a>", "/concerts?page=1", None, []),
        ("<b>2</b> <a href=/story-p1>1</a> <a href=/story-p3>3</a> <a href=/story-p3>continued</a>", "/story-p3", None, ["1", "3"]),
        ("<a href=/concerts>More concerts</a> <a href=/concerts?page=7>More of them</a>", None, None, []),
    ],
)  # fmt: skip
async def test_pagers_agree_with_themselves(
    agent: Agent, html: str, on: str | None, back: str | None, numbers: list[str]
) -> None:
    await agent("navigate_page", url=agent.site.page(f"<p>Words</p>{PAGER.format(html)}"))
    (report,) = await reports(agent)
    hrefs = {node.ref: node.get("href") for node in report.nodes}
    tools = {tool.name: tool for tool in derive_tools([report]) if tool.kind == "pager"}
    pressed = {name: hrefs.get(tool.plan.submit or 0) for name, tool in tools.items()}
    assert pressed.get("next_page") == on
    assert pressed.get("previous_page") == back
    pages = tools.get("go_to_page")
    assert ([option.label for option in pages.plan.controls[0].options] if pages else []) == numbers


async def test_a_form_in_a_closed_box_is_a_tool_that_opens_it_first(agent: Agent) -> None:
    html = f"<details><summary>Sign in</summary>{LOGIN}</details><p>Words</p>"
    await look(agent, html)
    (tool,) = [tool for tool in derive_tools(await reports(agent)) if tool.name == "log_in"]
    assert len(tool.plan.openers) == 1


async def test_menus_of_entries_are_actions_of_the_entry(agent: Agent) -> None:
    rows = "".join(
        f"<li><a href=/file/{n}>File number {n}</a> <button aria-haspopup=menu aria-controls=m{n}>⋮</button>"
        f"<div id=m{n} role=menu hidden><button role=menuitem>Rename</button><button role=menuitem>Delete</button></div></li>"
        for n in range(3)
    )
    tools = await look(agent, f"<h1>Files</h1><ul>{rows}</ul>")
    assert set(tools) == {"open_file", "rename_file", "delete_file"}
    assert all(len(item.openers) == 1 for item in tools["delete_file"].plan.items)


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<button>🗑</button>", "delete"),
        ("<div><button>−</button><input type=number aria-label=Guests value=1><button>+</button></div>", "decrease_guests"),
        ("<button title='Download report'></button>", "download_report"),
    ],
)  # fmt: skip
async def test_controls_without_words_are_named_by_what_they_show(
    agent: Agent, html: str, name: str
) -> None:
    assert name in await look(agent, html)


async def test_names_are_the_same_on_another_path_and_after_changes(agent: Agent) -> None:
    page = f"<h1>Posts</h1>{LOGIN}<form action=/s><input name=q placeholder='Search posts'><button>Go</button></form>"
    await look(agent, "<form action=/s><input name=q placeholder='Search posts'><input name=x><button>Go</button></form>")  # fmt: skip
    other = set(await look(agent, page))
    await agent("evaluate_script", function="() => document.body.prepend(document.createElement('p'))")  # fmt: skip
    assert set(await tools_now(agent)) == other == {"log_in", "search_posts"}


async def test_labels_beside_each_other_are_fields_and_no_list(agent: Agent) -> None:
    boxes = "".join(f"<label><input type=checkbox>{word}</label><br>" for word in ("ham", "egg", "jam"))  # fmt: skip
    (tool,) = (await look(agent, f"<div><div>{boxes}</div><button>Bake pizza</button></div>")).values()  # fmt: skip
    assert set(properties(tool)) == {"ham", "egg", "jam"}


async def test_fields_in_rows_are_named_by_their_row_and_column(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td><select name=f{name}><option>A<option>B</select></td><td><input name=v{name}></td></tr>"
        for name in ("title", "year")
    )
    head = "<thead><tr><th>Column</th><th>Function</th><th>Value</th></tr></thead>"
    html = f"<h1>Insert row</h1><form method=post><table>{head}<tbody>{rows}</tbody></table><button>Go</button></form>"
    found = [tool for tool in (await look(agent, html)).values() if tool.plan.form]
    assert {"title_value", "year_value"} <= set(properties(found[0]))


async def test_of_fields_with_one_label_the_one_to_type_in_is_called_so(agent: Agent) -> None:
    rows = "".join(
        f"<tr><th>{name}</th><td><select name=how[{name}]><option><option>NULL</select></td><td><input name=what[{name}]></td></tr>"
        for name in ("city", "street")
    )
    html = (
        f"<h1>New address</h1><form method=post><table>{rows}</table><button>Save</button></form>"
    )
    (tool,) = (await look(agent, html)).values()
    found = properties(tool)
    assert list(found) == ["how_city", "city", "how_street", "street"]
    assert "enum" not in found["city"]


async def test_a_button_that_asks_for_confirmation_in_its_place_is_the_same_action(
    agent: Agent,
) -> None:
    rows = "".join(
        f"<tr><td>Bill {n}</td><td><a href=/edit/{n}>edit</a></td><td><button onclick=\"this.textContent='Are you sure?'\">delete</button></td></tr>"
        for n in range(4)
    )
    head = "<thead><tr><th>What</th><th></th><th></th></tr></thead>"
    await look(agent, f"<h1>Bills</h1><table>{head}<tbody>{rows}</tbody></table>")
    await agent("evaluate_script", function="() => document.querySelector('button').click()")
    tools = await tools_now(agent)
    assert set(tools) == {"edit_bill", "delete_bill"}
    assert all(item.usable for item in tools["delete_bill"].plan.items)


async def test_an_entry_is_told_by_its_own_words_and_not_by_those_of_its_controls(
    agent: Agent,
) -> None:
    rows = "".join(
        f"<tr><td><label><input type=checkbox>Select {name}</label></td><td><a href=/users/{name}>{name}</a></td>"
        f"<td><a href=/users/{name}/edit>Edit</a> <a href=/users/{name}/delete>Delete</a></td></tr>"
        for name in ("ann", "bob", "cas")
    )
    head = "<thead><tr><th></th><th>Name</th><th></th></tr></thead>"
    tools = await look(agent, f"<h1>Users</h1><table class=listing>{head}<tbody>{rows}</tbody></table>")  # fmt: skip
    assert [item.text for item in tools["open_user"].plan.items] == ["ann", "bob", "cas"]


async def test_the_noun_that_classes_say_most_often_is_the_entry_s(agent: Agent) -> None:
    rows = "".join(
        f"<li class='post-{n} type-post status-live category-garden'><h3><a href=/{n}>On apples, part {n}</a></h3></li>"
        for n in range(4)
    )
    assert "open_post" in await look(agent, f"<ul>{rows}</ul>")


async def test_a_sheet_of_properties_is_no_list(agent: Agent) -> None:
    rows = "".join(
        f"<tr><th>{name}</th><td><a href=/p/{name}>Value of {name}</a></td></tr>"
        for name in ("Owner", "Priority", "Queue", "Version")
    )
    assert not [tool for tool in (await look(agent, f"<h1>Ticket 4</h1><table>{rows}</table>")).values() if tool.kind == "list"]  # fmt: skip


@pytest.mark.parametrize(
    "html",
    [
        "<ul class=w-crumbs><li class=user><a href=/users>Users of this site</a> <button>Show more</button></li></ul>",
        "<div class='flex items-center'><div><a href=/users>Users of this site</a> <h2>Users</h2></div></div>",
        "<ol class=my-breadcrumbs><li><a href=/a>The whole library</a> here</li><li><a href=/b>A shelf of it, long</a> there</li><li><a href=/c>A book of the shelf</a> now</li></ol>",
    ],
)
async def test_one_item_and_a_trail_of_links_are_no_lists(agent: Agent, html: str) -> None:
    found = (await look(agent, f"<main>{html}<p>Words</p></main>")).values()
    assert not [tool for tool in found if tool.plan.items]


async def test_a_button_that_is_a_heading_opens_its_entry(agent: Agent) -> None:
    parts = "".join(
        f"<div class=card><h4><button>Question number {n}</button></h4><div hidden>Words</div><a href=/vote/{n}>0 votes</a></div>"
        for n in range(3)
    )
    tools = await look(agent, f"<main><h1>Questions</h1><div>{parts}</div></main>")
    (opening,) = [tool for tool in tools.values() if tool.kind == "list"]
    said = [item.text for item in opening.plan.items]
    assert said == [f"Question number {n} 0 votes" for n in range(3)]


@pytest.mark.parametrize(
    ("field", "key"),
    [
        ("<input name=site placeholder='https://example.org/'>", "site"),
        ("<input name=reader placeholder='ann@example.org'>", "reader"),
        ("<label>Words <input type=search name=w></label>", "query"),
    ],
)
async def test_an_example_is_no_label_and_a_search_field_is_the_query(
    agent: Agent, field: str, key: str
) -> None:
    html = f"<form method=post>{field}<label>Limit <select name=l><option>1<option>2</select></label><label>Note <input name=o></label><button>Keep</button></form>"
    (tool,) = [each for each in (await look(agent, html)).values() if each.plan.form]
    assert next(iter(properties(tool))) == key


async def test_what_heads_the_content_is_published_and_what_surrounds_it_is_not(
    agent: Agent,
) -> None:
    html = """<header><form method=post action=/mute><button>Mute everything</button></form></header>
      <aside><a href=/import>Import lists</a></aside>
      <main><header><nav><a class=button href=/users/new/>ユーザを追加</a></nav></header><p>Words</p></main>"""
    assert set(await look(agent, html)) == {"add_user"}


async def test_a_folded_form_of_the_content_is_published_and_one_of_the_site_is_not(
    agent: Agent,
) -> None:
    fold = "<details><summary>{0}</summary><form method=post action=/{0}><label>Word <input name=w></label><label>Day <input name=d></label><button>{0} rows</button></form></details>"
    html = f"<header>{fold.format('Mark')}</header><main><h1>Rows</h1>{fold.format('Rename')}</main>"  # fmt: skip
    tools = await look(agent, html)
    assert [tool.name for tool in tools.values() if tool.plan.form] == ["rename_rows"]


async def test_a_count_is_no_action(agent: Agent) -> None:
    rows = "".join(f"<li><a href=/p/{n}>Post number {n}</a> <a href=/p/{n}/c>{n} comment</a></li>" for n in range(1, 4))  # fmt: skip
    assert set(await look(agent, f"<h1>Posts</h1><ul>{rows}</ul>")) == {"open_post"}


async def test_a_form_around_a_list_leaves_the_ticks_of_entries_to_it(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><input type=checkbox name=row{n} aria-label=Select></td><td><a href=/pages/{n}>Page number {n}</a></td></tr>"
        for n in range(4)
    )
    head = "<thead><tr><th></th><th>Title</th></tr></thead>"
    html = f"<h1>Pages</h1><form method=post><label>Action <select name=do><option>Hide<option>Print</select></label><button>Run</button><table>{head}<tbody>{rows}</tbody></table></form>"
    tools = await look(agent, html)
    (form,) = [tool for tool in tools.values() if tool.plan.form]
    assert list(properties(form)) == ["action"]
    assert len(tools["select_page"].plan.items) == 4
