"""What forms do, and what belongs to none: principles of docs/page-tools.md."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties


async def test_boxes_of_a_form_with_all_that_they_take_are_things_of_their_own(
    agent: Agent,
) -> None:
    search = "<div><input type=search name=q aria-label='Search sacks'><button>Search sacks</button></div>"
    code = "<div><input name=code aria-label='Voucher'><button>Redeem voucher</button></div>"
    rest = "<label>Name <input name=name></label><label>Town <input name=town></label><button>Place order</button>"
    tools = await look(agent, f"<main><form method=post>{search}{code}{rest}</form></main>")
    taken = {name: list(properties(tool)) for name, tool in tools.items()}
    assert taken == {
        "search_sacks": ["query"],
        "redeem_voucher": ["voucher"],
        "place_order": ["name", "town"],
    }


async def test_a_form_whose_buttons_stand_together_is_one(agent: Agent) -> None:
    html = "<main><form method=post><div><label>Name <input name=name></label></div><label>Town <input name=town></label><div><button>Save</button><button>Publish</button></div></form></main>"
    (form,) = [tool for tool in (await look(agent, html)).values() if tool.kind == "form"]
    assert list(properties(form)) == ["name", "town", "button"]


@pytest.mark.parametrize(
    ("button", "name"),
    [("Join the waiting list", "join_waiting_list"), ("Subscribe", "subscribe")],
)
async def test_a_button_that_says_what_it_does_with_what_names_its_form(
    agent: Agent, button: str, name: str
) -> None:
    html = f"<main><form method=post action=/w><label>E-mail <input type=email name=email></label><button>{button}</button></form></main>"
    assert name in await look(agent, html)


async def test_who_can_log_out_does_not_sign_up(agent: Agent) -> None:
    form = "<form method=post><input type=password name=key placeholder='Enrolment key'><button>Enrol me</button></form>"
    tools = await look(agent, f"<header><a href=/out>Log out</a></header><main>{form}</main>")
    assert "enrol_me" in tools


async def test_a_letter_that_asks_for_something_is_no_message(agent: Agent) -> None:
    form = "<form method=post><label>Desde <input name=desde></label><label>Nota <textarea name=nota></textarea></label><button>Enviar solicitud</button></form>"
    assert "send_solicitud" in await look(agent, f"<html lang=es><main>{form}</main>")


async def test_an_answer_is_called_so(agent: Agent) -> None:
    form = "<form method=post><h2>Quick reply</h2><textarea name=message></textarea><button>Submit</button></form>"
    assert "post_reply" in await look(agent, f"<main>{form}</main>")


async def test_a_link_that_leads_elsewhere_does_not_send_the_field_beside_it(
    agent: Agent,
) -> None:
    html = "<main><h1>Sacks</h1><div class=bar><a class=btn href=/fork>Fork</a> <input placeholder='Go to sack' name=go></div></main>"
    tools = await look(agent, html)
    assert not properties(tools["fork"])


async def test_beside_the_choice_of_how_many_are_shown_a_button_turns_pages(agent: Agent) -> None:
    html = "<main><h1>Sacks</h1><p>Sacks</p><div><select aria-label='Rows per page'><option>10<option>20</select> <span>1-10 of 80</span><button>Previous</button><button>Next</button></div></main>"
    tools = await look(agent, html)
    assert not properties(tools["next_page"])


async def test_fields_without_names_and_buttons_are_tools_of_their_own(agent: Agent) -> None:
    lines = "".join(f"<span class=s><input placeholder='{each}'></span>" for each in ("Period", "Account"))  # fmt: skip
    await look(
        agent, f"<header><h1>Ledger</h1><div class=row>{lines}</div></header><p>Nothing else"
    )
    listed = await agent("list_page_tools")
    assert "set_period:" in listed
    assert "set_account:" in listed


async def test_ticks_of_one_name_are_one_choice(agent: Agent) -> None:
    ticks = "".join(f"<label><input type=checkbox name=kind value={n}> Kind {n}</label>" for n in range(3))  # fmt: skip
    tools = await look(agent, f"<main><h1>Sacks</h1><h4>Kind of grain</h4><p>{ticks}</p></main>")
    items = properties(tools["set_kind_of_grain"])["kind_grain"]["items"]
    assert items == {"type": "string", "enum": ["Kind 0", "Kind 1", "Kind 2"]}


async def test_a_folded_form_beside_the_content_takes_a_free_place(agent: Agent) -> None:
    form = "<details><summary>Redeem a voucher</summary><form action=/r><input name=v placeholder=Code><button>Redeem voucher</button></form></details>"
    await look(agent, f"<main><h1>Sacks</h1><aside>{form}</aside></main>")
    assert "redeem_voucher:" in await agent("list_page_tools")
