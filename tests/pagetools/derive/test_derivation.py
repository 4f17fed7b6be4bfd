"""What pages do that are written in unusual ways."""

from __future__ import annotations

import pytest

from tabmux.pagetools.collect.document_tree import read
from tabmux.pagetools.derive.derivation import derive_tools
from tests.agent import Agent
from tests.pagetools.published_tools import look, properties, reports

GENERAL = {"get_page_content", "click_element", "fill_field", "open_link"}


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<form method=post><label>A <input name=a></label><button type=button>Help</button><button class=btn-primary type=button>Store it</button></form>", "store_it"),
        ("<form method=post><label>Vote <input name=v></label></form>", "set_vote"),
        ("<form><label>Volume <input type=range name=volume></label></form>", "set_volume"),
        ("<form><label><input type=checkbox name=dark> Dark mode</label></form>", "toggle_dark_mode"),
        ("<label><input type=checkbox id=all class=toggle-all> Mark all</label>", "toggle_all"),
        ("<form><label>Theme <select name=theme><option>Light<option>Dark</select></label></form>", "set_theme"),
        ("<form><label>Search where <select name=area><option>North<option>South</select></label><button>Search</button></form>", "filter_items"),
        ("<form method=post><label>Name <input name=n></label><label>Age <input name=a></label><button></button></form>", "submit_name"),
        ("<form method=post><h2>Create a project</h2><label>Name <input name=n></label><label>Key <input name=k></label><button>Submit</button></form>", "create_project"),
        ("<form method=post action=/cart><button>In den Warenkorb</button></form>", "add_to_cart"),
        ("<form action=/s><input name=q placeholder='Search user'><button>Go</button></form>", "search_users"),
        ("<main><div role=search><input aria-label='Search in files'><button class=search-icon></button></div></main>", "search_files"),
        ("<form method=post><label>Note <textarea name=n></textarea></label><button>Share your story</button></form>", "share_story"),
    ],
)  # fmt: skip
async def test_forms_of_one_field_and_odd_buttons_have_names(
    agent: Agent, html: str, name: str
) -> None:
    assert next(iter(await look(agent, html))) == name


@pytest.mark.parametrize(
    "html",
    [
        "<form><input type=hidden name=a></form>",
        "<form method=post><textarea name=t></textarea></form>",
        "<input type=checkbox class=menu-toggle id=menu>",
        "<ul><li><input type=checkbox><a href=/x>One kind</a></li></ul>",
        "<label>Loose words <input></label>",
    ],
)
async def test_what_nothing_can_be_done_with_is_no_tool(agent: Agent, html: str) -> None:
    assert set(await look(agent, html)) <= GENERAL


async def test_widgets_of_aria_are_fields_too(agent: Agent) -> None:
    tools = await look(
        agent,
        """<div class=box><h2>Order a pizza</h2>
        <div role=checkbox aria-checked=false aria-label=Cheese tabindex=0>Cheese</div>
        <div role=radiogroup aria-label=Size><div role=radio tabindex=0>Small</div><div role=radio tabindex=0>Large</div></div>
        <div role=combobox aria-label=Town aria-controls=l tabindex=0>Town</div><div id=l role=listbox><div role=option>Bern</div></div>
        <div role=textbox contenteditable aria-label=Wish>.</div>
        <ul role=listbox aria-label=Crust><li role=option>Thin</li><li role=option>Thick</li></ul>
        <button>Order pizza</button></div>""",
    )
    found = properties(tools["order_pizza"])
    assert found["cheese"]["type"] == "boolean"
    assert found["size"]["enum"] == ["Small", "Large"]
    assert found["town"]["examples"] == ["Bern"]
    assert found["crust"]["enum"] == ["Thin", "Thick"]
    assert found["wish"]["type"] == "string"


async def test_odd_values_of_attributes_are_left_out_of_schemas(agent: Agent) -> None:
    tools = await look(
        agent,
        r"""<form method=post><label>A <input name=a type=number min=x max=1e999 value=1.5 step=any></label>
        <label>B <input name=b pattern="(?<x>a)" minlength=-1></label><label>C <input name=c pattern="["></label>
        <label>E <input name=e pattern="a{99999999999999}"></label>
        <label>D <input name=d placeholder="Given at the door" value="filled in"></label>
        <label>New password <input name=p type=password></label><label>Repeat password <input name=p2 type=password></label>
        <label>Confirm <input name=confirm></label><button>Save odd values</button></form>""",
    )
    (tool,) = tools.values()
    found = properties(tool)
    assert found["a"] == {"type": "number", "default": 1.5}
    assert found["b"] == {"type": "string"}
    assert found["c"] == found["e"] == {"type": "string"}
    assert found["d"] == {
        "type": "string",
        "default": "filled in",
        "description": "Given at the door",
    }
    assert {"new_password", "confirm_password"} <= set(found)
    assert "confirm" not in found


async def test_captions_item_types_and_addresses_name_what_is_listed(agent: Agent) -> None:
    rows = "".join(f"<tr><td><a href=/x/{n}>Number {n}</a></td></tr>" for n in range(3))
    assert "open_ticket" in await look(
        agent, f"<table><caption>Open tickets</caption><tbody>{rows}</tbody></table>"
    )
    items = "".join(
        f"<li itemscope itemtype=https://schema.org/Recipe><a href=/{n}>Dish number {n}</a> tastes very good indeed</li>"
        for n in range(3)
    )
    assert "open_recipe" in await look(agent, f"<ul>{items}</ul>")
    links = "".join(
        f"<li><a href=/movies/{n}>Title {n}</a> which everybody has seen</li>" for n in range(3)
    )
    assert "open_movie" in await look(agent, f"<ul>{links}</ul>")
    plain = "".join(
        f"<li><a href=/{n}a>Title {n}</a> which everybody has seen</li>" for n in range(3)
    )
    assert "open_item" in await look(agent, f"<ul>{plain}</ul>")


async def test_entries_that_are_clicked_as_a_whole_are_opened_so(agent: Agent) -> None:
    rows = "".join(f"<li onclick='1' class=big>Message {n} from somebody</li>" for n in range(3))
    tools = await look(agent, f"<h2>Messages</h2><ul>{rows}</ul>")
    assert [item.target == item.ref for item in tools["open_message"].plan.items] == [True] * 3


async def test_links_that_only_repeat_the_entry_are_not_its_actions(agent: Agent) -> None:
    items = "".join(
        f"<li><h3><a href=/news/{n}>Story {n}</a></h3><a href=/news/{n}>Read more</a><a href=/share/{n}>Share</a><button aria-haspopup=true>More</button></li>"
        for n in range(3)
    )
    tools = await look(agent, f"<h2>Stories</h2><ul>{items}</ul>")
    assert set(tools) == {"open_story", "share_story"}


async def test_breadcrumbs_and_site_menus_are_not_published(agent: Agent) -> None:
    tools = await look(
        agent,
        """<div class=breadcrumb><a href=/>Home</a><a href=/a>Area</a><a href=/a/b>Part</a></div>
        <header><div class=dropdown><button data-bs-toggle=dropdown>Products</button>
        <div class=dropdown-menu hidden><a href=/1>First</a><a href=/2>Second</a></div></div></header>
        <details><summary>Answers</summary><a href=/x>Deep words</a></details>""",
    )
    assert set(tools) == GENERAL


async def test_the_same_word_on_many_buttons_is_no_tool_and_dialogs_are_closed(
    agent: Agent,
) -> None:
    buttons = "".join(
        f"<section><h2>Box number {n} of all these</h2><p>w</p><button>Copy</button></section>"
        for n in range(4)
    )
    assert "copy" not in await look(agent, buttons)
    tools = await look(
        agent,
        "<div role=dialog aria-modal=true aria-label=News><p>Hello</p><button>×</button></div>",
    )
    assert set(tools) == {"close_dialog"}


@pytest.mark.parametrize(
    ("buttons", "pressed"),
    [
        ("<button>Save draft</button><button>Publish post</button>", "Save draft"),
        ("<button type=button>Save draft</button><button>Publish post</button>", "Publish post"),
        ("<button>Keep</button><button>Write post</button>", "Write post"),
        (
            "<button type=button>Keep it</button><button type=button class=primary>Store it</button>",
            "Store it",
        ),
        (
            "<button>Cancel</button><input type=reset value=Clear><input type=submit value=Store>",
            "Store",
        ),
    ],
)
async def test_of_several_buttons_the_one_that_sends_is_pressed(
    agent: Agent, buttons: str, pressed: str
) -> None:
    html = f"<form method=post><h2>Write post</h2><label>A <input name=a></label><label>B <input name=b></label>{buttons}</form>"
    tools = await look(agent, html)
    form = next(tool for tool in tools.values() if tool.plan.form is not None)
    (element,) = [n for r in await reports(agent) for n in r.nodes if n.ref == form.plan.submit]
    assert element.name == pressed


async def test_fields_that_open_a_calendar_are_kept_though_nobody_types_in_them(
    agent: Agent,
) -> None:
    html = """<form method=post><label>Arrival date <input name=d readonly class=datepicker></label>
      <label>Code <input name=c readonly></label><label>Guests <input name=g></label><button>Book room</button></form>"""
    assert list(properties((await look(agent, html))["book_room"])) == ["arrival_date", "guests"]


async def test_boxes_of_one_name_need_no_legend_and_many_tabs_are_told_apart(agent: Agent) -> None:
    html = """<form method=post><div>Toppings: <label><input type=checkbox name=top value=1>Ham</label>
      <label><input type=checkbox name=top value=2>Egg</label></div><button>Bake pizza</button></form>
      <div role=tablist aria-label=Files><div role=tab tabindex=0>One</div><div role=tab tabindex=0>Two</div></div>
      <div role=tablist aria-label=Users><div role=tab tabindex=0>Ann</div><div role=tab tabindex=0>Bob</div></div>"""
    tools = await look(agent, html)
    (toppings,) = properties(tools["bake_pizza"]).values()
    assert toppings["items"] == {"type": "string", "enum": ["Ham", "Egg"]}
    assert {"select_tab", "select_users_tab"} <= set(tools) or {
        "select_tab",
        "select_files_tab",
    } <= set(tools)


def test_a_page_that_shows_nothing_gets_the_general_tools() -> None:
    empty = read({"root": {"r": 0, "t": "#document"}, "origin": "https://x.example"})
    tools = derive_tools([empty])
    assert [tool.name for tool in tools] == ["get_page_content", "click_element", "fill_field"]
    assert tools[0].description == "[x.example] Read the text of the page"
    assert derive_tools([]) == []
