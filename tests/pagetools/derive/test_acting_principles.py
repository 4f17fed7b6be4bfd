"""The principles of docs/page-tools.md from the thirtieth on, each on pages written for it."""

from __future__ import annotations

import pytest

from tabmux.pagetools.derive.derivation import derive_tools
from tabmux.pagetools.language.page_arithmetic import acts_on_page
from tabmux.pagetools.publishing import published
from tests.agent import Agent
from tests.pagetools.published_tools import look, properties, reports

ADVICE = """<form method=post><h1>New hall</h1><label>Seats (leave empty for unlimited) <input name=seats></label>
  <label>Leave blank to keep the old one <input name=motto></label><label>Frei lassen, wenn unbegrenzt <input name=lim></label>
  <label>Horsepower <input name=hp></label><label>{0} <input name=trap></label><button>Save</button></form>"""


@pytest.mark.parametrize(
    "trap",
    ["Please leave this field blank", "Bitte leer lassen", "If you are human, leave blank for us"],
)
async def test_advice_on_when_to_leave_a_field_empty_makes_no_trap_of_it(
    agent: Agent, trap: str
) -> None:
    found = properties((await look(agent, ADVICE.format(trap)))["create_hall"])
    assert len(found) == 4
    assert not any("trap" in each or "blank" in each[:6] or "human" in each for each in found)


@pytest.mark.parametrize(
    ("html", "name", "reads", "destroys"),
    [
        ("<a class=btn href=/3/delete onclick=\"return confirm('Really?')\">Delete rack</a>", "delete_rack", False, True),
        ("<a class=btn href=/3/delete data-confirm=Really>Delete rack</a>", "delete_rack", False, True),
        ("<a class=btn href=/3/delete data-x-method=delete>Delete rack</a>", "delete_rack", False, True),
        ("<a class=btn href=/3/delete>Delete rack</a>", "delete_rack", False, False),
        ("<a class=btn href=/3/approve>Approve order</a>", "approve_order", False, False),
        ("<a class=btn href=/3/edit>Edit rack</a>", "edit_rack", True, False),
        ("<a class=btn href=#>Edit rack</a>", "edit_rack", False, False),
    ],
)  # fmt: skip
async def test_only_what_leads_to_another_page_and_does_nothing_is_read_only(
    agent: Agent, html: str, name: str, reads: bool, destroys: bool
) -> None:
    tool = (await look(agent, f"<main><h1>Rack</h1>{html}</main>"))[name]
    assert (tool.reads, tool.destroys) == (reads, destroys)


MENU = "<div class=dropdown><button data-bs-toggle=dropdown>{0}</button><div class=dropdown-menu>{1}</div></div>"


@pytest.mark.parametrize(
    ("html", "name", "reads", "destroys"),
    [
        (MENU.format("Delete", "<a href=#>This one</a><a href=#>Both</a>"), "choose_delete", False, True),
        (MENU.format("Status", "<button>Waiting</button><button>Urgent</button>"), "choose_status", False, False),
        (MENU.format("Period", "<a href=?d=7>Last week</a><a href=?d=30>Last month</a>"), "choose_period", True, False),
    ],
)  # fmt: skip
async def test_a_menu_is_read_only_if_all_of_it_leads_elsewhere(
    agent: Agent, html: str, name: str, reads: bool, destroys: bool
) -> None:
    tool = (await look(agent, f"<main><h1>Rack</h1>{html}</main>"))[name]
    assert (tool.reads, tool.destroys) == (reads, destroys)


async def test_what_is_done_with_an_entry_at_once_is_not_read_only(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><a href=/r/{n}>Rack {n}</a></td><td><a href=#>Star</a> <a href=/r/{n}/approve>Approve</a> <a href=/r/{n}/edit>Edit</a></td></tr>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Racks</h1><table><tr><th>Name<th>Do</tr>{rows}</table></main>")  # fmt: skip
    reading = {name for name, tool in tools.items() if tool.reads}
    assert reading == {"open_rack", "edit_rack"}
    assert {"star_rack", "approve_rack"} <= set(tools)


@pytest.mark.parametrize(
    ("options", "destroys"),
    [("<option>Delete selected racks", True), ("<option>Print labels<option>Export them", False)],
)
async def test_a_choice_that_may_delete_destroys(
    agent: Agent, options: str, destroys: bool
) -> None:
    tools = await look(
        agent,
        f"<main><h1>Racks</h1><form method=post><label>Action <select name=do><option value=''>---</option>{options}</select></label><button>Go</button></form></main>",
    )
    assert tools["apply_action"].destroys is destroys


async def test_boxes_of_one_label_are_told_apart_by_their_rows_or_values(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td>{way}</td><td><label><input type=radio name=way value={way[0]}> Select</label></td></tr>"
        for way in ("Post", "Courier", "Pickup")
    )
    plain = "".join(f"<label><input type=radio name=s value={n}> This</label>" for n in (1, 2))
    tools = await look(agent, f"<main><form method=post><h1>Parcel</h1><table>{rows}</table><p>{plain}</p><button>Save</button></form></main>")  # fmt: skip
    (tool,) = tools.values()
    values = [each["enum"] for each in properties(tool).values()]
    assert values == [["Post", "Courier", "Pickup"], ["1", "2"]]


async def test_buttons_under_headings_of_their_own_are_tools_of_their_own(agent: Agent) -> None:
    parts = "".join(
        f"<section><h2>{about}</h2>{text}<form method=post action=/edit><input type=hidden name=part value={about}><button>Edit</button></form></section>"
        for about, text in (("Profile", "<p>Ann"), ("Security", "<a href=/log>See the log</a>"))
    )
    tools = await look(agent, f"<main><h1>Account</h1>{parts}</main>")
    assert {"edit_profile", "edit_security"} <= set(tools)
    assert tools["edit_profile"].plan.submit != tools["edit_security"].plan.submit


async def test_a_choice_alone_takes_only_a_button_that_does_what_was_chosen(agent: Agent) -> None:
    size = "<p>Show <select name=size><option>10<option>25</select> entries</p>"
    tools = await look(agent, f"<main><h1>Users</h1><div class=bar>{size}<div><button>Copy</button><button>Excel</button></div></div></main>")  # fmt: skip
    sized = next(tool for tool in tools.values() if "10" in str(tool.schema))
    assert sized.plan.submit is None
    tools = await look(agent, f"<main><h1>Users</h1><div class=bar>{size}<button>Apply</button></div></main>")  # fmt: skip
    assert next(tool for tool in tools.values() if "10" in str(tool.schema)).plan.submit


async def test_a_sign_beside_a_field_acts_on_the_field(agent: Agent) -> None:
    tools = await look(
        agent,
        """<main><h1>Report</h1><div class=head><b>Sales</b><button><i class="fa fa-minus"></i></button></div>
        <form method=post><div class=g><label>From <input name=from></label><button type=button><i class="fa fa-trash"></i></button></div>
        <div class=g><label>Copies <input type=number name=n></label><button type=button>-</button></div><button>Print report</button></form></main>""",
    )
    assert {"clear_from", "decrease_copies"} <= set(tools)
    assert not {"decrease", "delete", "remove"} & set(tools)
    assert not tools["clear_from"].destroys


@pytest.mark.parametrize(
    ("preview", "final"),
    [("Aperçu", "Publier"), ("Vorschau", "Veröffentlichen"), ("プレビュー", "公開"),
     ("Podgląd", "Zapisz"), ("Предпросмотр", "Сохранить"), ("Vista previa", "Guardar"),
     ("Anteprima", "Salva"), ("Förhandsgranska", "Spara"), ("Önizleme", "Kaydet")],
)  # fmt: skip
async def test_a_preview_does_not_send_a_form_in_any_language(
    agent: Agent, preview: str, final: str
) -> None:
    (tool,) = (
        await look(
            agent,
            f"<main><h1>Page</h1><form method=post><textarea name=t></textarea><button name=a>{preview}</button><button name=b>{final}</button></form></main>",
        )
    ).values()
    button = next(each for each in tool.plan.controls if each.key == "button")
    assert button.schema["default"] == final


async def test_a_button_that_stands_there_often_is_there_by_name_only(agent: Agent) -> None:
    parts = "".join(
        f"<h2>Part {n}</h2><p>Text</p><div><button>Edit this part</button></div>" for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Page</h1>{parts}<button>Add a part</button></main>")
    assert set(tools) == {"add_part"}
    whole = {tool.name: tool for tool in derive_tools(await reports(agent))}
    assert whole["edit_part"].rank < 0


HEAD = "<header><a href=/>Garden</a><nav><a href=/>Home</a><a href=/recent>Recent changes</a><a href=/write>Write to us</a></nav></header>"
TABS = "<li><a href=''>Page</a><li><a href='?do=edit'>Edit page</a><li><a href='?do=history'>History</a><li><a href='?do=delete'>Delete page</a>"


@pytest.mark.parametrize(
    "html",
    [
        f"{HEAD}<nav class=bar><ul>{TABS}</ul></nav><main><h1>Roses</h1><p>Text</main>",
        f"{HEAD}<main><h1>Roses</h1><p>Text</main><aside class=sidebar><h3>Tools</h3><ul>{TABS}</ul></aside>",
        f"{HEAD}<main><nav><ul>{TABS}</ul></nav><h1>Roses</h1><p>Text</main>",
    ],
)
async def test_a_link_that_acts_on_the_page_is_published_wherever_it_stands(
    agent: Agent, html: str
) -> None:
    tools = await look(agent, html)
    assert set(tools) == {"edit_page", "open_history", "delete_page"}
    assert (tools["edit_page"].reads, tools["delete_page"].reads) == (True, False)


async def test_links_to_other_pages_and_to_views_of_this_one_do_not_act_on_it(
    agent: Agent,
) -> None:
    views = "<a href='?lang=de'>Deutsch</a> <a href='?lang=fr'>Français</a> <a href='?page=2'>2</a>"
    tools = await look(agent, f"{HEAD}<main><h1>Roses</h1><p>Text</main><footer>{views}</footer>")
    assert not [tool for tool in tools.values() if tool.kind == "action"]


# Puts the addresses of some links below that of the page.
BELOW = "<script>document.querySelectorAll('.here').forEach((a) => { a.setAttribute('href', `${location.pathname}/${a.getAttribute('href')}`); })</script>"


async def test_a_view_among_the_links_of_a_site_is_not_opened_beside_what_acts(
    agent: Agent,
) -> None:
    places = "".join(f"<li><a href=/{name}>{name}</a>" for name in ("Home", "News", "Help"))
    acting = (
        "<li><a class=here href=write>Write letter</a><li><a class=here href=mine>My letters</a>"
    )
    tools = await look(agent, f"<aside><ul>{places}{acting}</ul></aside><main><h1>Letters</h1>{BELOW}")  # fmt: skip
    assert "write_letter" in tools
    assert "open_my_letters" not in tools


async def test_a_view_that_is_addressed_otherwise_is_not_opened_beside_what_acts(
    agent: Agent,
) -> None:
    bar = "<a href='?do=edit'>Edit page</a> <a href='?do=history'>History</a> <a href='?do=rename'>Rename page</a> <a href='?mine=1'>Mine only</a>"
    tools = await look(agent, f"<main><p class=bar>{bar}</p><h1>Roses</h1><p>Text</main>")
    assert set(tools) == {"edit_page", "open_history", "rename_page"}


@pytest.mark.parametrize(
    ("href", "here", "acts"),
    [
        ("?do=edit", "http://h/w/Roses", True),
        ("/w/Roses/edit", "http://h/w/Roses", True),
        ("/w?page=Roses&do=edit", "http://h/w?page=Roses", True),
        ("/w/Roses/history", "http://h/w/Roses/edit", True),
        ("/w/Roses/2", "http://h/w/Roses", False),
        ("/w/Tulips/edit", "http://h/w/Roses", False),
        ("/w?page=Tulips&do=edit", "http://h/w?page=Roses", False),
        ("?page=2", "http://h/w/Roses", False),
        ("/new", "http://h/", False),
        ("/w/upload", "http://h/w/edit-remarks.php", False),
        ("http://elsewhere/w/Roses/edit", "http://h/w/Roses", False),
    ],
)
def test_an_address_acts_on_the_page_if_it_is_its_own_and_more(
    href: str, here: str, *, acts: bool
) -> None:
    assert acts_on_page(href, here) is acts


async def test_free_places_are_filled_with_what_acts_around_the_content(agent: Agent) -> None:
    head = "<header><a href=/>Garden</a> <a href=/letters/new>Write a letter</a></header>"
    await look(agent, f"{head}<main><h1>Roses</h1><button>Print the roses</button></main>")
    shown = {tool.name: tool for tool in published(derive_tools(await reports(agent)))}
    assert {"print_roses", "write_letter"} <= set(shown)
    assert shown["write_letter"].rank < 0


@pytest.mark.parametrize(
    "head",
    [
        "<nav><ul><li><a href=/a>Garden</a><li><a href=/b>Watch groups</a><li><a href=/c aria-haspopup=true>Remarks</a></ul></nav>",
        MENU.format("Ada", "<a href=/a>Change password</a><a href=/b>Import seeds</a><a href=/c>Write letter</a>"),
        "<button aria-haspopup=dialog>ページ</button>",
        "<button>Expand all</button><button>Browse pictures</button>",
    ],
)  # fmt: skip
async def test_menus_of_the_site_and_what_says_nothing_fill_no_places(
    agent: Agent, head: str
) -> None:
    html = f"<header>{head}</header><main><h1>Roses</h1><button>Print the roses</button></main>"
    await look(agent, html)
    shown = {tool.name for tool in published(derive_tools(await reports(agent)))}
    assert "print_roses" in shown
    said = {"watch_groups", "change_password", "import_seeds", "write_letter", "open"}
    said |= {"expand_all", "browse_pictures"}
    assert not shown & said


DETAILS = "<details><summary>More</summary><p><label>Weight <input name=weight required></label></details>"
TAB = """<div role=tablist><button type=button role=tab aria-selected=true aria-controls=a>One</button>
  <button type=button role=tab id=two aria-controls=b onclick="b.hidden = false">Two</button></div>
  <div id=a role=tabpanel>Text</div><div id=b role=tabpanel hidden><label>Weight <input name=weight></label></div>"""
FOLDED_LINK = """<p><a href=#b data-toggle=collapse onclick="b.hidden = false">More</a></p>
  <div id=b hidden><label>Weight <input name=weight></label></div>"""
LEGEND = """<fieldset><legend><a href=# onclick="b.hidden = false; return false">More</a></legend>
  <div id=b hidden><label>Weight <input name=weight></label></div></fieldset>"""


@pytest.mark.parametrize("part", [DETAILS, TAB, FOLDED_LINK, LEGEND])
async def test_a_part_of_a_form_that_is_closed_is_opened_to_be_filled(
    agent: Agent, part: str
) -> None:
    tools = await look(
        agent,
        f"""<main><h1>Parcel</h1><form onsubmit="event.preventDefault(); document.title = this.title.value + this.weight.value">
        <label>Title <input name=title></label>{part}<button>Save parcel</button></form></main>""",
    )
    schema = tools["save_parcel"].schema
    assert set(schema["properties"]) == {"title", "weight"}
    assert "weight" not in schema.get("required", ())
    await agent("call_page_tool", name="save_parcel", arguments={"title": "A", "weight": "7"})
    assert await agent.value("document.title") == '"A7"'


@pytest.mark.parametrize(("kind", "whole"), [("submit", False), ("button", True)])
async def test_a_closed_part_with_a_button_that_sends_is_no_part_of_what_shows(
    agent: Agent, kind: str, *, whole: bool
) -> None:
    part = f"<details><summary>With all</summary><label>Deed <select name=deed><option>Keep<option>Delete</select></label><button type={kind}>Go</button></details>"
    tools = await look(
        agent,
        f"<main><h1>Parcels</h1><form><label>Title <input name=title></label><button>Save parcel</button>{part}</form></main>",
    )
    shown = [tool for tool in tools.values() if "title" in tool.schema["properties"]]
    assert len(shown) == 1
    assert ("deed" in properties(shown[0])) is whole


async def test_what_is_hidden_for_good_is_no_part_of_a_form(agent: Agent) -> None:
    tools = await look(
        agent,
        "<main><h1>Parcel</h1><form><label>Title <input name=title></label><div hidden><label>Old <input name=old></label></div><button>Save parcel</button></form></main>",
    )
    assert list(properties(tools["save_parcel"])) == ["title"]


async def test_of_several_links_of_one_name_that_of_the_page_is_meant(agent: Agent) -> None:
    parts = "".join(f"<p>Text {n} <a href='?do=edit&part={n}'>Edit page</a></p>" for n in range(4))
    tools = await look(agent, f"<main><h1>Roses</h1>{parts}</main><nav><a href='?do=edit'>Edit page</a> <a href='?do=rename'>Rename page</a></nav><p><a href=/tulips/edit>Edit page</a>")  # fmt: skip
    assert "edit_page" in tools
    await agent("call_page_tool", name="edit_page")
    assert await agent.value("location.search") == '"?do=edit"'
