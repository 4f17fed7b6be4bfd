"""What fields are called by what stands around them and what they hold, on pages written for it."""

from __future__ import annotations

import pytest

from tests.agent import Agent
from tests.pagetools.published_tools import look, properties

HEAD = "<thead><tr><th>Column</th><th>Type</th><th>Function</th><th>Value</th></tr></thead>"
ROW = (
    "<tr><td>{0}</td><td>varchar(60)</td><td><select name=f[{1}]><option>A<option>B</select></td>"
    "<td><span hidden>{2}</span><input name=v[{1}] value='{2}'></td></tr>"
)
FORM = "<h1>Edit row</h1><form method=post>{0}<button>Save</button></form>"


async def keys(agent: Agent, fields: str) -> list[str]:
    """Return the parameters of the one form of a page."""
    found = await look(agent, FORM.format(fields))
    return list(properties(next(tool for tool in found.values() if tool.plan.form)))


async def test_a_field_under_heads_is_not_called_by_the_cell_beside_it(agent: Agent) -> None:
    rows = ROW.format("title", "a1", "Dune") + ROW.format("year", "a2", "1965")
    found = await keys(agent, f"<table>{HEAD}<tbody>{rows}</tbody></table>")
    assert found == ["title_function", "title_value", "year_function", "year_value"]


async def test_the_only_field_of_a_row_is_called_by_its_column(agent: Agent) -> None:
    head = "<tr><th>Product</th><th>Price</th><th>Quantity</th></tr>"
    row = "<tr><td>Pears</td><td>£3</td><td><input name=q1 value=2></td></tr>"
    assert await keys(agent, f"<table>{head}{row}</table>") == ["quantity"]


async def test_a_cell_that_begins_the_row_is_the_label_of_the_one_field_beside_it(
    agent: Agent,
) -> None:
    head = "<tr><th>Setting</th><th>Value</th><th>Meaning</th></tr>"
    rows = "".join(
        f"<tr><td>{name}</td><td><input name=s{name}></td><td>how much</td></tr>"
        for name in ("Width", "Height")
    )
    assert await keys(agent, f"<table>{head}{rows}</table>") == ["width", "height"]


async def test_what_is_hidden_beside_a_field_that_shows_is_no_label(agent: Agent) -> None:
    fields = "<p>City <span style='display:none'>Leipzig</span><input name=c value=Leipzig></p>"
    assert await keys(agent, fields) == ["city"]


async def test_a_name_that_a_program_made_is_no_parameter(agent: Agent) -> None:
    again = "<p>City <input name='f[b80bb7740288fda1f201890375a60c8f]'></p>"
    assert await keys(agent, f"<p>City <input name=c></p>{again}") == ["city", "city_2"]


async def test_a_choice_of_very_many_that_is_made_already_may_be_left_out(agent: Agent) -> None:
    options = "".join(f"<option>Coin {n}" for n in range(200)) + "<option selected>No coin"
    fields = f"<label>Name <input name=n required></label><label>Coin <select name=c required>{options}</select></label>"
    (tool,) = (await look(agent, FORM.format(fields))).values()
    assert tool.schema["required"] == ["name"]
    assert properties(tool)["coin"]["default"] == "No coin"


@pytest.mark.parametrize("kind", ["checkbox", "radio"])
async def test_a_choice_is_called_by_the_label_before_its_boxes(agent: Agent, kind: str) -> None:
    boxes = "".join(
        f"<div><label for=s{n}><input type={kind} name=field_3 value={n} id=s{n}> {n}</label></div>"
        for n in ("Tomato", "Gourd")
    )
    name = "<p><label for=n>Name</label><input id=n name=n></p>"
    fields = f"{name}<div><label for=box>Seeds</label><div id=box>{boxes}</div></div>"
    assert await keys(agent, fields) == ["name", "seeds"]
