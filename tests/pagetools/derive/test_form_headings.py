"""Which headings name a form: the principle of docs/page-tools.md on headings of fields."""

from __future__ import annotations

from tests.agent import Agent
from tests.pagetools.published_tools import look


async def test_a_heading_that_is_the_label_of_a_field_names_no_form(agent: Agent) -> None:
    html = """<main><h1>Garden diary</h1><form method=post>
      <section><h2 id=h>Title*</h2><input name=title aria-labelledby=h required></section>
      <section><h2 id=b>Body</h2><textarea name=body aria-labelledby=b></textarea></section>
      <button>Save draft</button></form></main>"""
    (tool,) = (await look(agent, html)).values()
    assert "title" not in tool.name
    assert tool.description.endswith("Save draft")


async def test_a_heading_that_is_the_label_of_the_only_field_names_its_form(agent: Agent) -> None:
    html = """<main><h1>Garden diary</h1><form method=post><h2 id=h>Season</h2>
      <input name=s aria-labelledby=h><button>Save</button></form></main>"""
    assert list(await look(agent, html)) == ["save_season"]
