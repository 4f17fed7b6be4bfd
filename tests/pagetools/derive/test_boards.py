"""Boards: the principle of docs/page-tools.md on entries that stand under several headings."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import Tools, look

CARD = "<div class=card><a href=/cards/{n}>Prune tree {n}</a><span>Ann, 3 May</span>{more}</div>"
LINE = "<li class=card><a href=/cards/{n}>Prune tree {n}</a> by Ann{more}</li>"


def _board(card: str, column: str, counts: tuple[int, ...] = (3, 2, 1), more: str = "") -> str:
    columns, numbers = "", iter(range(1, 99))
    for title, count in zip(("To do", "Doing", "Done"), counts, strict=False):
        cards = "".join(card.format(n=next(numbers), more=more) for _ in range(count))
        columns += column.format(title=title, cards=cards)
    return f"<main><h1>Garden</h1><div class=board>{columns}</div></main>"


def _texts(tools: Tools) -> list[list[str]]:
    return [[each.text for each in tool.plan.items] for tool in tools.values() if tool.plan.items]


BOXES = "<section class=column><h2>{title}</h2><div class=cards>{cards}</div><button>Add card</button></section>"
LISTS = "<div class=column><h2>{title}</h2><ul>{cards}</ul></div>"
BARE = "<section class=column><h2>{title}</h2>{cards}</section>"


@pytest.mark.parametrize(("card", "column"), [(CARD, BOXES), (LINE, LISTS), (CARD, BARE)])
async def test_the_cards_of_all_columns_are_one_list(agent: Agent, card: str, column: str) -> None:
    (texts,) = _texts(await look(agent, _board(card, column)))
    assert len(texts) == 6
    assert texts[0].startswith("Prune tree 1")
    assert texts[0].endswith("(To do)")
    assert texts[5].endswith("(Done)")


async def test_what_a_card_has_is_done_with_that_card(agent: Agent) -> None:
    remove = "<button onclick='document.title = this.parentNode.innerText'>Delete</button>"
    await look(agent, _board(CARD, BOXES, more=remove))
    await agent("call_page_tool", name="delete_card", arguments={"index": 2})
    assert "tree 2" in await agent.value("document.title")


async def test_an_empty_column_and_two_columns_are_a_board_all_the_same(agent: Agent) -> None:
    for counts in ((2, 0, 3), (3, 2)):
        (texts,) = _texts(await look(agent, _board(CARD, BOXES, counts)))
        assert len(texts) == 5


async def test_things_with_buttons_and_tags_of_their_own_are_no_columns(agent: Agent) -> None:
    buttons = "".join(f"<div class=act><button>{each}</button></div>" for each in ("Edit", "Copy"))
    things = "".join(
        f"<div class=product><h3><a href=/p/{n}>Pear {n}</a></h3><p>{n} pounds</p><div class=acts>{buttons}</div></div>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Pears</h1><div>{things}</div></main>")
    assert [len(tool.plan.items) for tool in tools.values() if tool.name == "open_product"] == [4]


async def test_answers_are_no_cards_of_what_they_answer(agent: Agent) -> None:
    def comment(n: str, inner: str = "") -> str:
        return (
            f"<li class=comment><h4>Ann {n}</h4><p>Yes, {n}</p><button>Reply</button>{inner}</li>"
        )

    thread = "".join(
        comment(f"{n}", f"<ul>{comment(f'{n}1')}{comment(f'{n}2')}</ul>") for n in range(3)
    )
    tools = await look(agent, f"<main><h1>Comments</h1><ul>{thread}</ul></main>")
    assert not any("(Ann" in text for texts in _texts(tools) for text in texts)


async def test_parts_of_a_page_that_list_different_things_are_no_board(agent: Agent) -> None:
    parts = "".join(
        f"<section class=part><h2>Latest {kind}</h2><ul>"
        + "".join(f"<li><a href=/{kind}/{n}>Some of {kind} {n}</a> by Ann</li>" for n in range(3))
        + "</ul></section>"
        for kind in ("posts", "comments", "users")
    )
    tools = await look(agent, f"<main><h1>Dashboard</h1>{parts}</main>")
    assert {"open_post", "open_comment", "open_user"} <= set(tools)
