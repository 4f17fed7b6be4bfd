from __future__ import annotations

from tests.agent import Agent

PAGE = (
    "<nav aria-label=Top><a href='/a'>Home</a><a href='/b'>Basket</a></nav>"
    "<main><form aria-label=Order><label>Name <input></label><button>Buy now</button></form>"
    "<ul><li>Apple pie</li><li>Pear tart</li></ul></main>"
)


async def test_elements_are_found_with_uid_and_place(agent: Agent) -> None:
    await agent.open(PAGE)
    before = agent.uid('link "Home"')
    text = await agent("find", query="buy")
    assert text.startswith("1 match.\n")
    assert 'button "Buy now" (in form "Order")' in text
    await agent("click", uid=before, report="none")


async def test_role_and_pattern_narrow_the_search(agent: Agent) -> None:
    await agent.open(PAGE)
    assert (await agent("find", role="link")).startswith("2 matches.")
    assert "Pear tart" in await agent("find", query="^listitem .*t[ae]rt", regex=True)
    assert (await agent("find", query="nothing like it")) == "0 matches."
    assert (await agent.fails("find"))[0] == "bad_arguments"
    assert (await agent.fails("find", query="(", regex=True))[0] == "bad_arguments"


async def test_long_results_are_limited(agent: Agent) -> None:
    await agent.open("".join(f"<button>B{n}</button>" for n in range(50)))
    text = await agent("find", role="button", limit=5)
    assert "50 matches." in text
    assert text.endswith("… 45 more")


async def test_no_expression_keeps_the_server_busy(agent: Agent) -> None:
    await agent.open(f"<p>{'a' * 100_000}!</p><button>Go</button>")
    assert "0 matches." in await agent("find", query="(a+)+$", regex=True)
    code, text = await agent.fails("find", query="a(?=b)", regex=True)
    assert code == "bad_arguments"
    assert "not supported" in text
