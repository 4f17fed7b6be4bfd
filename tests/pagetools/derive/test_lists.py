"""Entries that repeat become tools that take an index."""

from __future__ import annotations

from tabmux.pagetools.collect.collector_scripts import collect
from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.publishing import signature
from tests.agent import Agent
from tests.pagetools.published_tools import Tools, look, page_of, properties, reports, tools_now

SHOP = """<main><h1>All products</h1><ol>{}</ol><a href="?page=2" rel=next>next</a></main>"""
PRODUCT = """<li class=product><a href=/p/{0}><img alt="Book {0}"></a><h3><a href=/p/{0}>Book {0}</a></h3><p>Price {0} EUR</p>
  <form method=post action=/basket/add/{0}/><input type=hidden name=csrf><button>Add to basket</button></form></li>"""
TODO = """<li><div class=view><input class=toggle type=checkbox><label>{}</label><button class=destroy></button></div></li>"""
TODOS = """<style>.destroy {{display: none}} li:hover .destroy {{display: block}}</style>
  <section class=todoapp><h1>todos</h1><ul class=todo-list>{}</ul>
  <ul class=filters><li><a href=#/>All</a><li><a href=#/a>Active</a><li><a href=#/c>Completed</a></ul></section>"""


async def test_a_list_is_opened_by_index_and_its_forms_are_one_tool(agent: Agent) -> None:
    tools = await look(agent, SHOP.format("".join(PRODUCT.format(n) for n in range(1, 7))))
    assert list(tools) == ["open_product", "add_to_basket", "next_page"]
    opening, adding = tools["open_product"], tools["add_to_basket"]
    assert opening.schema["required"] == ["index"]
    assert properties(opening)["index"]["minimum"] == 1
    assert opening.reads
    assert [item.key for item in opening.plan.items] == [f"/p/{n}" for n in range(1, 7)]
    assert opening.plan.items[0].text.startswith("Book 1")
    assert len(adding.plan.items) == 6
    assert not adding.reads
    assert not adding.destroys
    assert "maximum" not in properties(opening)["index"]


async def test_buttons_that_show_under_the_mouse_only_are_actions_of_their_entry(
    agent: Agent,
) -> None:
    tools = await look(
        agent, TODOS.format("".join(TODO.format(t) for t in ("milk", "dog", "report")))
    )
    assert list(tools) == ["delete_todo", "toggle_todo", "filter_todos"]
    assert tools["delete_todo"].destroys
    assert not tools["toggle_todo"].destroys
    assert tools["delete_todo"].plan.items[1].ref is not None
    assert properties(tools["filter_todos"])["filter"]["enum"] == ["All", "Active", "Completed"]


async def test_one_more_entry_changes_nothing_for_the_client(agent: Agent) -> None:
    await look(agent, TODOS.format("".join(TODO.format(t) for t in ("milk", "dog", "report"))))
    before = await tools_now(agent)
    await agent(
        "evaluate_script",
        function="() => document.querySelector('.todo-list').append(document.querySelector('.todo-list li').cloneNode(true))",
    )
    after = await tools_now(agent)
    assert len(after["toggle_todo"].plan.items) == 4
    assert signature(before.values()) == signature(after.values())


async def test_a_table_is_opened_and_sorted_and_its_rows_have_actions(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><a href=/issues/{n}>Issue {n}</a></td><td>open</td><td><button>Close issue</button><a href=/issues/{n}/edit>Edit</a></td></tr>"
        for n in range(4)
    )
    tools = await look(
        agent,
        f"""<h1>Issues</h1><table><thead><tr><th><a href=?s=title>Title ▼</a></th><th><a href=?s=state>State</a></th><th></th></tr></thead>
        <tbody>{rows}</tbody></table>""",
    )
    assert set(tools) == {"open_issue", "close_issue", "edit_issue", "sort_issues"}
    assert properties(tools["sort_issues"])["column"]["enum"] == ["Title", "State"]


async def test_cards_without_list_markup_are_a_list_too(agent: Agent) -> None:
    cards = "".join(
        f"<div class='col-md-{n}'><div class=card><h3><a href=#>Person {n}</a></h3><p>Works on things</p></div></div>"
        for n in range(5)
    )
    tools = await look(agent, f"<h2>Users</h2><div class=row>{cards}</div>")
    assert list(tools) == ["open_user"]
    assert len(tools["open_user"].plan.items) == 5


async def test_menus_and_boxes_of_the_page_itself_are_no_lists(agent: Agent) -> None:
    links = "".join(f"<li><a href=/{n}>Area {n}</a></li>" for n in range(6))
    tools = await look(
        agent,
        f"""<div id=header><h1>Site</h1><a href=/>Home</a></div><nav><ul>{links}</ul></nav>
        <div id=main><p>Text with a <a href=/x>link</a></p></div><footer><ul>{links}</ul></footer>""",
    )
    assert set(tools) == {"get_page_content", "click_element", "open_link", "fill_field"}


async def test_aria_rows_and_feeds_are_lists(agent: Agent) -> None:
    posts = "".join(
        f"<article><h2><a href=/post/{n}>Post {n}</a></h2><p>Words about it</p><button aria-label='Like'></button></article>"
        for n in range(3)
    )
    tools = await look(agent, f"<main><div role=feed aria-label=Posts>{posts}</div></main>")
    assert list(tools) == ["open_post", "like_post"]


async def test_an_entry_is_told_by_its_address_by_its_id_or_by_its_text(agent: Agent) -> None:
    rows = "".join(
        f"<li id=task{n}><span>Task {n} of the day</span><button>Delete</button></li>"
        for n in range(2)
    )
    more = "".join(
        f"<li><span>Note {n} of the day</span><button>Archive</button></li>" for n in range(3)
    )
    tools = await look(agent, f"<h2>Tasks</h2><ul>{rows}</ul><h2>Notes</h2><ul>{more}</ul>")
    assert [item.key for item in tools["delete_task"].plan.items] == ["#task0", "#task1"]
    assert len({item.key for item in tools["archive_note"].plan.items}) == 3
    assert page_of(agent).url


COMPONENT = """<script>customElements.define("todo-line", class extends HTMLElement {
  connectedCallback() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("button {display: none} :host(:hover) button {display: block}");
    const root = this.attachShadow({mode: "open"});
    root.adoptedStyleSheets = [sheet];
    root.innerHTML = `<li class=todo><input type=checkbox class=toggle><span>${this.title}</span>
      <button title="Delete todo">x</button></li>`;
  }
})</script><h1>todos</h1><ul class=todo-list>%s</ul>"""


async def test_what_shows_under_the_mouse_in_a_component_is_an_action_too(agent: Agent) -> None:
    lines = "".join(f"<todo-line title='{text}'></todo-line>" for text in ("milk", "dog", "report"))
    tools = await look(agent, COMPONENT % lines)
    assert list(tools) == ["delete_todo", "toggle_todo"]


async def test_rows_are_entries_although_every_other_has_another_class(agent: Agent) -> None:
    rows = "".join(
        f"<div class={'even' if n % 2 else 'odd'}><p>Ticket {n}</p><button>Close</button></div>"
        for n in range(3)
    )
    tools = await look(agent, f"<h2>Tickets</h2><div class=rows>{rows}</div>")
    assert list(tools) == ["close_ticket"]
    assert len(tools["close_ticket"].plan.items) == 3


async def test_forms_side_by_side_are_tools_of_their_own(agent: Agent) -> None:
    forms = "".join(
        f"<form class=box method=post action=/{verb}><label>{noun} <input name={noun}></label><button>{verb}</button></form>"
        for verb, noun in (("Add group", "group"), ("Rename user", "user"), ("Copy role", "role"))
    )
    tools = await look(agent, f"<main>{forms}</main>")
    assert set(tools) == {"add_group", "rename_user", "copy_role"}
    assert "index" not in properties(tools["add_group"])


async def test_a_class_more_on_every_element_changes_no_tool(agent: Agent) -> None:
    forms = "".join(
        f"<form method=post action=/{verb}><div><button>{verb} page</button></div></form>"
        for verb in ("Edit", "Attach", "Rename")
    )
    before = await look(agent, f"<div class=buttons>{forms}</div>")
    await agent(
        "evaluate_script",
        function="() => document.querySelectorAll('*').forEach((each) => each.classList.add('hydrated'))",
    )
    after = await tools_now(agent)
    assert list(before) == ["attach_page", "edit_page", "rename_page"]
    assert signature(before.values()) == signature(after.values())


async def test_a_cross_on_an_entry_deletes_it_and_is_no_part_of_what_it_says(agent: Agent) -> None:
    entries = "".join(f"<li id=:{n}>Note {n} <button>×</button></li>" for n in range(3))
    html = f"<h1>Notes</h1><ul>{entries}</ul>"
    tools = await look(agent, html)
    assert list(tools) == ["delete_note"]
    before = tools["delete_note"].plan.items
    assert [item.text for item in before] == ["Note 0", "Note 1", "Note 2"]
    again = (await look(agent, html.replace("id=:", "id=:7")))["delete_note"].plan.items
    assert [item.key for item in again] == [item.key for item in before]


async def test_paragraphs_of_prose_are_no_entries(agent: Agent) -> None:
    prose = "".join(
        f"<p class=text>A long sentence that speaks of <a href=/{n}>something</a> and goes on.</p>"
        for n in range(4)
    )
    assert "get_page_content" in await look(agent, f"<h1>Terms of services</h1>{prose}")


def told(tools: Tools, name: str) -> int:
    """Return how many entries of a list are known in whole."""
    return sum(not item.brief for item in tools[name].plan.items)


async def test_far_down_in_a_long_list_only_keys_are_known(agent: Agent) -> None:
    tools = await look(agent, SHOP.format("".join(PRODUCT.format(n) for n in range(120))))
    assert list(tools) == ["open_product", "add_to_basket", "next_page"]
    opening = tools["open_product"]
    assert [item.key for item in opening.plan.items] == [f"/p/{n}" for n in range(120)]
    assert told(tools, "open_product") == told(tools, "add_to_basket") == 50
    whole = derive_tools([await collect(page_of(agent).main, whole=True)])
    assert signature(tools.values()) == signature(
        tool for tool in whole if tool.rank >= 0 and tool.source != "generic"
    )
    assert {item.key for item in whole[0].plan.items} == {item.key for item in opening.plan.items}
    assert not any(item.brief for tool in whole for item in tool.plan.items)


async def test_entries_of_long_lists_are_told_apart_by_their_texts_if_need_be(agent: Agent) -> None:
    row = "<li><b>Note {0}</b> <i>text</i> <a href=/notes>all</a> <button>Delete</button></li>"
    tools = await look(agent, f"<h1>Notes</h1><ul>{''.join(map(row.format, range(70)))}</ul>")
    assert len({item.key for item in tools["delete_note"].plan.items}) == 70


async def test_entries_with_fields_are_known_in_whole_however_many(agent: Agent) -> None:
    todos = "".join(TODO.format(f"todo {n}") for n in range(60))
    assert told(await look(agent, TODOS.format(todos)), "toggle_todo") == 60


async def test_entries_that_are_hidden_do_not_stand_for_others(agent: Agent) -> None:
    hidden = PRODUCT.replace("<li", "<li hidden")
    rows = [(hidden if n < 100 else PRODUCT).format(n) for n in range(130)]
    tools = await look(agent, SHOP.format("".join(rows)))
    assert [item.key for item in tools["open_product"].plan.items] == [
        f"/p/{n}" for n in range(100, 130)
    ]
    assert told(tools, "open_product") == 30


async def test_links_of_long_menus_are_all_known(agent: Agent) -> None:
    entry = "<li><div><span><a href=/c/{0}>Topic {0}</a></span><i></i></div></li>"
    await look(agent, f"<nav><ul>{''.join(map(entry.format, range(80)))}</ul></nav>")
    (report,) = await reports(agent)
    assert len(report.nodes.links.all) == 80


async def test_rows_far_down_in_a_table_are_entries_too(agent: Agent) -> None:
    row = "<tr><td><a href=/r/{0}>Row {0}</a></td><td>a</td><td>b</td><td>c</td></tr>"
    rows = "".join(map(row.format, range(80)))
    tools = await look(agent, f"<h1>Orders</h1><table><tr><th>A<th>B<th>C<th>D</tr>{rows}</table>")
    assert [item.key for item in tools["open_order"].plan.items] == [f"/r/{n}" for n in range(80)]
    assert told(tools, "open_order") < 80
