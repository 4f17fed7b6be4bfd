"""Buttons in bars, and what each entry has to do: principles of docs/page-tools.md."""

from __future__ import annotations

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

BAR = "<div class=bar><a href=# role=button onclick=go(this)>Save</a><a href=# role=button onclick=go(this)>Send</a><a href=# role=button>Print</a></div>"
FORM = "<form method=post><label>To <input name=to></label><label>Text <textarea name=text></textarea></label></form>"
SCRIPT = "<script>go = (button) => { document.title = button.innerText + ' ' + document.querySelector('[name=to]').value }</script>"


async def test_a_form_without_a_button_is_sent_by_that_of_the_page(agent: Agent) -> None:
    tools = await look(agent, f"<main><h1>New letter</h1>{BAR}{FORM}</main>{SCRIPT}")
    (form,) = [tool for tool in tools.values() if tool.kind == "form"]
    assert properties(form)["button"]["enum"] == ["Send", "Save"]
    await agent("call_page_tool", name=form.name, arguments={"to": "ann", "text": "x"})
    assert await agent.value("document.title") == '"Send ann"'
    await agent(
        "call_page_tool", name=form.name, arguments={"to": "ben", "text": "x", "button": "Save"}
    )
    assert await agent.value("document.title") == '"Save ben"'


async def test_a_form_with_a_button_of_its_own_needs_none_of_the_page(agent: Agent) -> None:
    own = FORM.replace("</form>", "<button>Post letter</button></form>")
    tools = await look(agent, f"<main><h1>New letter</h1>{BAR}{own}</main>")
    (form,) = [tool for tool in tools.values() if tool.kind == "form"]
    assert "button" not in properties(form)


async def test_a_button_of_the_page_sends_neither_of_two_forms(agent: Agent) -> None:
    other = FORM.replace("name=to", "name=other")
    tools = await look(agent, f"<main><h1>Letters</h1>{BAR}{FORM}{other}</main>")
    assert all("button" not in properties(tool) for tool in tools.values())


async def test_entries_whose_links_do_the_same_with_each_are_no_menus(agent: Agent) -> None:
    actions = "".join(f"<li><a href=/{{n}}/{verb}>{verb}</a>" for verb in ("delete", "copy"))
    entries = "".join(
        f"<div class=comment><a href=/u/{n % 2}>ann {n % 2}</a><p>I grow {n} pears</p><ul>{actions.format(n=n)}</ul></div>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Pears</h1><div class=comments>{entries}</div></main>")
    assert {"delete_comment", "copy_comment"} <= set(tools)
    assert "I grow 2 pears" in tools["delete_comment"].plan.items[2].text


async def test_groups_of_different_links_are_menus_still(agent: Agent) -> None:
    groups = "".join(
        f"<li><a href=/s{n}>Section {n}</a><ul>"
        + "".join(f"<li><a href=/s{n}/{m}>Part {n}.{m}</a>" for m in range(3))
        + "</ul>"
        for n in range(4)
    )
    tools = await look(agent, f"<main><h1>Map</h1><ul>{groups}</ul></main>")
    assert not any(len(tool.plan.items) == 4 for tool in tools.values())
