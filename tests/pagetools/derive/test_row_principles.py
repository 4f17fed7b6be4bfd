"""What opens a row: the principle of docs/page-tools.md on entries with several links."""

from __future__ import annotations

from tests.agent import Agent
from tests.pagetools.published_tools import Tools, look

_HEADS = "<thead><tr><th>When</th><th>Who</th><th>What</th><th></th></tr></thead>"


def _log(authors: list[str]) -> str:
    rows = "".join(
        f"<tr><td>day {at}</td><td><a href='?a=by;s={name}'>{name}</a></td>"
        f"<td><a href='?a=show;h=c0ffee{at}'>Pruned tree number {at}</a></td>"
        f"<td><a href='?a=show;h=c0ffee{at}'>show</a> | <a href='?a=diff;h=c0ffee{at}'>diff</a></td></tr>"
        for at, name in enumerate(authors)
    )
    return f"<main><h1>Log</h1><table>{_HEADS}<tbody>{rows}</tbody></table></main>"


async def _opened(agent: Agent, html: str, index: int = 2) -> str:
    tools = await look(agent, html)
    await agent("call_page_tool", name=_opener(tools), arguments={"index": index})
    return await agent.value("location.pathname + location.search")


def _opener(tools: Tools) -> str:
    return next(name for name, tool in tools.items() if tool.kind == "list")


async def test_a_row_is_not_opened_by_a_link_that_several_rows_have(agent: Agent) -> None:
    html = _log(["Ann", "Ben", "Ann", "Ann", "Cyd", "Ben"])
    assert "a=show;h=c0ffee1" in await _opened(agent, html)


async def test_a_column_that_repeats_opens_no_row_also_where_it_says_something_once(
    agent: Agent,
) -> None:
    html = _log(["Ann", "Ben", "Ann", "Ann", "Cyd", "Ben"])
    assert "a=show;h=c0ffee4" in await _opened(agent, html, 5)


async def test_a_row_is_opened_by_what_its_other_links_are_about(agent: Agent) -> None:
    html = _log(["Ann", "Ben", "Cyd", "Dan"])
    assert "a=show;h=c0ffee1" in await _opened(agent, html)


async def test_a_story_of_another_place_is_opened_though_all_else_is_about_its_comments(
    agent: Agent,
) -> None:
    rows = "".join(
        f"<li class=story><a href=/out/{n}-apples>Apples of {n} kinds keep well in straw</a> "
        f"by <a href=/u/{name}>{name}</a> <a href=/item?id={n}>{n} hours ago</a> | <a href=/hide?id={n}>hide</a> | "
        f"<a href=/item?id={n}>{n} comments</a></li>"
        for n, name in enumerate(["ann", "ben", "cyd", "dan"], 11)
    )
    html = f"<main><h1>Stories</h1><ul>{rows}</ul></main>"
    assert await _opened(agent, html) == '"/out/12-apples"'


async def test_of_links_that_all_repeat_the_first_opens(agent: Agent) -> None:
    rows = "".join(
        f"<tr><td><a href=/c/{n % 2}>Customer {n % 2}</a></td><td>Order {n}, paid</td></tr>"
        for n in range(6)
    )
    html = f"<main><h1>Orders</h1><table><thead><tr><th>Customer</th><th>Order</th></tr></thead>{rows}</table></main>"
    assert await _opened(agent, html) == '"/c/1"'


async def test_a_thing_that_is_listed_twice_is_opened_all_the_same(agent: Agent) -> None:
    names = ["Straw", "Twine", "Straw", "Spade", "Ladder", "Bucket", "Gloves", "Saw"]
    rows = "".join(
        f"<tr><td><a href=/p/{name.lower()}>{name}</a></td><td><a href=/day/{n}>{n} May</a></td></tr>"
        for n, name in enumerate(names)
    )
    html = f"<main><h1>Products</h1><table><thead><tr><th>Name</th><th>Since</th></tr></thead>{rows}</table></main>"
    assert await _opened(agent, html) == '"/p/twine"'
