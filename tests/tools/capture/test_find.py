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
    assert "0 matches." in await agent("find", query="(a+)+#$", regex=True)
    code, text = await agent.fails("find", query="a(?=b)", regex=True)
    assert code == "bad_arguments"
    assert "not supported" in text


async def test_words_are_found_as_the_page_shows_them(agent: Agent) -> None:
    await agent.open('<p>He said "hello" to her</p><button>Say "hi"</button>')
    assert "1 match." in await agent("find", query='said "hello"')
    assert 'button "Say' in await agent("find", query='Say "hi"')
    assert "1 match." in await agent("find", query='button "Say')


async def test_addresses_are_searched_only_when_they_are_meant(agent: Agent) -> None:
    await agent.open("<a href='/enter/here'>Shop</a><button>Enter</button><a href='/x?y=z'>Q</a>")
    found = await agent("find", query="enter")
    assert found.startswith("1 match.")
    assert 'button "Enter"' in found
    assert 'link "Shop" url="/enter/here"' in await agent("find", query="/enter")
    assert 'link "Q"' in await agent("find", query="y=z")


async def test_every_option_is_found(agent: Agent) -> None:
    options = "".join(f"<option>Country {n}</option>" for n in range(200))
    await agent.open(f"<select aria-label=Country>{options}</select>")
    found = await agent("find", query="Country 187")
    assert 'option "Country 187"' in found
    uid = found.split("uid=")[1].split(" ")[0]
    await agent("click", uid=uid)
    assert await agent.value("document.querySelector('select').value") == '"Country 187"'


async def test_plain_text_has_the_uid_of_its_element(agent: Agent) -> None:
    await agent.open(
        "<div><p id=p>Plain words</p></div><table><tr><td>Cell one<td>Cell two</table>"
        "<ul><li>Item of a list</li></ul>"
    )
    for query, element in (("plain words", "P"), ("cell two", "TD"), ("item of", "LI")):
        uid = (await agent("find", query=query)).split("uid=")[1].split(" ")[0]
        tag = await agent("evaluate_script", function="(e) => e.tagName", args=[uid])
        assert element in tag


async def test_a_search_leaves_what_changed_to_be_told(agent: Agent) -> None:
    await agent.open("<button onclick=\"document.body.append('New')\">Go</button>")
    await agent("find", query="go")
    text = await agent("click", uid=agent.uid("button"))
    assert '+ "New"' in text
    assert "url=" not in text
