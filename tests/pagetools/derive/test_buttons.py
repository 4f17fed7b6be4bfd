"""Buttons, menus, tabs, pagers, dialogs and described searches become tools."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties, tools_now


@pytest.mark.parametrize(
    ("html", "name", "destroys"),
    [
        ("<button>Create new report</button>", "create_new_report", False),
        ("<button>Delete account</button>", "delete_account", True),
        ("<button>Konto löschen</button>", "delete_konto", True),
        ("<button><i class='fa fa-trash'></i></button>", "delete", True),
        ("<button class=x><svg data-icon=download></svg></button>", "download", False),
        ("<button><span class=material-icons>print</span></button>", "print", False),
        ("<a href=/new class='btn btn-primary'>Write a review</a>", "write_review", False),
        ("<a href=/export.csv>Export data</a>", "export_data", False),
        ("<button aria-pressed=false>Bold</button>", "toggle_bold", False),
        ("<button>Pay now</button>", "pay", True),
        ("<button data-bs-toggle=modal>Simple dialog</button>", "open_simple_dialog", False),
        ("<div style='cursor: pointer'>Start game</div>", "start_game", False),
    ],
)
async def test_a_button_is_a_tool_if_it_says_what_it_does(
    agent: Agent, html: str, name: str, destroys: bool
) -> None:
    tools = await look(agent, f"<main>{html}</main>")
    assert list(tools) == [name]
    assert tools[name].destroys is destroys


@pytest.mark.parametrize(
    "html",
    [
        "<button disabled>Delete account</button>",
        "<button hidden>Delete account</button>",
        "<button>OK</button>",
        "<button></button>",
        "<a href=/b>book</a>",
        "<nav><a href=/login class=btn>Log in</a></nav>",
        "<footer><button>Change settings</button></footer>",
        "<button aria-haspopup=true aria-expanded=false></button>",
    ],
)
async def test_what_cannot_be_used_or_says_nothing_is_no_tool(agent: Agent, html: str) -> None:
    tools = await look(agent, f"<body>{html}</body>")
    assert set(tools) <= {"get_page_content", "click_element", "open_link", "fill_field"}
    assert all(tool.source == "generic" for tool in tools.values())


async def test_the_items_of_a_closed_menu_are_tools_that_open_it_first(agent: Agent) -> None:
    tools = await look(
        agent,
        """<main><h1>Repository</h1><button aria-haspopup=menu aria-expanded=false aria-controls=m>More</button>
        <div id=m role=menu hidden><button role=menuitem>Fork repository</button><button role=menuitem>Follow author</button></div></main>""",
    )
    assert list(tools) == ["follow_author", "fork_repository"]
    assert len(tools["fork_repository"].plan.openers) == 1


async def test_a_menu_of_things_is_one_tool_and_one_that_is_not_there_can_be_opened(
    agent: Agent,
) -> None:
    tools = await look(
        agent,
        """<main><div class=dropdown><button data-bs-toggle=dropdown>Period</button>
        <div class=dropdown-menu hidden><a href=?d=7>Last week</a><a href=?d=30>Last month</a></div></div>
        <button aria-haspopup=menu>Options</button></main>""",
    )
    assert list(tools) == ["open_options_menu", "choose_period"]
    assert properties(tools["choose_period"])["item"]["enum"] == ["Last week", "Last month"]


async def test_tabs_are_one_tool(agent: Agent) -> None:
    tools = await look(
        agent,
        """<div role=tablist><button role=tab aria-selected=true>Code</button><button role=tab>Issues</button></div>
        <ul class="nav nav-tabs"><li><a href=#a data-bs-toggle=tab>One</a><li><a href=#b data-bs-toggle=tab>Two</a></ul>""",
    )
    assert set(tools) == {"select_tab", "select_tab_2"}
    assert properties(tools["select_tab"])["tab"] == {"type": "string", "enum": ["Code", "Issues"]}
    assert all(option.ref for option in tools["select_tab"].plan.controls[0].options)


async def test_categories_and_filters_are_one_tool_each(agent: Agent) -> None:
    tools = await look(
        agent,
        """<aside class=side_categories><h3>Categories</h3><ul><li><a href=/c/1>Books</a><ul><li><a href=/c/2>Fiction</a>
        <li><a href=/c/3>Science</a></ul><li><a href=/c/4>Toys</a></ul></aside>
        <div class=view-switch><button>Grid</button><button>Rows</button><button>Map</button></div>""",
    )
    assert set(tools) == {"open_category", "select_view"}
    assert properties(tools["open_category"])["category"]["enum"] == [
        "Books",
        "Fiction",
        "Science",
        "Toys",
    ]


@pytest.mark.parametrize(
    ("html", "names"),
    [
        (
            "<ul class=pagination><li><a href=?p=1>‹</a><li><a href=?p=3>›</a></ul>",
            {"next_page", "previous_page"},
        ),
        ("<a href=?p=2>Nächste Seite</a>", {"next_page"}),
        ("<a href=?p=2 rel=next>→</a>", {"next_page"}),
        ("<li class=next><a href=?p=2 style='padding: 9px'></a></li>", {"next_page"}),
        ("<button>Load more</button>", {"load_more"}),
        (
            "<div class=pagination><a href=?p=1>1</a><a href=?p=2>2</a><a href=?p=3>3</a></div>",
            {"go_to_page"},
        ),
    ],
)
async def test_pages_are_turned(agent: Agent, html: str, names: set[str]) -> None:
    assert set(await look(agent, f"<main>{html}</main>")) == names


async def test_carousels_are_not_pages(agent: Agent) -> None:
    tools = await look(
        agent, "<div class=carousel><a href=#c class=next>Next</a></div><button>Save all</button>"
    )
    assert list(tools) == ["save_all"]


async def test_while_a_modal_dialog_is_open_there_is_nothing_else(agent: Agent) -> None:
    html = """<form method=post action=/x><label>Name <input name=n></label><button>Save name</button></form>
      <div id=d role=dialog aria-modal=true aria-label="Delete account" hidden><p>Sure?</p>
      <button>Delete account</button><button>Cancel</button></div>"""
    assert list(await look(agent, html)) == ["save_name"]
    await agent("evaluate_script", function="() => { document.getElementById('d').hidden = false }")
    tools = await tools_now(agent)
    assert set(tools) == {"delete_account", "cancel"}
    assert tools["cancel"].reads


async def test_a_search_that_is_only_described_is_a_tool(agent: Agent) -> None:
    tools = await look(
        agent,
        """<script type=application/ld+json>{"@type": "WebSite", "potentialAction": {"@type": "SearchAction",
        "target": {"urlTemplate": "/find?q={search_term_string}&p={page?}"}}}</script><p>Words</p>""",
    )
    assert list(tools) == ["search"]
    assert tools["search"].plan.url_template.endswith("/find?q={q}&p=")
    assert tools["search"].source == "descriptor"


async def test_a_search_described_elsewhere_is_no_tool(agent: Agent) -> None:
    tools = await look(
        agent,
        """<script type=application/ld+json>{"@type": "SearchAction", "target": "https://evil.example/?q={q}"}</script>
        <script type=application/ld+json>{broken SearchAction</script><p>Words</p>""",
    )
    assert "search" not in tools


async def test_opensearch_descriptions_are_read(agent: Agent) -> None:
    xml = """<OpenSearchDescription><Url type="text/html" template="/s?q={searchTerms}"/></OpenSearchDescription>"""
    address = agent.site.page(xml)
    tools = await look(
        agent,
        f"<link rel=search type=application/opensearchdescription+xml href='{address}'><p>Words</p>",
    )
    assert tools["search"].plan.url_template.endswith("/s?q={q}")


async def test_the_tools_of_a_frame_come_after_those_of_the_page(agent: Agent) -> None:
    inner = agent.site.page(
        "<form method=post><label>Card <input name=c></label><button>Save card</button></form>"
    )
    tools = await look(
        agent,
        f"<form method=post><label>Name <input name=n></label><button>Save name</button></form><iframe src='{inner}'></iframe>",
    )
    assert list(tools) == ["save_name", "save_card"]
    assert tools["save_card"].frame != tools["save_name"].frame


async def test_texts_of_the_page_are_cleaned_cut_and_marked_with_their_origin(agent: Agent) -> None:
    evil = "Save\u202e \u200bfile\u0007 now"
    tools = await look(
        agent, f"<main><button>{evil}</button><button>Delete {'very ' * 40} thing</button></main>"
    )
    tool = tools["save_file"]
    assert tool.description.startswith("[127.0.0.1")
    assert tool.description.endswith("Save file now")
    assert all(len(each.description) <= 200 for each in tools.values())
