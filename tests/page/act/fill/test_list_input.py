from __future__ import annotations

import pytest

from tests.agent import Agent

# A combobox whose list comes late, and far from it in the document.
COMBOBOX = """
<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false aria-controls=list>Choose</div>
<p>Apple is not an option here</p>
<ul id=list role=listbox hidden></ul>
<script>
box.onclick = () => setTimeout(() => {
  list.innerHTML = ["Apple", "Pear", "Plum"].map((t) => `<li role=option>${t}</li>`).join("");
  list.hidden = false; box.ariaExpanded = "true";
}, 120);
list.onclick = (e) => { TAKE; list.hidden = true; box.ariaExpanded = "false" };
</script>"""
TAKE = "box.textContent = e.target.textContent"

IN_SHADOW = """
<x-select id=host role=combobox tabindex=0 aria-label=F aria-expanded=false></x-select>
<script>
const root = host.attachShadow({mode: "open"});
root.innerHTML = "<b>Choose</b><div role=listbox hidden><div role=option>Pear</div><div role=option>Plum</div></div>";
const [shown, list] = root.children;
host.onclick = (e) => {
  const option = e.composedPath()[0];
  if (option.role === "option") shown.textContent = option.textContent;
  list.hidden = !list.hidden; host.ariaExpanded = String(!list.hidden);
};
</script>"""

VIRTUAL = """
<button id=box role=combobox aria-label=Item aria-expanded=false aria-controls=list>Choose</button>
<div id=list role=listbox hidden style="height:120px;overflow:auto;position:relative"><div id=tall style="height:20000px"></div></div>
<script>
const draw = () => {
  const first = Math.floor(list.scrollTop / 20);
  tall.innerHTML = Array.from({length: 8}, (_, n) => `<div role=option style="position:absolute;top:${(first + n) * 20}px;height:20px">Item ${first + n}</div>`).join("");
};
box.onclick = () => { list.hidden = false; box.ariaExpanded = "true"; draw() };
list.onscroll = () => requestAnimationFrame(draw);
list.onclick = (e) => { box.textContent = e.target.textContent; list.hidden = true; box.ariaExpanded = "false" };
</script>"""


async def test_a_combobox_is_opened_and_its_option_chosen(agent: Agent) -> None:
    await agent.open(COMBOBOX.replace("TAKE", TAKE))
    await agent("fill", uid=agent.uid("combobox"), value="plum")
    assert await agent.value("box.textContent") == '"Plum"'


async def test_a_combobox_that_shows_its_choice_inside_of_itself_is_filled(agent: Agent) -> None:
    await agent.open(IN_SHADOW)
    await agent("fill", uid=agent.uid("combobox"), value="Plum")
    assert await agent.value("shown.textContent") == '"Plum"'


async def test_a_choice_that_stands_where_a_slot_is_empty_is_seen(agent: Agent) -> None:
    await agent.open(
        IN_SHADOW.replace("<b>Choose</b>", "<slot name=chosen>Choose</slot>").replace(
            "x-select", "y-select"
        )
    )
    await agent("fill", uid=agent.uid("combobox"), value="Plum")
    assert await agent.value("shown.textContent") == '"Plum"'


async def test_an_option_that_is_not_offered_is_told_with_those_that_are(agent: Agent) -> None:
    await agent.open(COMBOBOX.replace("TAKE", TAKE))
    code, text = await agent.fails("fill", uid=agent.uid("combobox"), value="Banana")
    assert code == "element_no_such_option"
    assert '"Apple", "Pear", "Plum"' in text


async def test_a_choice_that_a_combobox_does_not_take_is_told(agent: Agent) -> None:
    await agent.open(COMBOBOX.replace("TAKE", ""))
    code, text = await agent.fails("fill", uid=agent.uid("combobox"), value="Plum")
    assert code == "element_not_changed"
    assert '"Choose"' in text


async def test_a_list_that_draws_only_what_is_in_view_is_scrolled(agent: Agent) -> None:
    await agent.open(VIRTUAL)
    await agent("fill", uid=agent.uid("combobox"), value="Item 73")
    assert await agent.value("box.textContent") == '"Item 73"'


async def test_a_list_without_roles_is_found_by_what_came_into_sight(agent: Agent) -> None:
    await agent.open(
        "<button id=box aria-haspopup=listbox>Choose</button><p>Plum</p>"
        "<div id=list hidden><div>Pear</div><div>Plum</div></div><script>"
        "box.onclick = () => list.hidden = false;"
        "list.onclick = (e) => { box.textContent = e.target.textContent; list.hidden = true }</script>"
    )
    await agent("fill", uid=agent.uid("button"), value="Plum")
    assert await agent.value("box.textContent") == '"Plum"'


LISTBOX = """
<ul id=list role=listbox aria-label=F aria-multiselectable=true><li role=option aria-selected=false>One
<li role=option aria-selected=false>Two<li role=option aria-selected=true>Three</ul>
<script>list.onclick = (e) => e.target.ariaSelected = e.target.ariaSelected !== "true"</script>"""


async def test_several_options_of_a_listbox_are_chosen(agent: Agent) -> None:
    await agent.open(LISTBOX)
    await agent("fill", uid=agent.uid("listbox"), value='["One", "Three"]')
    got = await agent.value("[...list.children].map((each) => each.ariaSelected)")
    assert got == '["true","false","true"]'


async def test_options_that_are_not_wanted_are_put_off(agent: Agent) -> None:
    await agent.open(LISTBOX)
    await agent("fill", uid=agent.uid("listbox"), value='["Two"]')
    got = await agent.value("[...list.children].map((each) => each.ariaSelected)")
    assert got == '["false","true","false"]'


async def test_a_radio_group_is_filled_by_the_name_of_a_button(agent: Agent) -> None:
    await agent.open(
        "<div role=radiogroup aria-label=Size><label><input type=radio name=s>Small</label>"
        "<label><input type=radio name=s>Large</label></div>"
    )
    await agent("fill", uid=agent.uid("radiogroup"), value="Large")
    assert await agent.value("document.querySelectorAll('input')[1].checked") == "true"


EDITABLE = """
<div><input id=box role=combobox aria-label=Town aria-expanded=false aria-controls=list TYPE></div>
<ul id=list role=listbox hidden></ul>
<script>
window.chosen = null;
box.oninput = () => setTimeout(() => {
  const found = ["Berlin", "Bern", "Bonn"].filter((t) => t.startsWith(box.value));
  list.innerHTML = found.map((t) => `<li role=option>${t}</li>`).join("");
  list.hidden = !found.length; box.ariaExpanded = String(!list.hidden);
}, 100);
list.onclick = (e) => { chosen = box.value = e.target.textContent; list.hidden = true; box.ariaExpanded = "false" };
</script>"""


async def test_what_a_combobox_offers_for_the_text_is_chosen(agent: Agent) -> None:
    await agent.open(EDITABLE.replace("TYPE", ""))
    await agent("fill", uid=agent.uid("combobox"), value="Bern")
    assert await agent.value("chosen") == '"Bern"'


async def test_a_text_that_is_not_offered_stays_and_the_offers_are_told(agent: Agent) -> None:
    await agent.open(EDITABLE.replace("TYPE", ""))
    text = await agent("fill", uid=agent.uid("combobox"), value="Ber")
    assert 'Nothing was chosen: the list offers "Berlin", "Bern".' in text
    assert await agent.value("[chosen, box.value]") == '[null,"Ber"]'


async def test_a_list_that_does_not_open_for_what_is_typed_is_opened_by_key(agent: Agent) -> None:
    await agent.open(
        EDITABLE.replace("TYPE", "").replace(
            "box.oninput = () =>", "box.onkeydown = (e) => e.key === 'ArrowDown' && e.altKey &&"
        )
    )
    await agent("fill", uid=agent.uid("combobox"), value="Bern")
    assert await agent.value("chosen") == '"Bern"'


async def test_a_combobox_that_opens_for_what_is_typed_alone_is_filled_by_the_field_in_it(
    agent: Agent,
) -> None:
    around = EDITABLE.replace("<div>", "<div role=combobox aria-label=Place aria-haspopup=listbox>")
    await agent.open(around.replace("role=combobox aria-label=Town aria-expanded=false", ""))
    await agent("fill", uid=agent.uid("combobox"), value="Bern")
    assert await agent.value("chosen") == '"Bern"'


COVERED = """
<div style="position:fixed;inset:0 0 auto 0;height:200px;background:tan">A note over the top</div>
<div id=box role=combobox tabindex=0 aria-label=Fruit aria-expanded=false aria-controls=list>Choose</div>
<ul id=list role=listbox hidden style="margin-top:250px"><li role=option>Apple<li role=option>Plum</ul>
<script>
box.onkeydown = (e) => {
  if (e.key !== "ArrowDown") return;
  if (e.altKey) { list.hidden = false; box.ariaExpanded = "true" } else box.textContent = "Apple";
};
list.onclick = (e) => { box.textContent = e.target.textContent.trim(); list.hidden = true; box.ariaExpanded = "false" };
</script>"""


async def test_a_combobox_that_is_covered_is_opened_by_the_key_that_chooses_nothing(
    agent: Agent,
) -> None:
    await agent.open(COVERED)
    await agent("fill", uid=agent.uid("combobox"), value="Plum")
    assert await agent.value("box.textContent") == '"Plum"'


CLICKED = """
<input id=field placeholder=Fruit readonly style="cursor: pointer"><ul id=list hidden><li>Apple<li>Plum</ul>
<script>
field.onclick = () => list.hidden = false;
list.onclick = (e) => { field.value = e.target.textContent.trim(); list.hidden = true };
</script>"""


async def test_a_field_that_can_only_be_clicked_is_set_by_what_it_opens(agent: Agent) -> None:
    await agent.open(CLICKED)
    await agent("fill", uid=agent.uid("textbox"), value="Plum")
    assert await agent.value("field.value") == '"Plum"'


async def test_a_field_that_can_only_be_read_is_not_clicked(agent: Agent) -> None:
    await agent.open(CLICKED.replace("cursor: pointer", ""))
    code, _ = await agent.fails("fill", uid=agent.uid("textbox"), value="Plum")
    assert code == "element_readonly"
    assert await agent.value("list.hidden") == "true"


SHOWN_IN_FIELD = """
<div id=box role=combobox aria-haspopup=listbox aria-expanded=false><input placeholder=Fruit></div>
<ul id=list role=listbox hidden><li role=option>Apple<li role=option>Plum</ul>
<script>
const [field] = box.children;
field.oninput = () => field.value = field.defaultValue;
box.onclick = () => { list.hidden = false; box.ariaExpanded = "true" };
list.onclick = (e) => {
  field.defaultValue = field.value = e.target.textContent.trim(); list.hidden = true; box.ariaExpanded = "false";
};
</script>"""


async def test_a_field_that_takes_no_typing_is_given_what_its_list_offers(agent: Agent) -> None:
    await agent.open(SHOWN_IN_FIELD)
    await agent("fill", uid=agent.uid("textbox"), value="Plum")
    assert await agent.value("field.value") == '"Plum"'


async def test_a_field_that_takes_no_typing_tells_what_its_list_offers(agent: Agent) -> None:
    await agent.open(SHOWN_IN_FIELD)
    code, text = await agent.fails("fill", uid=agent.uid("textbox"), value="Pear")
    assert code == "element_no_such_option"
    assert '"Apple", "Plum"' in text


async def test_suggestions_of_a_search_are_not_chosen(agent: Agent) -> None:
    await agent.open(EDITABLE.replace("TYPE", "type=search name=q"))
    await agent("fill", uid=agent.uid("combobox"), value="Bern")
    assert await agent.value("[chosen, box.value]") == '[null,"Bern"]'


async def test_an_offer_that_is_clicked_in_vain_is_told(agent: Agent) -> None:
    await agent.open(
        EDITABLE.replace("TYPE", "").replace("chosen = box.value", "return; box.value")
    )
    code, text = await agent.fails("fill", uid=agent.uid("combobox"), value="Bern")
    assert code == "element_not_changed"
    assert '"Bern" was clicked' in text


async def test_a_list_for_screen_readers_does_not_stand_for_the_one_that_is_drawn(
    agent: Agent,
) -> None:
    await agent.open(
        "<button id=box role=combobox aria-label=F aria-expanded=false aria-controls=spoken>Choose</button>"
        "<div id=spoken role=listbox style='width:0;height:0;overflow:hidden'><div role=option>plum</div></div>"
        "<div id=list hidden><div>Pear</div><div>Plum</div></div><script>"
        "box.onclick = () => { list.hidden = false; box.ariaExpanded = 'true' };"
        "list.onclick = (e) => { box.textContent = e.target.textContent; list.hidden = true;"
        "box.ariaExpanded = 'false' }</script>"
    )
    await agent("fill", uid=agent.uid("combobox"), value="Plum")
    assert await agent.value("box.textContent") == '"Plum"'


HIDDEN = """
<select id=native aria-label=Colour style="position:absolute;width:1px;height:1px;opacity:0"><option>Red<option>Green<option>Blue</select>
<div id=box role=combobox tabindex=0 aria-expanded=false aria-controls=list>Red</div>
<ul id=list role=listbox hidden><li role=option>Red<li role=option>Green<li role=option>Blue</ul>
<script>
box.onclick = () => { list.hidden = false; box.ariaExpanded = "true" };
list.onclick = (e) => { box.textContent = e.target.textContent.trim(); LINK; list.hidden = true; box.ariaExpanded = "false" };
FOLLOW
</script>"""


@pytest.mark.parametrize(
    ("link", "follow"),
    [
        ("native.value = box.textContent", ""),
        ("", "native.onchange = () => setTimeout(() => box.textContent = native.value, 50)"),
    ],
    ids=["worked", "follows"],
)
async def test_the_component_before_a_hidden_select_shows_its_value(
    agent: Agent, link: str, follow: str
) -> None:
    await agent.open(HIDDEN.replace("LINK", link).replace("FOLLOW", follow))
    await agent("fill", uid="css=#native", value="Blue")
    assert await agent.value("[native.value, box.textContent]") == '["Blue","Blue"]'


async def test_a_hidden_select_that_no_component_follows_is_put_back_and_told(agent: Agent) -> None:
    await agent.open(HIDDEN.replace("LINK", "").replace("FOLLOW", ""))
    code, _ = await agent.fails("fill", uid="css=#native", value="Blue")
    assert code == "element_not_changed"
    assert await agent.value("native.value") == '"Red"'


# Its list stays open for the next choice, until it is put away by key.
COLLECTOR = """
<div><select id=native multiple aria-label=Colours style="position:absolute;width:1px;height:1px;opacity:0"><option>Red<option>Green<option>Blue</select>
<span id=chips></span><input id=box role=combobox aria-label=Colours aria-expanded=false>
<div id=list hidden></div></div>
<script>
const draw = () => {
  list.innerHTML = [...native.options].filter((o) => !o.selected && o.text.startsWith(box.value)).map((o) => `<div role=option>${o.text}</div>`).join("");
};
const open_ = (on) => { list.hidden = !on; box.ariaExpanded = String(on); draw() };
box.oninput = () => open_(true);
box.onkeydown = (e) => e.key === "Escape" && open_(false);
list.onclick = (e) => {
  [...native.options].find((o) => o.text === e.target.textContent).selected = true;
  chips.innerHTML += `<b>${e.target.textContent}</b> `; box.value = ""; draw();
};
</script>"""


async def test_several_values_are_chosen_in_a_component_whose_list_stays_open(
    agent: Agent,
) -> None:
    await agent.open(COLLECTOR)
    await agent("fill", uid="css=#native", value='["Red", "Blue"]')
    chosen = "[...native.selectedOptions].map((o) => o.text).join()"
    assert await agent.value(f"[{chosen}, chips.innerText.trim()]") == '["Red,Blue","Red Blue"]'


RADIOS = """<div role=radiogroup aria-label=Colour><div role=radio tabindex=0 aria-checked=false>Red</div>
  <div role=radio tabindex=0 aria-checked=true>Blue</div></div>"""


async def test_a_group_whose_radio_stays_off_is_not_called_filled(agent: Agent) -> None:
    await agent.open(RADIOS)
    code, text = await agent.fails("fill", uid=agent.uid("radiogroup"), value="Red")
    assert (code, 'it shows "Blue"' in text) == ("element_not_changed", True)


async def test_a_group_whose_radio_comes_on_late_is_filled(agent: Agent) -> None:
    await agent.open(
        RADIOS
        + """<script>onclick = (event) => setTimeout(() => {
      for (const each of document.querySelectorAll("[role=radio]")) {
        each.ariaChecked = String(each === event.target);
      }}, 50)</script>"""
    )
    assert "Filled" in await agent("fill", uid=agent.uid("radiogroup"), value="Red")


PARTS = """<button id=b aria-haspopup=listbox aria-expanded=false aria-label=Country>?</button>
<ul id=l role=listbox hidden></ul><script>
l.innerHTML = [["Guinea", "+224"], ["Guinea-Bissau", "+245"], ["Germany (Deutschland)", "+49"]]
  .map(([name, code]) => `<li role=option><span>${name}</span><span>${code}</span></li>`).join("");
b.onclick = () => { l.hidden = false; b.ariaExpanded = "true" };
l.onclick = (e) => { b.textContent = e.target.closest("li").textContent; l.hidden = true; b.ariaExpanded = "false" };
</script>"""


async def test_an_option_is_found_by_one_of_its_parts(agent: Agent) -> None:
    await agent.open(PARTS)
    told = await agent("fill", uid=agent.uid("button"), value="Guinea")
    assert told.startswith("Filled the element.\n")
    assert await agent.value("b.textContent") == '"Guinea+224"'


async def test_an_option_that_alone_begins_with_the_words_is_chosen_and_told(agent: Agent) -> None:
    await agent.open(PARTS)
    told = await agent("fill", uid=agent.uid("button"), value="Germany")
    assert 'Filled the element. "Germany (Deutschland)+49" was chosen.' in told


async def test_an_option_that_others_begin_like_is_not_guessed(agent: Agent) -> None:
    await agent.open(PARTS.replace('["Guinea"', '["Guinea Conakry"'))
    code, text = await agent.fails("fill", uid=agent.uid("button"), value="Guin")
    assert (code, "Guinea Conakry" in text) == ("element_no_such_option", True)


async def test_a_button_that_nothing_calls_an_opener_is_not_pressed_by_a_fill(agent: Agent) -> None:
    await agent.open(
        "<button onclick='gone = true'>Delete</button><script>let gone = false</script>"
    )
    code, _ = await agent.fails("fill", uid=agent.uid("button"), value="Plum")
    assert (code, await agent.value("gone")) == ("element_not_fillable", "false")
